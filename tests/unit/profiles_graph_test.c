/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <stdlib.h>

#include "profiles/graph/graph.h"

static int set_up(void **state)
{
  sc_graph *graph = NULL;
  int err = sc_graph_new(&graph);
  *state = graph;
  return err;
}

static int tear_down(void **state)
{
  sc_graph_free(*state);
  return 0;
}

static uint32_t location(sc_graph *graph, sc_location l)
{
  uint32_t number;
  assert_int_equal(sc_graph_location(graph, &l, &number), 0);
  return number;
}

static uint32_t context(sc_graph *graph, uint32_t parent, uint32_t number)
{
  uint32_t made;
  assert_int_equal(sc_graph_context(graph, parent, number, &made), 0);
  return made;
}

TEST_OF(sc_graph *graph, a_new_graph_is_its_root)
{
  assert_int_equal(sc_graph_context_count(graph), 1);
  assert_int_equal(sc_graph_parent(graph, 0), 0);
  assert_int_equal(sc_graph_first_child(graph, 0), 0);
  assert_int_equal(sc_graph_at(graph, 0)->kind, SC_LOCATION_ROOT);
  assert_int_equal(sc_graph_run_count(graph), 0);
  sc_graph_free(NULL);
}

TEST_OF(sc_graph *graph, locations_have_an_identity)
{
  const sc_location base = {.kind = SC_LOCATION_LOOP, .name = "f", .file = "a.c", .line = 3, .column = 5};
  uint32_t number = location(graph, base);
  sc_location other = base;
  other.file = "b.c"; /* a global name is the same in every file */
  assert_int_equal(location(graph, other), number);
  assert_string_equal(sc_graph_at(graph, context(graph, 0, number))->file, "a.c");
  other = base, other.ordinal = 9;
  assert_int_equal(location(graph, other), number);
  other = base, other.line = 4;
  assert_int_not_equal(location(graph, other), number);
  other = base, other.column = 6;
  assert_int_not_equal(location(graph, other), number);
  other = base, other.nth = 1;
  assert_int_not_equal(location(graph, other), number);
  other = base, other.kind = SC_LOCATION_FUNCTION;
  assert_int_not_equal(location(graph, other), number);
  other = base, other.name = "g";
  assert_int_not_equal(location(graph, other), number);
  other = base, other.local = true;
  uint32_t local = location(graph, other);
  assert_int_not_equal(local, number);
  other.file = "b.c"; /* a local one is not */
  assert_int_not_equal(location(graph, other), local);
  sc_location function = {.kind = SC_LOCATION_FUNCTION, .name = "h", .file = "a.c", .line = 3};
  uint32_t h = location(graph, function);
  function.line = 300; /* its line is not what makes a function */
  assert_int_equal(location(graph, function), h);
}

/* A callee may be known by its name before it is known whole. */
TEST_OF(sc_graph *graph, locations_are_completed)
{
  uint32_t number = location(graph, (sc_location){.kind = SC_LOCATION_FUNCTION, .name = "f"});
  const sc_location *seen = sc_graph_at(graph, context(graph, 0, number));
  assert_string_equal(seen->file, "");
  location(graph,
           (sc_location){.kind = SC_LOCATION_FUNCTION, .name = "f", .file = "a.c", .line = 7, .recursive = true});
  assert_string_equal(seen->file, "a.c");
  assert_int_equal(seen->line, 7);
  assert_true(seen->recursive);
}

static const char *display(sc_graph *graph, const char *name, const char *shown)
{
  uint32_t number = location(graph, (sc_location){.kind = SC_LOCATION_FUNCTION, .name = name, .display = shown});
  return sc_graph_at(graph, context(graph, 0, number))->display;
}

