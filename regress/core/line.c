/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/core/line.h"

#include <math.h>

void sc_line_add(sc_line_sums *sums, double x, double y, double error)
{
  double u = 1 / (error * error);
  sums->w += u, sums->x += u * x, sums->y += u * y, sums->xx += u * x * x, sums->xy += u * x * y;
}

sc_line sc_line_through_zero(const sc_line_sums *s)
{
  double det = s->w * s->xx - s->x * s->x;
  return (sc_line){.each = s->xx > 0 ? s->xy / s->xx : 0, .spread = det > 0 ? s->w / det : 0};
}

sc_line sc_line_fit(const sc_line_sums *s)
{
  static const double rounding = 1e-12; /* of the determinant: less is what is left of equal x */
  double det = s->w * s->xx - s->x * s->x;
  bool varies = det > rounding * s->w * s->xx;
  double each = varies ? fmax(0, (s->w * s->xy - s->x * s->y) / det) : 0, start = (s->y - each * s->x) / s->w;
  sc_line line = start < 0 ? sc_line_through_zero(s)
                           : (sc_line){.start = start, .each = each, .spread = det > 0 ? s->w / det : 0};
  line.varies = varies;
  return line;
}

double sc_line_miss(const sc_line *line, double x, double y, double error)
{
  double off = (y - line->start - line->each * x) / error;
  return off * off;
}
