/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report says what the profiles could not keep, and nothing where nothing is lost. */
#include "unit.h"

#include "transitions_scene.h"

#include <errno.h>
#include <stdlib.h>

#include "runner/report/text.h"
#include "runner/report/untold.h"
#include "runner/several/open.h"

static char *const program[] = {"./program", "{n}", NULL};

static char *print(const sc_judge *judge)
{
  char *text;
  FILE *out = unit_stream(&text);
  sc_text_options options = {.width = 200, .style = {"", "", "", "", ""}};
  sc_report_caveats_print(out, judge, &options);
  fclose(out);
  return text;
}

TEST(losses_are_told)
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
  static const char *const parts[] = {"calling context", "are lost", "could not be counted", "took no time",
                                      "left no profile"};
  for (int i = 0; i < 5; i++)
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

/* Why counts are missing decides what to do; when most are, nothing can be judged. */
TEST(reasons_are_told)
{
  static const double sizes[] = {100, 200, 400}, target[] = {16000};
  static const struct {
    int reason;
    const char *records, *processes;
  } cases[] = {{0, "Processes were killed while they wrote", "They were killed before they had begun it"},
               {ENOSPC, "The disk was full: 0 bytes of counts and 3 records are lost. Point TMPDIR", "No space left"},
               {EACCES, "could not extend its profile", "Permission denied): the program gave up its privileges"},
               {ENOENT, "mount --bind", "the program changed its root directory"}};
  sc_judge judge = {.study = "scale.db"};
  assert_int_equal(
      sc_workload_from_command(&(sc_workload_words){"n=100..400", "16000"}, (char **)program, &judge.loaded.workload),
      0);
  judge.loaded.graph = scene_new(sizes, 3, "");
  (void)scene_loop(judge.loaded.graph, scene_main(judge.loaded.graph), "fill", 192, scene_n, 0);
  judge.loaded.analysis = scene_analyse(judge.loaded.graph, target, 1);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sc_run *run = sc_graph_run(judge.loaded.graph, 1);
    run->lost_records = 3;
    run->lost_processes = run->processes = 2;
    run->lost_reason = cases[i].reason;
    char *text = print(&judge);
    if (!strstr(text, cases[i].records) || !strstr(text, cases[i].processes) ||
        !strstr(text, "2 of 4 processes left no profile"))
      fail_msg("%d: %s", cases[i].reason, text);
    free(text);
    assert_int_equal(sc_report_untold_status(&judge), 0);
    run->lost_processes = 3;
    assert_int_equal(sc_report_untold_status(&judge), SC_E_TOOLITTLE);
    assert_string_equal(sc_err_message(), "3 of 5 processes left no profile");
  }
  sc_judge_close(&judge);
}
