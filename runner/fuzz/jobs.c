/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several searches at once that know nothing of each other, so that what each finds does not depend on how fast the
 * others are. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/saved_error.h"
#include "runner/fuzz/internal.h"

typedef struct job {
  pthread_t thread;
  bool started;
  struct sc_fuzz_target *target;
  const sc_fuzz_tokens *tokens;
  sc_fuzz_options options;
  char *state; /* of its own; NULL: none */
  sc_fuzz_finds finds;
  int err;
  sc_saved_error error; /* which a thread has for itself */
} job;

static void *run_job(void *user)
{
  job *j = user;
  j->err = sc_fuzz_search(j->target, j->tokens, &j->options, &j->finds);
  if (j->err < 0)
    sc_saved_error_take(&j->error);
  return NULL;
}

static bool is_same_find(const sc_fuzz_find *a, const sc_fuzz_find *b)
{
  return a->outcome == b->outcome && a->signal == b->signal && a->site == b->site &&
         fabs(a->order - b->order) < SC_FUZZ_ORDERS_APART;
}

/* Of two finds at one place that which holds exactly, and then the one of fewer parts. */
static bool is_better(const sc_fuzz_find *a, const sc_fuzz_find *b)
{
  return a->exact != b->exact ? a->exact : a->family.part_count < b->family.part_count;
}

/* Takes all finds over. */
static int unite_finds(sc_fuzz_finds *from, sc_fuzz_finds *to)
{
  to->runs += from->runs;
  to->candidates += from->candidates;
  to->confirmations += from->confirmations;
  to->seconds = fmax(to->seconds, from->seconds);
  SC_TRY(sc_mem_grow_zeroed(&to->list, &to->capacity, to->count + from->count, sizeof *to->list));
  for (size_t i = 0; i < from->count; i++) {
    sc_fuzz_find *find = &from->list[i];
    size_t k = 0;
    while (k < to->count && !is_same_find(&to->list[k], find))
      k++;
    if (k < to->count && !is_better(find, &to->list[k]))
      continue;
    if (k == to->count)
      to->count++;
    sc_fuzz_find before = to->list[k];
    to->list[k] = *find;
    *find = before; /* freed with the others */
  }
  return 0;
}

/* FOLDER/1.json is the first one's. */
static int name_state(const sc_fuzz_options *options, size_t number, job *j)
{
  sc_buf path = {0};
  if (!options->state)
    return 0;
  sc_buf_printf(&path, "%s/%zu.json", options->state, number + 1);
  SC_TRY(sc_buf_finish(&path));
  j->options.state = j->state = sc_buf_take(&path);
  return j->state ? 0 : SC_E_NOMEM;
}

/* The finds of a search that failed are kept as well. */
static int end_job(job *j, sc_fuzz_finds *finds)
{
  if (j->started)
    pthread_join(j->thread, NULL);
  int err = j->err < 0 ? sc_saved_error_restore(&j->error, j->err) : 0;
  int united = unite_finds(&j->finds, finds);
  sc_fuzz_finds_free(&j->finds);
  free(j->state);
  return err ?: united;
}

int sc_fuzz_search_all(struct sc_fuzz_target *const *targets, size_t count, const sc_fuzz_tokens *tokens,
                       const sc_fuzz_options *options, sc_fuzz_finds *finds)
{
  int err = 0;
  *finds = (sc_fuzz_finds){0};
  job *jobs = sc_mem_new(count, sizeof *jobs);
  if (!jobs)
    return SC_E_NOMEM;
  for (size_t i = 0; i < count; i++) {
    jobs[i] = (job){.target = targets[i], .tokens = tokens, .options = *options};
    jobs[i].options.seed += i << 32;
    err = err ?: name_state(options, i, &jobs[i]);
  }
  for (size_t i = 0; i < count && err == 0; i++) {
    jobs[i].started = count > 1 && pthread_create(&jobs[i].thread, NULL, run_job, &jobs[i]) == 0;
    if (!jobs[i].started)
      (void)run_job(&jobs[i]);
  }
  for (size_t i = 0; i < count; i++) {
    int ended = end_job(&jobs[i], finds);
    err = err ?: ended;
  }
  free(jobs);
  sc_fuzz_finds_sort(finds);
  return err;
}
