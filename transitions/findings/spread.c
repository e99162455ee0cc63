/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Growth over many small places: what they have in common. */
#include "transitions/findings/spread.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/path.h"
#include "base/sort.h"
#include "profiles/graph/series.h"
#include "profiles/graph/shorten.h"
#include "transitions/model/costs.h"
#include "transitions/model/tuning.h"

enum { ORDER_NUMBERS = 5 };

/* Sites of one place that agree in what they are grouped by. */
typedef struct row {
  uint32_t about, location; /* about: number of the place, of the caller's or of the order */
  double share;
  char *key; /* the same as text, which several may have */
} row;

static const sc_location *spread_at(const sc_analysis *a, uint32_t context) { return sc_graph_at(a->graph, context); }

/* The function that the context stands in, itself included; 0: none. */
static uint32_t spread_function_of(const sc_analysis *a, uint32_t context)
{
  while (context && spread_at(a, context)->kind != SC_LOCATION_FUNCTION)
    context = sc_graph_parent(a->graph, context);
  return context;
}

static uint32_t caller_of(const sc_analysis *a, uint32_t context)
{
  uint32_t function = spread_function_of(a, context);
  return function ? spread_function_of(a, sc_graph_parent(a->graph, function)) : 0;
}

static char *spread_key_of(const sc_analysis *a, const row *r, const sc_series_set *orders, enum sc_spread_by by)
{
  char order[64];
  sc_buf name = {0};
  const sc_location *about = by == SC_SPREAD_ORDER ? NULL : sc_graph_location_at(a->graph, r->about);
  if (by == SC_SPREAD_FILE)
    return sc_mem_copy_string(about->file);
  if (by == SC_SPREAD_ORDER) {
    const double *o = sc_series_row(orders, r->about);
    const sc_order to = {.exponent = o[0], .log_exponent = o[1], .base = o[2], .beside = o[3], .integer = (int)o[4]};
    sc_model_format_order(&to, a->options.variable, order, sizeof order);
    return sc_mem_copy_string(order);
  }
  if (about->kind != SC_LOCATION_ROOT)
    sc_shorten_name(about->display, &name);
  char *text = sc_buf_finish(&name) == 0 ? sc_buf_take(&name) : NULL;
  sc_buf_free(&name);
  return text;
}

static int compare_spread_keys(const void *left, const void *right)
{
  const row *x = left, *y = right;
  return strcmp(x->key, y->key) ?: SC_COMPARE(x->location, y->location);
}

static int compare_spread_groups(const void *left, const void *right)
{
  const sc_spread_group *x = left, *y = right;
  return SC_COMPARE(y->share, x->share) ?: SC_COMPARE(y->places, x->places) ?: strcmp(x->name, y->name);
}

/* Sorted, those that agree in one; returns how many are left. */
static size_t merge_rows(row *rows, size_t count)
{
  size_t kept = 0;
  sc_sort_by(rows, count, sizeof *rows, offsetof(row, location));
  sc_sort_by(rows, count, sizeof *rows, offsetof(row, about));
  for (size_t i = 0; i < count; i++)
    if (kept && rows[kept - 1].about == rows[i].about && rows[kept - 1].location == rows[i].location)
      rows[kept - 1].share += rows[i].share;
    else
      rows[kept++] = rows[i];
  return kept;
}

/* Orders are numbered like series of numbers, so that places of one order, told by floating-point numbers, meet. */
static int make_row(const sc_analysis *a, const sc_finding_site *site, uint32_t place, enum sc_spread_by by,
                    sc_series_set *orders, row *out)
{
  const sc_order *to = site->to;
  const double order[] = {to->exponent, to->log_exponent, to->base, to->beside, to->integer};
  *out = (row){.about = place, .location = place, .share = site->share};
  if (by == SC_SPREAD_CALLER)
    out->about = sc_graph_location_of(a->graph, caller_of(a, site->context));
  return by == SC_SPREAD_ORDER ? sc_series_intern(orders, order, &out->about) : 0;
}

