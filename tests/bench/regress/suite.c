/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads and writes a suite: points.jsonl in Extra-P's JSON Lines format, and truth.jsonl. */
#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

struct entry {
  char *family, row[32];
  sc_case c;
  double *n, *y;
  size_t capacity;
};

struct suite {
  struct entry *entries;
  size_t count, last; /* last: the entry found last; points of a series mostly stand together */
};

struct sc_suite_writer {
  FILE *points, *truth;
};

static FILE *open_file(const char *folder, const char *name, const char *mode)
{
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, mode);
  if (!file)
    sc_bench_fail("%s: %s", path, strerror(errno));
  return file;
}

static double number(const cJSON *object, const char *key)
{
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  if (!cJSON_IsNumber(item))
    sc_bench_fail("a line without the number \"%s\"", key);
  return item->valuedouble;
}

static const char *string(const cJSON *object, const char *key)
{
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  if (!cJSON_IsString(item))
    sc_bench_fail("a line without the string \"%s\"", key);
  return item->valuestring;
}

static void for_each_line(const char *folder, const char *name, void (*take)(struct suite *, const cJSON *),
                          struct suite *suite)
{
  FILE *file = open_file(folder, name, "r");
  char *line = NULL;
  size_t size = 0;
  while (getline(&line, &size, file) > 0) {
    cJSON *object = cJSON_Parse(line);
    if (!cJSON_IsObject(object))
      sc_bench_fail("%s/%s: a line that is no JSON object", folder, name);
    take(suite, object);
    cJSON_Delete(object);
  }
  free(line);
  fclose(file);
}

/* The suite's own names of noise are numbers. Whole numbers are a row of their own, as in its score.py. */
static void name_row(struct entry *entry, const cJSON *object)
{
  const cJSON *row = cJSON_GetObjectItemCaseSensitive(object, "row");
  if (cJSON_IsString(row))
    snprintf(entry->row, sizeof entry->row, "%s", row->valuestring);
  else if (!strncmp(entry->family, "int:", 4))
    snprintf(entry->row, sizeof entry->row, "exact");
  else
    snprintf(entry->row, sizeof entry->row, entry->c.noise > 0 ? "%g%%" : "%g", 100 * entry->c.noise);
}

static void take_truth(struct suite *suite, const cJSON *object)
{
  suite->entries = sc_bench_allocate(suite->entries, suite->count + 1, sizeof *suite->entries);
  struct entry *entry = &suite->entries[suite->count++];
  *entry = (struct entry){.family = strdup(string(object, "family"))};
  if (!entry->family)
    sc_bench_fail("out of memory");
  sc_case *c = &entry->c;
  snprintf(c->name, sizeof c->name, "%s", string(object, "callpath"));
  c->set = "suite";
  c->noise = number(object, "noise");
  c->exponent = number(object, "exponent");
  c->log_exponent = number(object, "log");
  c->changes = !strncmp(entry->family, "seg:", 4) || cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, "changes"));
  c->last_change = NAN;
  name_row(entry, object);
  const cJSON *truth = cJSON_GetObjectItemCaseSensitive(object, "truth");
  for (int i = 0; i < SC_CASE_TARGETS; i++) {
    c->at[i] = number(cJSON_GetArrayItem(truth, i), "at");
    c->truth[i] = number(cJSON_GetArrayItem(truth, i), "value");
  }
}

static int compare_entries(const void *a, const void *b)
{
  return strcmp(((const struct entry *)a)->c.name, ((const struct entry *)b)->c.name);
}

static struct entry *find_entry(struct suite *suite, const char *name)
{
  if (suite->last < suite->count && !strcmp(suite->entries[suite->last].c.name, name))
    return &suite->entries[suite->last];
  struct entry key;
  snprintf(key.c.name, sizeof key.c.name, "%s", name);
  struct entry *entry = bsearch(&key, suite->entries, suite->count, sizeof *entry, compare_entries);
  if (!entry)
    sc_bench_fail("no truth for the series %s", name);
  suite->last = (size_t)(entry - suite->entries);
  return entry;
}

