/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stddef.h>

#include "base/err.h"
#include "instrument/attach/happened.h"

/* What a call that is counted costs the program, which depends on the function's first instruction: the kernel carries
 * some out itself, and has to single-step others (docs/attach.md, "What it costs"). */

enum sc_price_start { SC_PRICE_NOP, SC_PRICE_EMULATED, SC_PRICE_STEPPED, SC_PRICE_STARTS };
enum sc_price_kind { SC_PRICE_COUNT, SC_PRICE_ENTRY, SC_PRICE_RETURN, SC_PRICE_KINDS };

/* Of the instruction that these bytes begin with; SC_PRICE_STEPPED where it is not known. */
enum sc_price_start sc_price_start(const unsigned char *code, size_t bytes);
const char *sc_price_start_name(enum sc_price_start start);

/* Processor time of a call in seconds. */
typedef struct sc_prices {
  double call[SC_PRICE_KINDS][SC_PRICE_STARTS];
} sc_prices;
/* Measures them here and now, by probes on functions of this program's own; it takes some 0.3 s. SC_E_UNSUPPORTED as of
 * sc_catch_open. */
int sc_price_measure(sc_prices *prices) SC_CHECK;
/* Of a call of a function that begins so, and is caught so; `capture` NULL: it is counted. */
double sc_price_call(const sc_prices *prices, enum sc_price_start start, const struct scale_capture *capture);
