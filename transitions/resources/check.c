/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far predictions are from what was measured at the same sizes, as a regression of these distances over ln n.
 * Shares are compared by their odds: between 0.98 and 0.99 a queue's length doubles, between 0.48 and 0.49 nothing
 * happens. */
#include "transitions/resources/check.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "transitions/model/tuning.h"

static double to_scale(bool share, double value)
{
  value = fmin(fmax(value, SC_AGREEMENT_LEAST), share ? SC_AGREEMENT_SHARE : SC_AGREEMENT_MOST);
  return share ? log(value) - log1p(-value) : log(value);
}

/* Adds a distance to a value. */
static double move_by_distance(bool share, double value, double by)
{
  if (!isfinite(value) || by == 0)
    return value;
  if (!share)
    return fmax(value, SC_AGREEMENT_LEAST) * exp(by);
  value = by < 0 ? fmin(value, SC_AGREEMENT_SHARE) : value; /* as the distance was taken */
  double odds = value < 1 ? fmax(value, SC_AGREEMENT_LEAST) / (1 - value) * exp(by) : INFINITY;
  return isfinite(odds) ? odds / (1 + odds) : 1;
}

static bool is_prediction_missed(const sc_check *check, const sc_interval *predicted, const sc_interval *measured)
{
  if (check->share && fabs(predicted->value - measured->value) < SC_AGREEMENT_TOLERANCE &&
      fabs(to_scale(true, predicted->value) - to_scale(true, measured->value)) < 1)
    return false;
  if (check->strict)
    return measured->low > predicted->value || measured->high < predicted->value;
  return measured->low > predicted->high || measured->high < predicted->low;
}

void sc_check_add(sc_check *check, double n, const sc_interval *predicted, const sc_interval *measured)
{
  size_t i = check->count;
  if (i == SC_CHECK_SIZES || !isfinite(predicted->value) || !isfinite(measured->value))
    return;
  check->n[i] = n;
  check->predicted[i] = predicted->value;
  check->measured[i] = measured->value;
  check->off[i] = to_scale(check->share, measured->value) - to_scale(check->share, predicted->value);
  double low = fmax(measured->low, measured->value / 10); /* none at all is no distance */
  check->spread[i] = (to_scale(check->share, measured->high) - to_scale(check->share, low)) / 2;
  check->count++;
  if (!is_prediction_missed(check, predicted, measured))
    return;
  if (!check->missed || fabs(check->off[i]) > fabs(check->off[check->worst]))
    check->worst = i;
  check->missed = true;
}

/* A line through the distances over ln n, and what is left of them beside it. */
static double fit_distances(sc_check *check)
{
  double x = 0, y = 0, xx = 0, xy = 0, squares = 0, count = (double)check->count;
  for (size_t i = 0; i < check->count; i++) {
    x += log(check->n[i]) / count;
    y += check->off[i] / count;
  }
  for (size_t i = 0; i < check->count; i++) {
    xx += (log(check->n[i]) - x) * (log(check->n[i]) - x);
    xy += (log(check->n[i]) - x) * (check->off[i] - y);
  }
  double slope = check->count > 2 && xx > 0 ? xy / xx : 0;
  for (size_t i = 0; i < check->count; i++) {
    double left = check->off[i] - y - slope * (log(check->n[i]) - x);
    squares += left * left;
  }
  double deviation = sqrt(squares / fmax(1, count - 2));
  if (fabs(slope) * sqrt(xx) > SC_AGREEMENT_CERTAIN * fmax(deviation, SC_RESOURCES_OFF))
    check->slope = slope;
  return deviation;
}

/* The upper half of the sizes decides, as the prediction starts from there. A queue that was right within both
 * intervals is not corrected: noise would be carried on as a trend. */
