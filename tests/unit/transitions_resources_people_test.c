/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who takes part in a finding: code sites, tasks, and who waited for whom, at the largest size. */
#include "unit.h"

#include <stdlib.h>

#include "transitions/resources/cells.h"
#include "transitions/resources/draft.h"
#include "transitions/resources/people.h"
#include "transitions/resources/question.h"
#include "transitions_resources_scene.h"

static const double sizes[] = {100, 200};
enum { SIZES = 2, REPEATS = 2 };

/* Two threads' functions that call put and get, which use a queue; runs 2 and 3 are those of the largest size. */
typedef struct scene {
  sc_graph *graph;
  sc_analysis *analysis;
  sc_resources *r;
  uint32_t reader, writer, put, get, again, queue, heap;
} scene;

static scene begin(void)
{
  scene s = {.graph = scene_repeats(sizes, SIZES, REPEATS)};
  uint32_t main = scene_main(s.graph), process = sc_graph_parent(s.graph, main);
  s.reader = scene_function(s.graph, process, "reader", scene_one, 0);
  s.writer = scene_function(s.graph, process, "writer", scene_one, 0);
  s.get = scene_function(s.graph, s.reader, "get", scene_n, 0);
  s.put = scene_function(s.graph, s.writer, "put", scene_n, 0);
  s.again = scene_function(s.graph, s.reader, "put", scene_n, 0);
  s.queue = scene_resource(s.graph, SC_RESOURCE_MUTEX, "queue", 0);
  s.heap = scene_resource(s.graph, SC_RESOURCE_HEAP, "heap", 0);
  return s;
}

static uint32_t use(scene *s, size_t run, uint32_t context, uint32_t line, double amount)
{
  sc_usage usage = {.via = "pthread_mutex_lock",
                    .line = line,
                    .column = 5,
                    .values = {[SC_USAGE_ACQUIRES] = amount,
                               [SC_USAGE_HOLD_SECONDS] = 2 * amount,
                               [SC_USAGE_WAIT_SECONDS] = 3 * amount,
                               [SC_USAGE_FAILURES] = 4 * amount,
                               [SC_USAGE_UNITS] = 7 * amount,
                               [SC_USAGE_RETURNED_UNITS] = 2 * amount,
                               [SC_USAGE_PEAK] = 6 * amount}};
  return scene_usage(s->graph, run, context, s->queue, &usage);
}

static void analyse(scene *s)
{
  s->analysis = scene_analyse(s->graph, (double[]){1e4}, 1);
  s->r = scene_resources(s->analysis, SC_PARAMETER_DATA);
}

static sc_resource_finding fill(const scene *s, const enum sc_resource_role *roles, size_t count, bool peak)
{
  sc_draft_form form = {.roles = roles, .role_count = count, .peak = peak};
  sc_question question = {.r = s->r, .cell = &s->r->cells[s->queue]};
  sc_findings_draft draft = {.form = &form, .question = &question};
  sc_resource_finding f = {.context = SC_USAGE_NONE};
  assert_int_equal(sc_people_fill(s->r, &draft, &f), 0);
  return f;
}

static void end(scene *s) { scene_drop(s->graph, s->analysis, s->r); }

/* 30 by get, 10 and 20 by put of either thread: the mean of two runs. */
static void usual(scene *s)
{
  for (size_t run = 0; run < 4; run++) {
    double times = run < 2 ? 1000 : run == 2 ? 0.5 : 1.5;
    use(s, run, s->get, 10, 30 * times);
    use(s, run, s->put, 20, 10 * times);
    use(s, run, s->again, 20, 20 * times);
  }
  sc_usage other = {.values = {[SC_USAGE_ACQUIRES] = 1e6}};
  scene_usage(s->graph, 3, s->get, s->heap, &other); /* of another resource */
}

static void is_site(const sc_resource_finding *f, size_t i, enum sc_resource_role role, uint32_t context, uint32_t line,
                    double amount, double share)
{
  const sc_resource_site *s = &f->sites[i];
  assert_true(s->role == role && s->context == context && s->line == line && s->column == 5);
  assert_string_equal(s->via, "pthread_mutex_lock");
  assert_float_equal(s->amount, amount, 1e-9);
  assert_float_equal(s->share, share, 1e-9);
}

TEST(sites_are_ranked_by_role_and_amount)
{
  static const struct {
    enum sc_resource_role role;
    bool peak;
    double each;
  } cases[] = {{SC_ROLE_ACQUIRES, false, 1}, {SC_ROLE_HOLDS, false, 2}, {SC_ROLE_WAITS, false, 3},
               {SC_ROLE_FAILS, false, 4},    {SC_ROLE_KEEPS, false, 5}, {SC_ROLE_KEEPS, true, 6}};
  scene s = begin();
  usual(&s);
  analyse(&s);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sc_resource_finding f = fill(&s, &cases[i].role, 1, cases[i].peak);
    double each = cases[i].each;
    assert_int_equal(f.site_count, 3);
    is_site(&f, 0, cases[i].role, s.get, 10, 30 * each, 0.5);
    is_site(&f, 1, cases[i].role, s.again, 20, 20 * each, 1.0 / 3);
    is_site(&f, 2, cases[i].role, s.put, 20, 10 * each, 1.0 / 6);
    assert_int_equal(f.task_count, 2);
    assert_true(f.tasks[0].context == s.reader && f.tasks[1].context == s.writer);
    assert_float_equal(f.tasks[0].amount, 50 * each, 1e-9);
    assert_float_equal(f.tasks[0].share, 5.0 / 6, 1e-9);
    assert_float_equal(f.tasks[1].share, 1.0 / 6, 1e-9);
    sc_resource_finding_clear(&f);
  }
  static const enum sc_resource_role both[] = {SC_ROLE_WAITS, SC_ROLE_ACQUIRES}; /* the rule's order */
  sc_resource_finding f = fill(&s, both, 2, false);
  assert_int_equal(f.site_count, 6);
  is_site(&f, 0, SC_ROLE_WAITS, s.get, 10, 90, 0.5);
  is_site(&f, 3, SC_ROLE_ACQUIRES, s.get, 10, 30, 0.5);
  is_site(&f, 5, SC_ROLE_ACQUIRES, s.put, 20, 10, 1.0 / 6);
  sc_resource_finding_clear(&f);
  end(&s);
  static const char *const names[] = {"acquires", "holds", "keeps", "waits", "fails", ""};
  for (int i = 0; i < 6; i++)
    assert_string_equal(sc_resource_role_name((enum sc_resource_role)i), names[i]);
}

