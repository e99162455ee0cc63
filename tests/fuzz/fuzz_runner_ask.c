/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a question is written in: the first byte chooses orders, amounts, ranges or places, the rest is the text.
 * Whatever is taken must keep what its header promises. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "regress/core/growth.h"
#include "runner/ask/sweep.h"
#include "runner/quantity/places.h"
#include "runner/resources/metric.h"
#include "runner/workload/amount.h"

static sc_graph *program(void)
{
  static sc_graph *graph;
  static const sc_location path[] = {
      {.kind = SC_LOCATION_PROCESS, .name = "program", .display = "program", .file = ""},
      {.kind = SC_LOCATION_FUNCTION, .name = "main", .display = "main", .file = "/src/a.c", .line = 3},
      {.kind = SC_LOCATION_LOOP, .name = "main", .display = "main", .file = "/src/a.c", .line = 4, .column = 2},
      {.kind = SC_LOCATION_FUNCTION, .name = "_Zx", .display = "Tree<int>::find(char const*) const", .file = "b.h"},
      {.kind = SC_LOCATION_FOREIGN, .name = "qsort", .display = "qsort", .file = ""}};
  uint32_t context = 0, location;
  if (graph)
    return graph;
  must(sc_graph_new(&graph) == 0);
  for (size_t i = 0; i < sizeof path / sizeof *path; i++)
    must(sc_graph_location(graph, &path[i], &location) == 0 &&
         sc_graph_context(graph, context, location, &context) == 0);
  return graph;
}

static void try_order(const char *text)
{
  sc_order order;
  if (sc_growth_parse(text, "items", &order) == 0)
    must(order.exponent >= 0 && order.exponent <= 10 && sc_growth_value(&order, 4) > 0);
}

static void try_amount(const char *text)
{
  for (int kind = SC_AMOUNT_COUNT; kind <= SC_AMOUNT_RATIO; kind++) {
    double value;
    if (sc_amount_parse(text, (enum sc_amount_kind)kind, &value) == 0)
      must(value > 0 && isfinite(value) && *sc_amount_text((enum sc_amount_kind)kind, value).s);
  }
}

static void try_sweep(const char *text)
{
  for (int doubling = 0; doubling < 2; doubling++) {
    double *sizes;
    size_t count;
    if (sc_sweep_parse(text, "n", 100, doubling, &sizes, &count) < 0)
      continue;
    must(count >= 1 && count <= 1000 && sizes[0] > 0);
    for (size_t i = 1; i < count; i++)
      must(sizes[i] > sizes[i - 1]);
    free(sizes);
  }
}

static void try_places(const char *text)
{
  sc_places places;
  enum sc_resource_metric metric;
  if (sc_places_find(program(), text, &places) == 0)
    must(places.count >= 1 && places.count < sc_graph_context_count(program()));
  sc_places_free(&places);
  if (sc_resource_metric_parse(text, &metric) == 0)
    must(metric < SC_RMETRIC_COUNT);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static void (*const tries[])(const char *) = {try_order, try_amount, try_sweep, try_places};
  if (!size)
    return 0;
  char *text = malloc(size);
  must(text != NULL);
  memcpy(text, data + 1, size - 1);
  text[size - 1] = '\0';
  tries[data[0] % 4](text);
  free(text);
  return 0;
}
