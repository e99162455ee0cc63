/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What becomes of a run's rows: sums of resources, of contexts and of places, and nothing of what is not finite. */
#include "unit.h"

#include "transitions/resources/cells.h"
#include "transitions_resources_scene.h"

static const double sizes[] = {100, 200, 300, 400};
enum { SIZES = 4 };

typedef struct program {
  sc_graph *graph;
  uint32_t one, two;
  sc_analysis *analysis;
  sc_resources *r;
} program;

static program open_program(void)
{
  program p = {.graph = scene_repeats(sizes, SIZES, 1)};
  uint32_t main = scene_main(p.graph);
  p.one = scene_function(p.graph, main, "one", scene_n, 0);
  p.two = scene_function(p.graph, main, "two", scene_n, 0);
  return p;
}

static void gather(program *p)
{
  p->analysis = scene_analyse(p->graph, (double[]){1000}, 1);
  p->r = scene_resources(p->analysis, SC_PARAMETER_DATA);
}

static void drop(program *p) { scene_drop(p->graph, p->analysis, p->r); }

static double sum(const sc_resource_cell *cell, int what)
{
  assert_non_null(cell);
  return sc_resource_cell_sum(cell, SIZES - 1, what);
}

static void add(program *p, size_t run, uint32_t context, uint32_t resource, enum sc_usage_event event, uint32_t line,
                uint32_t column, double acquires)
{
  sc_usage row = {.event = event, .line = line, .column = column, .values = {[SC_USAGE_ACQUIRES] = acquires}};
  scene_usage(p->graph, run, context, resource, &row);
}

/* What calls in a context do to a resource that is not kept apart by line. */
static const sc_resource_cell *find(const sc_resources *r, uint32_t resource, uint32_t context)
{
  return sc_resource_cells_find(r, &(sc_resource_spot){.resource = resource, .context = context});
}

/* Memory by place, a lock by context, and each as a whole. What gives back is all one place of a context. */
TEST(rows_are_summed_by_place)
{
  program p = open_program();
  uint32_t lock = scene_resource(p.graph, SC_RESOURCE_MUTEX, "lock", 0);
  uint32_t heap = scene_resource(p.graph, SC_RESOURCE_HEAP, "heap", 0);
  uint32_t last = scene_resource(p.graph, SC_RESOURCE_DESCRIPTOR, "descriptors", 0);
  for (size_t run = 0; run < SIZES; run++) {
    double factor = run == SIZES - 1 ? 1 : 1000;
    add(&p, run, p.one, heap, SC_USAGE_EVENT_ACQUIRE, 10, 1, factor * 1);
    add(&p, run, p.one, heap, SC_USAGE_EVENT_ACQUIRE, 10, 2, factor * 2);
    add(&p, run, p.one, heap, SC_USAGE_EVENT_RESIZE, 10, 1, factor * 4);
    add(&p, run, p.one, heap, SC_USAGE_EVENT_RELEASE, 12, 3, factor * 8);
    add(&p, run, p.one, heap, SC_USAGE_EVENT_RELEASE, 13, 4, factor * 16);
    add(&p, run, p.two, heap, SC_USAGE_EVENT_ACQUIRE, 10, 1, factor * 32);
    add(&p, run, p.one, lock, SC_USAGE_EVENT_ACQUIRE, 20, 1, factor * 64);
    add(&p, run, p.one, lock, SC_USAGE_EVENT_ACQUIRE, 21, 1, factor * 128);
    add(&p, run, p.two, lock, SC_USAGE_EVENT_ACQUIRE, 20, 1, factor * 256);
    if (run == 2) /* in one run only */
      add(&p, run, p.two, last, SC_USAGE_EVENT_ACQUIRE, 30, 1, 3);
  }
  gather(&p);
  const sc_resources *r = p.r;
  static const struct {
    uint32_t resource, context, line, column;
    double acquires;
  } cells[] = {{0, 2, 0, 0, 192}, {0, 3, 0, 0, 256}, {1, 2, 0, 0, 24}, {1, 2, 10, 1, 5},
               {1, 2, 10, 2, 2},  {1, 3, 10, 1, 32}, {2, 3, 30, 1, 0}};
  assert_int_equal(r->cell_count, 3 + COUNT(cells));
  for (size_t i = 0; i < COUNT(cells); i++) {
    const sc_resource_cell *cell = &r->cells[3 + i];
    assert_true(cell->resource == cells[i].resource && cell->line == cells[i].line && cell->column == cells[i].column);
    assert_int_equal(cell->context, cells[i].context == 2 ? p.one : p.two);
    assert_true(sum(cell, SC_USAGE_ACQUIRES) == cells[i].acquires);
    assert_true(i < 6 || sc_resource_cell_sum(cell, 2, SC_USAGE_ACQUIRES) == 3);
  }
  static const double wholes[] = {448, 63, 0};
  static const size_t starts[] = {3, 5, 9};
  for (uint32_t i = 0; i < 3; i++) {
    assert_true(r->cells[i].resource == i && r->cells[i].context == SC_USAGE_NONE);
    assert_true(sum(&r->cells[i], SC_USAGE_ACQUIRES) == wholes[i]);
    assert_int_equal(r->cell_starts[i], starts[i]);
    assert_ptr_equal(find(r, i, SC_USAGE_NONE), &r->cells[i]);
  }
  assert_int_equal(r->cell_starts[3], 10);
  assert_ptr_equal(find(r, lock, p.one), &r->cells[3]);
  assert_ptr_equal(find(r, lock, p.two), &r->cells[4]);
  assert_ptr_equal(find(r, heap, p.one), &r->cells[5]);
  assert_null(find(r, heap, p.two)); /* it has places alone */
  assert_null(find(r, lock, p.two + 1));
  assert_null(find(r, lock, 0));
  assert_null(find(r, 3, SC_USAGE_NONE));
  assert_null(find(r, 3, p.one));
  /* each row belongs to its place and to the whole */
  size_t rows;
  const sc_usage *row = sc_usage_rows(p.graph, SIZES - 1, &rows);
  for (; rows; rows--, row++) {
    size_t owners = 0;
    for (size_t i = 0; i < r->cell_count; i++)
      owners += sc_resource_cell_has(r, &r->cells[i], row);
    assert_int_equal(owners, 2);
  }
  drop(&p);
}

