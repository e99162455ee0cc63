/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resources at other values of a further parameter: sums that are polynomials of both are known there. */
#include "unit.h"

#include "transitions/resources/cells.h"
#include "transitions/resources/leaks.h"
#include "transitions/resources/metrics.h"
#include "transitions/resources/series.h"
#include "transitions_resources_place_scene.h"

static const double sizes[] = {2, 4, 6, 8, 12}, values[] = {1, 2, 4, 8};
enum { SIZES = 5, VALUES = 4 };

typedef double (*amount)(double n, double t);
static double product(double n, double t) { return n * t; }
static double first(double n, double t) { return n; }
static double second(double n, double t) { return 10 * t; }
static double none(double n, double t) { return 0; }
static double many(double n, double t) { return (n + 20) * t; }
static double scattered(double n, double t) { return 1 + fmod(n * 7919 + t * 104729, 97); }

/* How many descriptors `n` and `t` make, and how many of them stay; a lock beside. */
typedef struct uses {
  amount acquires, kept, waits;
  enum sc_resource_class kind;
  enum sc_parameter_kind further;
} uses;

typedef struct place {
  scene_place in;
  uint32_t site, units, lock;
  sc_resource_options options;
} place;

static void use(place *p, sc_graph *graph, size_t run, double n, double t, const uses *u)
{
  double acquires = u->acquires(n, t), hold = 1e-6 * t, rounds = 1000 * n, span = 1000 * (hold + 20e-6);
  p->units = scene_resource(graph, u->kind, "units", 0);
  p->lock = scene_resource(graph, SC_RESOURCE_MUTEX, "lock", 0);
  sc_usage row = {.values = {[SC_USAGE_ACQUIRES] = acquires,
                             [SC_USAGE_UNITS] = 16 * acquires,
                             [SC_USAGE_WAITS] = u->waits ? u->waits(n, t) : 0,
                             [SC_USAGE_RETURNED] = acquires - u->kept(n, t),
                             [SC_USAGE_RETURNED_UNITS] = 16 * (acquires - u->kept(n, t)),
                             [SC_USAGE_PEAK] = 16 * fmax(1, u->kept(n, t))}};
  scene_usage(graph, run, p->site, p->units, &row);
  scene_occupancy(graph, run, p->units, n, 1, n * span, span);
  row = scene_holds(rounds, hold);
  row.values[SC_USAGE_PEAK] = n;
  scene_usage(graph, run, p->site, p->lock, &row);
  scene_occupancy(graph, run, p->lock, n, 1, n * span, span);
  sc_graph_run(graph, run)->threads = (uint64_t)n;
}

static void begin(place *p, const uses *u)
{
  *p = (place){.options = {.kind = SC_PARAMETER_THREADS}};
  scene_place *in = &p->in;
  place_open(in, sizes, SIZES, values, VALUES);
  p->site = scene_function(in->graph, scene_main(in->graph), "site", scene_n, 0);
  assert_int_equal(scene_function(in->all, scene_main(in->all), "site", scene_n, 0), p->site);
  for (size_t i = 0; i < in->count; i++) {
    double n = in->at[i][0], t = in->at[i][1];
    use(p, in->all, i, n, t, u);
    if (t == 1)
      use(p, in->graph, i, n, t, u);
  }
  place_analyse(in, u->further);
}

static sc_resources *move(place *p, double t)
{
  sc_resources *there;
  unit_ok(sc_resources_move(p->in.analysis, &p->options, p->in.everywhere, &t, &there));
  assert_true(sc_resources_moved(there));
  return there;
}

static void end(place *p) { place_close(&p->in); }

static void predicts(const sc_resources *r, uint32_t resource, enum sc_resource_metric metric, double n, double value)
{
  sc_interval i;
  unit_ok(sc_resources_predict(r, resource, metric, n, &i));
  unit_near_by(i.value + 1, value + 1, 1e-6);
}

static const uses growing = {product, first, NULL, SC_RESOURCE_DESCRIPTOR, SC_PARAMETER_WORK};

