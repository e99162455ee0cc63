/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sentence of a change, with formulas and points before and after. */
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "transitions/compare/internal.h"
#include "transitions/findings/explain.h"
#include "transitions/model/tuning.h"

static const char *change_counted(const sc_side *s, uint32_t context)
{
  return sc_location_unit(sc_graph_at(s->graph, context));
}

size_t sc_tell_step(const sc_side *s)
{
  return s->size_count > SC_TELL_POINTS ? (s->size_count - 1 + SC_TELL_POINTS - 2) / (SC_TELL_POINTS - 1) : 1;
}

/* "n = 100: 4,950; n = 1,600: 1,279,200": the smallest, the largest, and two between them. */
static void put_points(const sc_compared *c, const sc_side *s, uint32_t context, sc_buf *out)
{
  const double *curve = sc_sides_curve(s, context);
  size_t step = sc_tell_step(s);
  for (size_t i = 0; i < s->size_count; i += step) {
    size_t at = i + step >= s->size_count ? s->size_count - 1 : i;
    sc_buf_printf(out, "%s%s = ", i ? "; " : "", c->head.a->options.variable);
    sc_explain_number(out, s->sizes[at]);
    sc_buf_puts(out, ": ");
    sc_explain_number(out, curve[at]);
  }
}

static void put_model(const sc_model *model, const char *variable, sc_buf *out)
{
  char text[256];
  if (model->verdict != SC_VERDICT_MODEL) {
    sc_buf_puts(out, "no model");
    return;
  }
  if (model->exact)
    sc_model_format_brief(model, variable, 0, text, sizeof text);
  else
    sc_model_format_order(&model->order, variable, text, sizeof text);
  sc_buf_printf(out, "%s%s", model->exact ? "" : "about ", text);
}

static void put_state(const sc_compared *c, const sc_side *s, const char *when, const sc_change_state *state,
                      sc_buf *out)
{
  sc_buf_printf(out, "%s: ", when);
  if (state->undecided)
    sc_buf_puts(out, "of undecided order,");
  else
    put_model(state->model, c->head.a->options.variable, out);
  sc_buf_printf(out, " %s (", change_counted(s, state->context));
  put_points(c, s, state->context, out);
  sc_buf_puts(out, "). ");
}

/* Which order a side counts for, where its data leave several open. */
static void put_undecided(const sc_compared *c, const sc_change_state *state, const char *side, const char *which,
                          sc_buf *out)
{
  char text[128];
  if (!state->undecided)
    return;
  sc_model_format_order(&state->counts_as, c->head.a->options.variable, text, sizeof text);
  sc_buf_printf(out, "The %s's order is undecided and counts as its %s plausible one, %s. ", side, which, text);
}

static void put_factor(const sc_compared *c, const sc_change *change, sc_buf *out)
{
  double before = 0, after = 0;
  for (size_t t = 0; t < c->target_count; t++)
    if (c->targets[t] == c->horizon) {
      before = change->base.predictions ? change->base.predictions[t].value : 0;
      after = change->head.predictions ? change->head.predictions[t].value : 0;
    }
  sc_buf_printf(out, "At %s = ", c->head.a->options.variable);
  sc_explain_number(out, c->horizon);
  sc_buf_puts(out, ": ");
  if (change->base.predictions) {
    sc_explain_number(out, before);
    if (change->other_unit)
      sc_buf_printf(out, " %s", change_counted(&c->base, change->base.context));
    sc_buf_puts(out, " before, ");
  }
  if (change->head.predictions) {
    sc_explain_number(out, after);
    if (change->other_unit)
      sc_buf_printf(out, " %s", change_counted(&c->head, change->head.context));
    sc_buf_puts(out, " now");
    if (!change->base.predictions && change->context_count > 1)
      sc_buf_printf(out, ", in %zu contexts", change->context_count);
  } else {
    sc_buf_puts(out, "none now");
  }
  if (!change->other_unit && isfinite(change->factor) && change->factor > 0 && change->base.predictions &&
      change->head.predictions) {
    bool fewer = change->factor <= SC_TELL_PART;
    double times = fewer ? 1 / change->factor : change->factor;
    sc_buf_puts(out, fewer ? " (1/" : " (");
    sc_explain_number(out, times >= 10 ? round(times) : round(times * 100) / 100);
    sc_buf_puts(out, fewer ? " of it" : " times as much");
    if (change->context_count > 1)
      sc_buf_printf(out, ", in %zu contexts", change->context_count);
    sc_buf_puts(out, ")");
  }
  sc_buf_puts(out, ".");
}

int sc_tell_change(const sc_compared *c, const char *instead, sc_change *change)
{
  sc_buf out = {0};
  if (instead)
    sc_buf_puts(&out, instead);
  else if (sc_analysis_moved(c->head.a))
    sc_buf_puts(&out, "By models of all runs, at other values of further parameters. ");
  if (!instead && change->base.model)
    put_state(c, &c->base, "Before", &change->base, &out);
  if (!instead && change->head.model)
    put_state(c, &c->head, change->base.model ? "Now" : "New", &change->head, &out);
  if (change->rule == SC_RULE_WORSE_ORDER && !instead) {
    put_undecided(c, &change->base, "base", "lowest", &out);
    put_undecided(c, &change->head, "head", "highest", &out);
  }
  if (!instead) /* which has it measured */
    put_factor(c, change, &out);
  int err = sc_buf_finish(&out);
  change->evidence = sc_buf_take(&out);
  return err;
}
