/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <stdlib.h>

#include "runner/sampler/match.h"

/* A graph made by hand and chains written as text. */
static sc_graph *graph;
static sc_sampler_symbols *symbols;
static sc_sampler_matcher *matcher;
static size_t run;
static uint32_t process;

static uint32_t add(uint32_t parent, sc_location location, double count)
{
  uint32_t number, context;
  location.file = location.file ? location.file : "";
  assert_int_equal(sc_graph_location(graph, &location, &number), 0);
  assert_int_equal(sc_graph_context(graph, parent, number, &context), 0);
  assert_int_equal(sc_graph_add(graph, run, context, SC_METRIC_COUNT, count), 0);
  return context;
}

static uint32_t function(uint32_t parent, const char *name, double count)
{
  return add(parent, (sc_location){.kind = SC_LOCATION_FUNCTION, .name = name, .file = "/src/a.c"}, count);
}

static uint32_t loop(uint32_t parent, const char *name, uint32_t ordinal)
{
  sc_location at = {.kind = SC_LOCATION_LOOP, .name = name, .line = ordinal, .column = 3, .ordinal = ordinal};
  return add(parent, at, 10);
}

static int begin(void **state)
{
  const sc_run about = {.n = 1};
  assert_int_equal(sc_graph_new(&graph), 0);
  assert_int_equal(sc_graph_begin_run(graph, &about, &run), 0);
  assert_int_equal(sc_sampler_symbols_new(&symbols), 0);
  process = add(0, (sc_location){.kind = SC_LOCATION_PROCESS, .name = "prog"}, 0);
  matcher = NULL;
  return 0;
}

static int end(void **state)
{
  sc_sampler_matcher_free(matcher);
  sc_sampler_symbols_free(symbols);
  sc_graph_free(graph);
  return 0;
}

/* Frames outermost first, "name" or "name#ordinal", blanks between; "~name": plain name from line tables;
 * "name@file": of that file; "?name": symbol table only. */
static sc_sampler_match find_in(const char *exe, const char *chain, bool complete)
{
  uint32_t ids[64];
  size_t count = 0;
  char text[1000], *rest = NULL;
  sc_sampler_match match;
  strcpy(text, chain);
  for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
    sc_sampler_frame frame = {.name = word, .file = "", .linkage = true, .debug = true};
    char *mark = strchr(word, '#');
    if (mark) {
      frame.ordinal = (uint32_t)strtoul(mark + 1, NULL, 10);
      *mark = '\0';
    }
    if ((mark = strchr(word, ':'))) {
      frame.line = (uint32_t)strtoul(mark + 1, NULL, 10);
      *mark = '\0';
    }
    if ((mark = strchr(word, '@'))) {
      frame.file = mark + 1;
      *mark = '\0';
    }
    frame.linkage = *word != '~';
    frame.debug = *word != '?';
    frame.name += *word == '~' || *word == '?';
    assert_int_equal(sc_sampler_symbols_add(symbols, &frame, &ids[count++]), 0);
  }
  if (!matcher)
    assert_int_equal(sc_sampler_matcher_new(graph, run, symbols, &matcher), 0);
  assert_int_equal(sc_sampler_matcher_find(matcher, exe, ids, count, complete, &match), 0);
  return match;
}

static uint32_t find(const char *chain)
{
  sc_sampler_match match = find_in("/usr/bin/prog", chain, true);
  assert_true(match.matched);
  return match.context;
}

TEST_WITH(functions_and_loops, begin, end)
{
  uint32_t entry = function(process, "main", 1);
  uint32_t outer = loop(entry, "main", 1), inner = loop(outer, "main", 2);
  uint32_t f = function(inner, "f", 5), in_f = loop(f, "f", 1), other = function(entry, "g", 2);
  assert_int_equal(find("?_start ?__libc_start_main main"), entry);
  assert_int_equal(find("main#1"), outer);
  assert_int_equal(find("main#2"), inner); /* a frame names its innermost loop only */
  assert_int_equal(find("main#2 f"), f);
  assert_int_equal(find("main#2 f#1"), in_f);
  assert_int_equal(find("main g"), other);
  assert_int_equal(find("main#9 g"), other);          /* a loop nobody knows is its function */
  assert_int_equal(find("main#2 f#1 ?memcpy"), in_f); /* foreign leaves are the caller's own cost */
  assert_int_equal(find("main.__scale#2 f.__scale"), f);
  assert_int_equal(find("?main main#2 ?f f#1"), in_f); /* wrappers above their bodies */
}

TEST_WITH(lost_loops_fall_back, begin, end)
{
  uint32_t entry = function(process, "main", 1);
  uint32_t one = loop(entry, "main", 1), two = loop(entry, "main", 2), deep = loop(two, "main", 3);
  uint32_t in_one = function(one, "f", 5), in_deep = function(deep, "f", 50), only = function(one, "g", 1);
  assert_int_equal(find("main#1 f"), in_one);
  assert_int_equal(find("main#3 f"), in_deep);
  assert_int_equal(find("main#2 f"), in_deep); /* the loop around is known */
  assert_int_equal(find("main f"), in_deep);   /* nothing known: where it is called most */
  assert_int_equal(find("main#3 g"), only);    /* in another loop, but nowhere else */
}

TEST_WITH(recursion_collapses, begin, end)
{
  uint32_t entry = function(process, "main", 1), f = function(entry, "f", 100), in_f = loop(f, "f", 1);
  uint32_t g = function(in_f, "g", 100), in_g = loop(g, "g", 1);
  assert_int_equal(find("main f f f#1"), in_f);
  assert_int_equal(find("main f#1 g f#1 g#1"), in_g);
  assert_int_equal(find("main f#1 g f"), f);
}

