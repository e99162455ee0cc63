/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "base/buf.h"
#include "transitions/findings/findings.h"

/* "Iterations at n = 100: 4,950; n = 200: 19,900; ... n = 1,600: 1,279,200.": at most six sizes, repeats averaged. */
void sc_explain_evidence(const sc_analysis *analysis, const sc_finding *finding, sc_buf *out);
/* What happens and what to do next, by kind and orders, with the names involved. Returns the end of it that says what
 * to do where that is the same text, at the same place, for every finding that it helps; else "". */
const char *sc_explain_advice(const sc_analysis *analysis, const sc_finding *finding, sc_buf *out);
/* Whether what its calls of the system wait for is worth a word. */
bool sc_explain_waits(const sc_finding_prediction *prediction);
/* A count or size with separators of thousands: "1,279,200"; fractions of small numbers are kept. */
void sc_explain_number(sc_buf *out, double value);
/* "1.5 ms", "300 us". */
void sc_explain_duration(double seconds, sc_buf *out);
/* The texts of both buffers, which are empty afterwards, also after an error. */
int sc_explain_take(sc_buf *evidence, sc_buf *advice, char **evidence_text, char **advice_text) SC_CHECK;
