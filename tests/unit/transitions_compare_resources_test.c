/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "transitions/compare/compare.h"
#include "transitions_resources_scene.h"

static const double sizes[] = {1, 2, 4, 8, 16}, targets[] = {64, 1024};
enum { SIZES = 5, REPEATS = 3 };

typedef struct half {
  sc_graph *graph;
  uint32_t main, work;
  sc_analysis *analysis;
  sc_resources *resources;
} half;

static half begin(const char *function)
{
  half h = {.graph = scene_repeats(sizes, SIZES, REPEATS)};
  h.main = scene_main(h.graph);
  h.work = scene_function(h.graph, h.main, function, scene_n, 0);
  return h;
}

static void end(half *h)
{
  h->analysis = scene_analyse(h->graph, targets, 2);
  h->resources = scene_resources(h->analysis, SC_PARAMETER_THREADS);
}

static double size_of(const half *h, size_t run) { return sc_graph_run_const(h->graph, run)->n; }
static size_t runs(const half *h) { return sc_graph_run_count(h->graph); }

static sc_comparison compare(half *base, half *head, const char *head_machine)
{
  sc_comparison comparison;
  end(base);
  end(head);
  sc_compare_side before = {base->analysis, base->resources, "here"};
  sc_compare_side after = {head->analysis, head->resources, head_machine};
  if (sc_compare(&before, &after, &comparison) < 0)
    fail_msg("sc_compare: %s", sc_err_message());
  for (size_t i = 0; i < comparison.count; i++)
    print_message("  %s: %s\n", sc_rule_id(comparison.list[i].rule), comparison.list[i].evidence);
  return comparison;
}

static void drop(half *base, half *head, sc_comparison *comparison)
{
  sc_comparison_free(comparison);
  scene_drop(base->graph, base->analysis, base->resources);
  scene_drop(head->graph, head->analysis, head->resources);
}

/* n rounds of 64 KiB, `kept` of them stay, and the most at a time. */
static half memory(const char *resource, bool kept, bool all_at_once)
{
  half h = begin("work");
  uint32_t heap = scene_resource(h.graph, SC_RESOURCE_HEAP, resource, 0);
  for (size_t run = 0; run < runs(&h); run++) {
    double n = size_of(&h, run), units = 65536;
    scene_units_run(h.graph, run, h.work, heap,
                    (scene_units){n, units, kept ? 0 : n, kept || all_at_once ? n * units : units, 0, 0, 1e-4});
    scene_occupancy(h.graph, run, heap, 1, 1, 1, 1);
  }
  return h;
}

TEST(peak_grows)
{
  half base = memory("heap", false, false), head = memory("heap", false, true);
  sc_comparison c = compare(&base, &head, "there");
  assert_int_equal(c.count, 1);
  assert_int_equal(c.list[0].rule, SC_RULE_WORSE_ORDER);
  assert_int_equal(c.list[0].of, SC_CHANGE_OF_RESOURCE);
  assert_int_equal(c.list[0].metric, SC_RMETRIC_PEAK);
  assert_int_equal(c.list[0].head.context, head.work);
  assert_float_equal(c.list[0].factor, 1024, 1);
  assert_non_null(strstr(c.list[0].evidence, "n = 1: 65,536 bytes"));
  drop(&base, &head, &c);
}

TEST(leaks)
{
  half base = memory("heap", false, false), head = memory("heap", true, true);
  sc_comparison c = compare(&base, &head, "here");
  assert_int_equal(c.count, 1); /* what stays is out at a time, too */
  assert_int_equal(c.list[0].rule, SC_RULE_WORSE_ORDER);
  assert_int_equal(c.list[0].metric, SC_RMETRIC_OUTSTANDING);
  drop(&base, &head, &c);
  base = memory("heap", true, true), head = memory("heap", false, false);
  c = compare(&base, &head, "here");
  assert_int_equal(c.count, 1);
  assert_int_equal(c.list[0].rule, SC_RULE_BETTER);
  drop(&base, &head, &c);
}

/* n threads that hold a lock and think, with noise. */
static half locked(const char *name, double hold, double noise)
{
  half h = begin("work");
  uint32_t lock = scene_resource(h.graph, SC_RESOURCE_MUTEX, name, 0);
  for (size_t run = 0; run < runs(&h); run++) {
    double n = size_of(&h, run);
    scene_lock_run(h.graph, run, h.work, lock,
                   (scene_lock){n, 1000, hold * scene_noise(noise), 1e-3 * scene_noise(noise), 0, 1});
  }
  return h;
}

