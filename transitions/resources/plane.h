/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stddef.h>

#include "base/err.h"
#include "regress/core/model.h"

/* A power law in all parameters of a time that no model describes, cut at values of the further ones. */
typedef struct sc_rplane_points {
  const double *at, *y; /* [count][parameters], [count] */
  size_t count, parameters;
  const double *others; /* [parameters - 1] where it is cut */
} sc_rplane_points;

struct sc_rplane;
/* *plane is for free(); left alone where points are too few. `level`: of its intervals. */
int sc_rplane_fit(const sc_rplane_points *points, double level, struct sc_rplane **plane) SC_CHECK;
void sc_rplane_predict(const struct sc_rplane *plane, double n, sc_interval *out);
