/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/model/fitting.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

#include "base/buf.h"
#include "transitions/model/order.h"

enum {
  BLOCK = 64,         /* series that a thread takes at a time: some milliseconds of work */
  THREAD_WORTH = 512, /* series that are worth a further thread, which takes a tenth of a millisecond to start and
                         builds designs of its own */
  THREADS_MOST = 16
};

typedef struct fitting {
  sc_analysis *analysis;
  atomic_size_t next, done;
  atomic_bool stopped; /* by an error */
} fitting;

typedef struct worker {
  fitting *all;
  pthread_t thread;
  int err;
  char message[256]; /* messages are a thread's own */
} worker;

int sc_fitting_take(int err, sc_model *model)
{
  if (err != SC_E_NUMERIC)
    return err;
  *model = (sc_model){.verdict = SC_VERDICT_CANNOT_TELL, .error = -1};
  snprintf(model->why, sizeof model->why, "%s", sc_err_message());
  return 0;
}

static int fit_block(fitting *f, sc_fit *fit, size_t first)
{
  const sc_analysis *a = f->analysis;
  size_t end = first + BLOCK < a->counts.count ? first + BLOCK : a->counts.count;
  for (size_t i = first; i < end; i++) {
    sc_series series = {
        .n = a->sizes, .y = sc_series_row(&a->counts, (uint32_t)i), .count = a->run_count, .counts = true};
    if (i != SC_SERIES_ONE)
      SC_TRY(sc_fitting_take(sc_fit_run(fit, &series, &a->models[i]), &a->models[i]));
  }
  atomic_fetch_add(&f->done, end - first);
  return 0;
}

/* Only the calling thread tells of progress. */
static int fit_blocks(fitting *f, bool tells)
{
  int err;
  sc_fit *fit = NULL;
  const sc_analysis_options *options = &f->analysis->options;
  SC_GOTO(sc_fit_new(&options->fit, &fit));
  while (!atomic_load(&f->stopped)) {
    size_t first = atomic_fetch_add(&f->next, BLOCK);
    if (first >= f->analysis->counts.count)
      break;
    SC_GOTO(fit_block(f, fit, first));
    if (tells && options->progress)
      options->progress(options->progress_user, atomic_load(&f->done), f->analysis->counts.count);
  }
out:
  if (err < 0)
    atomic_store(&f->stopped, true);
  sc_fit_free(fit);
  return err;
}

static void *run_worker(void *user)
{
  worker *w = user;
  w->err = fit_blocks(w->all, false);
  if (w->err < 0)
    snprintf(w->message, sizeof w->message, "%s", sc_err_message());
  return NULL;
}

static size_t count_threads(size_t series)
{
  cpu_set_t set;
  size_t processors = sched_getaffinity(0, sizeof set, &set) == 0 ? (size_t)CPU_COUNT(&set) : 1;
  size_t worth = 1 + series / THREAD_WORTH, most = processors < THREADS_MOST ? processors : THREADS_MOST;
  return worth < most ? worth : most;
}

/* This thread fits, too. The last error is kept by thread (base/err.h), so that a worker's message is copied by whoever
 * joins it; the models do not depend on how many threads there were. */
static int fit_in_threads(sc_analysis *analysis)
{
  fitting f = {.analysis = analysis, .next = analysis->model_count, .done = analysis->model_count};
  worker workers[THREADS_MOST];
  size_t wanted = count_threads(analysis->counts.count - analysis->model_count), started = 0;
  for (; started + 1 < wanted; started++) {
    workers[started] = (worker){.all = &f};
    if (pthread_create(&workers[started].thread, NULL, run_worker, &workers[started]))
      break; /* fewer do as well */
  }
  int err = fit_blocks(&f, true);
  for (size_t i = 0; i < started; i++) {
    pthread_join(workers[i].thread, NULL);
    if (err >= 0 && workers[i].err < 0)
      err = sc_err_set(workers[i].err, "%s", workers[i].message);
  }
  return err;
}

/* Called again when series are added (sums of parts of a call): only those without a model are fitted. */
int sc_fitting_run(sc_analysis *analysis)
{
  size_t first = analysis->model_count, count = analysis->counts.count;
  if (first == count)
    return 0;
  SC_TRY(sc_mem_grow(&analysis->models, &analysis->model_capacity, count, sizeof *analysis->models));
  SC_TRY(fit_in_threads(analysis));
  analysis->model_count = count;
  for (size_t i = first + (first == SC_SERIES_ONE); i < count && analysis->options.fit.engine != SC_FIT_DELTA_INFER;
       i++)
    sc_order_at(&analysis->models[i], sc_analysis_horizon(analysis));
  return 0;
}
