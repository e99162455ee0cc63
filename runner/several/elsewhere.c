/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `ask` of a function, a number, a limit, with suppositions or as a plot, where further parameters have other values:
 * the answer is that of one parameter, to the study judged there. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "runner/ask/ask.h"
#include "runner/report/json.h"
#include "runner/several/internal.h"
#include "runner/text/format.h"
#include "runner/text/table.h"
#include "runner/text/terminal.h"

/* One combination of further parameters, and the sizes asked for there. */
typedef struct place {
  double others[SC_RUN_OTHERS];
  double *sizes;
  size_t count, capacity;
} place;

typedef struct places {
  place *list;
  size_t count, capacity;
  bool sized;  /* --at has sizes of the focused parameter */
  bool varied; /* --sweep is of a further parameter */
} places;

static void free_places(places *all)
{
  for (size_t i = 0; i < all->count; i++)
    free(all->list[i].sizes);
  free(all->list);
}

static int add_point(const sc_several *s, places *all, const sc_several_point *point)
{
  size_t bytes = (s->parameters - 1) * sizeof *point->at, i = 0;
  while (i < all->count && memcmp(all->list[i].others, point->at + 1, bytes) != 0)
    i++;
  if (i == all->count) {
    SC_TRY(sc_mem_grow(&all->list, &all->capacity, all->count + 1, sizeof *all->list));
    all->list[all->count] = (place){.sizes = NULL};
    memcpy(all->list[all->count++].others, point->at + 1, bytes);
  }
  place *p = &all->list[i];
  SC_TRY(sc_mem_grow(&p->sizes, &p->capacity, p->count + 1, sizeof *p->sizes));
  p->sizes[p->count++] = point->at[0];
  return 0;
}

/* --at and --sweep as a list of points: without a size of the focused parameter at the smallest one measured. */
static int list_points(const sc_several *s, const sc_options *options, places *all, sc_buf *list)
{
  char *focused = NULL, *swept = NULL;
  const char *at = options->at ? options->at : "";
  int err = 0;
  if (*at)
    SC_GOTO(sc_several_focus(at, s->names[0], &focused));
  all->sized = focused != NULL;
  all->varied = options->sweep && sc_several_sweeps_other(s, options->sweep);
  if (all->varied) {
    SC_GOTO(sc_several_sweep_list(s, options->at, options->sweep, &swept));
    sc_buf_puts(list, swept);
  } else {
    if (!focused)
      sc_buf_printf(list, "%s=%.17g%s", s->names[0], s->low[0], *at ? "," : "");
    sc_buf_puts(list, at);
  }
  err = sc_buf_finish(list);
out:
  free(focused);
  free(swept);
  return err;
}

static int find_places(const sc_several *s, const sc_options *options, places *all)
{
  sc_several_point *points = NULL;
  size_t count = 0;
  sc_buf list = {0};
  int err;
  SC_GOTO(list_points(s, options, all, &list));
  SC_GOTO(sc_several_points(s, list.text, &points, &count));
  for (size_t i = 0; i < count; i++)
    SC_GOTO(add_point(s, all, &points[i]));
out:
  free(points);
  sc_buf_free(&list);
  return err;
}

static int ask_there(const sc_judge *moved, const sc_options *options, const places *all, const place *p, sc_ask *ask)
{
  const sc_ask_request request = {.sizes = p->sizes,
                                  .size_count = all->sized ? p->count : 0,
                                  .sweep = all->varied ? NULL : options->sweep,
                                  .limits = options->limit,
                                  .function = options->function,
                                  .resource = options->resource,
                                  .of = options->of,
                                  .suppose = options->suppose,
                                  .top = (size_t)options->top};
  return sc_ask_answer(moved, &request, ask);
}

/* Sizes that are answered one by one name all parameters. */
static bool names_all(const sc_options *options, const places *all)
{
  return all->sized && !options->suppose && !options->resource && !options->plot && !options->sweep;
}

static void print_heading(const sc_several *s, const place *p)
{
  const sc_style style = sc_terminal_style(stdout);
  printf("%sWith ", style.bold);
  for (size_t i = 1; i < s->parameters; i++)
    printf("%s%s = %s", i > 1 ? ", " : "", s->names[i], sc_format_number(p->others[i - 1]).s);
  printf(":%s\n", style.off);
}

/* A table over a further parameter. */
static sc_table *new_table(const sc_several *s, const sc_ask *ask)
{
  static const char columns[] = "rrrrrrrl";
  sc_table *table = sc_table_new(columns + SC_SURFACE_PARAMETERS - s->parameters);
  for (size_t i = 0; i < s->parameters; i++)
    sc_table_cell(table, s->names[i]);
  sc_table_cell(table, ask->quantities[0].metric);
  sc_table_cell(table, "95% interval");
  sc_table_cell(table, ask->supposed ? "supposed" : "");
  sc_table_cell(table, ask->supposed ? "95% interval" : "");
  sc_table_cell(table, "confidence");
  return table;
}

