/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/discover/internal.h"

/* What the evidence is of happens on some paths only. What callers do with the function says nothing about that. */
bool sc_score_is_conditional(const sc_discovery *d, sc_facts_slice evidence);
/* 0 to 1. */
double sc_score_confidence(double score);
/* "likely", "perhaps" or "weak". */
const char *sc_score_word(double score);
