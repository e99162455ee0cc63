/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Judges a made-up study whose contexts all have counts of their own, which is the most there is to fit and to predict:
 * models, findings, and the predictions of every context that a page has. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profiles/study/study.h"
#include "transitions/findings/findings.h"

static const char usage[] =
    "Usage: bench-judge CONTEXTS [STUDY]\n"
    "\n"
    "Creates a program of CONTEXTS contexts measured at five sizes, and judges it. All counts differ; half of\n"
    "the contexts are children of main. With STUDY it is stored there instead, for scale-run report to judge.\n";

enum { CHILDREN = 6, SIZES = 5 };
static const double sizes[SIZES] = {100, 200, 400, 800, 1600}, targets[] = {16000, 160000};

static const char workload[] =
    "<workload name=\"made\"><parameter name=\"n\"><range low=\"100\" high=\"1600\"/></parameter>"
    "<command><arg>made</arg></command></workload>";

static void must(int err)
{
  if (err >= 0)
    return;
  fprintf(stderr, "bench-judge: %s\n", sc_err_message());
  exit(1);
}

/* Linear, n log n, quadratic and constant ones: half of them exact, half with a scatter of 3%. */
static double count_of(uint64_t i, double n)
{
  double a = 1 + (double)(i * 2654435761u % 1009), b = (double)i + 1;
  double scatter = 1 + 0.03 * sin((double)i * 12.9898 + n * 78.233);
  switch (i % 8) {
  case 0:
    return floor(a * n * n + b);
  case 1:
    return floor(a * n * log2(n)) + b;
  case 2:
    return floor((a * n + b) * scatter);
  case 3:
    return a * 1000 + b;
  case 4:
    return floor((a * n * sqrt(n) + b) * scatter);
  case 5:
    return floor((a * n * log2(n) + b) * scatter);
  case 6:
    return floor((a * 1000 + b) * scatter);
  default:
    return a * n + b;
  }
}

static void make_graph(uint32_t contexts, sc_graph *graph)
{
  char name[32];
  uint32_t *made = calloc(contexts, sizeof *made), number;
  for (size_t s = 0; s < SIZES; s++) {
    sc_run run = {.n = sizes[s], .role = SC_RUN_TRAINING};
    size_t index;
    must(sc_graph_begin_run(graph, &run, &index));
  }
  must(sc_graph_location(graph, &(sc_location){.kind = SC_LOCATION_PROCESS, .name = "made", .file = ""}, &number));
  must(sc_graph_context(graph, 0, number, &made[0]));
  must(sc_graph_location(graph, &(sc_location){.kind = SC_LOCATION_FUNCTION, .name = "main", .file = "made.c"},
                         &number));
  must(sc_graph_context(graph, made[0], number, &made[0]));
  for (size_t s = 0; s < SIZES; s++)
    must(sc_graph_add(graph, s, made[0], SC_METRIC_COUNT, 1));
  for (uint32_t i = 1; i < contexts; i++) {
    uint32_t parent = made[i % 2 ? 0 : i / 2 / CHILDREN * 2]; /* half of all are main's own children */
    snprintf(name, sizeof name, "f%u", i);
    sc_location at = {
        .kind = i / 2 % 2 ? SC_LOCATION_FUNCTION : SC_LOCATION_LOOP, .name = name, .file = "made.c", .line = i};
    must(sc_graph_location(graph, &at, &number));
    must(sc_graph_context(graph, parent, number, &made[i]));
    for (size_t s = 0; s < SIZES; s++)
      must(sc_graph_add(graph, s, made[i], SC_METRIC_COUNT, count_of(i, sizes[s])));
  }
  free(made);
}

static void store(sc_graph *graph, const char *path)
{
  sc_study *study;
  must(sc_study_open(path, SC_STUDY_CREATE, &study));
  must(sc_study_put(study, "workload", workload));
  for (size_t run = 0; run < SIZES; run++)
    must(sc_study_save_run(study, graph, run, NULL, 0));
  sc_study_close(study);
}

static void judge(const sc_graph *graph)
{
  sc_analysis *analysis;
  sc_findings findings;
  const sc_analysis_options options = {.fit = SC_FIT_OPTIONS_DEFAULT,
                                       .variable = "n",
                                       .targets = targets,
                                       .target_count = sizeof targets / sizeof *targets,
                                       .level = 0.95,
                                       .include_validation = true};
  must(sc_analysis_new(graph, &options, &analysis));
  must(sc_findings_infer(analysis, &findings));
  printf("%u contexts: %zu findings, %zu undecided, %zu negligible\n", sc_graph_context_count(graph) - 1,
         findings.count, findings.undecided_count, findings.suppressed);
  sc_findings_free(&findings);
  sc_analysis_free(analysis);
}

int main(int argc, char **argv)
{
  sc_graph *graph;
  long contexts = argc > 1 ? atol(argv[1]) : 0;
  if (contexts < 2 || argc > 3) {
    fputs(usage, stderr);
    return 2;
  }
  must(sc_graph_new(&graph));
  make_graph((uint32_t)contexts, graph);
  if (argc > 2)
    store(graph, argv[2]);
  else
    judge(graph);
  sc_graph_free(graph);
  return 0;
}
