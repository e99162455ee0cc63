/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/ask/certainty.h"

#include <math.h>

#include "runner/report/elapsed.h"
#include "runner/report/outcome.h"
#include "runner/report/untold.h"
#include "runner/several/several.h"
#include "runner/text/tuning.h"
#include "transitions/model/elapsed.h"
#include "transitions/model/time_growth.h"

static double half_width(const sc_interval *p)
{
  if (p->high <= p->low)
    return 0;
  return p->value > 0 ? (p->high - p->low) / 2 / p->value : NAN;
}

/* The share of the measured cost that a prediction of everything's cost or time rests on: counts do not. */
static double certainty_modelled(const sc_quantity *q)
{
  return q->whole && (q->costs || q->kind == SC_AMOUNT_TIME) ? sc_analysis_modelled_share(q->judge->loaded.analysis)
                                                             : 1;
}

/* Whether the time of an execution is left open: the times hint at growth, or the budget ended before it was checked.
 */
static bool time_is_open(const sc_quantity *q)
{
  const sc_judge *judge = q->judge;
  return q->kind == SC_AMOUNT_TIME && q->whole &&
         (sc_analysis_time_growth(judge->loaded.analysis).state == SC_TIME_UNDECIDED || sc_outcome_is_cut(judge));
}

static double confidence_of(const sc_quantity *q, const sc_certainty *c)
{
  if (c->half == 0 && c->exact)
    return certainty_modelled(q);
  if (!isfinite(c->half))
    return 0;
  double confidence =
      certainty_modelled(q) / (1 + c->half) / (1 + SC_CERTAINTY_REACH * log10(fmax(1, c->beyond) * c->beyond_others));
  return c->beyond > 1 && time_is_open(q) ? fmin(confidence, SC_CERTAINTY_OPEN) : confidence;
}

/* Whether nobody knows if an execution takes longer at larger sizes, which the upper end allows for. */
static bool time_is_unknown(const sc_quantity *q, const sc_time_growth *time)
{
  return q->kind == SC_AMOUNT_TIME && (time->state == SC_TIME_UNCHECKED || time->state == SC_TIME_UNDECIDED);
}

/* Whether chance makes most of the counts: larger sizes tell no more of them. */
static bool is_of_chance(const sc_quantity *q)
{
  const sc_untold *untold = sc_analysis_untold(q->judge->loaded.analysis);
  return q->whole && untold->most && untold->chance;
}

static double certainty_next_size(const sc_quantity *q, double n, const sc_certainty *c, double largest)
{
  if (!(n > largest) || c->half <= SC_CERTAINTY_PRECISE || is_of_chance(q))
    return 0;
  const sc_model *widest = sc_quantity_widest(q, n);
  double decides = widest && widest->rival_count ? sc_model_deciding_size(widest) : INFINITY;
  const sc_workload *workload = q->judge->loaded.workload;
  /* What only just tells rivals apart narrows little. */
  double farther = sc_workload_round_up(workload, SC_CERTAINTY_FARTHER * largest);
  sc_time_growth time = sc_analysis_time_growth(q->judge->loaded.analysis);
  if (time_is_unknown(q, &time) && isfinite(time.deciding)) /* as the report says */
    farther = fmax(farther, sc_workload_round_up(workload, time.deciding));
  double next = fmin(n, decides <= n ? fmax(decides, farther) : farther);
  return sc_workload_has_whole_sizes(workload) ? ceil(next) : next;
}

static double beyond_others(const sc_judge *judge)
{
  return judge->several ? sc_several_beyond(judge->several, judge->others) : 1;
}

int sc_certainty_make(const sc_quantity *quantity, double n, sc_certainty *certainty)
{
  double low, high;
  sc_interval here, there;
  sc_analysis_range(quantity->judge->loaded.analysis, &low, &high);
  SC_TRY(sc_quantity_predict(quantity, n, &here));
  SC_TRY(sc_quantity_predict(quantity, high, &there));
  *certainty = (sc_certainty){.beyond = n / high,
                              .beyond_others = beyond_others(quantity->judge),
                              .half = half_width(&here),
                              .half_at_largest = half_width(&there),
                              .exact = sc_quantity_is_count(quantity)};
  if (here.value > 0)
    certainty->factor = fmax(here.high / here.value, here.value / here.low);
  certainty->confidence = confidence_of(quantity, certainty);
  certainty->next_size = certainty_next_size(quantity, n, certainty, high);
  return 0;
}

double sc_certainty_factor(const sc_certainty *certainty)
{
  if (certainty->half == certainty->half_at_largest)
    return 1;
  return certainty->half_at_largest > 0 ? certainty->half / certainty->half_at_largest : NAN;
}

const char *sc_certainty_word(const sc_certainty *certainty)
{
  return certainty->confidence > 0 ? sc_text_confidence(certainty->confidence) : "none";
}

