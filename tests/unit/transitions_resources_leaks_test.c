/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a leak begins: one below, at and one above each threshold. */
#include "unit.h"

#include "transitions_resources_scene.h"

static const double sizes[] = {100, 200, 300, 400, 500, 600};
enum { SIZES = 6 };

/* A program that acquires `acquires` n units at a site and gives `returned` back. */
typedef struct program {
  enum sc_resource_class resource_class;
  enum sc_parameter_kind kind;
  double acquires, returned;
  double elsewhere, elsewhere_kept; /* units acquired at another site each time, and a share of them that stays */
  bool elsewhere_grows;             /* both times n instead */
  double threads, together;         /* how many, and how many of them at a time; 0: 1 */
  double threads_each;              /* threads: this many for each unit of n */
  const double *kept;               /* [SIZES] instead of `returned`: units that stay */
  bool processes;                   /* one more at each size */
  const double *kept_by_one;        /* [SIZES] acquires that one process kept; 0: not known */
  double unseen, alive;             /* threads: not seen to start; at a time, of the others; 0: not known */
} program;

static bool leaks(const program *p)
{
  double target = 1e5;
  sc_graph *graph = scene_repeats(sizes, SIZES, 1);
  uint32_t main = scene_main(graph), other = scene_function(graph, main, "elsewhere", scene_one, 0);
  uint32_t site = scene_function(graph, main, "site", scene_n, 0);
  uint32_t resource = scene_resource(graph, p->resource_class, "units", 0);
  uint32_t started = p->alive > 0 ? scene_resource(graph, SC_RESOURCE_THREAD, "threads", 0) : 0;
  for (size_t run = 0; run < SIZES; run++) {
    double n = sizes[run], threads = fmax(1, p->threads + p->threads_each * n), acquires = p->acquires * n;
    double returned = p->kept ? acquires - p->kept[run] : p->returned * acquires;
    scene_units_run(graph, run, site, resource,
                    (scene_units){acquires, 100, returned, 100 * (acquires - returned + 1),
                                  .kept_by_one = p->kept_by_one ? p->kept_by_one[run] : 0});
    double some = p->elsewhere * (p->elsewhere_grows ? n : 1);
    if (some > 0)
      scene_units_run(graph, run, other, resource, (scene_units){some, 100, some * (1 - p->elsewhere_kept), 100});
    if (p->alive > 0) {
      double seen = threads - 1 - p->unseen;
      scene_units_run(graph, run, main, started, (scene_units){seen, 1, seen, p->alive});
    }
    scene_occupancy(graph, run, resource, threads, 1, p->together > 0 ? p->together : threads, 1);
    sc_graph_run(graph, run)->threads = (uint64_t)threads;
    sc_graph_run(graph, run)->processes = p->processes ? run + 1 : 1;
  }
  sc_analysis *analysis = scene_analyse(graph, &target, 1);
  sc_resources *resources = scene_resources(analysis, p->kind);
  bool found = scene_resource_finding(resources, SC_RULE_LEAK, resource);
  scene_drop(graph, analysis, resources);
  return found;
}
#define LEAKS(...) leaks(&(program){__VA_ARGS__})

/* Memory with more work: 80% of what other sites acquire come back. */
TEST(a_process_that_cleans_up_gives_back_80_percent)
{
  assert_false(LEAKS(SC_RESOURCE_HEAP, SC_PARAMETER_WORK, 1, 0, 1000, 0.201));
  assert_true(LEAKS(SC_RESOURCE_HEAP, SC_PARAMETER_WORK, 1, 0, 1000, 0.2));
  assert_true(LEAKS(SC_RESOURCE_HEAP, SC_PARAMETER_WORK, 1, 0, 1000, 0.199));
  assert_false(LEAKS(SC_RESOURCE_HEAP, SC_PARAMETER_DATA, 1, 0, 1000, 0.199)); /* it keeps its data */
}

/* A site that keeps more and more is no evidence for or against another one: from a hundredth on. */
TEST(a_site_that_keeps_a_hundredth_keeps)
{
  assert_false(LEAKS(SC_RESOURCE_HEAP, SC_PARAMETER_WORK, 1, 0, 1000, 0.011, true));
  assert_false(LEAKS(SC_RESOURCE_HEAP, SC_PARAMETER_WORK, 1, 0, 1000, 0.01, true));
  assert_true(LEAKS(SC_RESOURCE_HEAP, SC_PARAMETER_WORK, 1, 0, 1000, 0.009, true));
}

