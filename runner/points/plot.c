/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `ask --at n=1e6 --sweep threads=1..64 --plot`: an answer drawn over a further parameter. Each point of the curve is
 * the study judged at another value of it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runner/ask/curve.h"
#include "runner/points/internal.h"
#include "runner/text/format.h"
#include "runner/text/terminal.h"

enum { POINTS = 33 }; /* each takes an analysis of its own; lines between them are straight */

typedef struct drawing {
  const sc_several *several;
  const sc_options *options;
  size_t parameter;
  double n, others[SC_RUN_OTHERS];
  sc_quantity quantity; /* its name and kind, for the axes: the quantities themselves go with their judges */
  sc_curve curve;
} drawing;

static int take_points_plot_name(drawing *d, const sc_quantity *quantity)
{
  if (d->quantity.title)
    return 0;
  d->quantity.kind = quantity->kind;
  memcpy(d->quantity.metric, quantity->metric, sizeof d->quantity.metric);
  d->quantity.title = strdup(quantity->title);
  d->curve.quantity = &d->quantity;
  return d->quantity.title ? 0 : SC_E_NOMEM;
}

/* What was measured at this size and this value of the parameter. */
static int take_measured(drawing *d, double value, const sc_quantity *quantity)
{
  sc_quantity_point *points;
  size_t count;
  SC_TRY(sc_quantity_measured(quantity, &points, &count));
  for (size_t i = 0; i < count; i++)
    if (points[i].n == d->n) {
      d->curve.measured[d->curve.measured_count] = points[i];
      d->curve.measured[d->curve.measured_count++].n = value;
      break;
    }
  free(points);
  return 0;
}

/* A point of the curve, and where it is measured. */
typedef struct drawn {
  drawing *drawing;
  double value;
  bool measured;
  sc_curve_point *point;
} drawn;

static int take_point(void *user, sc_ask *ask)
{
  drawn *one = user;
  drawing *d = one->drawing;
  SC_TRY(take_points_plot_name(d, &ask->quantities[0]));
  *one->point = (sc_curve_point){one->value, ask->sizes[0].values[0].predicted, ask->sizes[0].values[0].supposed};
  d->curve.supposed = ask->supposed && ask->supposed[0].portion;
  return one->measured ? take_measured(d, one->value, &ask->quantities[0]) : 0;
}

/* The answer where the parameter has this value. `measured`: what was measured there, too. */
static int answer_points_plot(drawing *d, double value, bool measured, sc_curve_point *point)
{
  const sc_options *o = d->options;
  const sc_ask_request request = {.sizes = &d->n,
                                  .size_count = 1,
                                  .function = o->function,
                                  .resource = o->resource,
                                  .of = o->of,
                                  .suppose = o->suppose,
                                  .top = 1};
  drawn one = {d, value, measured, point};
  d->others[d->parameter - 1] = value;
  return sc_several_visit(d->several, d->others, o->resource || o->of, &request, take_point, &one);
}

/* All other parameters. */
static int hold_drawing(drawing *d, const sc_several_point *point)
{
  const sc_several *s = d->several;
  sc_buf *held = &d->curve.held;
  for (size_t i = 0; i < s->parameters; i++)
    if (i != d->parameter)
      sc_buf_printf(held, "%s%s = %s", held->length ? ", " : " at ", s->names[i], sc_format_number(point->at[i]).s);
  return sc_buf_finish(held);
}

static int take_curve(drawing *d, const double *swept, size_t count)
{
  const sc_workload_other *other = &d->several->judge->loaded.workload->others[d->parameter - 1];
  sc_curve *c = &d->curve;
  sc_curve_point unused;
  c->variable = d->several->names[d->parameter];
  c->n_min = d->several->low[d->parameter];
  c->n_max = d->several->high[d->parameter];
  c->x_low = fmin(c->n_min, swept[0]);
  c->x_high = fmax(c->n_max, swept[count - 1]);
  c->targets = sc_mem_new(count, sizeof *c->targets);
  c->measured = sc_mem_new(other->count, sizeof *c->measured);
  if (!c->targets || !c->measured)
    return SC_E_NOMEM;
  SC_TRY(sc_curve_steps(c, POINTS));
  for (size_t i = 0; i < c->point_count; i++)
    SC_TRY(answer_points_plot(d, c->points[i].n, false, &c->points[i]));
  for (size_t i = 0; i < other->count; i++)
    SC_TRY(answer_points_plot(d, other->values[i], true, &unused));
  for (size_t i = 0; i < count; i++)
    if (swept[i] > c->n_max)
      SC_TRY(answer_points_plot(d, swept[i], false, &c->targets[c->target_count++]));
  sc_curve_scale(c);
  return 0;
}

int sc_several_plot(const sc_several *s, const sc_options *options, size_t parameter, const sc_several_point *points,
                    size_t count, cJSON *document)
{
  const sc_text_options text = {.width = sc_terminal_width(stdout), .style = sc_terminal_style(stdout)};
  drawing d = {.several = s, .options = options, .parameter = parameter, .n = points[0].at[0]};
  double *swept = sc_mem_new(count, sizeof *swept);
  sc_json json = {0};
  int err = swept ? 0 : SC_E_NOMEM;
  SC_GOTO(err);
  memcpy(d.others, points[0].at + 1, (s->parameters - 1) * sizeof *d.others);
  for (size_t i = 0; i < count; i++)
    swept[i] = points[i].at[parameter];
  SC_GOTO(hold_drawing(&d, &points[0]));
  SC_GOTO(take_curve(&d, swept, count));
  SC_GOTO(sc_curve_show(&d.curve, options, &text));
  if (document)
    sc_curve_json(&json, &d.curve, document);
  err = json.failed ? SC_E_NOMEM : 0;
out:
  free(swept);
  free(d.quantity.title);
  sc_curve_free(&d.curve);
  return err;
}
