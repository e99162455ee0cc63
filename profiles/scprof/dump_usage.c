/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a dump says of resources. Rows stand in the order the reader made them: sorted by context once, those of a
 * context are a slice. */
#include "profiles/scprof/dump_usage.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/utf8.h"
#include "profiles/graph/demangle.h"

static int by_context(const void *left, const void *right)
{
  const sc_usage *a = *(const sc_usage *const *)left, *b = *(const sc_usage *const *)right;
  return SC_COMPARE(a->context, b->context) ?: SC_COMPARE(a, b); /* as they came */
}

int sc_dump_usage_begin(const sc_graph *graph, size_t run, sc_dump_usages *usages)
{
  *usages = (sc_dump_usages){.graph = graph, .run = run};
  const sc_usage *rows = sc_usage_rows(graph, run, &usages->count);
  size_t occupancies, resources = sc_usage_resource_count(graph);
  const sc_occupancy *all = sc_usage_occupancies(graph, run, &occupancies);
  usages->rows = sc_mem_new(usages->count, sizeof *usages->rows);
  usages->occupancies = sc_mem_new(resources, sizeof *usages->occupancies);
  if (!usages->rows || !usages->occupancies)
    return SC_E_NOMEM;
  for (size_t i = 0; i < occupancies; i++)
    usages->occupancies[all[i].resource] = &all[i];
  for (size_t i = 0; i < usages->count; i++)
    usages->rows[i] = &rows[i];
  if (usages->count)
    qsort(usages->rows, usages->count, sizeof *usages->rows, by_context);
  return 0;
}

void sc_dump_usage_end(sc_dump_usages *usages)
{
  free(usages->rows);
  free(usages->occupancies);
  usages->rows = NULL;
  usages->occupancies = NULL;
}

void sc_dump_usage_resource(const sc_resource *resource, FILE *out)
{
  const char *word = sc_resource_class_name(resource->resource_class);
  bool told = strcmp(resource->name, sc_resource_class_plural(resource->resource_class)) == 0 ||
              strncmp(resource->name, word, strlen(word)) == 0; /* "heap", "mutex in put()": the name says it */
  if (!told)
    fprintf(out, "%s ", resource->resource_class == SC_RESOURCE_OTHER ? "resource" : word);
  sc_utf8_print(resource->name, out);
  if (!*resource->file)
    return;
  fputs(" (", out);
  sc_utf8_print(resource->file, out);
  fprintf(out, ":%u)", resource->line);
}

/* No time at all is one that nobody knows: of a process that ended before its clock was read twice, or of what was not
 * timed. */
static void print_seconds(double seconds, FILE *out)
{
  if (seconds <= 0) {
    fputs("unknown", out);
    return;
  }
  static const struct {
    double size;
    const char *name;
  } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
  size_t unit = 0;
  while (unit < 3 && seconds < units[unit].size)
    unit++;
  double value = seconds / units[unit].size;
  fprintf(out, value >= 100 ? "%.0f %s" : "%.3g %s", value, units[unit].name);
}

static void print_via(const sc_usage *row, FILE *out)
{
  char *display = sc_demangle_name(row->via);
  sc_utf8_print(display ? display : row->via, out);
  fprintf(out, row->column ? ":%u:%u" : ":%u", row->line, row->column);
  free(display);
}

/* Peaks of several call trees or instances need not have been at the same time. */
static void print_peak(const sc_dump_usages *usages, const sc_usage *row, FILE *out)
{
  const sc_occupancy *o = usages->occupancies[row->resource];
  double peak = sc_usage_most_out(sc_usage_resource_at(usages->graph, row->resource), row->values[SC_USAGE_PEAK],
                                  o ? o->instances : 0);
  fprintf(out, o && o->threads > 1 && peak > 1 ? ", peak at most %.0f" : ", peak %.0f", peak);
}