/* Of few it keeps one at least: a sixtieth that is less than one is no unit. At n = 600 the other site acquires 60. */
TEST(a_site_that_keeps_one_keeps)
{
  assert_false(LEAKS(SC_RESOURCE_HEAP, SC_PARAMETER_WORK, 1, 0, 0.1, 1.001 / 60, true));
  assert_true(LEAKS(SC_RESOURCE_HEAP, SC_PARAMETER_WORK, 1, 0, 0.1, 0.999 / 60, true));
  assert_false(LEAKS(SC_RESOURCE_HEAP, SC_PARAMETER_WORK, 1, 0, 0.1, 1.999 / 60, true));
}

/* More data: threads that end while the program goes on have to give back what they are done with. */
TEST(ended_threads_tell_from_eight_on)
{
  const program p = {SC_RESOURCE_HEAP, SC_PARAMETER_DATA, 1, 0.5, .threads = 8, .together = 3.9};
  program q = p;
  assert_true(leaks(&q));
  q.threads = 9;
  assert_true(leaks(&q));
  q.threads = 7;
  q.together = 3.4;
  assert_false(leaks(&q));
  q = p;
  q.together = 4; /* not fewer than half */
  assert_false(leaks(&q));
  q = p;
  q.returned = 0.49;
  assert_false(leaks(&q));
  q.returned = 0.51;
  assert_true(leaks(&q));
}

/* Mappings: one kept for each thread until the process ends is no leak. */
TEST(threads_may_keep_one_each)
{
  const program p = {SC_RESOURCE_MAPPING, SC_PARAMETER_WORK, 1, 0, .threads_each = 1};
  program q = p;
  assert_false(leaks(&q));
  q.threads = 1;
  assert_false(leaks(&q));
  q.threads = -1;
  assert_true(leaks(&q));
  q = p;
  q.acquires = 2;
  q.returned = 0.5; /* as many come back */
  assert_true(leaks(&q));
  q.acquires = 1.96;
  q.returned = 0.49;
  assert_false(leaks(&q));
}

/* What ended threads leave behind is a leak: in proportion to the threads that were started, not to those at a time. */
TEST(ended_threads_keep_nothing)
{
  const program p = {SC_RESOURCE_MAPPING, SC_PARAMETER_WORK, 1, 0, .threads_each = 1, .threads = 1};
  program q = p;
  q.alive = 599; /* with main 600, as many as are kept at the largest size */
  assert_false(leaks(&q));
  q.alive = 598;
  assert_true(leaks(&q));
  q.unseen = 1; /* which may have lived all the time */
  assert_false(leaks(&q));
}

/* A process has all threads of the run but one of each other process: what one of them kept is no more. */
TEST(a_process_may_keep_one_for_each_of_its_threads)
{
  static const double all[] = {100, 200, 300, 400, 500, 600}, more[] = {100, 200, 300, 400, 500, 601};
  static const double others[] = {100, 199, 298, 397, 496, 595}, too_many[] = {100, 199, 298, 397, 496, 596};
  program p = {SC_RESOURCE_MAPPING, SC_PARAMETER_WORK, 1, 0, .threads_each = 1, .kept_by_one = all};
  assert_false(leaks(&p));
  p.kept_by_one = more;
  assert_true(leaks(&p));
  p.processes = true;
  p.kept_by_one = others;
  assert_false(leaks(&p));
  p.kept_by_one = too_many;
  assert_true(leaks(&p));
}

/* What each process keeps, the kernel takes back: they keep the same up to a quarter, or one. */
TEST(processes_keep_the_same_up_to_a_quarter)
{
  static const double same[] = {20, 40, 65, 85, 110, 130}, more[] = {20, 40, 66, 86, 110, 130};
  static const double few[] = {1, 2, 4, 5, 7, 8}, uneven[] = {1, 2, 5, 6, 8, 9};
  const program p = {SC_RESOURCE_DESCRIPTOR, SC_PARAMETER_WORK, 1, .kept = same, .processes = true};
  program q = p;
  assert_false(leaks(&q));
  q.kept = more;
  assert_true(leaks(&q));
  q.kept = few;
  assert_false(leaks(&q));
  q.kept = uneven;
  assert_true(leaks(&q));
  q = p;
  q.processes = false;
  assert_true(leaks(&q));
}

/* One that keeps more and more beside others leaks, up to a quarter or one more than at first; runs of earlier
 * versions, which did not say what one kept, are no evidence that it was less. */
TEST(one_process_keeps_the_same_up_to_a_quarter)
{
  static const double same[] = {20, 40, 60, 80, 100, 120};
  static const double quarter[] = {20, 20, 20, 20, 20, 25}, more[] = {20, 20, 20, 20, 20, 26};
  static const double late[] = {0, 0, 0, 0, 20, 20};
  program p = {SC_RESOURCE_DESCRIPTOR, SC_PARAMETER_WORK, 1, .kept = same, .processes = true, .kept_by_one = quarter};
  assert_false(leaks(&p));
  p.kept_by_one = more;
  assert_true(leaks(&p));
  p.kept_by_one = late;
  assert_false(leaks(&p));
}
