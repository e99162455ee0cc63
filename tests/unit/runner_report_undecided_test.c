/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Undecided places are named in the report, the first few unless all are asked for. */
#include "unit.h"

#include "transitions_scene.h"

#include <stdlib.h>

#include "runner/report/text.h"
#include "runner/several/open.h"

static char *const program[] = {"./program", "{n}", NULL};

static char *print(const sc_judge *judge, bool all)
{
  char *text;
  FILE *out = unit_stream(&text);
  sc_text_options options = {.width = 200, .all = all, .style = {"", "", "", "", ""}};
  sc_report_caveats_print(out, judge, &options);
  fclose(out);
  return text;
}

TEST(places_are_named)
{
  static const double sizes[] = {100, 200, 400, 800, 1600}, target[] = {16000};
  sc_judge judge = {.study = "scale.db"};
  sc_undecided places[5];
  assert_int_equal(
      sc_workload_from_command(&(sc_workload_words){"n=100..1600", "16000"}, (char **)program, &judge.loaded.workload),
      0);
  judge.loaded.graph = scene_new(sizes, 5, "");
  uint32_t loop = scene_loop(judge.loaded.graph, scene_main(judge.loaded.graph), "fill", 192, scene_n, 0);
  judge.loaded.analysis = scene_analyse(judge.loaded.graph, target, 1);
  for (size_t i = 0; i < 5; i++)
    places[i] = (sc_undecided){.context = loop, .to = {2, 0, 2}, .deciding = i ? INFINITY : 29000, .reason = "Stairs."};
  judge.findings.undecided = places;
  judge.findings.undecided_count = 5;
  char *text = print(&judge, false);
  assert_non_null(strstr(text,
                         "fill (scene.c:192:3) may grow as fast as n^2: that is undecided. Stairs. A range up to n = "
                         "29,000 would decide"));
  assert_non_null(strstr(text, "2 places"));
  free(text);
  text = print(&judge, true);
  assert_null(strstr(text, "2 places"));
  free(text);
  judge.findings.undecided = NULL; /* not allocated */
  judge.findings.undecided_count = 0;
  text = print(&judge, false);
  assert_null(strstr(text, "undecided"));
  free(text);
  sc_judge_close(&judge);
}
