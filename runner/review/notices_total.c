/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The total of a program that takes more than the base's, as a notice: what a gate on cost fails for. */
#include <math.h>
#include <string.h>

#include "runner/review/build.h"
#include "runner/review/words.h"

/* The target at which it exceeds the ratio most; SIZE_MAX: at none. */
static size_t find_total_worst(const sc_comparison *c, double ratio)
{
  size_t worst = SIZE_MAX;
  for (size_t t = 0; c->totals && t < c->target_count; t++)
    if (c->totals[t].clear && c->totals[t].factor > ratio &&
        (worst == SIZE_MAX || c->totals[t].factor > c->totals[worst].factor))
      worst = t;
  return worst;
}

static int set_total_predictions(sc_notice *notice, const sc_comparison *c)
{
  SC_TRY(SC_NEW(notice->predictions, c->target_count));
  for (size_t t = 0; t < c->target_count; t++)
    notice->predictions[t] = (sc_notice_prediction){.n = c->targets[t],
                                                    .has_before = true,
                                                    .has_after = true,
                                                    .before = c->totals[t].base,
                                                    .after = c->totals[t].head};
  notice->prediction_count = c->target_count;
  sc_notice_sort_predictions(notice);
  return 0;
}

/* "total: processor time up; at n = 100,000: 11 s, before 86 ms (128 x, 1.5 x allowed)" */
static int set_total_message(const sc_notices *notices, sc_notice *notice, size_t worst, double ratio)
{
  const sc_comparison *c = notices->comparison;
  const sc_change_total *total = &c->totals[worst];
  sc_buf text = {0};
  sc_buf_printf(&text, "%s: %s up; at ", notice->subject, notice->metric);
  sc_judge_describe(notices->judge, c->targets[worst], &text);
  sc_buf_printf(&text, ": %s, ", sc_notice_value(notice->unit, total->head.value).s);
  sc_buf_printf(&text, "before %s (%s x, ", sc_notice_value(notice->unit, total->base.value).s,
                sc_format_count(total->factor).s);
  sc_buf_printf(&text, "%s x allowed)", sc_format_count(ratio).s);
  return sc_notice_set(&notice->message, &text);
}

int sc_notices_add_total(sc_notices *notices, double ratio)
{
  const sc_comparison *c = notices->comparison;
  const sc_judge *head = notices->judge;
  const char *unit = sc_analysis_cost_unit(head->loaded.analysis);
  size_t worst = ratio > 0 ? find_total_worst(c, ratio) : SIZE_MAX;
  sc_notice *notice;
  bool time = c->totals_cost && strcmp(unit, "s") == 0;
  if (worst == SIZE_MAX)
    return 0;
  SC_TRY(sc_notice_add(notices, SC_RULE_WORSE_COST, SC_SEVERITY_ERROR, &notice));
  if (c->count && c->list[0].of != SC_CHANGE_OF_RESOURCE && c->list[0].head.context != SC_COMPARE_NONE)
    SC_TRY(sc_notice_locate(notice, head, c->list[0].head.context, 0, 0));
  notice->fingerprint[0] = '\0'; /* wherever it stands, it is the total */
  SC_TRY(sc_notice_copy(&notice->subject, "total"));
  SC_TRY(sc_notice_copy(&notice->metric, time ? "processor time" : c->totals_cost ? unit : "executions"));
  notice->unit = time ? "s" : "";
  SC_TRY(set_total_predictions(notice, c));
  SC_TRY(set_total_message(notices, notice, worst, ratio));
  SC_TRY(sc_notice_copy(&notice->evidence, notice->message));
  SC_TRY(sc_notice_copy(&notice->advice,
                        c->count ? "Look at the changes below: they are what the total is made of."
                                 : "No single place changed clearly: measure more or larger sizes (scale-run run), and "
                                   "compare the tables of `scale-run ask` on both sides."));
  notice->over_ratio = true;
  notice->confidence = sc_analysis_get_options(head->loaded.analysis)->level;
  notice->share = 1;
  notice->emergence = (sc_interval){NAN, NAN, NAN};
  return 0;
}
