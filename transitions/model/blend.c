/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/model/blend.h"

#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/sort.h"

int sc_blend_add(sc_blend *blend, const sc_blend_part *part)
{
  SC_TRY(sc_mem_grow(&blend->parts, &blend->capacity, blend->count + 1, sizeof *blend->parts));
  blend->parts[blend->count++] = *part;
  return 0;
}

bool sc_blend_counts(const sc_blend_part *part) { return !(part->value <= 0 && part->high <= 0 && part->above <= 0); }

void sc_blend_compact(sc_blend *blend)
{
  size_t kept = 0;
  /* Those of one model keep their order: what is summed in another one differs in its last bits. */
  sc_sort_by(blend->parts, blend->count, sizeof *blend->parts, offsetof(sc_blend_part, model));
  for (size_t i = 0; i < blend->count; i++) {
    sc_blend_part *part = &blend->parts[i], *last = kept ? &blend->parts[kept - 1] : NULL;
    if (last && last->model == part->model) {
      last->value += part->value;
      last->low += part->low;
      last->high += part->high;
      last->below += part->below;
      last->above += part->above;
    } else {
      blend->parts[kept++] = *part;
    }
  }
  blend->count = kept;
}

void sc_blend_free(sc_blend *blend)
{
  free(blend->parts);
  *blend = (sc_blend){0};
}

double sc_blend_value(const sc_blend *blend, const sc_model *models, double n)
{
  double sum = 0;
  for (size_t i = 0; i < blend->count; i++)
    if (blend->parts[i].value > 0) /* treat 0 * inf as 0 */
      sum += blend->parts[i].value * sc_model_value(&models[blend->parts[i].model], n);
  return sum > 0 ? sum : 0;
}

static double blend_product(double weight, double value) { return weight > 0 ? weight * value : 0; }

/* `low` and `high` move all parts together (models and ratios err in common) and are added as they are; `below` and
 * `above` are of samples, which err each on their own, and are added as squares. */
void sc_blend_sum_add(sc_blend_sum *sum, const sc_blend_part *part, const sc_interval *count, double factor)
{
  double square = factor * count->value * factor * count->value;
  if (!(factor > 0)) /* treat 0 * inf as 0, too */
    return;
  sum->value += blend_product(part->value * factor, count->value);
  sum->low += blend_product(part->low * factor, count->low);
  sum->high += blend_product(part->high * factor, count->high);
  sum->below += blend_product(part->below, square);
  sum->above += blend_product(part->above, square);
}

sc_interval sc_blend_sum_interval(const sc_blend_sum *sum)
{
  static const double rounding = 1e-12; /* relative: less is what is left of nothing */
  sc_interval out = {sum->value, sum->value, sum->value};
  if (isfinite(sum->value)) {
    double low = sum->value - hypot(sum->value - sum->low, sqrt(sum->below));
    out.low = low > rounding * sum->value ? low : 0;
    out.high = isfinite(sum->high) ? sum->value + hypot(sum->high - sum->value, sqrt(sum->above)) : INFINITY;
  }
  return out;
}

int sc_blend_predict(const sc_blend *blend, const sc_model *models, double n, double level, sc_interval *out)
{
  sc_blend_sum sum = {0};
  for (size_t i = 0; i < blend->count; i++) {
    const sc_blend_part *part = &blend->parts[i];
    sc_interval count;
    if (!sc_blend_counts(part))
      continue;
    SC_TRY(sc_model_predict(&models[part->model], n, level, &count));
    sc_blend_sum_add(&sum, part, &count, 1);
  }
  *out = sc_blend_sum_interval(&sum);
  return 0;
}
