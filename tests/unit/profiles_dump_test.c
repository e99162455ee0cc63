/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is printed of a graph, line for line. */
#include "unit.h"

#include <stdlib.h>

#include "profiles/graph/usage.h"
#include "profiles/scprof/dump.h"
#include "scprof_file.h"

static uint32_t context(sc_graph *graph, uint32_t parent, sc_location l)
{
  uint32_t number, made;
  assert_int_equal(sc_graph_location(graph, &l, &number), 0);
  assert_int_equal(sc_graph_context(graph, parent, number, &made), 0);
  return made;
}

static void add(sc_graph *graph, size_t run, uint32_t context, enum sc_metric metric, double value)
{
  assert_int_equal(sc_graph_add(graph, run, context, metric, value), 0);
}

static sc_graph *graph_of(size_t runs)
{
  sc_graph *graph;
  size_t run;
  assert_int_equal(sc_graph_new(&graph), 0);
  for (size_t i = 0; i < runs; i++)
    assert_int_equal(sc_graph_begin_run(graph, &(sc_run){.n = (double)i + 1}, &run), 0);
  return graph;
}

static void prints(const sc_graph *graph, size_t run, const char *expected)
{
  char *text;
  FILE *out = unit_stream(&text);
  assert_int_equal(sc_dump_graph(graph, run, out), 0);
  fclose(out);
  assert_string_equal(text, expected);
  free(text);
}

/* In the second run only the second process was there, and what leads to what it reached. */
TEST(contexts_are_a_tree)
{
  sc_graph *graph = graph_of(2);
  uint32_t one = context(graph, 0, (sc_location){.kind = SC_LOCATION_PROCESS, .name = "one"});
  uint32_t two = context(graph, 0, (sc_location){.kind = SC_LOCATION_PROCESS, .name = "two"});
  const sc_location f = {.kind = SC_LOCATION_FUNCTION, .name = "_Z1fi", .file = "a.c", .line = 7};
  uint32_t main = context(graph, one, f), again = context(graph, two, f);
  uint32_t loop = context(graph, main,
                          (sc_location){.kind = SC_LOCATION_LOOP,
                                        .name = "_Z1fi",
                                        .display = "f(int)",
                                        .file = "a.c",
                                        .line = 9,
                                        .column = 3,
                                        .nth = 2});
  uint32_t work = context(
      graph, loop,
      (sc_location){
          .kind = SC_LOCATION_WORK, .name = "memcpy", .file = "a.c", .line = 10, .column = 4, .nth = SC_UNIT_BYTES});
  uint32_t called = context(graph, loop, (sc_location){.kind = SC_LOCATION_FUNCTION, .name = "g\x1b"});
  uint32_t foreign = context(graph, main, (sc_location){.kind = SC_LOCATION_FOREIGN, .name = "qsort"});
  uint32_t rest = context(graph, foreign, (sc_location){.kind = SC_LOCATION_TRUNCATED});
  context(graph, main, (sc_location){.kind = SC_LOCATION_FUNCTION, .name = "never"});
  add(graph, 0, main, SC_METRIC_COUNT, 1);
  add(graph, 0, loop, SC_METRIC_COUNT, 1e15);
  add(graph, 0, work, SC_METRIC_COUNT, 640);
  add(graph, 0, called, SC_METRIC_COUNT, 20);
  add(graph, 0, called, SC_METRIC_DEPTH, 3);
  sc_graph_note_call(graph, called, 12);
  add(graph, 0, rest, SC_METRIC_COST, 0.5);
  add(graph, 1, again, SC_METRIC_COUNT, 2);
  prints(graph, 0,
         "process one\n"
         "  function f(int) a.c:7 calls=1\n"
         "    loop f(int) a.c:9:3#2 iterations=1000000000000000\n"
         "      work memcpy a.c:10:4 bytes=640\n"
         "      function g? ?:0 calls=20 from=:12 depth=3\n"
         "    foreign qsort\n"
         "      truncated\n");
  prints(graph, 1, "process two\n  function f(int) a.c:7 calls=2\n");
  sc_graph_free(graph);
}