static void add_row(sc_table *table, const sc_several *s, const sc_ask *ask, const place *p, size_t i)
{
  const sc_ask_value *value = &ask->sizes[i].values[0];
  enum sc_amount_kind kind = ask->quantities[0].kind;
  sc_table_cell(table, sc_format_number(ask->sizes[i].n).s);
  for (size_t k = 1; k < s->parameters; k++)
    sc_table_cell(table, sc_format_number(p->others[k - 1]).s);
  sc_table_cell(table, sc_amount_estimate(kind, &value->predicted).s);
  sc_table_cell(table, sc_amount_interval(kind, &value->predicted).s);
  sc_table_cell(table, ask->supposed ? sc_amount_estimate(kind, &value->supposed).s : "");
  sc_table_cell(table, ask->supposed ? sc_amount_interval(kind, &value->supposed).s : "");
  sc_table_cell(table, value->certainty.half == 0 ? "exact" : sc_certainty_word(&value->certainty));
}

/* What all answers become: text at once, the rows of a table, or documents of a list. */
typedef struct answers {
  const sc_several *several;
  const sc_options *options;
  const places *all;
  sc_table *table;
  bool costs;             /* are in the table */
  cJSON *document, *list; /* of several places; NULL: of one its own document is printed */
} answers;

static int give(answers *a, const place *p, sc_ask *ask)
{
  bool first = p == a->all->list;
  if (a->list) {
    cJSON *one = NULL;
    SC_TRY(sc_ask_make_json(ask, a->options->plot, &one));
    cJSON_AddItemToArray(a->list, one);
    return 0;
  }
  if (a->options->json || !a->all->varied) {
    if (!a->options->json && !first)
      putchar('\n');
    if (!a->options->json && !names_all(a->options, a->all))
      print_heading(a->several, p);
    ask->continued = p + 1 < a->all->list + a->all->count;
    return sc_ask_print(a->options, ask);
  }
  if (first) {
    const sc_style style = sc_terminal_style(stdout);
    const char *title = ask->quantities[0].title;
    printf("%s%c%s over %s%s\n", style.bold, toupper((unsigned char)*title), title + 1,
           sc_several_swept(a->several, a->options->sweep), style.off);
    a->table = new_table(a->several, ask);
  }
  a->costs = ask->quantities[0].costs;
  for (size_t i = 0; i < ask->size_count; i++)
    add_row(a->table, a->several, ask, p, i);
  return 0;
}

static int answer_place(answers *a, const place *p)
{
  sc_judge moved;
  sc_ask ask = {0};
  int err;
  SC_GOTO(sc_several_move(a->several, p->others, &moved));
  if (a->options->resource || a->options->of || a->options->limit)
    SC_GOTO(sc_several_move_resources(a->several, &moved));
  SC_GOTO(ask_there(&moved, a->options, a->all, p, &ask));
  err = give(a, p, &ask);
out:
  sc_ask_free(&ask);
  sc_several_leave(&moved);
  return err;
}

static int finish(answers *a)
{
  const sc_report_text_options text = {.width = sc_terminal_width(stdout), .style = sc_terminal_style(stdout)};
  if (a->document) {
    cJSON *document = a->document;
    a->document = NULL;
    return sc_report_json_write(stdout, document);
  }
  if (!a->table)
    return 0;
  SC_TRY(
      sc_table_print_within(a->table, stdout, 2, a->several->parameters, text.width, text.style.dim, text.style.off));
  if (!a->costs)
    return 0;
  putchar('\n');
  return sc_several_print_prices(stdout, a->several, &text);
}

static int check(const sc_options *options, const places *all)
{
  if (all->varied && (options->plot || options->svg)) {
    (void)sc_err_set(SC_E_USAGE, "a plot is drawn over the first parameter only");
    return sc_err_hint(SC_E_USAGE, "leave --%s out for a table over the further one, or name its value in --at",
                       options->plot ? "plot" : "svg");
  }
  if (all->varied && options->limit) {
    (void)sc_err_set(SC_E_USAGE, "--limit looks for a value of the first parameter: --sweep of another one does not go "
                                 "with it");
    return sc_err_hint(SC_E_USAGE, "name the values in --at: a limit is answered for each of them");
  }
  if (options->limit && all->sized) {
    (void)sc_err_set(SC_E_USAGE, "--at has the parameter that --limit asks for");
    return sc_err_hint(SC_E_USAGE, "leave one of both out");
  }
  if (options->svg && all->count > 1)
    return sc_err_hint(sc_err_set(SC_E_USAGE, "--svg draws one combination of values, not %zu", all->count),
                       "draw each of them into a file of its own");
  return 0;
}

int sc_several_ask_elsewhere(const sc_several *s, const sc_options *options)
{
  places all = {.list = NULL};
  answers a = {.several = s, .options = options, .all = &all};
  int err;
  SC_GOTO(find_places(s, options, &all));
  SC_GOTO(check(options, &all));
  if (options->json && (all.count > 1 || all.varied)) {
    a.document = sc_report_json_document(s->judge, "ask");
    a.list = cJSON_AddArrayToObject(a.document, "elsewhere");
  }
  for (size_t i = 0; i < all.count; i++)
    SC_GOTO(answer_place(&a, &all.list[i]));
  err = finish(&a);
out:
  sc_table_free(a.table);
  cJSON_Delete(a.document);
  free_places(&all);
  return err;
}