/* Classes without names of their own are judged by place; others as wholes. */
TEST(classes_have_places_or_names)
{
  static const struct {
    enum sc_resource_class kind;
    bool places, lock, idle;
  } cases[] = {{SC_RESOURCE_HEAP, true, false, false},       {SC_RESOURCE_MAPPING, true, false, false},
               {SC_RESOURCE_DESCRIPTOR, true, false, false}, {SC_RESOURCE_STREAM, true, false, false},
               {SC_RESOURCE_THREAD, true, false, true},      {SC_RESOURCE_MUTEX, false, true, false},
               {SC_RESOURCE_RWLOCK, false, true, false},     {SC_RESOURCE_SPINLOCK, false, true, false},
               {SC_RESOURCE_SEMAPHORE, false, false, false}, {SC_RESOURCE_CONDITION, false, false, true},
               {SC_RESOURCE_BARRIER, false, false, true},    {SC_RESOURCE_OTHER, false, false, false}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    program p = open_program();
    uint32_t resource = scene_resource(p.graph, cases[i].kind, "r", 3);
    for (size_t run = 0; run < SIZES; run++)
      add(&p, run, p.one, resource, SC_USAGE_EVENT_ACQUIRE, 10, 1, 5);
    gather(&p);
    const sc_resource_cell *whole = &p.r->cells[0], *place = &p.r->cells[1];
    assert_int_equal(p.r->cell_count, 2);
    assert_int_equal(place->line, cases[i].places ? 10 : 0);
    assert_true(sc_resource_cell_generic(p.r, whole) == cases[i].places);
    assert_true(sc_resource_cell_judged(p.r, place) == cases[i].places);
    assert_true(sc_resource_cell_judged(p.r, whole) == !cases[i].places);
    assert_true(sc_resource_cell_lock(p.r, whole) == cases[i].lock);
    assert_true(sc_resource_cell_idle(p.r, whole) == cases[i].idle);
    assert_true(sc_resource_cell_servers(p.r, whole) == (cases[i].lock ? 1 : 3));
    assert_true(sc_resource_cell_units_each(p.r, whole) == (cases[i].kind == SC_RESOURCE_SEMAPHORE));
    drop(&p);
  }
}

