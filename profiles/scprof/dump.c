/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For people and for tests: what a profile has, as text whose order depends on nothing but the tree. */
#include "profiles/scprof/dump.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "profiles/scprof/dump_usage.h"
#include "profiles/scprof/reader.h"

static void print_context(const sc_graph *graph, size_t run, uint32_t context, unsigned level, FILE *out)
{
  const sc_location *location = sc_graph_at(graph, context);
  double count = sc_graph_value(graph, run, context, SC_METRIC_COUNT);
  double depth = sc_graph_value(graph, run, context, SC_METRIC_DEPTH);
  bool loop = location->kind == SC_LOCATION_LOOP;
  fprintf(out, "%*s%s", (int)(2 * level), "", sc_location_kind_name(location->kind));
  if (*location->display)
    fputc(' ', out);
  sc_utf8_print(location->display, out);
  if (sc_location_is_counted(location)) {
    fputc(' ', out);
    sc_utf8_print(*location->file ? location->file : "?", out);
    fprintf(out, ":%u", location->line);
    if (loop)
      fprintf(out, ":%u#%u", location->column, location->nth);
    else if (location->kind == SC_LOCATION_WORK)
      fprintf(out, ":%u", location->column);
    fprintf(out, " %s=%.0f", sc_location_unit(location), count);
  }
  if (sc_graph_call_line(graph, context))
    fprintf(out, " from=:%u", sc_graph_call_line(graph, context));
  if (depth > 0)
    fprintf(out, " depth=%.0f", depth);
  fputc('\n', out);
}

/* A run has values only where it has been: contexts of other runs are left out, but not what leads to its own. */
static bool *find_reached(const sc_graph *graph, size_t run)
{
  uint32_t count = sc_graph_context_count(graph);
  bool *reached = sc_mem_new(count, sizeof *reached);
  for (uint32_t i = count; reached && i-- > 1;) {
    for (int metric = 0; metric < SC_METRIC_COUNT_OF_METRICS; metric++)
      if (sc_graph_value(graph, run, i, (enum sc_metric)metric) != 0)
        reached[i] = true;
    if (reached[i])
      reached[sc_graph_parent(graph, i)] = true;
  }
  return reached;
}

static void find_used(const sc_graph *graph, size_t run, bool *reached)
{
  size_t count;
  const sc_usage *rows = sc_usage_rows(graph, run, &count);
  for (size_t i = 0; i < count; i++)
    for (uint32_t context = rows[i].context; !reached[context]; context = sc_graph_parent(graph, context))
      reached[context] = true;
}

/* Without recursion: a tree is as deep as the calls of the program that made it. */
static void print_tree(const sc_graph *graph, size_t run, const bool *reached, sc_dump_usages *usages, FILE *out)
{
  uint32_t context = sc_graph_first_child(graph, 0);
  unsigned level = 0;
  while (context) {
    uint32_t child = reached[context] ? sc_graph_first_child(graph, context) : 0;
    if (reached[context])
      print_context(graph, run, context, level, out);
    if (reached[context])
      sc_dump_usage_rows(usages, context, level + 1, out);
    if (child) {
      context = child;
      level++;
      continue;
    }
    while (context && !sc_graph_next_sibling(graph, context)) {
      context = sc_graph_parent(graph, context);
      level--;
    }
    if (context)
      context = sc_graph_next_sibling(graph, context);
  }
}

int sc_dump_graph(const sc_graph *graph, size_t run, FILE *out)
{
  sc_dump_usages usages;
  bool *reached = find_reached(graph, run);
  int err = sc_dump_usage_begin(graph, run, &usages);
  if (!reached)
    err = SC_E_NOMEM;
  if (err == 0) {
    find_used(graph, run, reached);
    print_tree(graph, run, reached, &usages, out);
    sc_dump_usage_pairs(&usages, out);
    err = ferror(out) ? sc_err_system(SC_E_IO, errno, "cannot write") : 0;
  }
  sc_dump_usage_end(&usages);
  free(reached);
  return err;
}

/* One profile as a graph of one run. */
static int load_dumped(const char *path, sc_reader **reader, sc_graph **graph)
{
  size_t run;
  SC_TRY(sc_reader_open(path, reader));
  SC_TRY(sc_graph_new(graph));
  SC_TRY(sc_graph_begin_run(*graph, &(sc_run){.n = 1}, &run));
  return sc_reader_merge(*reader, *graph, run);
}

static void print_pair(const char *prefix, const char *first, const char *between, const char *second, FILE *out)
{
  fputs(prefix, out);
  sc_utf8_print(first, out);
  fputs(between, out);
  sc_utf8_print(second, out);
  fputc('\n', out);
}

