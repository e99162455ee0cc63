/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `ask` of a function, a number, a limit, with suppositions or as a plot, where further parameters have other values:
 * the answer is that of one parameter, to the study judged there. */
#include <stdlib.h>
#include <string.h>

#include "runner/ask/ask.h"
#include "runner/points/internal.h"
#include "runner/report/json.h"
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
  sc_several_point *points; /* [point_count] as asked for */
  size_t point_count;
  bool sized;   /* there are sizes of the focused parameter to answer */
  size_t swept; /* the further parameter that --sweep is of; 0: none */
} places;

static void free_places(places *all)
{
  for (size_t i = 0; i < all->count; i++)
    free(all->list[i].sizes);
  free(all->list);
  free(all->points);
}

static int add_elsewhere_point(const sc_several *s, places *all, const sc_several_point *point)
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

/* A limit, a plot, a supposition and a resource say themselves which sizes they are about. */
static bool needs_sizes(const sc_options *options)
{
  return !options->limit && !options->sweep && !options->plot && !options->svg && !options->suppose &&
         !options->resource;
}

/* --at and --sweep as a list of points. Where no sizes are to be answered, at the smallest one measured. */
static int list_points(const sc_several *s, const sc_options *options, places *all, sc_buf *list)
{
  char *focused = NULL, *swept = NULL;
  const char *at = options->at ? options->at : "";
  int err = 0;
  if (*at)
    SC_GOTO(sc_several_focus(at, s->names[0], &focused));
  all->swept = options->sweep ? sc_several_swept(s, options->sweep) : 0;
  all->sized = focused || (all->swept && !options->limit) || needs_sizes(options);
  if (all->swept)
    SC_GOTO(sc_several_sweep_list(s, options->at, options->sweep, &swept));
  if (!all->sized)
    sc_buf_printf(list, "%s=%.17g%s", s->names[0], s->low[0], swept || *at ? "," : "");
  sc_buf_puts(list, swept ? swept : at);
  err = sc_buf_finish(list);
out:
  free(focused);
  free(swept);
  return err;
}

static int find_places(const sc_several *s, const sc_options *options, places *all)
{
  sc_buf list = {0};
  int err;
  SC_GOTO(list_points(s, options, all, &list));
  SC_GOTO(sc_several_points(s, list.text, &all->points, &all->point_count));
  for (size_t i = 0; i < all->point_count; i++)
    SC_GOTO(add_elsewhere_point(s, all, &all->points[i]));
out:
  sc_buf_free(&list);
  return err;
}

static sc_ask_request request_of(const sc_options *options, const places *all, const place *p)
{
  return (sc_ask_request){.sizes = p->sizes,
                          .size_count = all->sized ? p->count : 0,
                          .sweep = all->swept ? NULL : options->sweep,
                          .limits = options->limit,
                          .function = options->function,
                          .functions = options->functions,
                          .all = options->all,
                          .resource = options->resource,
                          .of = options->of,
                          .suppose = options->suppose,
                          .top = (size_t)options->top};
}

/* Sizes that are answered one by one name all parameters. */
static bool names_all(const sc_options *options, const places *all)
{
  return all->sized && !options->suppose && !options->resource && !options->plot && !options->sweep && !options->limit;
}

static void print_point_heading(const sc_several *s, const place *p)
{
  const sc_style style = sc_terminal_style(stdout);
  printf("%sWith ", style.bold);
  for (size_t i = 1; i < s->parameters; i++)
    printf("%s%s = %s", i > 1 ? ", " : "", s->names[i], sc_format_number(p->others[i - 1]).s);
  printf(":%s\n", style.off);
}

/* What all answers become: text at once, the rows of a table, or documents of a list. */
typedef struct answers {
  const sc_several *several;
  const sc_options *options;
  const places *all;
  const place *place; /* that is answered */
  sc_table *table;
  bool costs;             /* are in the table */
  cJSON *document, *list; /* of several places; NULL: of one its own document is printed */
} answers;

