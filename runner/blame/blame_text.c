/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What blame answers, as text. */
#include <math.h>
#include <string.h>

#include "runner/blame/blame.h"
#include "runner/resources/words.h"
#include "runner/text/context.h"
#include "runner/text/tuning.h"

enum { INDENT = 3 };

typedef struct page {
  FILE *out;
  const sc_blame_view *view;
  const sc_text_options *options;
} page;

static const sc_graph *graph_of(const page *p) { return p->view->judge->loaded.graph; }
static double small_of(const page *p) { return p->view->blame.sizes[SC_BLAME_SMALL]; }

static const sc_resource *resource_of_blame(const page *p, uint32_t resource)
{
  return sc_usage_resource_at(graph_of(p), resource);
}

static void print_blame_wrapped(const page *p, sc_buf *text, int indent, int hang)
{
  if (sc_buf_finish(text) == 0) {
    fprintf(p->out, "%*s", indent, "");
    sc_format_wrap(p->out, text->text, indent, indent + hang, p->options->width);
  }
  sc_buf_free(text);
}

static double blame_text_mean(const sc_blame_sum *sum) { return sum->count > 0 ? sum->seconds / sum->count : NAN; }

static void add_blame_text_size(const page *p, double n, sc_buf *out) { sc_blame_view_size(p->view, n, out); }

/* "143 us (at n = 100: 3.1 us, 46 times less)" */
static void add_mean(const page *p, const sc_blame_sum *sums, sc_buf *out)
{
  double before = blame_text_mean(&sums[SC_BLAME_SMALL]), now = blame_text_mean(&sums[SC_BLAME_LARGE]);
  sc_buf_puts(out, sc_format_seconds(now).s);
  if (p->view->blame.sizes[SC_BLAME_SMALL] >= p->view->blame.sizes[SC_BLAME_LARGE])
    return;
  sc_buf_puts(out, " (at ");
  add_blame_text_size(p, small_of(p), out);
  if (isnan(before))
    sc_buf_puts(out, ": none)");
  else if (now >= SC_BLAME_GROWN * before && before > 0)
    sc_buf_printf(out, ": %s, %s times less)", sc_format_seconds(before).s, sc_resource_words_times(now / before).s);
  else
    sc_buf_printf(out, ": %s)", sc_format_seconds(before).s);
}

static void add_blame_text_place(const page *p, const sc_blame_end *end, sc_buf *out)
{
  if (end->context == SC_USAGE_NONE)
    sc_buf_puts(out, "somebody who is not known");
  else
    sc_resource_words_place(graph_of(p), end->context, end->line, end->column, out);
}

static void add_call(const page *p, const sc_blame_end *end, sc_buf *out)
{
  sc_context_call(graph_of(p), end->context, end->line, end->column, out);
}

static void print_blame_text_title(const page *p)
{
  const sc_resource *resource = resource_of_blame(p, p->view->resource);
  const char *kind = sc_resource_class_name(resource->resource_class);
  bool named = strcmp(kind, resource->name) == 0;
  sc_buf text = {0};
  sc_resource_words_name(resource, &text);
  if (sc_buf_finish(&text) == 0)
    fprintf(p->out, "%s%s%s%s%s\n", p->options->style.bold, text.text, p->options->style.off, named ? "" : ", ",
            named ? "" : kind);
  sc_buf_free(&text);
}

/* The waiting predicted of a part of it all; of all with intervals. */
static void add_blame_text_predicted(const page *p, double share, bool all, sc_buf *out)
{
  const sc_blame_view *view = p->view;
  for (size_t t = 0; t < view->target_count; t++) {
    if (!isfinite(view->seconds[t].value))
      continue;
    sc_buf_puts(out, out->length ? "; at " : "Predicted at ");
    sc_judge_describe(view->judge, view->targets[t], out);
    sc_buf_printf(out, ": %s", sc_format_seconds(view->seconds[t].value * share).s);
    if (all)
      sc_buf_printf(out, " in all (%s), %s each time it is acquired", sc_format_interval(&view->seconds[t], "s").s,
                    sc_format_seconds(view->each[t].value).s);
  }
}