/* By the texts of their keys. Hundreds of thousands of sites have few places, callers and orders. */
static int make_rows(const sc_analysis *a, const sc_finding_site *sites, const uint32_t *places, size_t *count,
                     enum sc_spread_by by, row **rows)
{
  sc_series_set orders = {.width = ORDER_NUMBERS};
  int err;
  SC_GOTO(SC_NEW(*rows, *count));
  for (size_t i = 0; i < *count; i++)
    SC_GOTO(make_row(a, &sites[i], places[i], by, &orders, &(*rows)[i]));
  *count = merge_rows(*rows, *count);
  for (size_t i = 0; err >= 0 && i < *count; i++) {
    (*rows)[i].key = spread_key_of(a, &(*rows)[i], &orders, by);
    err = (*rows)[i].key ? 0 : SC_E_NOMEM;
  }
  if (err >= 0)
    qsort(*rows, *count, sizeof **rows, compare_spread_keys);
out:
  sc_series_free(&orders);
  return err;
}

/* Groups are runs of equal keys in the sorted rows; a place that is in several rows of a group counts once. */
static bool spread_group(const sc_analysis *a, const sc_finding_site *sites, const uint32_t *places, size_t count,
                         enum sc_spread_by by, sc_spread *spread)
{
  row *rows = NULL;
  int err = make_rows(a, sites, places, &count, by, &rows);
  sc_spread_group *groups = spread->groups[by] = sc_mem_new(count, sizeof *groups);
  for (size_t i = 0; err >= 0 && groups && i < count; i++) {
    bool same = i && strcmp(rows[i].key, groups[spread->group_count[by] - 1].name) == 0;
    bool again = same && rows[i].location == rows[i - 1].location;
    if (!same) {
      groups[spread->group_count[by]++].name = rows[i].key;
      rows[i].key = NULL;
    }
    sc_spread_group *last = &groups[spread->group_count[by] - 1];
    last->places += !again;
    last->share += rows[i].share;
  }
  for (size_t i = 0; rows && i < count; i++)
    free(rows[i].key);
  free(rows);
  if (err < 0 || !groups)
    return false;
  qsort(groups, spread->group_count[by], sizeof *groups, compare_spread_groups);
  return true;
}