static int give_point(void *user, sc_ask *ask)
{
  answers *a = user;
  const place *p = a->place;
  bool first = p == a->all->list;
  if (a->list) {
    cJSON *one = NULL;
    SC_TRY(sc_ask_make_json(ask, a->options->plot && !a->all->swept, &one));
    cJSON_AddItemToArray(a->list, one);
    return 0;
  }
  if (a->options->json || !a->all->swept) {
    if (!a->options->json && !first)
      putchar('\n');
    if (!a->options->json && !names_all(a->options, a->all))
      print_point_heading(a->several, p);
    ask->continued = p + 1 < a->all->list + a->all->count;
    return sc_ask_print(a->options, ask);
  }
  if (first)
    a->table = sc_several_sweep_rows_new(a->several, ask, a->all->swept);
  a->costs = ask->limit_count ? ask->limits[0].quantity.costs : ask->quantities[0].costs;
  sc_several_sweep_rows_add(a->table, a->several, ask, p->others);
  return 0;
}

static int answer_place(answers *a, const place *p)
{
  const sc_options *o = a->options;
  const sc_ask_request request = request_of(o, a->all, p);
  a->place = p;
  return sc_several_visit(a->several, p->others, o->resource || o->of || o->limit, &request, give_point, a);
}

static int finish_answers(answers *a)
{
  const sc_text_options text = {.width = sc_terminal_width(stdout), .style = sc_terminal_style(stdout)};
  if (a->document) {
    cJSON *document = a->document;
    a->document = NULL;
    return sc_json_write(stdout, document, &(sc_json){0}, 0);
  }
  if (!a->table)
    return 0;
  size_t keys = a->several->parameters - (a->options->limit ? 1 : 0);
  SC_TRY(sc_table_print_within(a->table, stdout, 2, keys, text.width, text.style.dim, text.style.off));
  if (!a->costs || !sc_several_has_prices(a->several))
    return 0;
  putchar('\n');
  return sc_several_print_prices(stdout, a->several, &text);
}

/* A curve is of one size, and of one value of each parameter but the one it goes over. */
static int check_curve(const sc_several *s, const places *all)
{
  for (size_t i = 1; i < all->point_count; i++)
    for (size_t k = 0; k < s->parameters; k++)
      if (k != all->swept && all->points[i].at[k] != all->points[0].at[k]) {
        (void)sc_err_set(SC_E_USAGE, "a plot over %s is of one value of %s", s->names[all->swept], s->names[k]);
        return sc_err_hint(SC_E_USAGE, "name one in --at: for example %s=%.12g", s->names[k], all->points[0].at[k]);
      }
  return 0;
}

static int check_places(const sc_several *s, const sc_options *options, const places *all)
{
  bool drawn = options->plot || options->svg;
  if (all->swept && drawn && options->limit)
    return sc_err_hint(sc_err_set(SC_E_USAGE, "a plot over %s has no limit in it", s->names[all->swept]),
                       "leave --%s out for a table of the limits", options->plot ? "plot" : "svg");
  if (all->swept && drawn)
    return check_curve(s, all);
  if (options->svg && all->count > 1)
    return sc_err_hint(sc_err_set(SC_E_USAGE, "--svg draws one combination of values, not %zu", all->count),
                       "draw each of them into a file of its own");
  return 0;
}

static int draw_point(answers *a)
{
  if (!a->all->swept || !(a->options->plot || a->options->svg))
    return 0;
  SC_TRY(sc_several_plot(a->several, a->options, a->all->swept, a->all->points, a->all->point_count,
                         a->options->plot ? a->document : NULL));
  if (a->options->plot && !a->document)
    putchar('\n');
  return 0;
}

int sc_several_ask_elsewhere(const sc_several *s, const sc_options *options)
{
  places all = {.list = NULL};
  answers a = {.several = s, .options = options, .all = &all};
  int err;
  SC_GOTO(find_places(s, options, &all));
  SC_GOTO(check_places(s, options, &all));
  if (options->json && (all.count > 1 || all.swept)) {
    a.document = sc_report_json_document(s->judge, "ask");
    a.list = cJSON_AddArrayToObject(a.document, "elsewhere");
  }
  SC_GOTO(draw_point(&a));
  for (size_t i = 0; i < all.count; i++)
    SC_GOTO(answer_place(&a, &all.list[i]));
  err = finish_answers(&a);
out:
  sc_table_free(a.table);
  cJSON_Delete(a.document);
  free_places(&all);
  return err;
}
