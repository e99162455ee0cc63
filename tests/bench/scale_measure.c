/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads, aligns and stores as `scale-run run` does behind each run, and loads as `scale-run report` does, as far as
 * what models are fitted to. */
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "profiles/graph/series.h"
#include "profiles/study/study.h"
#include "runner/process/harvest.h"
#include "scale_bench.h"

struct job {
  const char *folder, *study; /* of a run: FOLDER/<number> */
  uint64_t contexts;
  unsigned runs;
  struct sc_measure_result *result; /* shared between the processes */
};

static double size_of_run(unsigned run) { return 1000 * (double)(1u << run); }

static double seconds(clockid_t clock)
{
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static struct sc_measure_time now(void)
{
  return (struct sc_measure_time){seconds(CLOCK_PROCESS_CPUTIME_ID), seconds(CLOCK_MONOTONIC)};
}

/* Adds the time since *since, and starts anew. */
static void add_time(struct sc_measure_time *sum, struct sc_measure_time *since)
{
  struct sc_measure_time end = now();
  sum->cpu += end.cpu - since->cpu;
  sum->wall += end.wall - since->wall;
  *since = end;
}

static void must(int err)
{
  if (err >= 0)
    return;
  fprintf(stderr, "%s\n", sc_err_message());
  exit(1);
}

static void run_folder(const struct job *job, unsigned run, char *path, size_t size)
{
  snprintf(path, size, "%s/%u", job->folder, run);
}

static void generate(const struct job *job)
{
  char folder[4096], path[4200];
  struct stat status;
  for (unsigned run = 0; run < job->runs; run++) {
    run_folder(job, run, folder, sizeof folder);
    snprintf(path, sizeof path, "%s/store.1.1.scprof", folder);
    if (mkdir(folder, 0700) < 0)
      must(sc_err_set(SC_E_IO, "cannot make %s", folder));
    job->result->contexts = sc_generate_profile(path, job->contexts, run, size_of_run(run), &job->result->counts[run]);
    if (stat(path, &status) == 0)
      job->result->profile_bytes += (uint64_t)status.st_size;
  }
}

static double largest_mib(void)
{
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)usage.ru_maxrss / 1024;
}

/* That everything is there, and once. */
static void check(const struct job *job, const sc_graph *graph)
{
  const struct sc_measure_result *made = job->result;
  uint32_t contexts = sc_graph_context_count(graph);
  if (sc_graph_run_count(graph) != job->runs || contexts != made->contexts)
    must(sc_err_set(SC_E_INTERNAL, "%u contexts and %zu runs, where %llu and %u were made", contexts,
                    sc_graph_run_count(graph), (unsigned long long)made->contexts, job->runs));
  for (unsigned run = 0; run < job->runs; run++) {
    double sum = 0;
    for (uint32_t i = 0; i < contexts; i++)
      sum += sc_graph_value(graph, run, i, SC_METRIC_COUNT);
    if (sum != made->counts[run])
      must(sc_err_set(SC_E_INTERNAL, "run %u counts %.0f where %.0f were made", run, sum, made->counts[run]));
  }
}

static void read_and_store(const struct job *job)
{
  char folder[4096];
  sc_graph *graph;
  sc_study *study;
  struct sc_measure_time since = now();
  must(sc_graph_new(&graph));
  must(sc_study_open(job->study, SC_STUDY_CREATE, &study));
  add_time(&job->result->store, &since);
  for (unsigned run = 0; run < job->runs; run++) {
    const sc_run about = {.n = size_of_run(run)};
    const sc_execute_options options = {0};
    sc_execute_result result = {0};
    run_folder(job, run, folder, sizeof folder);
    must(sc_graph_begin_run(graph, &about, &result.run));
    must(sc_harvest_profiles(folder, NULL, graph, result.run, &options, &result));
    add_time(&job->result->read, &since);
    must(sc_study_save_run(study, graph, result.run, result.modules, result.module_count));
    add_time(&job->result->store, &since);
    job->result->nodes = sc_graph_run_const(graph, result.run)->nodes;
    sc_execute_result_free(&result);
  }
  check(job, graph);
  since = now();
  sc_study_close(study);
  sc_graph_free(graph);
  add_time(&job->result->store, &since);
  job->result->read_mib = largest_mib();
}

