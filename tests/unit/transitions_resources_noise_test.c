/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How often a lock that will be contended is found, and one that won't be is taken for one, in times with noise. */
#include "unit.h"

#include "transitions/resources/queue.h"
#include "transitions_resources_scene.h"

static const double threads[] = {1, 2, 3, 4, 6, 8}, rows[] = {100, 200, 300, 450, 600, 800};
enum { REPEATS = 3, ROUNDS = 50, PROGRAMS = 30 };

typedef scene_lock (*lock_at)(double n);

static scene_lock queued(scene_lock lock)
{
  sc_queue q = {lock.hold, lock.think, lock.threads, lock.instances, 1};
  lock.wait = sc_queue_solve(&q).wait;
  return lock;
}

static scene_lock more_threads(double n) { return queued((scene_lock){n, ROUNDS, 300e-6, 10e-3, 0, 1}); }
static scene_lock longer_holds(double n) { return queued((scene_lock){4, ROUNDS, 1e-6 * n, 20e-3, 0, 1}); }
static scene_lock slightly_longer(double n) { return queued((scene_lock){4, ROUNDS, 2e-4 + 1e-6 * n, 20e-3, 0, 1}); }
static scene_lock steady(double n) { return queued((scene_lock){3, ROUNDS, 1e-3, 9e-3, 0, 1}); }
static scene_lock quiet(double n) { return queued((scene_lock){4, ROUNDS, 3e-5, 1e-3, 0, 1}); }
static scene_lock tiny(double n) { return (scene_lock){4, ROUNDS * n, 2e-7, 3e-6, 0, 1}; }
static scene_lock spread(double n) { return (scene_lock){n, ROUNDS, 300e-6, 10e-3, 0, 40 * n}; }
static scene_lock short_holds(double n) { return queued((scene_lock){n, ROUNDS, 1e-5, 10e-3, 0, 1}); }

typedef struct noisy {
  const double *sizes;
  size_t count;
  double target;
  enum sc_parameter_kind kind;
  lock_at at;
} noisy;

static const noisy contended[] = {
    {threads, 6, 64, SC_PARAMETER_THREADS, more_threads},
    {threads, 4, 64, SC_PARAMETER_THREADS, more_threads},
    {rows, 6, 50000, SC_PARAMETER_DATA, longer_holds},
    {rows, 6, 50000, SC_PARAMETER_DATA, slightly_longer},
};
static const noisy benign[] = {
    {rows, 6, 1e5, SC_PARAMETER_DATA, steady},
    {rows, 6, 1e5, SC_PARAMETER_DATA, quiet},
    {rows, 6, 1e5, SC_PARAMETER_WORK, tiny},
    {threads, 6, 64, SC_PARAMETER_THREADS, spread},
    {threads, 4, 64, SC_PARAMETER_CLIENTS, spread},
    {threads, 6, 64, SC_PARAMETER_THREADS, short_holds},
    {threads, 4, 64, SC_PARAMETER_THREADS, short_holds},
};

/* Half of the runs of a disturbed program share the machine with others, which make its times longer. */
static bool finds(const noisy *p, double noise, bool disturbed, unsigned seed)
{
  sc_graph *graph = scene_repeats(p->sizes, p->count, REPEATS);
  uint32_t work = scene_function(graph, scene_main(graph), "work", scene_one, 0);
  uint32_t lock = scene_resource(graph, SC_RESOURCE_MUTEX, "lock", 0);
  scene_seed = 1000 * seed + 7;
  for (size_t run = 0; run < p->count * REPEATS; run++) {
    scene_lock is = p->at(p->sizes[run / REPEATS]);
    double extra = disturbed && scene_uniform() < 0.5 ? 3e-3 * scene_uniform() * scene_uniform() : 0;
    is.hold = is.hold * scene_noise(noise) + 0.1 * extra;
    is.think = is.think * scene_noise(noise) + extra;
    is.wait *= scene_noise(noise);
    scene_lock_run(graph, run, work, lock, is);
  }
  sc_analysis *a = scene_analyse(graph, &p->target, 1);
  sc_resources *r = scene_resources(a, p->kind);
  bool found = scene_resource_finding(r, SC_RULE_CONTENTION, lock) != NULL;
  scene_drop(graph, a, r);
  return found;
}

static double share_found(const noisy *programs, size_t count, double noise)
{
  size_t found = 0;
  for (size_t i = 0; i < count; i++)
    for (unsigned seed = 0; seed < PROGRAMS; seed++)
      found += (size_t)finds(&programs[i], noise, seed % 2, seed);
  double share = (double)found / (double)(count * PROGRAMS);
  print_message("noise %.2f: %.1f%%\n", noise, 100 * share);
  return share;
}

TEST(contended_locks_are_found)
{
  assert_true(share_found(contended, 4, 0.05) >= 0.97);
  assert_true(share_found(contended, 4, 0.2) >= 0.93);
  assert_true(share_found(contended, 4, 0.4) >= 0.75);
}

TEST(benign_locks_are_not)
{
  assert_true(share_found(benign, 7, 0.05) <= 0.03);
  assert_true(share_found(benign, 7, 0.2) <= 0.03);
  assert_true(share_found(benign, 7, 0.4) <= 0.03);
}