/* Holds that exclude none are summed apart; the histogram is of those that do, if there are any. */
TEST(shared_holds_are_summed_apart)
{
  for (int exclusive = 0; exclusive < 3; exclusive++) { /* 1: without holds */
    program p = open_program();
    uint32_t lock = scene_resource(p.graph, SC_RESOURCE_RWLOCK, "lock", 0);
    for (size_t run = 0; run < SIZES; run++) {
      sc_usage row = {.shared = true,
                      .values = {[SC_USAGE_ACQUIRES] = 7, [SC_USAGE_HOLDS] = 6, [SC_USAGE_HOLD_SECONDS] = 0.5},
                      .buckets = {[0] = 1, [20] = 2, [SC_RBUCKETS - 1] = 3}};
      scene_usage(p.graph, run, p.one, lock, &row);
      row = (sc_usage){
          .values =
              {[SC_USAGE_ACQUIRES] = 2, [SC_USAGE_HOLDS] = exclusive == 2 ? 2 : 0, [SC_USAGE_HOLD_SECONDS] = 0.25},
          .buckets = {[0] = 4, [20] = 5, [SC_RBUCKETS - 1] = 6}};
      if (exclusive)
        scene_usage(p.graph, run, p.two, lock, &row);
    }
    gather(&p);
    const sc_resource_cell *whole = &p.r->cells[0];
    assert_true(sum(whole, SC_RSUM_SHARED_ACQUIRES) == 7 && sum(whole, SC_RSUM_SHARED_HOLDS) == 6);
    assert_true(sum(whole, SC_RSUM_SHARED_SECONDS) == 0.5);
    assert_true(sum(whole, SC_USAGE_ACQUIRES) == (exclusive ? 9 : 7));
    assert_true(sum(whole, SC_USAGE_HOLD_SECONDS) == (exclusive ? 0.75 : 0.5));
    assert_true(whole->exclusive == (exclusive == 2));
    assert_true(!find(p.r, lock, p.one)->exclusive);
    const double *buckets = sc_resource_cell_buckets(p.r, whole, SIZES - 1);
    for (int i = 0; i < SC_RBUCKETS; i++) {
      double some = i == 0 ? 1 : i == 20 ? 2 : i == SC_RBUCKETS - 1 ? 3 : 0;
      assert_true(buckets[i] == some + (some > 0 && exclusive == 2 ? 3 : 0));
    }
    drop(&p);
  }
}

/* What resizes is summed apart, too, and who reads or writes uses it. */
TEST(resizes_and_uses_are_seen)
{
  program p = open_program();
  uint32_t heap = scene_resource(p.graph, SC_RESOURCE_HEAP, "heap", 0);
  uint32_t read = scene_resource(p.graph, SC_RESOURCE_STREAM, "read", 0);
  uint32_t written = scene_resource(p.graph, SC_RESOURCE_DESCRIPTOR, "written", 0);
  for (size_t run = 0; run < SIZES; run++) {
    sc_usage row = {.event = SC_USAGE_EVENT_RESIZE,
                    .kept_by_one = 3,
                    .values = {[SC_USAGE_ACQUIRES] = 5, [SC_USAGE_UNITS] = 70, [SC_USAGE_UNITS_RELEASED] = 30}};
    scene_usage(p.graph, run, p.one, heap, &row);
    row.event = SC_USAGE_EVENT_ACQUIRE;
    scene_usage(p.graph, run, p.one, heap, &row);
    add(&p, run, p.one, read, SC_USAGE_EVENT_READ, 1, 1, 0);
    add(&p, run, p.one, written, SC_USAGE_EVENT_WRITE, 1, 1, 0);
  }
  gather(&p);
  const sc_resource_cell *whole = &p.r->cells[heap];
  assert_true(sum(whole, SC_RSUM_RESIZES) == 5 && sum(whole, SC_RSUM_RESIZE_UNITS) == 70);
  assert_true(sum(whole, SC_RSUM_RESIZE_RELEASED) == 30 && sum(whole, SC_USAGE_UNITS) == 140);
  assert_true(sum(whole, SC_RSUM_KEPT_BY_ONE) == 6);
  assert_true(!whole->used && p.r->cells[read].used && p.r->cells[written].used);
  drop(&p);
}

/* Files may say anything. */
TEST(what_is_no_number_is_nothing)
{
  static const double bad[] = {NAN, INFINITY, -1, -INFINITY};
  for (size_t i = 0; i < COUNT(bad); i++) {
    program p = open_program();
    uint32_t lock = scene_resource(p.graph, SC_RESOURCE_MUTEX, "lock", 0);
    double x = bad[i];
    for (size_t run = 0; run < SIZES; run++) {
      sc_usage row = {.kept_by_one = x, .buckets = {x, x, 4}};
      for (int k = 0; k < SC_USAGE_VALUES; k++)
        row.values[k] = k == SC_USAGE_HOLDS ? 1 : x;
      scene_usage(p.graph, run, p.one, lock, &row);
      sc_occupancy o = {lock, x, x, x, x, x, x, x, x, x};
      unit_ok(sc_usage_add_occupancy(p.graph, run, &o));
    }
    gather(&p);
    for (int k = 0; k < SC_RSUM_COUNT; k++)
      assert_true(sum(&p.r->cells[0], k) == (k == SC_USAGE_HOLDS));
    const sc_occupancy *o = sc_resource_cell_occupancy(p.r, &p.r->cells[0], SIZES - 1);
    assert_true(o->instances == 0 && o->threads == 0 && o->active_seconds == 0 && o->span_seconds == 0 &&
                o->loaded_seconds == 0 && o->busiest_seconds == 0 && o->hot == 0 && o->hot_seconds == 0);
    const double *buckets = sc_resource_cell_buckets(p.r, &p.r->cells[0], SIZES - 1);
    assert_true(buckets[0] == 0 && buckets[1] == 0 && buckets[2] == 4 && buckets[3] == 0);
    sc_graph_free(p.graph);
    sc_resources_free(p.r);
    sc_analysis_free(p.analysis);
  }
}