TEST(holds_longer)
{
  scene_seed = 1;
  half base = locked("m", 1e-5, 0.05), head = locked("m", 6e-5, 0.05);
  sc_comparison c = compare(&base, &head, "here");
  assert_int_equal(c.count, 1); /* and so it is busier, which follows */
  assert_int_equal(c.list[0].rule, SC_RULE_WORSE_COST);
  assert_int_equal(c.list[0].metric, SC_RMETRIC_HOLD);
  assert_float_equal(c.list[0].factor, 6, 0.6);
  drop(&base, &head, &c);
  base = locked("m", 1e-5, 0.05), head = locked("m", 6e-5, 0.05); /* another machine may be that slow */
  c = compare(&base, &head, "there");
  assert_int_equal(c.count, 0);
  drop(&base, &head, &c);
}

TEST(renamed_lock)
{
  scene_seed = 2;
  half base = locked("order_lock", 1e-5, 0.05), head = locked("orders_mutex", 1e-5, 0.05);
  sc_comparison c = compare(&base, &head, "here");
  assert_int_equal(c.count, 0);
  drop(&base, &head, &c);
}

/* The same program again, on a machine with moods. */
TEST(noise)
{
  size_t alarms = 0;
  enum { PAIRS = 200 };
  scene_seed = 3;
  for (int i = 0; i < PAIRS; i++) {
    double mood = 0.2;
    half base = locked("m", 2e-5 * scene_noise(mood), 0.15), head = locked("m", 2e-5 * scene_noise(mood), 0.15);
    sc_comparison c = compare(&base, &head, "here");
    alarms += c.count > 0;
    drop(&base, &head, &c);
  }
  print_message("%zu of %d diffs are not empty\n", alarms, PAIRS);
  assert_true(alarms <= PAIRS / 100);
}

/* Asked for more often because it is called more often: the call is reported, not the lock. */
TEST(called_more_often)
{
  half base = begin("work"), head = begin("work");
  half *both[] = {&base, &head};
  for (int k = 0; k < 2; k++) {
    uint32_t heap = scene_resource(both[k]->graph, SC_RESOURCE_HEAP, "heap", 0);
    for (size_t run = 0; run < runs(both[k]); run++) {
      double n = size_of(both[k], run), calls = k ? 10 * n : n;
      if (k)
        assert_int_equal(sc_graph_add(head.graph, run, head.work, SC_METRIC_COUNT, 9 * n), 0);
      scene_units_run(both[k]->graph, run, both[k]->work, heap, (scene_units){calls, 16, calls, 16, 0, 0, 1e-6});
      scene_occupancy(both[k]->graph, run, heap, 1, 1, 1, 1);
    }
  }
  sc_comparison c = compare(&base, &head, "there");
  assert_int_equal(c.count, 1);
  assert_int_equal(c.list[0].of, SC_CHANGE_OF_COUNT);
  drop(&base, &head, &c);
}

/* ---- edges ---- */

/* What a site does to a resource: for each unit of n. */
typedef struct amounts {
  enum sc_resource_class what;
  double acquires, each, kept, peak; /* units of one; acquires not returned; most units out at a time, < 0: of n = 1 */
  uint32_t line;                     /* of the call; 0: 42 */
} amounts;

static half uses(const char *name, const char *file, uint32_t declared, const amounts *list, size_t count)
{
  half h = begin("work");
  uint32_t number;
  for (size_t i = 0; i < count; i++) {
    const amounts *a = &list[i];
    sc_resource resource = {.resource_class = a->what, .name = name, .file = file, .line = declared};
    assert_int_equal(sc_usage_resource(h.graph, &resource, &number), 0);
    for (size_t run = 0; run < runs(&h); run++) {
      double n = size_of(&h, run);
      sc_usage row = {.via = "get",
                      .line = a->line,
                      .values = {[SC_USAGE_ACQUIRES] = a->acquires * n,
                                 [SC_USAGE_UNITS] = a->acquires * n * a->each,
                                 [SC_USAGE_RETURNED] = (a->acquires - a->kept) * n,
                                 [SC_USAGE_RETURNED_UNITS] = (a->acquires - a->kept) * n * a->each,
                                 [SC_USAGE_PEAK] = a->peak < 0 ? -a->peak : a->peak * n}};
      scene_usage(h.graph, run, h.work, number, &row);
      if (i == 0)
        scene_occupancy(h.graph, run, number, 1, 1, 1, 1);
    }
  }
  return h;
}