/* What headers make of the name of a library function; any other function is called what it is called. */
TEST_OF(sc_graph *graph, work_has_the_name_in_the_source)
{
  static const char *const cases[][2] = {{"memcpy", "memcpy"},
                                         {"__builtin_memcpy", "memcpy"},
                                         {"__isoc99_sscanf", "sscanf"},
                                         {"__isoc23_strtol", "strtol"},
                                         {"__strcat_chk", "strcat"},
                                         {"__builtin___strcat_chk", "__strcat"},
                                         {"__a_chk", "a"},
                                         {"___chk", "_chk"},
                                         {"__", "__"},
                                         {"_start", "_start"},
                                         {"a_chk", "a_chk"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint32_t work = location(graph, (sc_location){.kind = SC_LOCATION_WORK, .name = cases[i][0]});
    assert_string_equal(sc_graph_at(graph, context(graph, 0, work))->display, cases[i][1]);
    assert_string_equal(display(graph, cases[i][0], NULL), cases[i][0]);
  }
}

TEST_OF(sc_graph *graph, names_are_demangled)
{
  assert_string_equal(display(graph, "main", NULL), "main");
  assert_string_equal(display(graph, "_ZNSt6vectorIiSaIiEE9push_backERKi", NULL),
                      "std::vector<int, std::allocator<int> >::push_back(int const&)");
  assert_string_equal(display(graph, "_Znonsense", NULL), "_Znonsense");
  assert_string_equal(display(graph, "_Z1fv", "given"), "given");
  assert_string_equal(display(graph, "_ZN4pool3addITk8IntegralIiEEvT_", NULL), "pool::add<...>");
  assert_string_equal(display(graph, "_ZN5QueueeqIiEEbT_S1_Q3IntIS1_E", NULL), "bool Queue::operator==<int>(int, int)");
  assert_string_equal(display(graph, "_ZN12_GLOBAL__N_13addITkSt8integraliEEvT_", NULL),
                      "(anonymous namespace)::add<...>");
  assert_string_equal(display(graph, "_Z3sumITk7NumericdET_S0_", NULL), "sum<...>");
  assert_string_equal(display(graph, "_ZNKSt3abcITk7NumericdE1fEv", NULL), "std::abc<...>");
  assert_string_equal(display(graph, "_Z9999999999999999999999f", NULL), "_Z9999999999999999999999f");
  assert_string_equal(display(graph, "_Z5abc", NULL), "_Z5abc");
}

TEST_OF(sc_graph *graph, contexts_are_interned_and_linked)
{
  uint32_t f = location(graph, (sc_location){.kind = SC_LOCATION_FUNCTION, .name = "f"});
  uint32_t g = location(graph, (sc_location){.kind = SC_LOCATION_FUNCTION, .name = "g"});
  uint32_t a = context(graph, 0, f), b = context(graph, 0, g), c = context(graph, a, g), unused;
  assert_int_equal(context(graph, 0, f), a);
  assert_int_equal(context(graph, a, g), c);
  assert_int_not_equal(b, c);
  assert_int_equal(sc_graph_find(graph, a, g), c);
  assert_int_equal(sc_graph_find(graph, b, g), UINT32_MAX);
  assert_int_equal(sc_graph_parent(graph, c), a);
  assert_int_equal(sc_graph_first_child(graph, 0), a); /* in the order in which they came */
  assert_int_equal(sc_graph_next_sibling(graph, a), b);
  assert_int_equal(sc_graph_next_sibling(graph, b), 0);
  assert_int_equal(sc_graph_location_of(graph, c), g);
  assert_int_equal(sc_graph_context(graph, 99, f, &unused), SC_E_INTERNAL);
  assert_int_equal(sc_graph_context(graph, 0, 99, &unused), SC_E_INTERNAL);
}

/* root > f > (g > h, i): by what stands in what. */
TEST_OF(sc_graph *graph, contexts_stand_in_each_other)
{
  uint32_t name = location(graph, (sc_location){.kind = SC_LOCATION_FUNCTION, .name = "f"});
  uint32_t other = location(graph, (sc_location){.kind = SC_LOCATION_FUNCTION, .name = "g"});
  uint32_t f = context(graph, 0, name), g = context(graph, f, name), h = context(graph, g, name);
  uint32_t i = context(graph, f, other), beside = context(graph, 0, other);
  assert_true(sc_graph_within(graph, h, f));
  assert_true(sc_graph_within(graph, f, f));
  assert_true(sc_graph_within(graph, i, 0));
  assert_false(sc_graph_within(graph, i, g));
  assert_false(sc_graph_within(graph, f, h));
  assert_int_equal(sc_graph_common(graph, h, i), f);
  assert_int_equal(sc_graph_common(graph, g, h), g);
  assert_int_equal(sc_graph_common(graph, h, beside), 0);
  size_t seen = 0;
  for (uint32_t c = sc_graph_first_child(graph, f); c; c = sc_graph_next_within(graph, c, f)) {
    assert_true(c == g || c == h || c == i);
    seen++;
  }
  assert_int_equal(seen, 3);
  assert_int_equal(sc_graph_next_within(graph, beside, beside), 0);
}

TEST_OF(sc_graph *graph, values_add_up_and_depths_don_t)
{
  size_t first, second;
  uint32_t f = context(graph, 0, location(graph, (sc_location){.kind = SC_LOCATION_FUNCTION, .name = "f"}));
  assert_int_equal(sc_graph_begin_run(graph, &(sc_run){.n = 1}, &first), 0);
  assert_int_equal(sc_graph_add(graph, first, f, SC_METRIC_COUNT, 9007199254740990.0), 0);
  assert_int_equal(sc_graph_add(graph, first, f, SC_METRIC_COUNT, 1), 0);
  assert_int_equal(sc_graph_add(graph, first, f, SC_METRIC_DEPTH, 5), 0);
  assert_int_equal(sc_graph_add(graph, first, f, SC_METRIC_DEPTH, 3), 0);
  assert_true(sc_graph_value(graph, first, f, SC_METRIC_COUNT) == 9007199254740991.0);
  assert_true(sc_graph_value(graph, first, f, SC_METRIC_DEPTH) == 5);
  assert_true(sc_graph_value(graph, first, f, SC_METRIC_COST) == 0);
  assert_int_equal(sc_graph_begin_run(graph, &(sc_run){.n = 2}, &second), 0);
  assert_true(sc_graph_value(graph, second, f, SC_METRIC_COUNT) == 0);
  sc_run *run = sc_graph_run(graph, first);
  for (int i = 0; i < 100; i++)
    assert_int_equal(sc_graph_begin_run(graph, &(sc_run){.n = 3}, &second), 0);
  assert_ptr_equal(sc_graph_run(graph, first), run); /* stays where it is */
  assert_int_equal(sc_graph_run_count(graph), 102);
  sc_graph_drop_run(graph);
  assert_int_equal(sc_graph_run_count(graph), 101);
  assert_int_equal(sc_graph_add(graph, 101, f, SC_METRIC_COUNT, 1), SC_E_INTERNAL);
  assert_int_equal(sc_graph_add(graph, 0, 99, SC_METRIC_COUNT, 1), SC_E_INTERNAL);
}

/* Counts are the same once they are packed, equal series one, and runs and contexts that come later stand beside them.
 */
TEST_OF(sc_graph *graph, packed_counts_are_the_same)
{
  static const double counts[][3] = {{1, 2, 3}, {1, 2, 4}, {1, 2, 3}, {0, 0, 0}};
  uint32_t contexts[4], last = 0;
  size_t run;
  for (uint32_t c = 0; c < 4; c++)
    contexts[c] = last =
        context(graph, last, location(graph, (sc_location){.kind = SC_LOCATION_LOOP, .name = "f", .line = c + 1}));
  assert_int_equal(sc_graph_pack(graph), 0); /* without a run there is nothing to do */
  assert_int_equal(sc_graph_series_count(graph), 0);
  for (size_t r = 0; r < 3; r++) {
    assert_int_equal(sc_graph_begin_run(graph, &(sc_run){.n = 1}, &run), 0);
    for (uint32_t c = 0; c < 4; c++)
      assert_int_equal(sc_graph_add(graph, run, contexts[c], SC_METRIC_COUNT, counts[c][r]), 0);
    assert_int_equal(sc_graph_add(graph, run, contexts[1], SC_METRIC_COST, 7), 0);
  }
  assert_int_equal(sc_graph_pack(graph), 0);
  assert_int_equal(sc_graph_series_count(graph), 3); /* with that of the root, which has no counts either */
  assert_int_equal(sc_graph_add(graph, 0, contexts[2], SC_METRIC_COST, 1), 0);
  assert_int_equal(sc_graph_series_count(graph), 3); /* costs are no counts */
  assert_int_equal(sc_graph_series(graph, contexts[0]), sc_graph_series(graph, contexts[2]));
  assert_int_not_equal(sc_graph_series(graph, contexts[0]), sc_graph_series(graph, contexts[1]));
  assert_int_equal(sc_graph_series(graph, contexts[3]), sc_graph_series(graph, 0));
  assert_false(sc_graph_has_values(graph, 0, SC_METRIC_COUNT));
  assert_true(sc_graph_has_values(graph, 0, SC_METRIC_COST));

  uint32_t later = context(graph, last, location(graph, (sc_location){.kind = SC_LOCATION_LOOP, .name = "g"}));
  assert_int_equal(sc_graph_begin_run(graph, &(sc_run){.n = 2}, &run), 0);
  assert_int_equal(sc_graph_add(graph, run, later, SC_METRIC_COUNT, 5), 0);
  assert_int_equal(sc_graph_add(graph, run, contexts[0], SC_METRIC_COUNT, 6), 0);
  assert_int_equal(sc_graph_series_count(graph), 0); /* the same series so far may be another one now */
  assert_int_equal(sc_graph_series(graph, later), SC_GRAPH_UNPACKED);
  for (int changed = 0; changed < 2; changed++) {
    for (size_t r = 0; r < 3; r++) {
      for (uint32_t c = 0; c < 4; c++)
        assert_true(sc_graph_value(graph, r, contexts[c], SC_METRIC_COUNT) == counts[c][r]);
      assert_true(sc_graph_value(graph, r, contexts[1], SC_METRIC_COST) == 7);
      assert_true(sc_graph_value(graph, r, later, SC_METRIC_COUNT) == (changed && r == 1 ? 9 : 0));
    }
    assert_true(sc_graph_value(graph, 3, contexts[0], SC_METRIC_COUNT) == 6);
    assert_true(sc_graph_value(graph, 3, later, SC_METRIC_COUNT) == 5);
    assert_int_equal(sc_graph_add(graph, 1, later, SC_METRIC_COUNT, changed ? 0 : 9), 0); /* a packed run */
  }
}

/* The newest run may be one of them. */
TEST_OF(sc_graph *graph, packed_runs_are_dropped)
{
  size_t run;
  uint32_t f = context(graph, 0, location(graph, (sc_location){.kind = SC_LOCATION_FUNCTION, .name = "f"}));
  for (double n = 1; n <= 2; n++) {
    assert_int_equal(sc_graph_begin_run(graph, &(sc_run){.n = n}, &run), 0);
    assert_int_equal(sc_graph_add(graph, run, f, SC_METRIC_COUNT, 10 * n), 0);
  }
  assert_int_equal(sc_graph_pack(graph), 0);
  sc_graph_drop_run(graph);
  assert_int_equal(sc_graph_begin_run(graph, &(sc_run){.n = 3}, &run), 0);
  assert_true(sc_graph_value(graph, 0, f, SC_METRIC_COUNT) == 10);
  assert_true(sc_graph_value(graph, run, f, SC_METRIC_COUNT) == 0);
  assert_int_equal(sc_graph_add(graph, run, f, SC_METRIC_COUNT, 30), 0);
  assert_int_equal(sc_graph_add(graph, 0, f, SC_METRIC_COUNT, 1), 0);
  assert_true(sc_graph_value(graph, 0, f, SC_METRIC_COUNT) == 11);
  assert_true(sc_graph_value(graph, run, f, SC_METRIC_COUNT) == 30);
}

TEST_OF(sc_graph *graph, cost_is_summed_from_below)
{
  double out[4];
  size_t run;
  uint32_t f = location(graph, (sc_location){.kind = SC_LOCATION_FUNCTION, .name = "f"});
  uint32_t a = context(graph, 0, f), b = context(graph, a, f), c = context(graph, a, 0);
  assert_int_equal(sc_graph_begin_run(graph, &(sc_run){.n = 1}, &run), 0);
  assert_int_equal(sc_graph_add(graph, run, a, SC_METRIC_COST, 1), 0);
  assert_int_equal(sc_graph_add(graph, run, b, SC_METRIC_COST, 10), 0);
  assert_int_equal(sc_graph_add(graph, run, c, SC_METRIC_COST, 100), 0);
  sc_graph_inclusive_cost(graph, run, out);
  assert_true(out[0] == 111 && out[a] == 111 && out[b] == 10 && out[c] == 100);
}

/* Past every growth of the tables, against numbers computed another way. */
TEST_OF(sc_graph *graph, many_contexts)
{
  enum { LOCATIONS = 1500, CONTEXTS = 100000 };
  static uint32_t locations[LOCATIONS], contexts[CONTEXTS], parents[CONTEXTS];
  size_t run;
  char name[32];
  for (unsigned i = 0; i < LOCATIONS; i++) {
    snprintf(name, sizeof name, "function_%u", i);
    locations[i] = location(graph, (sc_location){.kind = SC_LOCATION_FUNCTION, .name = name});
  }
  assert_int_equal(sc_graph_begin_run(graph, &(sc_run){.n = 1}, &run), 0);
  for (unsigned i = 0; i < CONTEXTS; i++) {
    parents[i] = i < LOCATIONS ? 0 : contexts[i / LOCATIONS - 1];
    contexts[i] = context(graph, parents[i], locations[i % LOCATIONS]);
    assert_int_equal(sc_graph_add(graph, run, contexts[i], SC_METRIC_COUNT, i + 1), 0);
  }
  assert_int_equal(sc_graph_context_count(graph), CONTEXTS + 1);
  for (unsigned i = 0; i < CONTEXTS; i++) {
    snprintf(name, sizeof name, "function_%u", i % LOCATIONS);
    assert_int_equal(sc_graph_find(graph, parents[i], locations[i % LOCATIONS]), contexts[i]);
    assert_string_equal(sc_graph_at(graph, contexts[i])->name, name);
    assert_true(sc_graph_value(graph, run, contexts[i], SC_METRIC_COUNT) == i + 1);
    assert_true(parents[i] < contexts[i]);
  }
}

static uint32_t function_in(sc_graph *graph, uint32_t parent, const char *name, const char *file)
{
  return context(graph, parent,
                 location(graph, (sc_location){.kind = SC_LOCATION_FUNCTION, .name = name, .file = file, .line = 7}));
}

TEST_OF(sc_graph *graph, a_place_in_the_library_is_the_users_who_called_it)
{
  uint32_t through = 99;
  uint32_t process = context(graph, 0, location(graph, (sc_location){.kind = SC_LOCATION_PROCESS, .name = "p"}));
  uint32_t open = function_in(graph, process, "open_session", "/src/session.cpp");
  uint32_t resize = function_in(graph, open, "resize", "/usr/include/c++/12/bits/stl_vector.h");
  uint32_t allocate = function_in(graph, resize, "allocate", "/usr/include/c++/12/bits/new_allocator.h");
  uint32_t compare = function_in(graph, allocate, "compare", "/src/session.cpp");
  uint32_t start = function_in(graph, process, "_M_run", "/usr/include/c++/12/bits/std_thread.h");
  assert_int_equal(sc_graph_written(graph, allocate, &through), open);
  assert_int_equal(through, resize);
  assert_int_equal(sc_graph_written(graph, compare, &through), compare);
  assert_int_equal(through, 0);
  assert_int_equal(sc_graph_written(graph, open, NULL), open);
  assert_int_equal(sc_graph_written(graph, start, &through), start); /* nobody's */
  assert_int_equal(through, 0);
  uint32_t bytes = location(graph, (sc_location){.kind = SC_LOCATION_WORK, .name = "memmove", .nth = SC_UNIT_BYTES});
  uint32_t own = context(graph, open, bytes), deep = context(graph, allocate, bytes);
  assert_int_equal(sc_graph_written(graph, own, &through), open); /* work is called from right above it, */
  assert_int_equal(through, own);
  assert_int_equal(sc_graph_written(graph, deep, &through), open); /* and of several the outermost is named */
  assert_int_equal(through, resize);
  assert_int_equal(sc_graph_library_call(graph, deep), resize);
  assert_int_equal(sc_graph_library_call(graph, own), 0);
  assert_int_equal(sc_graph_library_call(graph, allocate), resize);
  assert_int_equal(sc_graph_library_call(graph, compare), 0);
  sc_graph_unfold(graph, true);
  assert_int_equal(sc_graph_written(graph, deep, &through), allocate);
  assert_int_equal(through, deep);
  assert_int_equal(sc_graph_library_call(graph, deep), resize);
}

/* The line of the call is the place, whatever below it counts; unfolded, each stands for itself. */
TEST_OF(sc_graph *graph, the_spot_of_the_library_is_the_line_of_its_call)
{
  uint32_t process = context(graph, 0, location(graph, (sc_location){.kind = SC_LOCATION_PROCESS, .name = "p"}));
  uint32_t pop = function_in(graph, process, "pop", "/src/app.cpp");
  uint32_t erase = function_in(graph, pop, "erase", "/opt/gcc/include/c++/12/bits/vector.tcc");
  uint32_t copy = function_in(graph, erase, "copy", "/usr/include/c++/12/bits/stl_algobase.h");
  assert_int_equal(sc_graph_spot(graph, copy).line, 7); /* of a profile without lines of calls: the function's */
  sc_graph_note_call(graph, erase, 40);
  sc_graph_note_call(graph, erase, 26);
  sc_graph_note_call(graph, erase, 30);
  sc_graph_note_call(graph, erase, 0);
  sc_graph_note_call(graph, copy, 403);
  assert_int_equal(sc_graph_call_line(graph, erase), 26); /* the first in the source */
  assert_int_equal(sc_graph_spot(graph, copy).line, 26);
  assert_string_equal(sc_graph_spot(graph, copy).name, "pop");
  assert_int_equal(sc_graph_spot(graph, pop).line, 7);
  assert_true(sc_graph_folded(graph, copy));
  assert_false(sc_graph_folded(graph, erase));
  assert_false(sc_graph_folded(graph, pop));
  sc_graph_unfold(graph, true);
  assert_string_equal(sc_graph_spot(graph, copy).name, "copy");
  assert_false(sc_graph_folded(graph, copy));
}