TEST_WITH(callbacks_go_through_foreign_contexts, begin, end)
{
  uint32_t entry = function(process, "main", 1);
  uint32_t sort = add(entry, (sc_location){.kind = SC_LOCATION_FOREIGN, .name = "qsort"}, 0);
  uint32_t cmp = function(sort, "cmp", 40);
  assert_int_equal(find("main ?qsort_r ?msort_with_tmp cmp"), cmp);
  assert_int_equal(find("main ?qsort_r ?msort_with_tmp"), sort);
  assert_int_equal(find("main ?__qsort_r"), sort);
  assert_int_equal(find("main ?malloc"), entry);
}

TEST_WITH(missing_frames_are_bridged, begin, end)
{
  uint32_t entry = function(process, "main", 1), f = function(entry, "f", 1), g = function(f, "g", 1);
  uint32_t h = function(g, "h", 1), in_h = loop(h, "h", 1), handler = function(process, "on_signal", 1);
  assert_int_equal(find("main h#1"), in_h); /* f and g ended in tail calls */
  assert_int_equal(find("main f ?__restore_rt on_signal"), handler);
}

TEST_WITH(threads_and_processes, begin, end)
{
  uint32_t start = function(process, "worker", 3), work = function(start, "work", 3);
  assert_int_equal(find("?clone3 ?start_thread worker work"), work);
  sc_sampler_match match = find_in("/bin/sh", "main", true);
  assert_false(match.matched);
  assert_int_equal(match.context, 0);
  match = find_in("/bin/prog", "?_dl_start ?_dl_relocate", true);
  assert_false(match.matched);
  assert_int_equal(match.context, process);
  assert_int_equal(find_in(NULL, "worker", true).context, 0);
  assert_int_equal(find_in("prog", "", true).context, process);
}

TEST_WITH(truncated_chains_take_the_best_place, begin, end)
{
  uint32_t entry = function(process, "main", 1);
  uint32_t a = function(entry, "a", 1), b = function(entry, "b", 1);
  uint32_t node_a = function(a, "node", 10), node_b = function(b, "node", 1000);
  uint32_t leaf_a = function(node_a, "leaf", 10);
  sc_sampler_match match = find_in("prog", "node node node", false);
  assert_true(match.matched);
  assert_int_equal(match.context, node_b); /* called most */
  match = find_in("prog", "node node leaf", false);
  assert_int_equal(match.context, leaf_a); /* only there is a leaf */
  assert_int_equal(find_in("prog", "?nobody node", false).context, node_b);
  assert_false(find_in("prog", "?nobody", false).matched);
}

TEST_WITH(plain_names_of_line_tables, begin, end)
{
  uint32_t entry = function(process, "main", 1);
  uint32_t sum = function(entry, "_ZNK1A3sumEv", 4), not_equal = function(sum, "_ZN2nsneIiEEbRKT_S3_", 9);
  uint32_t constructor = function(entry, "_ZN1AC2Ei", 1);
  assert_int_equal(find("main ~sum"), sum);
  assert_int_equal(find("main ~sum ~operator!=<int>"), not_equal);
  assert_int_equal(find("main _ZNK1A3sumEv"), sum);
  assert_int_equal(find("main _ZN1AC1Ei"), constructor); /* the other variant of the same constructor */
  assert_int_equal(find("main _ZN1BC1Ei"), entry);
  assert_int_equal(find("main ~A"), constructor);
  assert_int_equal(find("main ?sum"), entry); /* a library's function of the same plain name is another one */
}

/* Overloads and other classes' methods: the nearest beginning before the line, in the same file. */
TEST_WITH(plain_names_are_told_apart_by_line, begin, end)
{
  uint32_t entry = function(process, "main", 1);
  sc_location at = {.kind = SC_LOCATION_FUNCTION, .name = "_ZN1A4sizeEv", .file = "/usr/a.h", .line = 10};
  uint32_t first = add(entry, at, 1);
  at.name = "_ZN1B4sizeEv";
  at.line = 20;
  uint32_t second = add(entry, at, 100);
  at.name = "_ZN1C4sizeEv";
  at.file = "/usr/c.h";
  at.line = 5;
  uint32_t third = add(entry, at, 1000);
  assert_int_equal(find("main ~size@/usr/a.h:12"), first);
  assert_int_equal(find("main ~size@/usr/a.h:25"), second);
  assert_int_equal(find("main ~size@/usr/c.h:25"), third);
  assert_int_equal(find("main ~size"), third); /* nothing to go by: the one called most */
}

TEST_WITH(local_functions_need_their_file, begin, end)
{
  uint32_t entry = function(process, "main", 1);
  sc_location at = {.kind = SC_LOCATION_FUNCTION, .local = true, .name = "helper", .file = "/src/one.c"};
  uint32_t one = add(entry, at, 1);
  at.file = "/src/two.c";
  uint32_t two = add(entry, at, 100);
  assert_int_equal(find("main helper@/src/one.c"), one);
  assert_int_equal(find("main helper@/elsewhere/two.c"), two);
  assert_int_equal(find("main helper"), two);
}

TEST_WITH(other_runs_contexts_come_last, begin, end)
{
  uint32_t entry = function(process, "main", 1), loop_one = loop(entry, "main", 1), loop_two = loop(entry, "main", 2);
  uint32_t unused = function(loop_one, "f", 0), used = function(loop_two, "f", 3);
  assert_int_not_equal(unused, used);
  assert_int_equal(find("main#1 f"), used);
}