static void print_blame_text_totals(const page *p)
{
  const sc_blame *blame = &p->view->blame;
  const sc_blame_sum *waits = &blame->waits[SC_BLAME_LARGE];
  sc_buf text = {0}, predicted = {0};
  sc_buf_puts(&text, waits->count > 0 ? "Who waits for whom at " : "Nobody waits for it at ");
  add_blame_text_size(p, blame->sizes[SC_BLAME_LARGE], &text);
  if (waits->count > 0)
    sc_buf_printf(&text, ": %s waits, %s in all, %s each", sc_resource_words_times(waits->count).s,
                  sc_format_seconds(waits->seconds).s, sc_format_seconds(blame_text_mean(waits)).s);
  sc_buf_puts(&text, ".");
  print_blame_wrapped(p, &text, 0, 0);
  add_blame_text_predicted(p, 1, true, &predicted);
  if (predicted.length) {
    sc_buf_puts(&predicted, blame->edge_count && !blame->expected ? "; each pair is taken to keep its share." : ".");
    print_blame_wrapped(p, &predicted, 0, 0);
  }
  sc_buf_free(&predicted);
  if (!blame->expected)
    return;
  sc_buf_puts(&text, "By how often it is acquired and how long it is held, these would wait first:");
  print_blame_wrapped(p, &text, 0, 0);
}

static void print_edge(const page *p, const sc_blame_edge *edge, size_t number)
{
  const sc_blame_sum *waits = &edge->waits[SC_BLAME_LARGE];
  sc_buf text = {0}, predicted = {0};
  sc_buf_printf(&text, "%zu. %s: ", number, sc_format_percent(edge->share).s);
  add_blame_text_place(p, &edge->waiter, &text);
  print_blame_wrapped(p, &text, 0, INDENT);
  sc_buf_puts(&text, p->view->blame.expected ? "would wait for " : "waits for ");
  add_blame_text_place(p, &edge->holder, &text);
  print_blame_wrapped(p, &text, INDENT, INDENT);
  if (p->view->blame.expected)
    return;
  sc_buf_printf(&text, "%s waits, %s, each ", sc_resource_words_times(waits->count).s,
                sc_format_seconds(waits->seconds).s);
  add_mean(p, edge->waits, &text);
  add_blame_text_predicted(p, edge->share, false, &predicted);
  if (predicted.length && sc_buf_finish(&predicted) == 0)
    sc_buf_printf(&text, "; p%s", predicted.text + 1);
  sc_buf_free(&predicted);
  print_blame_wrapped(p, &text, INDENT, INDENT);
}

static void print_edges(const page *p)
{
  const sc_blame *blame = &p->view->blame;
  size_t top = p->options->top ? p->options->top : SC_TOP;
  size_t shown = p->options->all || blame->edge_count < top ? blame->edge_count : top;
  for (size_t i = 0; i < shown; i++)
    print_edge(p, &blame->edges[i], i + 1);
  if (shown < blame->edge_count)
    fprintf(p->out, "%*s%s not shown: --all\n", INDENT, "", sc_format_plural(blame->edge_count - shown, "more pair").s);
}

/* "get (cache.c:52) itself waits, in line 54, for index_lock (index.c:7) in 78% of the time it holds" */
static void add_itself(const page *p, const sc_blame_step *before, const sc_blame_step *step, sc_buf *out)
{
  add_call(p, &before->holder, out);
  sc_buf_puts(out, " itself waits, ");
  if (step->waiter.context == before->holder.context && step->waiter.line)
    sc_buf_printf(out, "in line %u, ", step->waiter.line);
  else {
    sc_buf_puts(out, "in ");
    add_call(p, &step->waiter, out);
    sc_buf_puts(out, ", ");
  }
  sc_buf_printf(out, "in %s of the time it holds, for ", sc_format_percent(before->waiting).s);
  sc_resource_words_name(resource_of_blame(p, step->resource), out);
}

static bool far_longer(const sc_blame_step *step)
{
  return step->longest > SC_BLAME_OUTLIER * blame_text_mean(&step->holds[SC_BLAME_LARGE]);
}

/* Waits that are as much longer than the mean hold are for those. */
static bool rare_and_long(const sc_blame_step *step)
{
  return far_longer(step) && blame_text_mean(&step->waits[SC_BLAME_LARGE]) >
                                 SC_BLAME_OUTLIER * blame_text_mean(&step->holds[SC_BLAME_LARGE]);
}