static void take_point(struct suite *suite, const cJSON *object)
{
  struct entry *entry = find_entry(suite, string(object, "callpath"));
  double n = number(cJSON_GetObjectItemCaseSensitive(object, "params"), "n");
  const cJSON *value;
  entry->c.sizes++;
  cJSON_ArrayForEach(value, cJSON_GetObjectItemCaseSensitive(object, "value"))
  {
    if (!cJSON_IsNumber(value))
      sc_bench_fail("%s: a value that is not a number", entry->c.name);
    size_t count = entry->c.series.count++;
    if (count == entry->capacity) {
      entry->capacity = count ? count * 2 : 16;
      entry->n = sc_bench_allocate(entry->n, entry->capacity, sizeof *entry->n);
      entry->y = sc_bench_allocate(entry->y, entry->capacity, sizeof *entry->y);
    }
    entry->n[count] = n;
    entry->y[count] = value->valuedouble;
  }
}

/* Whole numbers are counts, as for whoever reads such a file without knowing more. */
static bool are_counts(const struct entry *entry)
{
  for (size_t i = 0; i < entry->c.series.count; i++)
    if (floor(entry->y[i]) != entry->y[i])
      return false;
  return true;
}

void sc_suite_visit(const char *folder, sc_case_visit *visit, void *context)
{
  struct suite suite = {0};
  for_each_line(folder, "truth.jsonl", take_truth, &suite);
  qsort(suite.entries, suite.count, sizeof *suite.entries, compare_entries);
  for_each_line(folder, "points.jsonl", take_point, &suite);
  for (size_t i = 0; i < suite.count; i++) {
    struct entry *entry = &suite.entries[i];
    entry->c.family = entry->family;
    entry->c.row = entry->row;
    entry->c.series.n = entry->n, entry->c.series.y = entry->y;
    entry->c.series.counts = are_counts(entry);
    visit(context, &entry->c);
  }
  for (size_t i = 0; i < suite.count; i++) {
    free(suite.entries[i].family);
    free(suite.entries[i].n);
    free(suite.entries[i].y);
  }
  free(suite.entries);
}

sc_suite_writer *sc_suite_open(const char *folder)
{
  sc_suite_writer *writer = sc_bench_allocate(NULL, 1, sizeof *writer);
  writer->points = open_file(folder, "points.jsonl", "w");
  writer->truth = open_file(folder, "truth.jsonl", "w");
  return writer;
}

static void write_points(FILE *file, const sc_case *c)
{
  const sc_series *s = &c->series;
  for (size_t i = 0, end; i < s->count; i = end) {
    fprintf(file, "{\"params\": {\"n\": %.17g}, \"callpath\": \"%s\", \"metric\": \"count\", \"value\": [", s->n[i],
            c->name);
    for (end = i; end < s->count && s->n[end] == s->n[i]; end++)
      fprintf(file, end > i ? ", %.17g" : "%.17g", s->y[end]);
    fprintf(file, "]}\n");
  }
}

/* score.py knows whole numbers by the family's name. */
void sc_suite_write(void *context, const sc_case *c)
{
  sc_suite_writer *writer = context;
  write_points(writer->points, c);
  fprintf(writer->truth,
          "{\"callpath\": \"%s\", \"family\": \"%s%s\", \"row\": \"%s\", \"k\": %zu, \"noise\": %g, \"exponent\": %g, "
          "\"log\": %g, \"changes\": %s, \"truth\": [",
          c->name, c->series.counts ? "int:" : "", c->family, c->row, c->sizes, c->noise, c->exponent, c->log_exponent,
          c->changes ? "true" : "false");
  for (int i = 0; i < SC_CASE_TARGETS; i++)
    fprintf(writer->truth, "%s{\"at\": %.17g, \"value\": %.17g}", i ? ", " : "", c->at[i], c->truth[i]);
  fprintf(writer->truth, "]}\n");
}

void sc_suite_close(sc_suite_writer *writer)
{
  if (fclose(writer->points) | fclose(writer->truth))
    sc_bench_fail("the suite could not be written: %s", strerror(errno));
  free(writer);
}