/* A function that is counted in no run is there for what it did to a resource. */
TEST(usages_are_told_by_what_is_not_0)
{
  static const char *const words[] = {[SC_USAGE_ACQUIRES] = "acquires", [SC_USAGE_FAILURES] = "failures",
                                      [SC_USAGE_WAITS] = "waits",       [SC_USAGE_RELEASES] = "releases",
                                      [SC_USAGE_READS] = "reads",       [SC_USAGE_WRITES] = "writes",
                                      [SC_USAGE_UNITS] = "units",       [SC_USAGE_UNITS_RELEASED] = "units released",
                                      [SC_USAGE_RETURNED] = "returned", [SC_USAGE_RETURNED_UNITS] = "units returned",
                                      [SC_USAGE_UNSEEN] = "unseen",     [SC_USAGE_STRANGERS] = "releases of unknown",
                                      [SC_USAGE_PEAK] = "peak",         [SC_USAGE_HOLDS] = "holds"};
  for (int value = 0; value < (int)COUNT(words); value++) {
    if (!words[value])
      continue;
    sc_graph *graph = graph_of(1);
    uint32_t resource, process = context(graph, 0, (sc_location){.kind = SC_LOCATION_PROCESS, .name = "p"});
    uint32_t f =
        context(graph, process, (sc_location){.kind = SC_LOCATION_FUNCTION, .name = "f", .file = "a.c", .line = 7});
    assert_int_equal(sc_usage_resource(graph, &(sc_resource){SC_RESOURCE_OTHER, "pool", "", 0}, &resource), 0);
    sc_usage row = {.context = f, .resource = resource, .via = "take", .line = 9, .event = SC_USAGE_EVENT_ACQUIRE};
    row.values[value] = 5;
    row.shared = value == SC_USAGE_READS;
    row.values[SC_USAGE_WAIT_SECONDS] = 0.25, row.values[SC_USAGE_HOLD_SECONDS] = 8;
    assert_int_equal(sc_usage_add(graph, 0, &row, NULL), 0);
    char expected[200];
    snprintf(expected, sizeof expected, "process p\n  function f a.c:7 calls=0\n    resource pool  take:9%s%s%s 5%s\n",
             row.shared ? " shared" : "", value == SC_USAGE_PEAK ? ", " : "  ", words[value],
             value == SC_USAGE_WAITS   ? " (250 ms)"
             : value == SC_USAGE_HOLDS ? " (8 s)"
                                       : "");
    prints(graph, 0, expected);
    sc_graph_free(graph);
  }
}

/* Three digits, or all of those before the point, in the largest unit that a time has at least one of. */
TEST(times_have_units)
{
  static const struct {
    double seconds;
    const char *text;
  } cases[] = {{0, "unknown"},       {-1, "unknown"},    {1, "1 s"},       {0.9996, "1000 ms"},  {0.0999, "99.9 ms"},
               {12345.6, "12346 s"}, {99.94, "99.9 s"},  {100.4, "100 s"}, {1e-3, "1 ms"},       {9.99e-4, "999 us"},
               {1e-6, "1 us"},       {9.5e-7, "950 ns"}, {1e-9, "1 ns"},   {2.5e-10, "0.25 ns"}, {0.1234, "123 ms"}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_graph *graph = graph_of(1);
    uint32_t resource;
    char expected[200];
    assert_int_equal(sc_usage_resource(graph, &(sc_resource){SC_RESOURCE_MUTEX, "m", "b.c", 4}, &resource), 0);
    assert_int_equal(sc_usage_add_occupancy(graph, 0,
                                            &(sc_occupancy){.resource = resource,
                                                            .instances = 2,
                                                            .threads = 3,
                                                            .active_seconds = cases[i].seconds,
                                                            .span_seconds = 2}),
                     0);
    snprintf(expected, sizeof expected, "# mutex m (b.c:4): instances 2, call trees 3, active %s, span 2 s\n",
             cases[i].text);
    prints(graph, 0, expected);
    sc_graph_free(graph);
  }
}

/* Several call trees need not have had their peaks at the same time. */
TEST(peaks_of_several_trees_are_bounds)
{
  static const struct {
    double threads, peak;
    const char *text;
  } cases[] = {{1, 4, ", peak 4"}, {2, 4, ", peak at most 4"}, {2, 1, ", peak 1"}, {2, 2, ", peak at most 2"}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_graph *graph = graph_of(1);
    uint32_t resource, process = context(graph, 0, (sc_location){.kind = SC_LOCATION_PROCESS, .name = "p"});
    assert_int_equal(sc_usage_resource(graph, &(sc_resource){SC_RESOURCE_DESCRIPTOR, "descriptors", "", 0}, &resource),
                     0);
    sc_usage row = {.context = process,
                    .resource = resource,
                    .via = "open",
                    .line = 9,
                    .column = 2,
                    .event = SC_USAGE_EVENT_ACQUIRE,
                    .values = {[SC_USAGE_PEAK] = cases[i].peak}};
    assert_int_equal(sc_usage_add(graph, 0, &row, NULL), 0);
    assert_int_equal(sc_usage_add_occupancy(
                         graph, 0, &(sc_occupancy){.resource = resource, .instances = 1, .threads = cases[i].threads}),
                     0);
    char expected[200];
    snprintf(expected, sizeof expected,
             "process p\n  descriptors  open:9:2%s\n# descriptors: instances 1, call trees %.0f, active unknown, "
             "span unknown\n",
             cases[i].text, cases[i].threads);
    prints(graph, 0, expected);
    sc_graph_free(graph);
  }
}