static void print_blame_text_step(const page *p, size_t i)
{
  const sc_blame_step *step = &p->view->blame.chain[i];
  sc_buf text = {0};
  sc_buf_printf(&text, "%zu. ", i + 1);
  if (i)
    add_itself(p, step - 1, step, &text);
  else {
    add_blame_text_place(p, &step->waiter, &text);
    sc_buf_puts(&text, " waits most");
  }
  if (step->holder.context != SC_USAGE_NONE) {
    sc_buf_printf(&text, ": %s of that for ", sc_format_percent(step->share).s);
    add_blame_text_place(p, &step->holder, &text);
  }
  print_blame_wrapped(p, &text, 0, INDENT);
  sc_buf_puts(&text, "each wait ");
  add_mean(p, step->waits, &text);
  if (step->holds[SC_BLAME_LARGE].count > 0) {
    sc_buf_puts(&text, "; each hold ");
    add_mean(p, step->holds, &text);
    if (far_longer(step))
      sc_buf_printf(&text, ", the longest more than %s", sc_format_seconds(step->longest).s);
  }
  print_blame_wrapped(p, &text, INDENT, INDENT);
}

/* What the last holder does differently at the largest size. */
static void add_culprit(const page *p, const sc_blame_step *last, sc_buf *out)
{
  const sc_blame_sum *before = &last->holds[SC_BLAME_SMALL], *now = &last->holds[SC_BLAME_LARGE];
  double longer = blame_text_mean(now) / blame_text_mean(before),
         oftener = before->count > 0 ? now->count / before->count : NAN;
  add_blame_text_place(p, &last->holder, out);
  sc_buf_puts(out, " is not itself waiting. ");
  if (!(now->count > 0)) {
    sc_buf_puts(out, "How long it holds was not measured.");
    return;
  }
  sc_buf_puts(out, "It held ");
  sc_resource_words_name(resource_of_blame(p, last->resource), out);
  sc_buf_printf(out, " %s times, %s each", sc_resource_words_times(now->count).s,
                sc_format_seconds(blame_text_mean(now)).s);
  if (isfinite(longer) && isfinite(oftener) && small_of(p) < p->view->blame.sizes[SC_BLAME_LARGE]) {
    sc_buf_puts(out, "; at ");
    add_blame_text_size(p, small_of(p), out);
    sc_buf_printf(out, " %s times, %s each: ", sc_resource_words_times(before->count).s,
                  sc_format_seconds(blame_text_mean(before)).s);
    if (rare_and_long(last))
      sc_buf_puts(out, "the others wait for a few of its holds, which are far longer");
    else if (longer < SC_BLAME_GROWN && oftener < SC_BLAME_GROWN)
      sc_buf_puts(out, "neither holds longer nor more often");
    else
      sc_buf_puts(out, longer >= oftener ? "above all it holds longer" : "above all it holds more often");
  }
  sc_buf_puts(out, ".");
}

static void print_end(const page *p)
{
  const sc_blame *blame = &p->view->blame;
  const sc_blame_step *last = &blame->chain[blame->chain_count - 1];
  enum sc_resource_class kind = resource_of_blame(p, last->resource)->resource_class;
  sc_buf text = {0};
  sc_buf_puts(&text, "=> ");
  switch (blame->end) {
  case SC_BLAME_NOBODY_WAITS:
    break;
  case SC_BLAME_HOLDER:
    add_culprit(p, last, &text);
    break;
  case SC_BLAME_CYCLE:
    add_call(p, &last->holder, &text);
    sc_buf_printf(&text,
                  " itself waits, in %s of the time it holds, as step %zu says: they wait for each other. Take these "
                  "locks in the same order everywhere.",
                  sc_format_percent(last->waiting).s, blame->cycle + 1);
    break;
  case SC_BLAME_UNKNOWN:
    if (p->view->pool)
      sc_buf_puts(&text,
                  "These threads are a pool and wait for work: they are idle. scale-run report says when they will be "
                  "too few.");
    else if (kind == SC_RESOURCE_CONDITION || kind == SC_RESOURCE_BARRIER || kind == SC_RESOURCE_THREAD)
      sc_buf_printf(&text, "A %s has no holder: these waits end when another thread comes so far.",
                    sc_resource_class_name(kind));
    else
      sc_buf_puts(&text, "Who had it is not known: code that was not built with scale-cc, or a thread that has ended.");
    break;
  }
  print_blame_wrapped(p, &text, 0, INDENT);
}

void sc_blame_print_text(FILE *out, const sc_blame_view *view, const sc_text_options *options)
{
  const page p = {out, view, options};
  print_blame_text_title(&p);
  print_blame_text_totals(&p);
  if (view->blame.edge_count)
    fputc('\n', out);
  print_edges(&p);
  if (!view->blame.chain_count)
    return;
  fprintf(out, "\n%sBack from who waits most%s\n", options->style.bold, options->style.off);
  for (size_t i = 0; i < view->blame.chain_count; i++)
    print_blame_text_step(&p, i);
  print_end(&p);
}