void sc_check_finish(sc_check *check)
{
  if (!check->count)
    return;
  double deviation = fit_distances(check);
  size_t half = check->count / 2;
  double upper = (double)(check->count - half), spread = 0, squares = 0, all = 0;
  for (size_t i = half; i < check->count; i++)
    check->settled += check->off[i] / upper;
  for (size_t i = half; i < check->count; i++) {
    /* what is not corrected stays in the interval */
    double left = check->off[i] - (check->missed ? check->settled : 0);
    all += left * left / upper;
    squares += fmax(0, left * left - check->spread[i] * check->spread[i] / 2) / upper;
    spread += check->spread[i] / upper;
  }
  check->doubt = fmax(SC_RESOURCES_OFF, hypot(upper > 1 ? sqrt(squares) : deviation, spread / 2));
  check->doubt_busy = fmax(SC_RESOURCES_OFF, hypot(upper > 1 ? sqrt(all) : deviation, spread));
  if (!check->missed)
    check->slope = 0;
}

/* Between which of the sizes n is: the part of the way from the first to the second, *after. */
static double bracket_size(const sc_check *check, double n, size_t *after)
{
  *after = 1;
  while (check->n[*after] < n)
    ++*after;
  return log(n / check->n[*after - 1]) / log(check->n[*after] / check->n[*after - 1]);
}

/* Between sizes as their distances say; beyond the largest less and less of its own and more of the larger ones'. */
double sc_check_shift(const sc_check *check, double n)
{
  if (!check->missed)
    return 0;
  if (n <= check->n[0])
    return check->off[0];
  size_t last = check->count - 1, i;
  if (n >= check->n[last])
    return check->settled + (check->off[last] - check->settled) * check->n[last] / n;
  double part = bracket_size(check, n, &i);
  return check->off[i - 1] + part * (check->off[i] - check->off[i - 1]);
}

/* What is corrected is as uncertain as its size's repeats are, and more between two sizes that differ. */
static double doubt_at(const sc_check *check, double n, bool busy)
{
  size_t last = check->count - 1, i;
  if (!check->missed || n < check->n[0] || n > check->n[last] || last == 0)
    return busy ? check->doubt_busy : check->doubt;
  double part = bracket_size(check, n, &i), between = part * (1 - part) * fabs(check->off[i] - check->off[i - 1]);
  double spread = (1 - part) * check->spread[i - 1] + part * check->spread[i];
  return fmax(SC_RESOURCES_OFF, hypot(spread, between));
}

/* What was measured at a size is possible there, however small a distance is not worth a correction. */
static void take_in_measured(const sc_check *check, double n, sc_interval *p)
{
  for (size_t i = 0; i < check->count && !check->elsewhere; i++)
    if (check->n[i] == n) {
      p->low = fmin(p->low, check->measured[i]);
      p->high = fmax(p->high, check->measured[i]);
    }
}

static void apply_checked(const sc_check *check, double n, double level, double weight, bool busy, sc_interval *p)
{
  if (!check->count || !isfinite(p->value))
    return;
  bool share = check->share;
  double smallest = check->n[0], largest = check->n[check->count - 1], by = weight * sc_check_shift(check, n);
  double beyond = n > largest ? log(n / largest) : 0;
  double reach = 1 + (largest > smallest ? beyond / log(largest / smallest) : beyond);
  double off =
      gsl_cdf_ugaussian_Pinv(0.5 + level / 2) * fmax(SC_RESOURCES_OFF, weight * doubt_at(check, n, busy)) * reach;
  double at = to_scale(share, p->value), trend = weight * check->slope * beyond;
  double down = hypot(fmax(0, at - to_scale(share, p->low)), off) + fmax(0, -trend);
  double up = hypot(fmax(0, to_scale(share, p->high) - at), off) + fmax(0, trend);
  bool open = !isfinite(p->high);
  sc_interval raw = *p;
  p->value = move_by_distance(share, raw.value, by);
  p->low = fmin(p->value, move_by_distance(share, p->value, -down));
  p->high = open ? INFINITY : fmax(p->value, move_by_distance(share, p->value, up));
  if (raw.value <= 0 && !check->missed) { /* nothing was predicted, and nothing was there */
    *p = raw;
    return;
  }
  if (raw.low <= 0) /* it may be nothing at all */
    p->low = 0;
  if (share && raw.high >= 1 && !check->missed)
    p->high = 1;
}

void sc_check_apply(const sc_check *check, double n, double level, double weight, bool busy, sc_interval *prediction)
{
  apply_checked(check, n, level, weight, busy, prediction);
  take_in_measured(check, n, prediction);
}