/* The different series of counts, which is what models are fitted to. */
static uint64_t count_series(const sc_graph *graph)
{
  size_t runs = sc_graph_run_count(graph);
  sc_series_set set = {.width = runs};
  double row[SC_MEASURE_RUNS];
  uint32_t number;
  for (uint32_t i = 0; i < sc_graph_context_count(graph); i++) {
    for (size_t run = 0; run < runs; run++)
      row[run] = sc_graph_value(graph, run, i, SC_METRIC_COUNT);
    must(sc_series_intern(&set, row, &number));
  }
  uint64_t count = set.count;
  sc_series_free(&set);
  return count;
}

static void load(const struct job *job)
{
  sc_graph *graph, *targets;
  sc_study *study;
  struct sc_measure_time since = now();
  must(sc_graph_new(&graph));
  must(sc_graph_new(&targets));
  must(sc_study_open(job->study, SC_STUDY_READ, &study));
  must(sc_study_load_roles(study, 1u << SC_RUN_TRAINING | 1u << SC_RUN_VALIDATION, graph));
  must(sc_study_load_roles(study, 1u << SC_RUN_TARGET, targets));
  sc_study_close(study);
  job->result->series = count_series(graph);
  add_time(&job->result->load, &since);
  check(job, graph);
  sc_graph_free(graph);
  sc_graph_free(targets);
  job->result->load_mib = largest_mib();
}

/* In a process of its own, so that its largest size is its own; on one core. */
static void apart(void (*part)(const struct job *), const struct job *job)
{
  int status;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((unsigned)sched_getcpu(), &one);
    (void)sched_setaffinity(0, sizeof one, &one);
    part(job);
    exit(0);
  }
  if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status))
    exit(1);
}

/* The study gets a workload, so that scale-run's verbs take it. */
static void keep(const struct job *job)
{
  static const char workload[] =
      "<workload name=\"store\"><parameter name=\"n\"><range low=\"1000\" high=\"16000\"/></parameter>"
      "<command><arg>store</arg></command></workload>";
  sc_study *study;
  must(sc_study_open(job->study, SC_STUDY_WRITE, &study));
  must(sc_study_put(study, "workload", workload));
  sc_study_close(study);
}

static void empty(const struct job *job, bool kept)
{
  char path[4200];
  if (!kept)
    unlink(job->study);
  for (unsigned run = 0; run < job->runs; run++) {
    snprintf(path, sizeof path, "%s/%u/store.1.1.scprof", job->folder, run);
    unlink(path);
    run_folder(job, run, path, sizeof path);
    rmdir(path);
  }
}

void sc_measure_study(const char *folder, uint64_t contexts, unsigned runs, const char *kept,
                      struct sc_measure_result *result)
{
  char study[4200];
  struct stat status;
  struct job job = {.folder = folder, .study = study, .contexts = contexts, .runs = runs};
  snprintf(study, sizeof study, "%s", kept ? kept : "");
  if (!kept)
    snprintf(study, sizeof study, "%s/scale.db", folder);
  job.result = mmap(NULL, sizeof *result, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (job.result == MAP_FAILED)
    must(sc_err_set(SC_E_NOMEM, "out of memory"));
  apart(generate, &job);
  apart(read_and_store, &job);
  apart(load, &job);
  if (kept)
    keep(&job);
  if (stat(study, &status) == 0)
    job.result->study_bytes = (uint64_t)status.st_size;
  *result = *job.result;
  munmap(job.result, sizeof *result);
  empty(&job, kept != NULL);
}
