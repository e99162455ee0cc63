/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/special.h"

#include <math.h>
#include <string.h>

#include "regress/exact.h"
#include "regress/term.h"

/* Capacities that double lie evenly (in log n) between n and 2 n: the standard deviation of 2^u / mean(2^u). */
static const double staircase_scatter = 0.2;
void sc_special_set_terms(sc_model *model, const sc_term *terms, size_t count)
{
  memcpy(model->terms, terms, count * sizeof *terms);
  model->term_count = count;
  model->order = sc_term_order(model->terms, count);
}

/* A coefficient such as 1.28 is a sign of stairs that all sizes hit alike: capacities that double, where the sizes do;
 * else blocks of as many items as the denominator says, up to one block off. */
static void add_stairs(const sc_points *points, sc_model *model)
{
  double block = sc_exact_denominator(model->terms, model->term_count) / points->n[points->count - 1];
  model->exact = false;
  model->scatter = sc_exact_doubling(points) ? staircase_scatter : fmin(SC_SPECIAL_STEP * block, staircase_scatter);
}

static void set_exact(const sc_points *points, sc_model *model, const sc_term *terms, size_t count)
{
  sc_special_set_terms(model, terms, count);
  model->exact = points->whole;
  model->error = 0;
  model->degrees = points->observations - count;
  sc_engine_judge(points, model);
  if (points->whole && !sc_exact_plain(model->terms, count))
    add_stairs(points, model);
}

static bool all_equal(const sc_points *points)
{
  for (size_t i = 0; i < points->count; i++)
    if (points->y[i] != points->y[0])
      return false;
  return points->pure_ss == 0;
}

/* One or two sizes: a best guess, so that there is something to show, and the verdict that it is one. */
static void guess(const sc_points *points, sc_model *model)
{
  sc_term term = {points->y[points->count - 1], 0, 0};
  if (points->count == 2 && points->y[0] > 0 && points->y[1] > 0) {
    double e = log(points->y[1] / points->y[0]) / (points->log_n[1] - points->log_n[0]);
    term = (sc_term){points->y[1] / pow(points->n[1], e), e, 0};
  }
  sc_special_set_terms(model, &term, term.coefficient != 0);
  sc_engine_judge(points, model);
  sc_engine_cannot_tell(model, "only %zu size%s with a count above 0; at least 3 different sizes are needed",
                        points->count, points->count == 1 ? "" : "s");
}

bool sc_special_fit(const sc_points *points, sc_model *model)
{
  sc_term terms[SC_MODEL_TERMS];
  int count = sc_exact_polynomial(points, terms);
  if (count < 0 && points->count >= 2 && all_equal(points)) {
    terms[0] = (sc_term){points->y[0], 0, 0};
    count = points->y[0] != 0;
  }
  if (count >= 0)
    set_exact(points, model, terms, (size_t)count);
  else if (points->count < 3)
    guess(points, model);
  return count >= 0 || points->count < 3;
}