int sc_dump_profile(const char *path, FILE *out)
{
  int err;
  sc_reader *reader = NULL;
  sc_graph *graph = NULL;
  SC_GOTO(load_dumped(path, &reader, &graph));
  const sc_reader_info *info = sc_reader_get_info(reader);
  print_pair("# ", info->exe, ": ", info->command, out);
  fprintf(out, "# pid %u, parent %u%s%s\n", info->pid, info->parent_pid, info->forked ? ", forked" : "",
          info->exited ? "" : ", did not exit normally");
  for (size_t i = 0; i < sc_reader_module_count(reader); i++)
    print_pair("# module ", sc_reader_module(reader, i)->path, " ", sc_reader_module(reader, i)->build_id, out);
  fprintf(out,
          "# nodes (functions as compiled, one per calling context, with what was inlined and the loops) %llu, "
          "threads %llu, truncated %llu, lost bytes %llu, lost records %llu, lost resource events %llu\n",
          (unsigned long long)info->nodes, (unsigned long long)info->threads, (unsigned long long)info->truncated_nodes,
          (unsigned long long)info->lost_bytes, (unsigned long long)info->lost_records,
          (unsigned long long)info->lost_events);
  if (info->lost_reason || info->lost_children)
    fprintf(out, "# could not be stored: %s; forked processes without a profile %llu\n", strerror(info->lost_reason),
            (unsigned long long)info->lost_children);
  if (*info->damage)
    print_pair("# ", "", "", info->damage, out);
  SC_GOTO(sc_dump_graph(graph, 0, out));
out:
  sc_graph_free(graph);
  sc_reader_close(reader);
  return err;
}

struct line {
  char *text;
  double count; /* < 0: removed, which has none */
};

struct lines {
  struct line *list;
  size_t count, capacity;
};

static int add_line(struct lines *lines, const char *prefix, const sc_location *location, double count)
{
  sc_buf buf = {0};
  sc_buf_printf(&buf, "%s%s\t", prefix, sc_location_kind_name(location->kind));
  sc_utf8_show(location->name, &buf);
  sc_buf_puts(&buf, "\t");
  sc_utf8_show(location->file, &buf);
  if (location->kind == SC_LOCATION_LOOP || location->kind == SC_LOCATION_WORK)
    sc_buf_printf(&buf, "\t%u:%u\t%u", location->line, location->column, location->nth);
  SC_TRY(sc_mem_grow(&lines->list, &lines->capacity, lines->count + 1, sizeof *lines->list));
  char *text = sc_buf_take(&buf);
  if (!text)
    return SC_E_NOMEM;
  lines->list[lines->count++] = (struct line){text, count};
  return 0;
}

static int add_removed(void *user, const sc_location *location) { return add_line(user, "removed\t", location, -1); }

static int by_text(const void *left, const void *right)
{
  return strcmp(((const struct line *)left)->text, ((const struct line *)right)->text);
}

/* Sums per location first, as there are far fewer of them than contexts. */
static int add_dumped_totals(struct lines *lines, const sc_graph *graph)
{
  int err = 0;
  uint32_t contexts = sc_graph_context_count(graph);
  double *sums = sc_mem_new(contexts, sizeof *sums); /* there are no more locations than contexts */
  const sc_location **locations = sc_mem_new(contexts, sizeof *locations);
  if (!sums || !locations) {
    err = SC_E_NOMEM;
    goto out;
  }
  for (uint32_t i = 0; i < contexts; i++) {
    uint32_t number = sc_graph_location_of(graph, i);
    locations[number] = sc_graph_at(graph, i);
    sums[number] += sc_graph_value(graph, 0, i, SC_METRIC_COUNT);
  }
  for (uint32_t i = 0; i < contexts; i++)
    if (sums[i] > 0)
      SC_GOTO(add_line(lines, "", locations[i], sums[i]));
out:
  free(sums);
  free(locations);
  return err;
}

static void print_lines(struct lines *lines, FILE *out)
{
  qsort(lines->list, lines->count, sizeof *lines->list, by_text);
  for (size_t i = 0, next; i < lines->count; i = next) {
    double sum = lines->list[i].count;
    for (next = i + 1; next < lines->count && strcmp(lines->list[i].text, lines->list[next].text) == 0; next++)
      sum += lines->list[next].count;
    if (sum < 0)
      fprintf(out, "%s\n", lines->list[i].text);
    else
      fprintf(out, "%s\t%.0f\n", lines->list[i].text, sum);
  }
}

int sc_dump_totals(const char *path, FILE *out)
{
  int err;
  sc_reader *reader = NULL;
  sc_graph *graph = NULL;
  struct lines lines = {0};
  SC_GOTO(load_dumped(path, &reader, &graph));
  SC_GOTO(add_dumped_totals(&lines, graph));
  SC_GOTO(sc_reader_removed(reader, add_removed, &lines));
  print_lines(&lines, out);
  err = ferror(out) ? sc_err_system(SC_E_IO, errno, "cannot write") : 0;
out:
  for (size_t i = 0; i < lines.count; i++)
    free(lines.list[i].text);
  free(lines.list);
  sc_graph_free(graph);
  sc_reader_close(reader);
  return err;
}
