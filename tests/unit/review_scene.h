/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
/* A study and a change to it whose notices are known, with names that try to break out of every format. */
#include <stdlib.h>

#include "runner/review/review.h"
#include "runner/several/open.h"
#include "transitions_scene.h"

/* Quotes, ends of comments, of CDATA and of workflow commands, a newline, a byte that is not UTF-8, a mark that turns
 * the direction of text, markup. */
#define REVIEW_EVIL      "a\"b'|`c`&]]>\n::error file=x,line=1::%0A##[error]\xff\xe2\x80\xae@all\\|<img"
#define REVIEW_EVIL_FILE "src/e\"vi%l,a:b c<d>\xff.c"

typedef struct review_scene {
  sc_judge base, head;
  sc_comparison comparison;
  sc_change changes[6];
  uint32_t contexts[1];
  sc_interval before[2], after[2];
  sc_notices notices;
} review_scene;

static const double review_targets[] = {64000, 1e6};
static char *const review_program[] = {"./program", "{n}", NULL};

/* main > loop (n) > function (n) > loop (n (n - 1) / 2 in the head, n in the base), 1 us an iteration. */
static inline void review_judge(sc_judge *judge, const char *name, const char *file, scene_curve inner)
{
  static const double sizes[] = {100, 300, 700, 1500, 3000, 6400};
  sc_loaded *l = &judge->loaded;
  judge->study = "scale.db";
  assert_int_equal(
      sc_workload_from_command(&(sc_workload_words){"n=100..6400", "64000,1e6"}, (char **)review_program, &l->workload),
      0);
  l->graph = scene_new(sizes, 6, "task-clock");
  uint32_t top = scene_main(l->graph), outer = scene_loop(l->graph, top, "main", 10, scene_n, 1e-6);
  const sc_location callee = {.kind = SC_LOCATION_FUNCTION, .name = name, .file = file, .line = 3, .column = 5};
  const sc_location loop = {.kind = SC_LOCATION_LOOP, .name = name, .file = file, .line = 4, .column = 3};
  uint32_t function = scene_context(l->graph, outer, &callee);
  scene_fill(l->graph, function, scene_n, 0);
  scene_fill(l->graph, scene_context(l->graph, function, &loop), inner, 1e-6);
  l->analysis = scene_analyse(l->graph, review_targets, 2);
  judge->findings = scene_infer(l->analysis);
}

static inline void review_change(review_scene *scene, size_t i, enum sc_rule rule, enum sc_severity severity)
{
  uint32_t inner = sc_graph_context_count(scene->head.loaded.graph) - 1;
  sc_change *change = &scene->changes[i];
  *change = (sc_change){.rule = rule,
                        .severity = severity,
                        .of = SC_CHANGE_OF_COUNT,
                        .base = {.context = inner,
                                 .resource = SC_COMPARE_NONE,
                                 .model = sc_analysis_model(scene->base.loaded.analysis, inner),
                                 .predictions = scene->before},
                        .head = {.context = inner,
                                 .resource = SC_COMPARE_NONE,
                                 .model = sc_analysis_model(scene->head.loaded.analysis, inner),
                                 .predictions = scene->after},
                        .contexts = scene->contexts,
                        .context_count = 1,
                        .factor = 5e5,
                        .share = 0.9,
                        .emergence = 120,
                        .confidence = 0.95,
                        .evidence = "Measured before and after."};
  change->base.counts_as = change->base.model->order;
  change->head.counts_as = change->head.model->order;
  const sc_change_state none = {.context = SC_COMPARE_NONE, .resource = SC_COMPARE_NONE};
  if (rule == SC_RULE_NEW_COST)
    change->base = none;
  if (rule == SC_RULE_GONE)
    change->head = none;
}

/* `change`: all rules of a comparison in their order of rank; else the head alone. */
static inline review_scene *review_open(const char *name, const char *file, bool change)
{
  static const struct {
    enum sc_rule rule;
    enum sc_severity severity;
  } all[] = {{SC_RULE_WORSE_ORDER, SC_SEVERITY_ERROR},  {SC_RULE_NEW_COST, SC_SEVERITY_WARNING},
             {SC_RULE_WORSE_COST, SC_SEVERITY_WARNING}, {SC_RULE_CHANGE_UNKNOWN, SC_SEVERITY_NOTE},
             {SC_RULE_BETTER, SC_SEVERITY_NOTE},        {SC_RULE_GONE, SC_SEVERITY_NOTE}};
  review_scene *scene = calloc(1, sizeof *scene);
  assert_non_null(scene);
  review_judge(&scene->head, name, file, scene_triangle);
  if (!change) {
    assert_int_equal(sc_notices_of_study(&scene->head, &scene->notices), 0);
    return scene;
  }
  review_judge(&scene->base, name, file, scene_n);
  for (size_t i = 0; i < 2; i++) {
    double n = review_targets[i];
    scene->before[i] = (sc_interval){n, n, n};
    scene->after[i] = (sc_interval){scene_triangle(n), scene_triangle(n), scene_triangle(n)};
  }
  scene->contexts[0] = sc_graph_context_count(scene->head.loaded.graph) - 1;
  for (size_t i = 0; i < 6; i++)
    review_change(scene, i, all[i].rule, all[i].severity);
  scene->comparison = (sc_comparison){.targets = review_targets,
                                      .total_unit = sc_analysis_cost_unit(scene->head.loaded.analysis),
                                      .target_count = 2,
                                      .list = scene->changes,
                                      .count = 6,
                                      .base_total = {2, 1.9, 2.2},
                                      .head_total = {5e5, 4.9e5, 5.2e5},
                                      .same_machine = true};
  assert_int_equal(sc_notices_of_change(&scene->base, &scene->head, &scene->comparison, NULL, &scene->notices), 0);
  return scene;
}

static inline void review_close(review_scene *scene)
{
  sc_notices_free(&scene->notices);
  sc_judge_close(&scene->head);
  if (scene->base.loaded.graph)
    sc_judge_close(&scene->base);
  free(scene);
}
