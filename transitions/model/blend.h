/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/core/model.h"

#include <stdbool.h>
#include <stdint.h>

/* A weighted sum of models: what several contexts cost or count together. Contexts with the same model share a part,
 * so that evaluating a million contexts takes as long as evaluating their distinct models. */
typedef struct sc_blend_part {
  uint32_t model;          /* number of the model */
  double value, low, high; /* weight; the low and high one take in what is unsure about how many executions there are */
  double below, above;     /* squared half widths of the weight for what is unsure about the cost of one */
} sc_blend_part;

typedef struct sc_blend {
  sc_blend_part *parts;
  size_t count, capacity;
} sc_blend;

/* Appends a part, also where the model has one. SC_E_NOMEM. */
int sc_blend_add(sc_blend *blend, const sc_blend_part *part) SC_CHECK;
/* Merges the parts of the same model. */
void sc_blend_compact(sc_blend *blend);
void sc_blend_free(sc_blend *blend);
/* Whether a part adds anything to what a blend comes to. */
bool sc_blend_counts(const sc_blend_part *part);
/* What several blends come to at a size: sums of values and of what is unsure. Zero-initialise. */
typedef struct sc_blend_sum {
  double value, low, high, below, above;
} sc_blend_sum;
/* Adds `factor` times one part, of whose model the prediction is `count`. */
void sc_blend_sum_add(sc_blend_sum *sum, const sc_blend_part *part, const sc_interval *count, double factor);
sc_interval sc_blend_sum_interval(const sc_blend_sum *sum);
/* Value at n, never negative; without and with interval. Errors of counts are taken as fully correlated (they come from
 * the same runs), those of costs as independent. */
double sc_blend_value(const sc_blend *blend, const sc_model *models, double n);
int sc_blend_predict(const sc_blend *blend, const sc_model *models, double n, double level, sc_interval *out) SC_CHECK;