static int compare_spread_names(const void *left, const void *right)
{
  return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Instances of a template are places of one function by name, but several by number: names decide. */
static bool count_distinct(const sc_analysis *a, const uint32_t *places, size_t count, sc_spread *spread)
{
  uint32_t *locations = sc_mem_new(count, sizeof *locations);
  const char **names = sc_mem_new(count, sizeof *names);
  bool done = locations && names;
  if (done) {
    memcpy(locations, places, count * sizeof *locations);
    sc_sort_by(locations, count, sizeof *locations, 0);
  }
  for (size_t i = 0; done && i < count; i++)
    if (i == 0 || locations[i] != locations[i - 1])
      names[spread->places++] = sc_graph_location_at(a->graph, locations[i])->name;
  if (done)
    qsort(names, spread->places, sizeof *names, compare_spread_names);
  for (size_t i = 0; done && i < spread->places; i++)
    spread->functions += i == 0 || strcmp(names[i], names[i - 1]) != 0;
  free(locations);
  free(names);
  return done;
}

/* The same line for all: instances of a template or of a macro's expansion. */
static bool on_one_line(const sc_analysis *a, const sc_finding_site *sites, size_t count)
{
  const sc_location *first = spread_at(a, sites[0].context);
  for (size_t i = 1; i < count; i++) {
    const sc_location *other = spread_at(a, sites[i].context);
    if (other->line != first->line || strcmp(other->file, first->file) != 0)
      return false;
  }
  return first->line > 0;
}

/* The folder that all files are in, without the slash; empty if that is the root. */
static void add_folder(const sc_spread *spread, sc_buf *out)
{
  const sc_spread_group *files = spread->groups[SC_SPREAD_FILE];
  size_t same = strlen(files[0].name);
  for (size_t i = 1; i < spread->group_count[SC_SPREAD_FILE]; i++) {
    size_t length = 0;
    while (length < same && files[i].name[length] == files[0].name[length])
      length++;
    same = length;
  }
  while (same && files[0].name[same - 1] != '/')
    same--;
  if (same > 1)
    sc_buf_add(out, files[0].name, same - 1);
}

/* The narrowest thing that all places share, as that is where somebody can do something for all at once. */
static void add_common(const sc_analysis *a, const sc_finding_site *sites, const sc_spread *spread, sc_buf *out)
{
  const sc_spread_group *file = spread->groups[SC_SPREAD_FILE], *caller = spread->groups[SC_SPREAD_CALLER];
  if (spread->functions == 1)
    sc_shorten_name(spread_at(a, sites[0].context)->display, out);
  else if (spread->group_count[SC_SPREAD_FILE] == 1 && *file->name)
    sc_buf_puts(out, sc_path_last(file->name));
  else if (spread->group_count[SC_SPREAD_CALLER] == 1 && *caller->name)
    sc_buf_puts(out, caller->name);
  else
    add_folder(spread, out);
  if (!out->length)
    sc_buf_puts(out, "the program");
}

static void add_title(const sc_analysis *a, const sc_finding_site *sites, size_t count, const sc_spread *spread,
                      sc_buf *out)
{
  const sc_location *first = spread_at(a, sites[0].context);
  size_t files = spread->group_count[SC_SPREAD_FILE];
  if (spread->functions > 1 && on_one_line(a, sites, count)) {
    sc_buf_printf(out, "%zu instances of %s:%u", spread->places, sc_path_last(first->file), first->line);
    return;
  }
  sc_buf_printf(out, "%zu place%s in ", spread->places, spread->places == 1 ? "" : "s");
  if (spread->functions == 1)
    sc_shorten_name(first->display, out);
  else if (files > 1)
    sc_buf_printf(out, "%zu files", files);
  else
    sc_buf_puts(out, *first->file ? sc_path_last(first->file) : "the program");
}

static char *take_spread_text(sc_buf *text)
{
  char *taken = sc_buf_finish(text) == 0 ? sc_buf_take(text) : NULL;
  sc_buf_free(text);
  return taken;
}

sc_spread *sc_spread_new(const sc_analysis *analysis, const sc_finding_site *sites, size_t count)
{
  sc_buf title = {0}, common = {0};
  sc_spread *spread = sc_mem_new(1, sizeof *spread);
  uint32_t *places = sc_mem_new(count, sizeof *places); /* locations */
  for (size_t i = 0; places && i < count; i++)
    places[i] = sc_graph_location_of(analysis->graph, sites[i].context);
  bool done = spread && places && count_distinct(analysis, places, count, spread);
  for (int by = 0; done && by < SC_SPREAD_BY_COUNT; by++)
    done = spread_group(analysis, sites, places, count, (enum sc_spread_by)by, spread);
  if (done) {
    add_title(analysis, sites, count, spread, &title);
    add_common(analysis, sites, spread, &common);
    spread->title = take_spread_text(&title);
    spread->common = take_spread_text(&common);
    done = spread->title && spread->common;
  }
  free(places);
  if (done)
    return spread;
  sc_spread_free(spread);
  return NULL;
}

void sc_spread_free(sc_spread *spread)
{
  if (!spread)
    return;
  for (int by = 0; by < SC_SPREAD_BY_COUNT; by++) {
    for (size_t i = 0; i < spread->group_count[by]; i++)
      free(spread->groups[by][i].name);
    free(spread->groups[by]);
  }
  free(spread->title);
  free(spread->common);
  free(spread);
}

double *sc_spread_sum(const sc_analysis *a, const sc_finding_site *sites, size_t count, bool executions)
{
  double *sum = sc_mem_new(a->run_count, sizeof *sum);
  for (size_t s = 0; sum && s < count; s++) {
    const double *values = sc_analysis_values(a, sites[s].context);
    for (size_t i = 0; i < a->run_count; i++)
      sum[i] += values[i] * (executions ? sites[s].weight : 1);
  }
  return sum;
}

/* The sum is fitted, not the parts added up: each of many noisy parts may be undecided where their sum is not. */
int sc_spread_fit(const sc_analysis *a, const sc_finding_site *sites, size_t count, sc_model *model)
{
  double *sum = sc_spread_sum(a, sites, count, true);
  if (!sum)
    return SC_E_NOMEM;
  sc_series series = {.n = a->sizes, .y = sum, .count = a->run_count, .counts = true};
  int err = sc_costs_fit(&series, &a->options.fit, model);
  free(sum);
  return err;
}

/* "a, b and 3 more" */
static void add_groups(const sc_spread *spread, enum sc_spread_by by, sc_buf *out)
{
  size_t count = spread->group_count[by];
  for (size_t i = 0; i < count && i < SC_SPREAD_NAMED; i++) {
    const sc_spread_group *g = &spread->groups[by][i];
    const char *name = by == SC_SPREAD_FILE ? sc_path_last(g->name) : g->name;
    sc_buf_printf(out, "%s%s (%zu)", i ? ", " : "", *name ? name : "unknown", g->places);
  }
  if (count > SC_SPREAD_NAMED)
    sc_buf_printf(out, " and %zu more", count - SC_SPREAD_NAMED);
}

static void add_largest(const sc_analysis *a, const sc_finding *f, sc_buf *out)
{
  for (size_t i = 0; i < f->site_count && i < SC_SPREAD_NAMED; i++) {
    const sc_location *place = spread_at(a, f->sites[i].context);
    sc_buf_puts(out, i ? ", " : " Most in ");
    sc_shorten_name(place->display, out);
    if (*place->file && place->line)
      sc_buf_printf(out, " (%s:%u)", sc_path_last(place->file), place->line);
    if (f->sites[i].share > 0)
      sc_buf_printf(out, " %.2g%%", 100 * f->sites[i].share);
  }
  sc_buf_puts(out, ".");
}

void sc_spread_evidence(const sc_analysis *a, const sc_finding *f, sc_buf *out)
{
  const sc_spread *s = f->spread;
  sc_buf_printf(out,
                " No place alone takes %.2g%% of the cost or of the executions. Order: ", 100 * a->options.negligible);
  if (s->group_count[SC_SPREAD_ORDER] == 1)
    sc_buf_printf(out, "all %s", s->groups[SC_SPREAD_ORDER]->name);
  else
    add_groups(s, SC_SPREAD_ORDER, out);
  sc_buf_printf(out, "; in %zu function%s", s->functions, s->functions == 1 ? "" : "s");
  if (s->group_count[SC_SPREAD_FILE] > 1) {
    sc_buf_puts(out, "; files: ");
    add_groups(s, SC_SPREAD_FILE, out);
  }
  if (s->group_count[SC_SPREAD_CALLER] > 1) {
    sc_buf_puts(out, "; called by: ");
    add_groups(s, SC_SPREAD_CALLER, out);
  } else if (*s->groups[SC_SPREAD_CALLER]->name) {
    sc_buf_printf(out, ", all called by %s", s->groups[SC_SPREAD_CALLER]->name);
  }
  sc_buf_puts(out, ".");
  add_largest(a, f, out);
}

/* By what can be changed once for all of them: one line, one caller, else nothing that is certain. */
void sc_spread_advice(const sc_analysis *a, const sc_finding *f, sc_buf *out)
{
  const sc_spread *s = f->spread;
  const char *caller = s->group_count[SC_SPREAD_CALLER] == 1 ? s->groups[SC_SPREAD_CALLER]->name : "";
  if (s->functions > 1 && on_one_line(a, f->sites, f->site_count))
    sc_buf_puts(out, "All are instances of the same line: mend the template or the macro once.");
  else if (*caller)
    sc_buf_printf(out, "Look at %s, which runs them all: call fewer of them, or give each less to go over.", caller);
  else
    sc_buf_puts(out, "Look for what they have in common: the data they all go over, or the code they were made by.");
  sc_buf_puts(out, " No single place is worth mending for this alone; report --details lists them.");
}
