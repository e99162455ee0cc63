/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/ask/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/number.h"
#include "runner/text/tuning.h"
#include "runner/workload/sizes.h"

enum { MOST_ASKED = 1000 };

static int refuse_sweep(const char *text, const char *parameter)
{
  (void)sc_err_set(SC_E_USAGE, "--sweep: \"%.60s\" is not a range of sizes", text);
  return sc_err_hint(SC_E_USAGE, "for example --sweep %s=1e3..1e7, or --sweep %s=1e3..1e7/13 for 13 sizes", parameter,
                     parameter);
}

static int sweep_one_size(const char *text, size_t length, const char *parameter, double largest, double *size)
{
  sc_buf one = {0};
  double *sizes = NULL;
  size_t count = 0;
  sc_buf_add(&one, text, length);
  int err = sc_buf_finish(&one) ?: sc_sizes_parse(one.text, parameter, largest, &sizes, &count);
  if (err == 0 && count != 1)
    err = refuse_sweep(text, parameter);
  if (err == 0)
    *size = sizes[0];
  free(sizes);
  sc_buf_free(&one);
  return err;
}

typedef struct range {
  double low, high;
  double steps; /* 0: not told */
} range;

static int parse_sweep(const char *text, const char *parameter, double largest, range *out)
{
  const char *dots = strstr(text, ".."), *slash = strchr(text, '/');
  if (!dots || dots == text || (slash && slash < dots))
    return refuse_sweep(text, parameter);
  const char *high = dots + 2;
  size_t length = slash ? (size_t)(slash - high) : strlen(high);
  if (!length || strpbrk(text, ",;"))
    return refuse_sweep(text, parameter);
  SC_TRY(sweep_one_size(text, (size_t)(dots - text), parameter, largest, &out->low));
  SC_TRY(sweep_one_size(high, length, parameter, largest, &out->high));
  out->steps = 0;
  if (slash &&
      (!sc_number_all(slash + 1, strlen(slash + 1), &out->steps) || !(out->steps >= 2) || !(out->steps <= MOST_ASKED)))
    return sc_err_hint(sc_err_set(SC_E_USAGE, "--sweep: \"%.40s\" is not a number of sizes", slash + 1), "from 2 to %d",
                       MOST_ASKED);
  if (!(out->low < out->high))
    return sc_err_hint(sc_err_set(SC_E_USAGE, "--sweep: the range %.60s ends before it begins", text),
                       "the smaller size comes first");
  return 0;
}

typedef struct list {
  double *sizes;
  size_t count, capacity;
} list;

static int add_swept(list *l, double n, bool whole)
{
  n = whole ? round(n) : n;
  if (l->count && n <= l->sizes[l->count - 1])
    return 0;
  SC_TRY(sc_mem_grow(&l->sizes, &l->capacity, l->count + 1, sizeof *l->sizes));
  l->sizes[l->count++] = n;
  return 0;
}

static int add_equal_steps(list *l, const range *r)
{
  bool whole = r->low == floor(r->low);
  size_t last = (size_t)r->steps - 1;
  for (size_t i = 0; i <= last; i++)
    SC_TRY(add_swept(l, i == last ? r->high : r->low * pow(r->high / r->low, (double)i / (double)last), whole));
  return 0;
}

static double next_round(double n, bool doubling, bool tens)
{
  static const double steps[] = {1, 2, 5, 10};
  if (doubling)
    return exp2(floor(log2(n) + 1 + 1e-9));
  double unit = pow(10, floor(log10(n) + 1e-9));
  if (tens)
    return 10 * unit;
  for (int i = 0; i < 3; i++)
    if (n < steps[i + 1] * unit * (1 - 1e-9))
      return steps[i + 1] * unit;
  return 10 * unit;
}

static int add_round(list *l, const range *r, bool doubling, bool tens)
{
  for (double n = r->low; n < r->high; n = next_round(n, doubling, tens))
    SC_TRY(add_swept(l, n, false));
  return add_swept(l, r->high, false);
}

int sc_sweep_parse(const char *text, const char *parameter, double largest, bool doubling, double **sizes,
                   size_t *count)
{
  range r;
  list l = {0};
  int err;
  SC_GOTO(parse_sweep(text, parameter, largest, &r));
  if (r.steps > 0) {
    err = add_equal_steps(&l, &r);
  } else {
    bool tens = log2(r.high / r.low) / (doubling ? 1 : log2(10) / 3) > SC_SWEEP_ROWS;
    err = add_round(&l, &r, doubling && !tens, tens);
  }
out:
  if (err < 0) {
    free(l.sizes);
    l = (list){0};
  }
  *sizes = l.sizes;
  *count = l.count;
  return err;
}
