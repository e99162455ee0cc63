/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/ask/limit.h"

#include <math.h>
#include <string.h>

#include "runner/report/untold.h"
#include "runner/text/tuning.h"
#include "transitions/model/inverse.h"

static int predict_quantity(void *quantity, double n, sc_interval *out)
{
  return sc_quantity_predict(quantity, n, out);
}

static int search_limit(sc_limit *limit)
{
  const sc_inverse_range range = {limit->smallest, limit->farthest,
                                  limit->quantity.portion ? SC_LIMIT_STEP : SC_LIMIT_FINE};
  return sc_inverse_find(predict_quantity, &limit->quantity, limit->value, &range, &limit->n);
}

int sc_limit_parse(const sc_judge *judge, const sc_subject *subject, const sc_suppose *suppose, const char *text,
                   sc_quantity *quantity, double *value)
{
  const char *equals = strrchr(text, '='), *amount = equals ? equals + 1 : text;
  size_t length = equals ? (size_t)(equals - text) : 0;
  *quantity = (sc_quantity){0};
  if (equals == text || !*amount) {
    (void)sc_err_set(SC_E_USAGE, "\"%.80s\" is not METRIC=VALUE", text);
    return sc_err_hint(SC_E_USAGE,
                       "for example time=200ms, utilisation(order_lock)=80%%, memory=4GiB, calls(parse)=1e9");
  }
  SC_TRY(sc_quantity_parse(judge, subject, suppose, text, length, quantity));
  return value ? sc_amount_parse(amount, quantity->kind, value) : 0;
}

int sc_limit_find(const sc_judge *judge, const sc_subject *subject, const sc_suppose *suppose, const char *text,
                  sc_limit *limit)
{
  double high;
  sc_interval beyond;
  *limit = (sc_limit){0};
  sc_analysis_range(judge->loaded.analysis, &limit->smallest, &high);
  int err = sc_limit_parse(judge, subject, suppose, text, &limit->quantity, &limit->value);
  if (err < 0)
    return sc_err_prefix(err, "--limit");
  limit->farthest = sc_quantity_farthest(&limit->quantity);
  SC_TRY(sc_quantity_predict(&limit->quantity, limit->smallest, &limit->at_smallest));
  SC_TRY(sc_quantity_predict(&limit->quantity, 2 * high, &beyond));
  SC_TRY(search_limit(limit));
  limit->cannot_tell = isinf(beyond.high) && isfinite(beyond.value) && !(limit->n.value <= high);
  limit->certainty_at = limit->n.value;
  return isfinite(limit->n.value) ? sc_certainty_make(&limit->quantity, limit->n.value, &limit->certainty) : 0;
}

void sc_limit_free(sc_limit *limit) { sc_quantity_free(&limit->quantity); }

bool sc_limit_exceeded_already(const sc_limit *limit) { return limit->at_smallest.value >= limit->value; }

/* What falls with a further parameter: from which value on the limit is kept. */
static void say_below(const sc_limit *limit, const char *variable, sc_buf *out)
{
  const sc_interval *n = &limit->below;
  sc_text low = sc_format_number(n->low), high = sc_format_number(n->high);
  if (!isfinite(n->value)) {
    sc_buf_printf(out, " and at all values up to %s = %s", variable, sc_format_number(limit->farthest).s);
    return;
  }
  sc_buf_printf(out, "; it is kept from %s = %s on", variable, sc_format_number(n->value).s);
  if (strcmp(low.s, high.s) != 0)
    sc_buf_printf(out, " (95%% interval: %s to %s)", low.s, isfinite(n->high) ? high.s : "never");
  else if (sc_quantity_is_count(&limit->quantity))
    sc_buf_puts(out, " (exactly)");
}

/* The end of a sentence about whatever was looked for: " is reached at n = 632 (95% interval: 560 to 640)". Of the
 * quantity the judge and the kind are read. */
static void add_when(const sc_limit *limit, sc_buf *out)
{
  const char *v = limit->variable ? limit->variable : limit->quantity.judge->loaded.workload->parameter;
  sc_text n = sc_format_number(limit->n.value), low = sc_format_number(limit->n.low),
          high = sc_format_number(limit->n.high);
  if (sc_limit_exceeded_already(limit)) {
    sc_buf_printf(out, " is %s at %s = %s already, the smallest %s measured (%s there)",
                  limit->at_smallest.value > limit->value ? "exceeded" : "reached", v,
                  sc_format_number(limit->smallest).s, limit->variable ? "value" : "size",
                  sc_amount_text(limit->quantity.kind, limit->at_smallest.value).s);
    if (limit->variable)
      say_below(limit, v, out);
  } else if (limit->cannot_tell) {
    sc_buf_puts(out, " is reached");
  } else if (!isfinite(limit->n.value)) {
    sc_buf_printf(out, " is never reached, up to %s = %s", v, sc_format_number(limit->farthest).s);
    if (isfinite(limit->n.low))
      sc_buf_printf(out, "; at its upper bound from %s = %s on", v, low.s);
  } else if (strcmp(low.s, high.s) == 0) {
    sc_buf_printf(out, " is reached at %s = %s%s", v, n.s, sc_quantity_is_count(&limit->quantity) ? " (exactly)" : "");
  } else {
    sc_buf_printf(out, " is reached at %s = %s (95%% interval: %s to %s)", v, n.s, low.s,
                  isfinite(limit->n.high) ? high.s : "never");
  }
}

void sc_limit_text(const sc_limit *limit, sc_buf *out)
{
  if (limit->cannot_tell && !sc_limit_exceeded_already(limit))
    sc_buf_puts(out, "Cannot tell when ");
  sc_quantity_phrase(&limit->quantity, sc_amount_text(limit->quantity.kind, limit->value).s, out);
  add_when(limit, out);
}

void sc_limit_print(FILE *out, const sc_limit *limit, const sc_text_options *options)
{
  sc_buf text = {0};
  sc_limit_text(limit, &text);
  fputs(options->style.bold, out);
  if (sc_buf_finish(&text) == 0)
    sc_format_wrap(out, text.text, 0, 2, options->width);
  fputs(options->style.off, out);
  sc_buf_free(&text);
  bool already = sc_limit_exceeded_already(limit);
  if (already && !limit->variable)
    return;
  if (already || !limit->cannot_tell) {
    double found = already ? limit->below.value : limit->n.value;
    if (isfinite(found))
      sc_certainty_print(out, &limit->quantity, limit->certainty_at, &limit->certainty, options);
  } else if (limit->quantity.whole) {
    sc_report_untold_print(out, limit->quantity.judge, options);
  } else {
    fputs("  It grows, but has no model. More sizes help: a wider range (-P or <range>).\n", out);
  }
}