/* The only change, or SC_RMETRIC_COUNT. */
static enum sc_resource_metric changed(amounts before, amounts after, enum sc_rule *rule)
{
  half base = uses("r", "a.c", 7, &before, 1), head = uses("r", "a.c", 7, &after, 1);
  sc_comparison c = compare(&base, &head, "there");
  assert_true(c.count <= 1);
  enum sc_resource_metric metric = c.count ? c.list[0].metric : SC_RMETRIC_COUNT;
  *rule = c.count ? c.list[0].rule : SC_RULE_COUNT;
  drop(&base, &head, &c);
  return metric;
}

/* Amounts by three tenths, as threads share them by chance; memory from a MiB on at the largest size, 1,024, anything
 * else from 8 units. */
TEST(edges_of_amounts)
{
  static const struct {
    amounts before, after;
    enum sc_resource_metric metric;
    enum sc_rule rule;
  } cases[] = {
      {{SC_RESOURCE_STREAM, 200, 1, 0, 100}, {SC_RESOURCE_STREAM, 200, 1, 0, 129}, SC_RMETRIC_COUNT, SC_RULE_COUNT},
      {{SC_RESOURCE_STREAM, 200, 1, 0, 100}, {SC_RESOURCE_STREAM, 200, 1, 0, 131}, SC_RMETRIC_PEAK, SC_RULE_WORSE_COST},
      {{SC_RESOURCE_STREAM, 200, 1, 0, 131}, {SC_RESOURCE_STREAM, 200, 1, 0, 100}, SC_RMETRIC_PEAK, SC_RULE_BETTER},
      {{SC_RESOURCE_STREAM, 200, 1, 0, 129}, {SC_RESOURCE_STREAM, 200, 1, 0, 100}, SC_RMETRIC_COUNT, SC_RULE_COUNT},
      {{SC_RESOURCE_HEAP, 1, 256, 0, 512}, {SC_RESOURCE_HEAP, 1, 256, 0, 1024}, SC_RMETRIC_PEAK, SC_RULE_WORSE_COST},
      {{SC_RESOURCE_HEAP, 1, 256, 0, 512}, {SC_RESOURCE_HEAP, 1, 256, 0, 1023}, SC_RMETRIC_COUNT, SC_RULE_COUNT},
      {{SC_RESOURCE_HEAP, 16, 256, 4, 4096},
       {SC_RESOURCE_HEAP, 16, 256, 8, 4096},
       SC_RMETRIC_OUTSTANDING,
       SC_RULE_WORSE_COST},
      {{SC_RESOURCE_STREAM, 8, 1, 0, -4}, {SC_RESOURCE_STREAM, 8, 1, 0, -8}, SC_RMETRIC_PEAK, SC_RULE_WORSE_COST},
      {{SC_RESOURCE_STREAM, 8, 1, 0, -3}, {SC_RESOURCE_STREAM, 8, 1, 0, -7}, SC_RMETRIC_COUNT, SC_RULE_COUNT},
      {{SC_RESOURCE_BARRIER, 1, 1, 0, 20}, {SC_RESOURCE_BARRIER, 1, 1, 0, 40}, SC_RMETRIC_COUNT, SC_RULE_COUNT},
      {{SC_RESOURCE_MUTEX, 1, 1, 0, 20}, {SC_RESOURCE_MUTEX, 1, 1, 0, 40}, SC_RMETRIC_COUNT, SC_RULE_COUNT},
      {{SC_RESOURCE_STREAM, 1, 1, 0, 1}, {SC_RESOURCE_STREAM, 2, 1, 0, 1}, SC_RMETRIC_ACQUIRES, SC_RULE_WORSE_COST},
      {{SC_RESOURCE_STREAM, 2, 1, 0, 1}, {SC_RESOURCE_STREAM, 1, 1, 0, 1}, SC_RMETRIC_ACQUIRES, SC_RULE_BETTER}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    enum sc_rule rule;
    enum sc_resource_metric metric = changed(cases[i].before, cases[i].after, &rule);
    if (metric != cases[i].metric || rule != cases[i].rule)
      fail_msg("case %zu: %s of %s", i, rule == SC_RULE_COUNT ? "nothing" : sc_rule_id(rule),
               sc_resource_metric_name(metric));
  }
}

