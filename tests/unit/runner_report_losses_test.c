/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the profiles could not keep is told in the report, and nothing where nothing is lost. */
#include "transitions_scene.h"

#include <stdlib.h>

#include "runner/report_text.h"

static char *const program[] = {"./program", "{n}", NULL};

static char *print(const sc_judge *judge)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  assert_non_null(out);
  sc_report_text_options options = {.width = 200, .style = {"", "", "", "", ""}};
  sc_report_caveats_print(out, judge, &options);
  fclose(out);
  return text;
}

static void losses_are_told(void **state)
{
  static const double sizes[] = {100, 200, 400}, target[] = {16000};
  sc_judge judge = {.study = "scale.db"};
  assert_int_equal(
      sc_workload_from_command(&(sc_workload_words){"n=100..400", "16000"}, (char **)program, &judge.loaded.workload),
      0);
  judge.loaded.graph = scene_new(sizes, 3, "");
  (void)scene_loop(judge.loaded.graph, scene_main(judge.loaded.graph), "fill", 192, scene_n, 0);
  judge.loaded.analysis = scene_analyse(judge.loaded.graph, target, 1);
  char *text = print(&judge);
  static const char *const parts[] = {"calling context", "disk was full", "could not be counted", "took no time"};
  for (int i = 0; i < 4; i++)
    assert_null(strstr(text, parts[i]));
  free(text);
  sc_run *run = sc_graph_run(judge.loaded.graph, 1);
  run->truncated_nodes = 2;
  run->lost_records = 3;
  run->lost_events = 4;
  run->untimed = 1;
  sc_graph_run(judge.loaded.graph, 2)->lost_events = 1;
  text = print(&judge);
  static const char *const told[] = {"2 calling contexts did not fit", "3 records are lost",
                                     "5 resource events could not be counted", "in 1 profile count, but took no time"};
  for (int i = 0; i < 4; i++)
    if (!strstr(text, told[i]))
      fail_msg("\"%s\" is not in: %s", told[i], text);
  free(text);
  sc_judge_close(&judge);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(losses_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
