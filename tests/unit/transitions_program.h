/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
/* A program of many parts: functions, loops, work of libraries, locks, memory, pools of units, calls that wait. The
 * same in every run, in whatever order it is put together, and in whatever units; after unit.h. */
#include <stdlib.h>

#include "transitions/suppose/portion.h"
#include "transitions_resources_scene.h"

static const double sizes[] = {100, 150, 230, 340, 510, 770}, targets[] = {300, 5000, 90000};
enum { SIZES = COUNT(sizes), REPEATS = 2, RUNS = SIZES * REPEATS, TARGETS = COUNT(targets), WIDEST = 20 };

/* Of a program twice as slow all times are twice as long. */
static double slow = 1;
/* Of one that does everything twice as often in the same time counts are twice as large; of one whose blocks are twice
 * as large the heap's bytes are. */
static double often = 1, large = 1;
/* Bytes that a library moves have a price that is known. */
static double times_of(enum sc_location_kind kind) { return kind == SC_LOCATION_WORK ? 1 : often; }

static double noisy = 1; /* 0: everything is measured exactly */

/* ---- the program ---- */

typedef double (*curve)(double n);
static double thousand(double n) { return n > 0 ? 1000 : 0; }
static double items(double n) { return n; }
static double few(double n) { return floor(n / 7); }
static double most(double n) { return floor(0.9 * n); }
static double pairs(double n) { return n * (n - 1) / 2; }
static double sorted(double n) { return floor(3 * n * log2(n)); }
static double scattered(double n) { return floor(n * sqrt(n)); }
static double late(double n) { return n < 300 ? 7 : n * n / 50; }
static double erratic(double n) { return fmod(n * 7919, 101) * n; }
static double bytes(double n) { return 8 * n * n; }

static const struct part {
  const char *name;
  enum sc_location_kind kind;
  uint32_t line;
  int above; /* index; -1: the root */
  curve count;
  double noise, each; /* of the counts, relative; seconds of one */
} parts[] = {{"program", SC_LOCATION_PROCESS, 0, -1, NULL, 0, 0},
             {"main", SC_LOCATION_FUNCTION, 1, 0, scene_one, 0, 1e-3},
             {"_Z4readi", SC_LOCATION_FUNCTION, 10, 1, items, 0, 2e-6},
             {"_Z4readi", SC_LOCATION_LOOP, 12, 2, pairs, 0, 3e-8},
             {"compare", SC_LOCATION_FUNCTION, 20, 3, pairs, 0, 1e-8},
             {"sort", SC_LOCATION_FUNCTION, 30, 1, few, 0, 0},
             {"sort", SC_LOCATION_LOOP, 32, 5, sorted, 0, 5e-8},
             {"sort", SC_LOCATION_LOOP, 36, 5, scattered, 0.02, 1e-7},
             {"compare", SC_LOCATION_FUNCTION, 20, 6, sorted, 0, 1e-8},
             {"set_up", SC_LOCATION_FUNCTION, 40, 1, scene_one, 0, 0},
             {"set_up", SC_LOCATION_LOOP, 44, 9, thousand, 0, 4e-6},
             {"index", SC_LOCATION_FUNCTION, 50, 2, late, 0, 1e-7},
             {"chaos", SC_LOCATION_LOOP, 60, 1, erratic, 0, 1e-8},
             {"memmove", SC_LOCATION_WORK, 70, 2, bytes, 0, 1e-10},
             {"output", SC_LOCATION_FUNCTION, 80, 1, items, 0.03, 1e-5},
             {"qsort", SC_LOCATION_FOREIGN, 0, 1, NULL, 0, 0},
             {"callback", SC_LOCATION_FUNCTION, 90, 15, sorted, 0.01, 2e-8}};
enum { PARTS = COUNT(parts) };

/* What a part does to a resource in a run. */
static const struct use {
  enum sc_resource_class resource_class;
  const char *name;
  int at;
  uint32_t line;
  curve acquires;
  double each, kept, hold, waited; /* units of one; share not returned; seconds of one; share that waits */
  bool shared;
} uses[] = {{SC_RESOURCE_HEAP, "heap", 2, 13, items, 64, 1, 0, 0},
            {SC_RESOURCE_HEAP, "heap", 5, 31, pairs, 16, 0, 1e-6, 0},
            {SC_RESOURCE_HEAP, "heap", 10, 45, thousand, 128, 0.5, 1e-3, 0},
            {SC_RESOURCE_MUTEX, "order_book::mutex", 11, 52, items, 1, 0, 2e-4, 0.4},
            {SC_RESOURCE_MUTEX, "order_book::mutex", 14, 82, most, 1, 0, 5e-5, 0.2},
            {SC_RESOURCE_DESCRIPTOR, "descriptors", 14, 81, few, 1, 0.9, 1e-3, 0},
            {SC_RESOURCE_OTHER, "connections", 16, 91, items, 1, 0, 1e-4, 0},
            {SC_RESOURCE_RWLOCK, "index::lock", 2, 14, items, 1, 0, 2e-5, 0.1, true},
            {SC_RESOURCE_RWLOCK, "index::lock", 11, 55, few, 1, 0, 3e-4, 0.3},
            {SC_RESOURCE_SEMAPHORE, "slots", 14, 83, most, 1, 0, 1e-4, 0.1},
            {SC_RESOURCE_IO, "input or output", 2, 11, items, 0, 0, 2e-4, 1},
            {SC_RESOURCE_SLEEP, "sleep", 9, 41, thousand, 0, 0, 1e-5, 1}};