/* What is 0 is left out. */
static void print_values(const sc_dump_usages *usages, const sc_usage *row, FILE *out)
{
  static const struct {
    enum sc_usage_value value;
    int seconds; /* of the same, or -1 */
    const char *word;
  } parts[] = {{SC_USAGE_ACQUIRES, -1, "acquires"},
               {SC_USAGE_FAILURES, -1, "failures"},
               {SC_USAGE_WAITS, SC_USAGE_WAIT_SECONDS, "waits"},
               {SC_USAGE_READS, -1, "reads"},
               {SC_USAGE_WRITES, -1, "writes"},
               {SC_USAGE_RELEASES, -1, "releases"},
               {SC_USAGE_STRANGERS, -1, "releases of unknown"},
               {SC_USAGE_HOLDS, SC_USAGE_HOLD_SECONDS, "holds"},
               {SC_USAGE_UNITS, -1, "units"},
               {SC_USAGE_UNITS_RELEASED, -1, "units released"},
               {SC_USAGE_RETURNED, -1, "returned"},
               {SC_USAGE_RETURNED_UNITS, -1, "units returned"},
               {SC_USAGE_UNSEEN, -1, "unseen"}};
  const char *separator = "  ";
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    if (row->values[parts[i].value] == 0)
      continue;
    fprintf(out, "%s%s %.0f", separator, parts[i].word, row->values[parts[i].value]);
    separator = ", ";
    if (parts[i].seconds < 0)
      continue;
    fputs(" (", out);
    print_seconds(row->values[parts[i].seconds], out);
    fputc(')', out);
  }
  if (row->values[SC_USAGE_PEAK] > 0)
    print_peak(usages, row, out);
}

void sc_dump_usage_rows(const sc_dump_usages *usages, uint32_t context, unsigned level, FILE *out)
{
  size_t low = 0, high = usages->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (usages->rows[middle]->context < context)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < usages->count && usages->rows[low]->context == context; low++) {
    const sc_usage *row = usages->rows[low];
    fprintf(out, "%*s", (int)(2 * level), "");
    sc_dump_usage_resource(sc_usage_resource_at(usages->graph, row->resource), out);
    fputs("  ", out);
    print_via(row, out);
    fputs(row->shared ? " shared" : "", out);
    print_values(usages, row, out);
    fputc('\n', out);
  }
}

static void print_place(const sc_graph *graph, uint32_t context, FILE *out)
{
  const sc_location *location = sc_graph_at(graph, context);
  if (sc_graph_parent(graph, context)) {
    print_place(graph, sc_graph_parent(graph, context), out);
    fputc('/', out);
  }
  if (location->kind == SC_LOCATION_LOOP)
    fprintf(out, "loop:%u", location->line);
  else
    sc_utf8_print(location->kind == SC_LOCATION_TRUNCATED ? "..." : location->display, out);
}

static void print_user(const sc_dump_usages *usages, const sc_usage *row, FILE *out)
{
  print_place(usages->graph, row->context, out);
  fputc(' ', out);
  print_via(row, out);
}

static void print_occupancies(const sc_dump_usages *usages, FILE *out)
{
  size_t count;
  const sc_occupancy *all = sc_usage_occupancies(usages->graph, usages->run, &count);
  for (size_t i = 0; i < count; i++) {
    fputs("# ", out);
    sc_dump_usage_resource(sc_usage_resource_at(usages->graph, all[i].resource), out);
    fprintf(out, ": instances %.0f, call trees %.0f, active ", all[i].instances, all[i].threads);
    print_seconds(all[i].active_seconds, out);
    fputs(", span ", out);
    print_seconds(all[i].span_seconds, out);
    fputc('\n', out);
  }
}

void sc_dump_usage_pairs(const sc_dump_usages *usages, FILE *out)
{
  size_t count, rows;
  const sc_wait_pair *pairs = sc_usage_pairs(usages->graph, usages->run, &count);
  const sc_usage *all = sc_usage_rows(usages->graph, usages->run, &rows);
  for (size_t i = 0; i < count; i++) {
    const sc_usage *waiter = &all[pairs[i].waiter];
    bool blocks = sc_usage_blocks(usages->graph, waiter);
    if (blocks && pairs[i].holder == SC_USAGE_NONE) /* it held no lock */
      continue;
    bool nested = sc_usage_pair_nested(usages->graph, all, &pairs[i]);
    fputs("# ", out);
    print_user(usages, waiter, out);
    fputs(" waited ", out);
    if (pairs[i].waits > 0)
      fprintf(out, "%.0f (", pairs[i].waits);
    print_seconds(pairs[i].seconds, out);
    fputs(pairs[i].waits > 0 ? ") for " : " for ", out);
    sc_dump_usage_resource(sc_usage_resource_at(usages->graph, waiter->resource), out);
    if (pairs[i].holder != SC_USAGE_NONE) {
      fputs(nested ? ", while it held what was acquired by " : ", held by ", out);
      print_user(usages, &all[pairs[i].holder], out);
    }
    fputc('\n', out);
  }
  print_occupancies(usages, out);
}