TEST(metrics_are_those_of_the_surface_there)
{
  static const double there[] = {1, 2, 3, 8, 20};
  place p;
  begin(&p, &growing);
  for (size_t i = 0; i < COUNT(there); i++) {
    double t = there[i];
    sc_resources *r = move(&p, t);
    assert_true(sc_resources_measured(r) == (t == 1 || t == 2 || t == 8));
    static const double at[] = {2, 5, 24, 1000};
    for (size_t k = 0; k < COUNT(at); k++) {
      predicts(r, p.units, SC_RMETRIC_ACQUIRES, at[k], at[k] * t);
      predicts(r, p.units, SC_RMETRIC_UNITS, at[k], 16 * at[k] * t);
      predicts(r, p.lock, SC_RMETRIC_ACQUIRES, at[k], 1000 * at[k]);
    }
    predicts(r, p.units, SC_RMETRIC_FAILURES, 24, 0); /* what never happened */
    sc_interval hold;
    unit_ok(sc_resources_predict(r, p.lock, SC_RMETRIC_HOLD, 24, &hold));
    assert_true(fabs(hold.value / (1e-6 * t) - 1) < 0.05);
    sc_resources_free(r);
  }
  sc_resources *base = scene_resources(p.in.analysis, SC_PARAMETER_THREADS);
  assert_true(!sc_resources_moved(base) && sc_resources_measured(base));
  sc_resources_free(base);
  end(&p);
}

/* Runs at the place are shown as measured; without any, what the model says of the base's sizes. */
TEST(what_is_shown_is_measured_or_predicted_there)
{
  static const double there[] = {2, 3};
  place p;
  begin(&p, &growing);
  for (size_t i = 0; i < COUNT(there); i++) {
    sc_resources *r = move(&p, there[i]);
    const sc_resource_series *s = sc_resources_series(r, p.units, SC_USAGE_NONE, SC_RMETRIC_ACQUIRES);
    assert_int_equal(s->count, SIZES);
    for (size_t k = 0; k < SIZES; k++) {
      assert_true(s->sizes[k] == sizes[k]);
      unit_near_by(s->values[k], sizes[k] * there[i], 1e-9);
    }
    sc_resources_free(r);
  }
  end(&p);
}

/* Numbers that no surface fits: a plane through them, or nothing; the runs nearest to the place are shown, by size. */
TEST(what_follows_no_surface_shows_the_nearest_runs)
{
  static const uses noise = {scattered, none, NULL, SC_RESOURCE_DESCRIPTOR, SC_PARAMETER_WORK};
  place p;
  begin(&p, &noise);
  sc_resources *r = move(&p, 2);
  const sc_resource_series *s = sc_resources_series(r, p.units, SC_USAGE_NONE, SC_RMETRIC_ACQUIRES);
  assert_int_equal(s->count, SIZES);
  for (size_t k = 0; k < SIZES; k++)
    assert_true(s->sizes[k] == sizes[k] && s->values[k] == scattered(sizes[k], 2));
  sc_resources_free(r);
  end(&p);
}

/* A run's sums are those of the nearest run: of what has no names as they are, of a lock in proportion to its acquires,
 * and its threads as predicted. */
TEST(sums_are_those_of_the_nearest_run)
{
  static const struct {
    double there, nearest;
  } cases[] = {{1, 1}, {2, 2}, {2.7, 2}, {2.9, 4}, {100, 8}};
  place p;
  begin(&p, &growing);
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_resources *r = move(&p, cases[i].there);
    for (size_t run = 0; run < SIZES; run++) {
      double n = sizes[run], t = cases[i].nearest;
      const sc_resource_cell *heap = &r->cells[p.units], *lock = &r->cells[p.lock];
      assert_true(sc_resource_cell_sum(heap, run, SC_USAGE_ACQUIRES) == n * t);
      assert_true(sc_resource_cell_sum(heap, run, SC_USAGE_RETURNED) == n * t - n);
      assert_true(sc_resource_cell_occupancy(r, heap, run)->threads == n);
      unit_near_by(sc_resource_cell_sum(lock, run, SC_USAGE_ACQUIRES), 1000 * n, 1e-6);
      unit_near_by(sc_resource_cell_sum(lock, run, SC_USAGE_HOLD_SECONDS), 1e-3 * n * t, 1e-6);
      const sc_occupancy *o = sc_resource_cell_occupancy(r, lock, run);
      unit_near_by(o->threads, n, 1e-6);
      unit_near_by(o->span_seconds, 1000 * (1e-6 * t + 20e-6), 1e-9);
      unit_near_by(o->active_seconds, n * o->span_seconds, 1e-6);
      double value;
      assert_true(sc_rmetric_value(r, lock, run, SC_RMETRIC_ACQUIRES, &value));
      unit_near_by(value, 1000 * n, 1e-6);
    }
    for (size_t c = 0; c < r->cell_count; c++) {
      const sc_resource_cell *cell = &r->cells[c], *from = &r->place->all->cells[c];
      assert_true(cell->resource == from->resource && cell->context == from->context && cell->line == from->line &&
                  cell->exclusive == from->exclusive && cell->lent == from->lent && cell->used == from->used &&
                  cell->in_scope == from->in_scope);
    }
    sc_resources_free(r);
  }
  end(&p);
}

