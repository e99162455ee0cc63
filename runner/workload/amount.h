/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/text/format.h"

/* Amounts that limits are given in and answers are printed in. */
enum sc_amount_kind {
  SC_AMOUNT_COUNT, /* calls, iterations, events: no unit */
  SC_AMOUNT_TIME,  /* seconds */
  SC_AMOUNT_BYTES,
  SC_AMOUNT_RATIO /* utilisation, share of failures */
};

/* "1e9" and "64k", "200ms", "4GiB" and "512 kB", "80%" and "0.8". SC_E_USAGE with a hint for anything else. */
int sc_amount_parse(const char *text, enum sc_amount_kind kind, double *value) SC_CHECK;
sc_text sc_amount_text(enum sc_amount_kind kind, double value);
sc_text sc_amount_interval(enum sc_amount_kind kind, const sc_interval *interval);
/* The value, or "under 1.5 ms" where only the upper end is known. */
sc_text sc_amount_estimate(enum sc_amount_kind kind, const sc_interval *interval);
/* For axes: "200 ms", "1 GiB", "80%", "20k", "1e12": at most 8 columns. */
sc_text sc_amount_short(enum sc_amount_kind kind, double value);
/* "s", "bytes", "" */
const char *sc_amount_unit(enum sc_amount_kind kind);