/* The same class: by name; or by where it is declared, up to forty lines away in the file of that name. */
TEST(resources_are_matched_by_name_or_place)
{
  const amounts before = {SC_RESOURCE_HEAP, 1, 4096, 0, 40000}, after = {SC_RESOURCE_HEAP, 1, 4096, 0, 80000};
  static const struct {
    const char *name, *file;
    uint32_t line;
    bool same;
  } cases[] = {{"pool", "/b/other.c", 500, true},
               {"arena", "/b/a.c", 60, true},
               {"arena", "/b/a.c", 61, false},
               {"arena", "/b/other.c", 20, false},
               {"arena", "", 20, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    half base = uses("pool", "/a/a.c", 20, &before, 1);
    half head = uses(cases[i].name, cases[i].file, cases[i].line, &after, 1);
    sc_comparison c = compare(&base, &head, "there");
    assert_true(c.count == (cases[i].same ? 1 : 0));
    if (c.count)
      assert_float_equal(c.list[0].factor, 2, 1e-6);
    drop(&base, &head, &c);
  }
}

/* Which of several calls of a context got more: by their order in the source, though lines have moved; of more calls
 * than before those that do as much as before are the same. */
TEST(the_call_that_got_more_is_named)
{
  const amounts three[] = {{SC_RESOURCE_HEAP, 1, 4096, 0, 30000, 10},
                           {SC_RESOURCE_HEAP, 1, 4096, 0, 20000, 11},
                           {SC_RESOURCE_HEAP, 1, 4096, 0, 10000, 12}};
  static const struct {
    size_t count;
    amounts list[4];
    uint32_t line;
  } cases[] = {{3,
                {{SC_RESOURCE_HEAP, 1, 4096, 0, 30000, 15},
                 {SC_RESOURCE_HEAP, 1, 4096, 0, 60000, 16},
                 {SC_RESOURCE_HEAP, 1, 4096, 0, 10000, 17}},
                16},
               {4,
                {{SC_RESOURCE_HEAP, 1, 4096, 0, 40000, 9},
                 {SC_RESOURCE_HEAP, 1, 4096, 0, 30000, 10},
                 {SC_RESOURCE_HEAP, 1, 4096, 0, 20000, 11},
                 {SC_RESOURCE_HEAP, 1, 4096, 0, 10000, 12}},
                9},
               {2, {{SC_RESOURCE_HEAP, 1, 4096, 0, 20000, 20}, {SC_RESOURCE_HEAP, 1, 4096, 0, 90000, 21}}, 21}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    half base = uses("r", "a.c", 7, three, 3), head = uses("r", "a.c", 7, cases[i].list, cases[i].count);
    sc_comparison c = compare(&base, &head, "there");
    const sc_change *found = NULL;
    for (size_t k = 0; k < c.count; k++)
      found = c.list[k].metric == SC_RMETRIC_PEAK ? &c.list[k] : found;
    assert_non_null(found);
    assert_int_equal(found->head.line, cases[i].line);
    assert_int_equal(found->head.context, head.work);
    assert_int_equal(found->base.context, base.work);
    drop(&base, &head, &c);
  }
}

/* Times of one machine: two and a half times as long. */
TEST(edges_of_times)
{
  static const double factors[] = {2.48, 2.52};
  for (size_t i = 0; i < 2; i++) {
    half base = locked("m", 2e-5, 0), head = locked("m", 2e-5 * factors[i], 0);
    sc_comparison c = compare(&base, &head, "here");
    bool longer = false;
    for (size_t k = 0; k < c.count; k++)
      longer = longer || (c.list[k].metric == SC_RMETRIC_HOLD && c.list[k].rule == SC_RULE_WORSE_COST);
    assert_true(longer == (i == 1));
    drop(&base, &head, &c);
  }
}

/* Longer holds matter where they use a tenth of the time at the largest size: 1,024 threads that come every ms. */
TEST(holds_of_a_lock_that_is_hardly_used_do_not_matter)
{
  static const double used[] = {0.09, 0.11};
  for (size_t i = 0; i < 2; i++) {
    double hold = used[i] / 1024 * 1e-3;
    half base = locked("m", hold / 4, 0), head = locked("m", hold, 0);
    sc_comparison c = compare(&base, &head, "here");
    assert_int_equal(c.count, i);
    if (c.count)
      assert_true(c.list[0].metric == SC_RMETRIC_HOLD && c.list[0].rule == SC_RULE_WORSE_COST);
    drop(&base, &head, &c);
  }
}

static void tells(const sc_comparison *c, enum sc_rule rule, double factor, const char *evidence)
{
  assert_int_equal(c->count, 1);
  assert_int_equal(c->list[0].rule, rule);
  assert_string_equal(c->list[0].evidence, evidence);
  if (isfinite(factor))
    unit_near_by(c->list[0].factor, factor, 1e-6);
  else
    assert_true(isinf(c->list[0].factor));
  assert_true(isnan(c->list[0].emergence) && c->list[0].confidence > 0.9);
}

TEST(both_series_are_told)
{
  amounts before = {SC_RESOURCE_HEAP, 1, 256, 0, 512}, after = {SC_RESOURCE_HEAP, 1, 256, 0, 1024};
  half base = uses("r", "a.c", 7, &before, 1), head = uses("r", "a.c", 7, &after, 1);
  sc_comparison c = compare(&base, &head, "there");
  tells(&c, SC_RULE_WORSE_COST, 2,
        "r, peak outstanding. Before: grows as n; n = 1: 512 bytes; n = 4: 2,048 bytes; n = 16: 8,192 bytes. "
        "Now: grows as n; n = 1: 1,024 bytes; n = 4: 4,096 bytes; n = 16: 16,384 bytes. "
        "At n = 1,024: 524,288 bytes before, 1,048,576 bytes now.");
  const sc_change *change = &c.list[0];
  for (size_t t = 0; t < 2; t++) {
    unit_near(change->base.predictions[t].value, 512 * targets[t]);
    unit_near(change->head.predictions[t].value, 1024 * targets[t]);
  }
  assert_true(change->base.resource == 0 && change->head.resource == 0 && change->head.line == 42);
  assert_true(change->context_count == 1 && change->contexts[0] == head.work);
  drop(&base, &head, &c);
  before = (amounts){SC_RESOURCE_STREAM, 8, 1, 0, -4}, after = (amounts){SC_RESOURCE_STREAM, 8, 1, 0, -8};
  base = uses("r", "a.c", 7, &before, 1), head = uses("r", "a.c", 7, &after, 1);
  c = compare(&base, &head, "there");
  tells(
      &c, SC_RULE_WORSE_COST, 2,
      "r, peak outstanding. Before: constant; n = 1: 4 streams; n = 4: 4 streams; n = 16: 4 streams. "
      "Now: constant; n = 1: 8 streams; n = 4: 8 streams; n = 16: 8 streams. At n = 1,024: 4 streams before, 8 streams "
      "now.");
  drop(&base, &head, &c);
}

static half nothing(void) { return begin("work"); }

/* A new resource is a change where it stays and grows: eight units of it at 1,024. */
TEST(new_resources_that_stay_are_told)
{
  static const struct {
    amounts now;
    bool told;
  } cases[] = {{{SC_RESOURCE_STREAM, 1, 1, 0.0079, 1}, true},
               {{SC_RESOURCE_STREAM, 1, 1, 0.0077, 1}, false},
               {{SC_RESOURCE_HEAP, 1, 1 << 20, 0.00099, 1}, true},
               {{SC_RESOURCE_HEAP, 1, 1 << 20, 0.00096, 1}, false},
               {{SC_RESOURCE_STREAM, 1, 1, 0, 1}, false},
               {{SC_RESOURCE_MUTEX, 1, 1, 1, 1}, false}}; /* a lock that is held is no leak */
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    half base = nothing(), head = uses("r", "a.c", 7, &cases[i].now, 1);
    sc_comparison c = compare(&base, &head, "there");
    if (c.count != cases[i].told)
      fail_msg("case %zu: %zu", i, c.count);
    if (c.count)
      assert_true(c.list[0].rule == SC_RULE_NEW_COST && c.list[0].metric == SC_RMETRIC_OUTSTANDING &&
                  isinf(c.list[0].factor) && c.list[0].base.resource == SC_COMPARE_NONE);
    drop(&base, &head, &c);
  }
  half base = nothing(), head = uses("r", "a.c", 7, &(amounts){SC_RESOURCE_STREAM, 2, 1, 1, 2}, 1);
  sc_comparison c = compare(&base, &head, "there");
  tells(&c, SC_RULE_NEW_COST, INFINITY,
        "r, outstanding at the end. Now: grows as n; n = 1: 1 streams; n = 4: 4 streams; n = 16: 16 streams. "
        "At n = 1,024: 1,024 streams now.");
  assert_true(c.list[0].head.context == head.work && c.list[0].head.line == 42);
  drop(&base, &head, &c);
}

