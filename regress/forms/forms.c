/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/forms/forms.h"

#include <math.h>

#include "regress/core/term.h"
#include "regress/core/tuning.h"

enum { DIVIDED = 3, FALLING = 3 };

/* c n^a / log n: primes, blocks of log n items, series that a power law nearly fits. Not where the logarithm is 0, and
 * only what may have a score below `worst`. */
static size_t list_divided(const sc_points *points, double worst, sc_candidate *list)
{
  size_t made = 0;
  if (points->n[0] < 2 || (points->count == 3 && points->pure_degrees == 0))
    return 0;
  for (int a = 1; a <= DIVIDED; a++) {
    sc_candidate one = {
        .count = 1, .parameters = 1, .cost = SC_FORMS_DIVIDED * (points->whole ? SC_CANDIDATE_WHOLE : 1)};
    double xx = 0, xy = 0, yy = 0;
    one.terms[0] = (sc_term){.exponent = a, .log_exponent = -1};
    for (size_t i = 0; i < points->count; i++) {
      double x = sc_term_basis_at(&one.terms[0], points->n[i], points->log2_n[i]) / points->scale[i];
      double y = points->y[i] / points->scale[i], w = points->weight[i];
      xx += w * x * x, xy += w * x * y, yy += w * y * y;
    }
    if (sc_candidate_score(points, fmax(0, yy - xy * xy / xx), NAN, 1, one.cost) <= worst)
      list[made++] = one;
  }
  return made;
}

/* Work that is divided among n: c / n alone, on a constant, and with what each of the n costs. Only where values fall.
 */
static size_t list_falling(const sc_points *points, sc_candidate *list)
{
  static const double beside[] = {-1, 0, 1}; /* exponent of the other term; -1: none */
  size_t made = 0;
  double least = INFINITY;
  for (size_t i = 0; i < points->count; i++)
    least = fmin(least, points->y[i]);
  if (points->count < 3 || !(least < SC_FORMS_FALLS * points->y[0]))
    return 0;
  for (size_t i = 0; i < FALLING; i++) {
    size_t count = beside[i] < 0 ? 1 : 2;
    if (points->count <= count)
      continue;
    list[made] = (sc_candidate){.count = count, .parameters = count, .cost = SC_FORMS_FALLING};
    list[made].terms[0].exponent = beside[i];
    list[made].terms[count - 1].exponent = -1;
    made++;
  }
  return made;
}

/* n^3, n^2 and n together: three nested loops with bounds that depend on each other. */
static size_t list_cubic(const sc_points *points, double worst, sc_candidate *list)
{
  double price = SC_FORMS_CUBIC * (points->whole ? SC_CANDIDATE_WHOLE : 1);
  if (points->count < 5 || sc_candidate_score(points, 0, NAN, 3, price) > worst)
    return 0;
  list[0] = (sc_candidate){
      .terms = {{.exponent = 3}, {.exponent = 2}, {.exponent = 1}}, .count = 3, .parameters = 3, .cost = price};
  return 1;
}

size_t sc_forms_find(const sc_points *points, double worst, sc_candidate *candidates)
{
  size_t made = list_divided(points, worst, candidates);
  made += list_cubic(points, worst, candidates + made);
  return made + list_falling(points, candidates + made);
}