/* Who waited for whom: with the way to both, and the loop's line. Waits of the system without a lock are left out. */
TEST(waits_are_told_with_their_holders)
{
  sc_graph *graph = graph_of(1);
  uint32_t process = context(graph, 0, (sc_location){.kind = SC_LOCATION_PROCESS, .name = "p"}), lock, io, rows[4];
  uint32_t loop = context(graph, process, (sc_location){.kind = SC_LOCATION_LOOP, .name = "f", .line = 5});
  uint32_t rest = context(graph, loop, (sc_location){.kind = SC_LOCATION_TRUNCATED});
  assert_int_equal(sc_usage_resource(graph, &(sc_resource){SC_RESOURCE_MUTEX, "m", "", 0}, &lock), 0);
  assert_int_equal(sc_usage_resource(graph, &(sc_resource){SC_RESOURCE_IO, "input", "", 0}, &io), 0);
  const sc_usage made[] = {{.context = rest, .resource = lock, .via = "take", .event = SC_USAGE_EVENT_ACQUIRE},
                           {.context = loop, .resource = lock, .via = "give", .event = SC_USAGE_EVENT_ACQUIRE},
                           {.context = loop, .resource = io, .via = "read", .event = SC_USAGE_EVENT_WAIT}};
  for (size_t i = 0; i < COUNT(made); i++)
    assert_int_equal(sc_usage_add(graph, 0, &made[i], &rows[i]), 0);
  const sc_wait_pair pairs[] = {{rows[0], rows[1], 3, 0.5},
                                {rows[0], SC_USAGE_NONE, 0, 0.25},
                                {rows[2], rows[1], 2, 0.125},
                                {rows[2], SC_USAGE_NONE, 2, 0.125}};
  for (size_t i = 0; i < COUNT(pairs); i++)
    assert_int_equal(sc_usage_add_pair(graph, 0, &pairs[i]), 0);
  prints(graph, 0,
         "process p\n"
         "  loop f ?:5:0#0 iterations=0\n"
         "    mutex m  give:0\n"
         "    io input  read:0\n"
         "    truncated\n"
         "      mutex m  take:0\n"
         "# p/loop:5/... take:0 waited 3 (500 ms) for mutex m, held by p/loop:5 give:0\n"
         "# p/loop:5/... take:0 waited 250 ms for mutex m\n"
         "# p/loop:5 read:0 waited 2 (125 ms) for io input, while it held what was acquired by"
         " p/loop:5 give:0\n");
  sc_graph_free(graph);
}

/* main calls a function twice, once from its loop, which has another of the same name in its file; what was removed
 * has no count. */
TEST(totals_are_of_locations)
{
  static struct builder b;
  char path[TEMPORARY_PATH], *text;
  builder_begin(&b, "/usr/bin/demo", "demo\0-v", 8);
  const struct builder_loc main[] = {{0, SCALE_LOC_FUNCTION, 7, 0, 0, 0, "main", "demo.c", {BUILDER_ENTRIES}},
                                     {0, SCALE_LOC_LOOP, 9, 3, 1, 0, "main", "demo.c", {1}},
                                     {0, SCALE_LOC_LOOP, 11, 2, 0, SCALE_LOC_REMOVED, "leaf", "demo.c", {0}}};
  const struct builder_slot calls[] = {{SCALE_SLOT_DIRECT, 0, "leaf", NULL, 0},
                                       {SCALE_SLOT_DIRECT, 1, "leaf", NULL, 0}};
  const struct builder_loc leaf[] = {
      {0, SCALE_LOC_FUNCTION, 3, 0, 0, SCALE_LOC_LOCAL, "leaf", "demo.c", {BUILDER_ENTRIES}}};
  uint32_t caller = builder_function(&b, main, 3, calls, 2, 1), called = builder_function(&b, leaf, 1, NULL, 0, 0);
  uint64_t node = builder_root(&b, builder_arena(&b), caller, 1);
  builder_count(&b, node, caller, 0, 10);
  builder_call(&b, node, caller, 0, called, 5);
  builder_call(&b, node, caller, 1, called, 20);
  builder_seal(&b);
  temporary_path(path);
  builder_write(&b, path);
  FILE *out = unit_stream(&text);
  assert_int_equal(sc_dump_totals(path, out), 0);
  fclose(out);
  assert_string_equal(text, "function\tleaf\tdemo.c\t25\n"
                            "function\tmain\tdemo.c\t1\n"
                            "loop\tmain\tdemo.c\t9:3\t1\t10\n"
                            "removed\tloop\tleaf\tdemo.c\t11:2\t0\n");
  free(text);
  out = unit_stream(&text);
  assert_int_equal(sc_dump_profile(path, out), 0);
  fclose(out);
  unit_has(text, "# /usr/bin/demo: demo -v\n# pid 42, parent 7\n");
  unit_has(
      text,
      "the loops) 3, threads 1, truncated 0, lost bytes 0, lost records 0, lost resource events 0\nprocess demo\n");
  free(text);
  for (int i = 0; i < 2; i++) {
    out = fopen("/dev/full", "w");
    setvbuf(out, NULL, _IONBF, 0);
    assert_int_equal((i ? sc_dump_totals : sc_dump_profile)(path, out), SC_E_IO);
    unit_has(sc_err_message(), "cannot write: No space left");
    fclose(out);
  }
  scprof_file_drop(&b, path);
}