static const char *const declared[] = {"heap",  "order_book::mutex", "descriptors", "connections", "index::lock",
                                       "slots", "input or output",   "sleep"};
/* Of uses: the first waits for the second for that share of its time; SC_USAGE_NONE: nobody knows for whom. */
static const struct blocked {
  uint32_t waiter, holder;
  double share;
} blockings[] = {{3, 4, 0.5}, {3, 3, 0.3}, {3, SC_USAGE_NONE, 0.2}, {4, 3, 0.9}, {7, 8, 1}, {8, 7, 0.6}, {4, 8, 0.1}};

/* The same for the same names, in whatever order they are asked for. */
static double noise_of(const char *name, uint32_t line, size_t run, double relative)
{
  uint64_t state = run * 977 + line;
  for (; *name; name++)
    state = (state ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
  for (int i = 0; i < 3; i++)
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return 1 + noisy * relative * ((double)(state >> 11) / 4503599627370496.0 - 1);
}

typedef struct program {
  sc_graph *graph;
  uint32_t contexts[PARTS], resources[COUNT(declared)], rows[COUNT(uses)][RUNS];
  sc_analysis *analysis;
  sc_findings findings;
  sc_resources *all;
} program;

/* `order`: a permutation in which each part comes behind the one above it. */
static void add_part(program *p, int i, const size_t *runs, bool worse)
{
  const struct part *part = &parts[i];
  sc_location location = {.kind = part->kind, .name = part->name, .file = "program.c", .line = part->line};
  if (part->kind == SC_LOCATION_LOOP)
    location.column = 3;
  if (part->kind == SC_LOCATION_WORK)
    location.nth = SC_UNIT_BYTES;
  p->contexts[i] = scene_context(p->graph, part->above < 0 ? 0 : p->contexts[part->above], &location);
  for (size_t k = 0; k < RUNS && part->count; k++) {
    double n = sizes[runs[k] / REPEATS];
    double count = part->count(n) * (worse && (i == 6 || i == 10) ? n / 50 : 1);
    count = part->noise > 0 ? floor(count * noise_of(part->name, part->line, runs[k], part->noise)) : floor(count);
    double cost = count * part->each * noise_of(part->name, part->line + 1, runs[k], 0.02);
    assert_int_equal(sc_graph_add(p->graph, k, p->contexts[i], SC_METRIC_COUNT, count * times_of(part->kind)), 0);
    sc_graph_run(p->graph, k)->samples += (uint64_t)ceil(cost * 4000);
    cost *= slow;
    if (cost > 0)
      assert_int_equal(sc_graph_add(p->graph, k, p->contexts[i], SC_METRIC_COST, cost), 0);
    sc_graph_run(p->graph, k)->user_seconds += cost;
    sc_graph_run(p->graph, k)->wall_seconds += cost * 1.25;
    sc_graph_run(p->graph, k)->waits[SC_WAIT_RUNNABLE] += cost * 0.15;
    sc_graph_run(p->graph, k)->waits[SC_WAIT_LOCK] += cost * 0.1;
  }
}

static void add_use(program *p, int i, const size_t *runs, bool worse)
{
  const struct use *u = &uses[i];
  uint32_t resource = 0;
  for (size_t k = 0; k < COUNT(declared); k++)
    if (strcmp(declared[k], u->name) == 0)
      resource = p->resources[k];
  for (size_t k = 0; k < RUNS; k++) {
    double acquires = (worse && i == 5 ? 2 : 1) * floor(u->acquires(sizes[runs[k] / REPEATS])),
           back = floor(acquires * (1 - u->kept));
    double hold = (worse && i == 3 ? 4 : 1) * slow * u->hold * noise_of(u->name, u->line, runs[k], 0.1),
           waits = floor(acquires * u->waited);
    double each = u->each * (u->resource_class == SC_RESOURCE_HEAP ? large : 1);
    sc_usage row = {.via = "take",
                    .shared = u->shared,
                    .event = u->each > 0 ? SC_USAGE_EVENT_ACQUIRE : SC_USAGE_EVENT_WAIT,
                    .line = u->line,
                    .values = {[SC_USAGE_ACQUIRES] = acquires,
                               [SC_USAGE_UNITS] = acquires * each,
                               [SC_USAGE_RETURNED] = back,
                               [SC_USAGE_RETURNED_UNITS] = back * each,
                               [SC_USAGE_PEAK] = fmax(1, acquires - back) * each,
                               [SC_USAGE_HOLDS] = back,
                               [SC_USAGE_HOLD_SECONDS] = back * hold,
                               [SC_USAGE_WAITS] = waits,
                               [SC_USAGE_WAIT_SECONDS] = waits * hold / 2}};
    for (int b = 0; b < SC_USAGE_BUCKETS; b++)
      if (u->hold > 0 && hold * 1e9 >= ldexp(1, b) && hold * 1e9 < ldexp(1, b + 1))
        row.buckets[b] = back;
    if (u->each <= 0) { /* no resource: time that passes */
      sc_run *run = sc_graph_run(p->graph, k);
      run->waits[u->resource_class == SC_RESOURCE_IO ? SC_WAIT_IO : SC_WAIT_SLEEP] += waits * hold / 2;
      run->wall_seconds += waits * hold / 2;
    }
    p->rows[i][k] = scene_usage(p->graph, k, p->contexts[u->at], resource, &row);
  }
}

static void add_blocking(program *p, const struct blocked *b, const size_t *runs)
{
  const struct use *u = &uses[b->waiter];
  for (size_t k = 0; k < RUNS; k++) {
    double waits = floor(floor(u->acquires(sizes[runs[k] / REPEATS])) * u->waited * b->share);
    sc_wait_pair pair = {p->rows[b->waiter][k], b->holder == SC_USAGE_NONE ? b->holder : p->rows[b->holder][k], waits,
                         slow * waits * u->hold / 2};
    assert_int_equal(sc_usage_add_pair(p->graph, k, &pair), 0);
  }
}

static uint32_t seed;
static size_t draw(size_t below)
{
  seed = seed * 1664525 + 1013904223;
  return (seed >> 8) % below;
}

/* In the order in which it is written above, or in another one. */
static program make(bool permuted, bool worse)
{
  program p = {0};
  size_t runs[RUNS], left = PARTS, lists[3] = {RUNS, COUNT(declared), COUNT(uses)}, order[3][WIDEST];
  bool done[PARTS] = {false};
  for (size_t l = 0; l < 3; l++) {
    for (size_t i = 0; i < lists[l]; i++)
      order[l][i] = i;
    for (size_t i = lists[l]; permuted && i-- > 1;) {
      size_t k = draw(i + 1), kept = order[l][i];
      order[l][i] = order[l][k], order[l][k] = kept;
    }
  }
  assert_int_equal(sc_graph_new(&p.graph), 0);
  size_t repeats[SIZES] = {0}; /* of a size come as they were made: the last is the largest run */
  for (size_t k = 0; k < RUNS; k++) {
    size_t size = order[0][k] / REPEATS;
    runs[k] = size * REPEATS + repeats[size]++;
    sc_run run = {.n = sizes[runs[k] / REPEATS],
                  .repeat = (unsigned)(runs[k] % REPEATS),
                  .cost_event = "task-clock",
                  .has_waits = true,
                  .threads = 4};
    size_t index;
    assert_int_equal(sc_graph_begin_run(p.graph, &run, &index), 0);
  }
  while (left) {
    int i = permuted ? (int)draw(PARTS) : (int)(PARTS - left);
    if (done[i] || (parts[i].above >= 0 && !done[parts[i].above]))
      continue;
    add_part(&p, i, runs, worse);
    done[i] = true;
    left--;
  }
  for (size_t i = 0; i < COUNT(declared); i++) {
    size_t d = order[1][i];
    const struct use *u = uses;
    while (strcmp(u->name, declared[d]) != 0)
      u++;
    p.resources[d] = scene_resource(p.graph, u->resource_class, u->name,
                                    u->resource_class == SC_RESOURCE_OTHER       ? 8
                                    : u->resource_class == SC_RESOURCE_SEMAPHORE ? 3
                                                                                 : 0);
  }
  for (size_t i = 0; i < COUNT(uses); i++)
    add_use(&p, (int)order[2][i], runs, worse);
  for (size_t i = 0; i < COUNT(blockings); i++)
    add_blocking(&p, &blockings[permuted ? COUNT(blockings) - 1 - i : i], runs);
  for (size_t k = 0; k < RUNS; k++)
    for (size_t i = 0; i < COUNT(declared); i++)
      scene_occupancy(p.graph, k, p.resources[order[1][i]], 4, 1, slow * 4 * 0.9, slow);
  p.analysis = scene_analyse(p.graph, targets, TARGETS);
  p.findings = scene_infer(p.analysis);
  p.all = scene_resources(p.analysis, SC_PARAMETER_WORK);
  return p;
}

static void drop(program *p)
{
  sc_resources_free(p->all);
  scene_end(p->graph, p->analysis, &p->findings);
}

/* What is between its ends, from 0 on. */
static inline void check(const sc_interval *i)
{
  assert_true(i->low >= 0 && i->low <= i->value * (1 + 1e-9) && i->value <= i->high * (1 + 1e-9));
}