/* Half of its time, at 1,024 threads that come every ms. */
TEST(new_locks_that_are_busy_are_told)
{
  static const double used[] = {0.48, 0.54};
  for (size_t i = 0; i < 2; i++) {
    half base = nothing(), head = locked("m", used[i] / 1024 * 1e-3, 0);
    sc_comparison c = compare(&base, &head, "here");
    assert_int_equal(c.count, i);
    if (c.count)
      assert_true(c.list[0].rule == SC_RULE_NEW_COST && c.list[0].metric == SC_RMETRIC_UTILISATION);
    drop(&base, &head, &c);
  }
}

/* Of two contexts the one whose share changed more, however much the other one has. */
TEST(the_context_that_got_more_is_named)
{
  static const double before[] = {40000, 90000}, after[] = {75000, 100000};
  half both[2];
  uint32_t others[2];
  for (int k = 0; k < 2; k++) {
    both[k] = begin("work");
    others[k] = scene_function(both[k].graph, both[k].main, "other", scene_n, 0);
    uint32_t heap = scene_resource(both[k].graph, SC_RESOURCE_HEAP, "heap", 0);
    for (size_t run = 0; run < runs(&both[k]); run++) {
      double n = size_of(&both[k], run);
      const double *peaks = k ? after : before;
      scene_units_run(both[k].graph, run, both[k].work, heap, (scene_units){n, 16, n, peaks[0] * n});
      scene_units_run(both[k].graph, run, others[k], heap, (scene_units){n, 16, n, peaks[1] * n});
      scene_occupancy(both[k].graph, run, heap, 1, 1, 1, 1);
    }
  }
  sc_comparison c = compare(&both[0], &both[1], "there");
  assert_true(c.count == 1 && c.list[0].metric == SC_RMETRIC_PEAK);
  assert_true(c.list[0].head.context == both[1].work && c.list[0].base.context == both[0].work);
  unit_near_by(c.list[0].factor, 175.0 / 130, 1e-6);
  drop(&both[0], &both[1], &c);
}