/* ", threads = 64 is 8 times the largest measured (8)" */
static void add_certainty_others(const sc_judge *judge, sc_buf *out)
{
  const sc_workload *workload = judge->loaded.workload;
  for (size_t i = 0; judge->several && i < workload->other_count; i++) {
    double low, high;
    sc_several_range(judge->several, 1 + i, &low, &high);
    if (judge->others[i] > high)
      sc_buf_printf(out, ", %s = %s is %s times the largest measured (%s)", workload->others[i].name,
                    sc_format_number(judge->others[i]).s, sc_format_count(judge->others[i] / high).s,
                    sc_format_number(high).s);
  }
}

static void add_distance(const sc_quantity *q, double n, const sc_certainty *c, sc_buf *out)
{
  const char *v = q->judge->loaded.workload->parameter;
  double low, high;
  sc_analysis_range(q->judge->loaded.analysis, &low, &high);
  sc_text smallest = sc_format_number(low), largest = sc_format_number(high);
  if (n < low)
    sc_buf_printf(out,
                  "Warning: below the sizes measured (%s = %s to %s), where constant parts weigh more than the models "
                  "know. A lower range (-P or <range>) helps.",
                  v, smallest.s, largest.s);
  else if (n <= high)
    sc_buf_printf(out, "Within the sizes measured (%s = %s to %s)", v, smallest.s, largest.s);
  else
    sc_buf_printf(out, "%s times the largest size measured (%s)", sc_format_count(c->beyond).s, largest.s);
  if (n >= low)
    add_certainty_others(q->judge, out);
}

static sc_text factor_text(double factor)
{
  sc_text out;
  if (factor < 10)
    snprintf(out.s, sizeof out.s, "%.2g", factor);
  else
    out = sc_format_count(factor);
  return out;
}

static void add_width(const sc_certainty *c, sc_buf *out)
{
  double factor = sc_certainty_factor(c);
  if (c->half == 0)
    sc_buf_puts(out, c->exact ? ": predicted exactly" : ": no run differs from it");
  else if (!isfinite(c->half))
    sc_buf_puts(out, ": its interval has no upper end");
  else if (!isfinite(c->factor) && c->half > SC_CERTAINTY_CLOSE)
    sc_buf_puts(out, ": its interval begins at 0");
  else
    sc_buf_printf(out, c->half <= SC_CERTAINTY_CLOSE ? ": known to %s" : ": could be off by a factor of up to %s",
                  c->half <= SC_CERTAINTY_CLOSE ? sc_format_margin(c->half).s : factor_text(c->factor).s);
  if (isfinite(c->half) && c->half > 0 && factor >= SC_CERTAINTY_WIDER)
    sc_buf_printf(out, ", with an interval %s times as wide", factor_text(factor).s);
  sc_buf_printf(out, "; confidence %s (%.2f).", sc_certainty_word(c), c->confidence);
}

static void add_certainty_text(const sc_quantity *quantity, double n, const sc_certainty *certainty, sc_buf *out)
{
  const char *v = quantity->judge->loaded.workload->parameter;
  double low, high;
  sc_time_growth time = sc_analysis_time_growth(quantity->judge->loaded.analysis);
  sc_analysis_range(quantity->judge->loaded.analysis, &low, &high);
  add_distance(quantity, n, certainty, out);
  if (n < low)
    return;
  add_width(certainty, out);
  if (certainty->beyond > 1 && time_is_unknown(quantity, &time))
    sc_buf_printf(out, " The upper end allows for executions that take longer there: %s.",
                  time.state == SC_TIME_UNDECIDED ? "the times hint that they do" : "whether they do was not checked");
  if (certainty->beyond > SC_CERTAINTY_FAR)
    sc_buf_puts(out, " Assumes that nothing new starts beyond the largest measured size.");
  if (certainty->next_size > 0)
    sc_buf_printf(out, " To narrow it, measure up to %s = %s (-P or <range>).", v,
                  sc_format_number(certainty->next_size).s);
}

void sc_certainty_print(FILE *out, const sc_quantity *quantity, double n, const sc_certainty *certainty,
                        const sc_text_options *options)
{
  sc_buf text = {0};
  add_certainty_text(quantity, n, certainty, &text);
  if (quantity->whole && quantity->costs && sc_report_untold_at(quantity->judge, n)) {
    sc_buf_puts(&text, " ");
    sc_report_untold_text(quantity->judge, &text);
  }
  if (quantity->whole && quantity->kind == SC_AMOUNT_TIME &&
      sc_elapsed_mostly_waits(quantity->judge->loaded.analysis, n)) {
    sc_buf_puts(&text, " ");
    (void)sc_report_elapsed_note(quantity->judge, n, &text);
  }
  if (sc_buf_finish(&text) == 0) {
    fputs("  ", out);
    sc_format_wrap(out, text.text, 2, 2, options->width);
  }
  sc_buf_free(&text);
}
