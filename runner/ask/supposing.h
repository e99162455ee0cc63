/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/quantity/quantity.h"
#include "runner/report/text.h"

/* What-if questions about the program: --suppose 'check_open_blocks=n log n' (transitions/suppose/suppose.h). */
typedef struct sc_supposing_place { /* a function or loop that is changed, of all its contexts the one executed most */
  uint32_t context;
  double anchor_count; /* at the smallest size measured */
} sc_supposing_place;

typedef struct sc_supposing_item {
  char *text;    /* as given */
  char what[96]; /* "n log n", "log n per call", "0.5 times as often" */
  sc_supposing_place *places;
  size_t place_count;
} sc_supposing_item;

typedef struct sc_supposing_size {
  double n;
  sc_interval before, after;           /* of the total */
  sc_interval part_before, part_after; /* of what is supposed, with all that is in it */
} sc_supposing_size;

typedef struct sc_supposing_worst { /* a finding, after the change */
  const sc_finding *finding;
  double n, cost, share;
  char order[64];
} sc_supposing_worst;

typedef struct sc_supposing {
  const sc_judge *judge;
  sc_suppose *suppose;
  sc_supposing_item *items;
  size_t item_count;
  sc_supposing_size *sizes; /* the analysis's targets */
  size_t size_count;
  bool has_worst;
  sc_supposing_worst worst; /* at the largest target */
} sc_supposing;

/* `list`: suppositions "NAME=ORDER", "NAME=ORDER per call", "NAME=0.5x", with semicolons between them. To be released
 * with sc_supposing_free, also after an error. */
int sc_supposing_parse(const sc_judge *judge, const char *list, sc_supposing *supposing) SC_CHECK;
/* Predicts before and after at the analysis's targets, and finds what then is the worst. */
int sc_supposing_answer(sc_supposing *supposing) SC_CHECK;
void sc_supposing_free(sc_supposing *supposing);
int sc_supposing_print(FILE *out, const sc_supposing *supposing, const sc_text_options *options) SC_CHECK;