/* What a resource as a whole did in a run is taken over; under load for no longer than the whole span. */
TEST(occupancies_are_taken_over)
{
  program p = open_program();
  scene_resource(p.graph, SC_RESOURCE_MUTEX, "other", 0);
  uint32_t lock = scene_resource(p.graph, SC_RESOURCE_MUTEX, "lock", 0);
  for (size_t run = 0; run < SIZES; run++) {
    sc_occupancy o = {.resource = lock,
                      .instances = 2,
                      .threads = 3,
                      .active_seconds = 4,
                      .span_seconds = 5,
                      .busiest_seconds = 1.5,
                      .hot = 1,
                      .hot_seconds = 0.5,
                      .loaded_seconds = run % 2 ? 6
                                        : run   ? 3
                                                : 0};
    unit_ok(sc_usage_add_occupancy(p.graph, run, &o));
    add(&p, run, p.one, lock, SC_USAGE_EVENT_ACQUIRE, 1, 1, 9);
  }
  gather(&p);
  const sc_resource_cell *cell = &p.r->cells[lock];
  for (size_t run = 0; run < SIZES; run++) {
    const sc_occupancy *o = sc_resource_cell_occupancy(p.r, cell, run);
    assert_true(o->instances == 2 && o->threads == 3 && o->active_seconds == 4 && o->span_seconds == 5);
    assert_true(o->busiest_seconds == 1.5 && o->hot == 1 && o->hot_seconds == 0.5);
    assert_true(sc_resource_cell_loaded(p.r, cell, run) == (run == 2 ? 3 : 5));
    assert_true(sc_resource_cell_occupancy(p.r, &p.r->cells[0], run)->threads == 0);
  }
  drop(&p);
}

/* Units of a semaphore that others give back than took them are lent: fewer than half were held by who took them, at
 * least 95% came back, and for how long is known. At the larger half of the sizes. */
TEST(units_that_others_give_back_are_lent)
{
  static const struct {
    double holds, back, seconds, capacity;
    enum sc_resource_class kind;
    bool lent;
  } cases[] = {{49, 100, 1, 4, SC_RESOURCE_SEMAPHORE, true}, {50, 100, 1, 4, SC_RESOURCE_SEMAPHORE, false},
               {0, 95, 1, 4, SC_RESOURCE_SEMAPHORE, true},   {0, 94, 1, 4, SC_RESOURCE_SEMAPHORE, false},
               {0, 100, 0, 4, SC_RESOURCE_SEMAPHORE, false}, {0, 100, 1, 0, SC_RESOURCE_SEMAPHORE, false},
               {0, 100, 1, 4, SC_RESOURCE_OTHER, false},     {0, 100, 1, 1, SC_RESOURCE_SEMAPHORE, true}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    program p = open_program();
    uint32_t units = scene_resource(p.graph, cases[i].kind, "units", cases[i].capacity);
    for (size_t run = 0; run < SIZES; run++) {
      bool large = run >= SIZES / 2; /* at smaller ones it would be no loan, or be one */
      sc_usage row = {.values = {[SC_USAGE_ACQUIRES] = 100,
                                 [SC_USAGE_UNITS] = 100,
                                 [SC_USAGE_RETURNED] = large ? cases[i].back : 90,
                                 [SC_USAGE_RETURNED_UNITS] = large           ? cases[i].back
                                                             : cases[i].lent ? 0
                                                                             : 1000,
                                 [SC_USAGE_HOLDS] = large           ? cases[i].holds
                                                    : cases[i].lent ? 1000
                                                                    : 0,
                                 [SC_USAGE_HOLD_SECONDS] = large ? cases[i].seconds : 0}};
      scene_usage(p.graph, run, p.one, units, &row);
    }
    gather(&p);
    const sc_resource_cell *cell = &p.r->cells[0];
    if (cell->lent != cases[i].lent)
      fail_msg("case %zu", i);
    assert_true(cell->exclusive == (cases[i].lent || cases[i].holds > 0));
    assert_true(sum(cell, SC_USAGE_HOLDS) == (cases[i].lent ? cases[i].back : cases[i].holds));
    if (cases[i].lent)
      assert_true(sc_resource_cell_sum(cell, 0, SC_USAGE_HOLDS) == 90);
    sc_graph_free(p.graph);
    sc_resources_free(p.r);
    sc_analysis_free(p.analysis);
  }
}