/* Twelve calls: the ten that do most, and shares of all. */
TEST(ten_sites_of_a_role_are_kept)
{
  scene s = begin();
  for (size_t run = 0; run < 4; run++)
    for (uint32_t i = 1; i <= 12; i++)
      use(&s, run, s.get, i, i);
  analyse(&s);
  static const enum sc_resource_role both[] = {SC_ROLE_ACQUIRES, SC_ROLE_HOLDS};
  sc_resource_finding f = fill(&s, both, 2, false);
  assert_int_equal(f.site_count, 20);
  for (size_t i = 0; i < 10; i++) {
    is_site(&f, i, SC_ROLE_ACQUIRES, s.get, (uint32_t)(12 - i), (double)(12 - i), (double)(12 - i) / 78);
    is_site(&f, 10 + i, SC_ROLE_HOLDS, s.get, (uint32_t)(12 - i), 2 * (double)(12 - i), (double)(12 - i) / 78);
  }
  sc_resource_finding_clear(&f);
  end(&s);
}

/* What is about a site has that alone, and no pairs. */
TEST(a_site_has_its_own_people)
{
  scene s = begin();
  usual(&s);
  analyse(&s);
  enum sc_resource_role role = SC_ROLE_ACQUIRES;
  sc_draft_form form = {.roles = &role, .role_count = 1};
  const sc_resource_cell *cell =
                             sc_resource_cells_find(s.r, &(sc_resource_spot){.resource = s.queue, .context = s.put}),
                         *sites[] = {cell};
  assert_non_null(cell);
  sc_question question = {.r = s.r, .cell = cell};
  sc_findings_draft draft = {.form = &form, .question = &question, .sites = sites, .site_count = 1};
  sc_resource_finding f = {.context = s.put};
  assert_int_equal(sc_people_fill(s.r, &draft, &f), 0);
  assert_true(f.site_count == 1 && f.task_count == 1 && f.pair_count == 0);
  is_site(&f, 0, SC_ROLE_ACQUIRES, s.put, 20, 10, 1);
  assert_true(f.tasks[0].context == s.writer && f.tasks[0].share == 1);
  sc_resource_finding_clear(&f);
  end(&s);
}

TEST(pairs_are_who_waited_for_whom)
{
  scene s = begin();
  for (size_t run = 0; run < 4; run++) {
    uint32_t get = use(&s, run, s.get, 10, 30), put = use(&s, run, s.put, 20, 10);
    double times = run == 2 ? 0.5 : run == 3 ? 1.5 : 0.1;
    const sc_wait_pair pairs[] = {{get, put, 20 * times, 6 * times},
                                  {put, get, 5 * times, 3 * times},
                                  {get, SC_USAGE_NONE, 2 * times, 1 * times}};
    for (size_t i = 0; i < (run < 2 ? 2 : 3); i++) /* the third one is seen at the largest size alone */
      assert_int_equal(sc_usage_add_pair(s.graph, run, &pairs[i]), 0);
  }
  analyse(&s);
  enum sc_resource_role role = SC_ROLE_WAITS;
  sc_resource_finding f = fill(&s, &role, 1, false);
  assert_int_equal(f.pair_count, 3);
  static const double waits[] = {20, 5, 2}, seconds[] = {6, 3, 1}, small[] = {6.0 / 20, 3.0 / 5, 0};
  for (size_t i = 0; i < 3; i++) {
    assert_float_equal(f.pairs[i].waits, waits[i], 1e-9);
    assert_float_equal(f.pairs[i].seconds, seconds[i], 1e-9);
    assert_float_equal(f.pairs[i].share, seconds[i] / 10, 1e-9);
    assert_float_equal(f.pairs[i].seconds_small, small[i], 1e-9); /* of one wait */
  }
  assert_true(f.pairs[0].waiter == s.get && f.pairs[0].holder == s.put && f.pairs[0].waiter_line == 10 &&
              f.pairs[0].holder_line == 20 && f.pairs[0].waiter_column == 5 && f.pairs[0].holder_column == 5);
  assert_true(f.pairs[1].waiter == s.put && f.pairs[1].holder == s.get);
  assert_true(f.pairs[2].holder == SC_USAGE_NONE && f.pairs[2].holder_line == 0 && f.pairs[2].holder_column == 0);
  sc_resource_finding_clear(&f);
  end(&s);
}