static double all_wait(double n, double t) { return 2 * n * t; }
static double half_wait(double n, double t) { return n * t / 2; }

/* Models of two numbers do not know of each other: no more waits than acquires, and at most all of a time. */
TEST(waits_are_at_most_the_acquires)
{
  static const amount waits[] = {half_wait, all_wait};
  for (size_t i = 0; i < 2; i++) {
    const uses waiting = {product, none, waits[i], SC_RESOURCE_DESCRIPTOR, SC_PARAMETER_WORK};
    place p;
    begin(&p, &waiting);
    sc_resources *r = move(&p, 3);
    double value;
    for (size_t run = 0; run < SIZES; run++) {
      assert_true(sc_rmetric_value(r, &r->cells[p.units], run, SC_RMETRIC_WAITS, &value));
      unit_near_by(value, 3 * sizes[run] * (i ? 1 : 0.5), 1e-6);
    }
    predicts(r, p.units, SC_RMETRIC_WAITS, 24, 72 * (i ? 1 : 0.5));
    sc_resources_free(r);
    end(&p);
  }
}

/* ---- leaks along a further parameter ---- */

static bool leaks(place *p, double t, sc_leak_rise *rise)
{
  sc_resources *r = move(p, t);
  bool yes = true, own = true;
  const sc_resource_cell *cell = &r->cells[r->cell_starts[p->units]];
  assert_true(cell->context == p->site);
  unit_ok(sc_leak_holds_beside(r, cell, rise, &yes));
  unit_ok(sc_leak_holds(r, cell, &own));
  assert_false(own); /* not with n */
  sc_resources_free(r);
  return yes;
}

/* What stays grows with the further parameter alone: from twice of what is kept at its smallest value on. */
TEST(what_stays_may_grow_with_another_parameter)
{
  static const uses kept = {many, second, NULL, SC_RESOURCE_DESCRIPTOR, SC_PARAMETER_WORK};
  place p;
  sc_leak_rise rise;
  begin(&p, &kept);
  assert_false(leaks(&p, 1, &rise));
  assert_false(leaks(&p, 1.99, &rise));
  assert_true(leaks(&p, 2, &rise));
  assert_true(leaks(&p, 20, &rise));
  assert_true(rise.parameter == 1 && rise.from == 1 && rise.to == 8);
  unit_near_by(rise.value_from, 160, 1e-6);
  unit_near_by(rise.value_to, 1280, 1e-6);
  sc_resources *base = scene_resources(p.in.analysis, SC_PARAMETER_THREADS);
  bool yes = true; /* the base is moved along no parameter but n */
  unit_ok(sc_leak_holds_beside(base, &base->cells[base->cell_starts[p.units]], &rise, &yes));
  assert_false(yes);
  sc_resources_free(base);
  end(&p);
}

/* Not where it does not grow, or by chance does; and threads may run on where the parameter counts those who work. */
TEST(what_stays_at_any_value_is_no_leak)
{
  static const uses cases[] = {{many, first, NULL, SC_RESOURCE_DESCRIPTOR, SC_PARAMETER_WORK},
                               {many, none, NULL, SC_RESOURCE_DESCRIPTOR, SC_PARAMETER_WORK},
                               {many, second, NULL, SC_RESOURCE_THREAD, SC_PARAMETER_THREADS},
                               {many, second, NULL, SC_RESOURCE_THREAD, SC_PARAMETER_CLIENTS}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    place p;
    sc_leak_rise rise;
    begin(&p, &cases[i]);
    sc_resources *r = move(&p, 4);
    bool yes = true;
    unit_ok(sc_leak_holds_beside(r, &r->cells[r->cell_starts[p.units]], &rise, &yes));
    assert_false(yes);
    sc_resources_free(r);
    end(&p);
  }
}