/* Calls with a column are told apart in a line, which makes peaks larger: they are not compared with others. */
TEST(peaks_of_calls_with_and_without_columns_do_not_compare)
{
  for (uint32_t columns = 0; columns < 4; columns++) {
    half both[2];
    for (uint32_t k = 0; k < 2; k++) {
      both[k] = begin("work");
      uint32_t heap = scene_resource(both[k].graph, SC_RESOURCE_HEAP, "heap", 0);
      for (size_t run = 0; run < runs(&both[k]); run++) {
        double n = size_of(&both[k], run), peak = (k ? 90000 : 40000) * n;
        sc_usage row = {.via = "malloc",
                        .column = columns >> k & 1 ? 5 : 0,
                        .values = {[SC_USAGE_ACQUIRES] = n,
                                   [SC_USAGE_UNITS] = n,
                                   [SC_USAGE_RETURNED] = n,
                                   [SC_USAGE_RETURNED_UNITS] = n,
                                   [SC_USAGE_PEAK] = peak}};
        scene_usage(both[k].graph, run, both[k].work, heap, &row);
        scene_occupancy(both[k].graph, run, heap, 1, 1, 1, 1);
      }
    }
    sc_comparison c = compare(&both[0], &both[1], "there");
    assert_int_equal(c.count, columns == 0 || columns == 3);
    if (columns == 3)
      assert_int_equal(c.list[0].head.column, 5);
    drop(&both[0], &both[1], &c);
  }
}
