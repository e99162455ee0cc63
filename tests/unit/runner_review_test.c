/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What reviewers read: notices of a study and of a change, in every format. With `--write DIR` all formats are written,
 * for the validators that tests/cli/review/formats_test.sh runs. */
#include "unit.h"

#include "review_scene.h"

#include <cjson/cJSON.h>

#include "base/utf8.h"
#include "runner/review/review.h"
#include "runner/review/words.h"

static const char *const formats[] = {"lines", "json", "markdown", "sarif", "junit", "github", "gitlab", "openmetrics"};
enum { FORMATS = sizeof formats / sizeof *formats };

static char *print(const review_scene *scene, const char *format)
{
  char *text;
  FILE *out = unit_stream(&text);
  int err = sc_notices_printer(format)(out, &scene->notices);
  fclose(out);
  if (err < 0)
    fail_msg("%s: %s", format, sc_err_message());
  if (getenv("SCALE_TEST_SHOW"))
    puts(text);
  return text;
}

static void has(const char *text, const char *part)
{
  if (!strstr(text, part))
    fail_msg("\"%s\" is missing in:\n%s", part, text);
}

static void has_not(const char *text, const char *part)
{
  if (strstr(text, part))
    fail_msg("\"%s\" is in:\n%s", part, text);
}

static void prints(const review_scene *scene, const char *format, const char *part)
{
  char *text = print(scene, format);
  has(text, part);
  free(text);
}

TEST(a_study_has_its_findings)
{
  review_scene *scene = review_open("scan", "src/scan.c", false);
  const sc_notices *all = &scene->notices;
  const sc_notice *worst = &all->list[0];
  assert_true(all->count >= 1 && all->accepted == 0);
  assert_int_equal(worst->rule, SC_RULE_SUPERLINEAR_LOOP);
  assert_string_equal(worst->subject, "scan");
  assert_string_equal(worst->file, "src/scan.c");
  assert_true(worst->line == 4 && worst->column == 3 && worst->end_line == 4 && worst->end_column == 4);
  assert_string_equal(worst->after, "0.5 n^2 - 0.5 n iterations");
  assert_null(worst->before);
  assert_int_equal(worst->prediction_count, 2);
  assert_true(worst->predictions[1].n == 1e6 && worst->predictions[1].after.value == scene_triangle(1e6));
  assert_false(worst->predictions[1].has_before);
  assert_true(worst->superlinear && !worst->resource && worst->share > 0.9);
  assert_int_equal(worst->step_count, 5); /* process, main, loop, scan, loop */
  assert_string_equal(worst->steps[1].text, "main (scene.c)");
  assert_string_equal(worst->steps[4].text, "loop scan.c:4:3");
  has(all->verdict, "Superlinear growth: 1 finding, scan (");
  has(all->verdict, "quadratic loop, 0.5 n^2 - 0.5 n iterations; at n = 1,000,000: 500 billion iterations");
  review_close(scene);
}

TEST(a_change_has_both_sides)
{
  review_scene *scene = review_open("scan", "src/scan.c", true);
  const sc_notice *list = scene->notices.list;
  assert_int_equal(scene->notices.count, 6);
  assert_string_equal(list[0].before, "n iterations");
  assert_string_equal(list[0].after, "0.5 n^2 - 0.5 n iterations");
  assert_string_equal(list[0].message,
                      "scan: iterations quadratic, before linear; at n = 1,000,000: 500 billion, before "
                      "1.00 million (500,000 x), 90% of the total");
  assert_string_equal(list[1].message,
                      "scan: new: iterations quadratic; at n = 1,000,000: 500 billion, 90% of the total");
  assert_null(list[1].before);
  assert_string_equal(list[3].message,
                      "scan: iterations changed, the data cannot tell how; at n = 1,000,000: 500 billion, "
                      "before 1.00 million (500,000 x), 90% of the total");
  assert_string_equal(
      list[5].message,
      "scan: gone: iterations were linear; at n = 1,000,000: before 1.00 million, 90% of the total then");
  assert_null(list[5].after);
  assert_true(list[0].predictions[0].before.value == 64000);
  assert_string_equal(
      scene->notices.verdict,
      "1 thing grows faster than before: scan; 1 thing costs more than before: scan; 1 new thing costs a "
      "share that matters: scan. In total at n = 1,000,000: 5.8 days of processor time, before 2.0 s.");
  review_close(scene);
}

TEST(nothing_worse_is_said)
{
  review_scene *scene = review_open("scan", "src/scan.c", true);
  sc_notices_free(&scene->notices);
  scene->comparison.count = 0;
  assert_int_equal(sc_notices_of_change(&scene->base, &scene->head, &scene->comparison, NULL, &scene->notices), 0);
  assert_string_equal(scene->notices.verdict, "No change: 0 contexts compared.");
  for (size_t i = 0; i < FORMATS; i++)
    free(print(scene, formats[i]));
  prints(scene, "junit", "name=\"no changes\"");
  review_close(scene);
}

/* Moving code, or renaming another function, is no other finding; another function is. */
TEST(fingerprints_stay_when_lines_move)
{
  review_scene *a = review_open("scan", "src/scan.c", false), *b = review_open("scan", "lib/moved.c", false);
  review_scene *c = review_open("walk", "src/scan.c", false), *d = review_open("scan", "src/scan.c", true);
  assert_int_equal(strlen(a->notices.list[0].fingerprint), 32);
  assert_string_equal(a->notices.list[0].fingerprint, b->notices.list[0].fingerprint);
  assert_string_not_equal(a->notices.list[0].fingerprint, c->notices.list[0].fingerprint);
  for (size_t i = 0; i < d->notices.count; i++)
    for (size_t j = 0; j < i; j++)
      assert_string_not_equal(d->notices.list[i].fingerprint, d->notices.list[j].fingerprint);
  review_close(a);
  review_close(b);
  review_close(c);
  review_close(d);
}

/* Two findings of a rule in one path of names are told apart by their order in the source. */
TEST(equal_places_have_different_fingerprints)
{
  review_scene *scene = review_open("scan", "src/scan.c", true);
  sc_notices_free(&scene->notices);
  for (size_t i = 0; i < 6; i++)
    scene->changes[i] = scene->changes[0];
  assert_int_equal(sc_notices_of_change(&scene->base, &scene->head, &scene->comparison, NULL, &scene->notices), 0);
  for (size_t i = 1; i < 6; i++)
    assert_string_not_equal(scene->notices.list[i].fingerprint, scene->notices.list[i - 1].fingerprint);
  review_close(scene);
}

TEST(gates_follow_the_rules)
{
  static const char *const gates[] = {"none", "any", "budget", "order", "superlinear", "warning", "resource"};
  static const int study[] = {0, 1, 0, 1, 1, 1, 0}, change[] = {0, 1, 0, 1, 1, 1, 0}, better[] = {0, 0, 0, 0, 0, 0, 0};
  review_scene *of_study = review_open("scan", "src/scan.c", false),
               *of_change = review_open("scan", "src/scan.c", true);
  for (size_t i = 0; i < 7; i++) {
    assert_int_equal(sc_notices_status(&of_study->notices, gates[i]), study[i]);
    assert_int_equal(sc_notices_status(&of_change->notices, gates[i]), change[i]);
  }
  assert_int_equal(sc_notices_status(&of_change->notices, NULL), 0);
  /* better, gone and unknown ones alone */
  sc_notices_free(&of_change->notices);
  for (size_t i = 0; i < 3; i++) {
    of_change->changes[i] = of_change->changes[i + 3];
    of_change->changes[i].head.model = of_change->changes[i].base.model;
    of_change->changes[i].head.counts_as = of_change->changes[i].base.counts_as;
  }
  of_change->comparison.count = 3;
  assert_int_equal(
      sc_notices_of_change(&of_change->base, &of_change->head, &of_change->comparison, NULL, &of_change->notices), 0);
  for (size_t i = 0; i < 7; i++)
    assert_int_equal(sc_notices_status(&of_change->notices, gates[i]), better[i]);
  review_close(of_study);
  review_close(of_change);
}

TEST(uncertain_findings_about_resources_fail_no_gate)
{
  static const char *const gates[] = {"any", "warning", "resource"};
  review_scene *scene = review_open("scan", "src/scan.c", false);
  for (size_t i = 0; i < scene->notices.count; i++)
    scene->notices.list[i].resource = true;
  for (int severity = SC_SEVERITY_NOTE; severity <= SC_SEVERITY_WARNING; severity++) {
    for (size_t i = 0; i < scene->notices.count; i++)
      scene->notices.list[i].severity = severity;
    for (size_t i = 0; i < 3; i++)
      assert_int_equal(sc_notices_status(&scene->notices, gates[i]), severity == SC_SEVERITY_WARNING);
  }
  review_close(scene);
}

/* The total fails a gate of its own, beyond the ratio asked for and beyond noise; the ratio is the gate's. */
TEST(gate_on_cost)
{
  sc_change_total totals[2] = {{.base = {1, 0.9, 1.1}, .head = {1.8, 1.7, 1.9}, .factor = 1.8, .clear = true},
                               {.base = {2, 1.9, 2.1}, .head = {5, 4.5, 5.5}, .factor = 2.5, .clear = true}};
  static const struct {
    const char *gate;
    int status;
  } gates[] = {{"cost>1.5x", 1},       {"cost=1.5x", 1},        {"cost>2.4", 1},      {"cost>2.6x", 0},
               {"order,cost>2.6x", 1}, {"budget,cost>1.5x", 1}, {"budget,cost>3x", 0}};
  for (size_t i = 0; i < sizeof gates / sizeof *gates; i++) {
    review_scene *scene = review_open("scan", "src/scan.c", true);
    scene->comparison.totals = totals;
    scene->comparison.totals_cost = true;
    sc_notices_free(&scene->notices);
    assert_int_equal(
        sc_notices_of_change(&scene->base, &scene->head, &scene->comparison, gates[i].gate, &scene->notices), 0);
    assert_int_equal(sc_notices_status(&scene->notices, gates[i].gate), gates[i].status);
    if (i == 0) {
      const sc_notice *n = &scene->notices.list[0];
      assert_string_equal(n->message,
                          "total: processor time up; at n = 1,000,000: 5.0 s, before 2.0 s (2.50 x, 1.50 x allowed)");
      assert_int_equal(n->rule, SC_RULE_WORSE_COST);
      assert_int_equal(n->severity, SC_SEVERITY_ERROR);
      has(scene->notices.verdict, "things cost more than before: total, scan");
    }
    review_close(scene);
  }
  /* not beyond noise */
  totals[0].clear = totals[1].clear = false;
  review_scene *scene = review_open("scan", "src/scan.c", true);
  scene->comparison.totals = totals;
  sc_notices_free(&scene->notices);
  assert_int_equal(sc_notices_of_change(&scene->base, &scene->head, &scene->comparison, "cost>1.5x", &scene->notices),
                   0);
  assert_int_equal(sc_notices_status(&scene->notices, "cost>1.5x"), 0);
  review_close(scene);
}

TEST(undecided_orders_are_said)
{
  review_scene *scene = review_open("scan", "src/scan.c", true);
  sc_notices_free(&scene->notices);
  scene->comparison.count = 1;
  scene->changes[0].base.undecided = scene->changes[0].head.undecided = true;
  assert_int_equal(sc_notices_of_change(&scene->base, &scene->head, &scene->comparison, NULL, &scene->notices), 0);
  has(scene->notices.list[0].message, "scan: iterations up to quadratic, before linear or more; at n = 1,000,000");
  assert_int_equal(sc_notices_status(&scene->notices, "order"), 1);
  review_close(scene);
}

TEST(texts_are_clean)
{
  review_scene *scene = review_open(REVIEW_EVIL, REVIEW_EVIL_FILE, true);
  for (size_t i = 0; i < scene->notices.count; i++) {
    const sc_notice *n = &scene->notices.list[i];
    const char *const texts[] = {n->subject, n->file, n->message, n->evidence, n->steps[4].text, n->steps[4].file};
    for (size_t t = 0; t < 6; t++)
      for (size_t at = 0, size = strlen(texts[t]); at < size;) {
        size_t length = sc_utf8_printable(texts[t] + at, size - at);
        assert_true(length > 0);
        at += length;
      }
    has_not(n->message, "\xe2\x80\xae");
  }
  review_close(scene);
}

TEST(lines_are_picked_up_by_editors)
{
  review_scene *scene = review_open("scan", "src/scan.c", true);
  char *text = print(scene, "text"), *lines = print(scene, "lines");
  has(text, "src/scan.c:4:3: error: scan: iterations quadratic, before linear");
  has(text, " [worse-order]\n");
  has(text, "\n    Before      n iterations\n    After       0.5 n^2 - 0.5 n iterations\n");
  has(text, "n = 1,000,000: iterations 1.00 million (exactly) -> 500 billion (exactly)");
  assert_true(strncmp(text, "src/scan.c:4:3: error: ", 23) == 0);
  size_t count = 0;
  for (const char *line = lines; *line; line = strchr(line, '\n') + 1, count++)
    assert_true(strncmp(line, "src/scan.c:", 11) == 0);
  assert_int_equal(count, scene->notices.count);
  free(text);
  free(lines);
  review_close(scene);
}

TEST(markdown_has_one_row_a_change)
{
  review_scene *scene = review_open("scan", "src/scan.c", true);
  char *text = print(scene, "markdown");
  has(text, "**1 thing grows faster than before: scan;");
  has(text, "\n| | where | before | after | at n = 1,000,000 | confidence |\n|---|---|---|---|---|---|\n");
  has(text, "| ❌ Grows faster than before | `scan`<br>src/scan.c:4 | `n iterations` | `0.5 n^2 - 0.5 n iterations` | "
            "iterations: 1.00 million → 500 billion | high |\n");
  has(text, "<details><summary>");
  has(text,
      "In total, predicted at n = 1,000,000: 2.0 s (1.9 to 2.2 s) → 5.8 days (5.7 to 6.0 days) of processor time.");
  free(text);
  review_close(scene);
}

/* Of the table, every row has its five or six cells whatever the names are; nothing becomes HTML or a mention. */
TEST(markdown_cannot_be_broken)
{
  review_scene *scene = review_open(REVIEW_EVIL, REVIEW_EVIL_FILE, true);
  char *text = print(scene, "markdown");
  size_t rows = 0;
  for (char *line = text; *line;) {
    char *end = line + strcspn(line, "\n");
    size_t pipes = 0;
    for (char *c = line; c < end; c++)
      pipes += *c == '|' && (c == line || c[-1] != '\\');
    if (*line == '|') {
      assert_int_equal(pipes, 7);
      rows++;
    }
    line = end + (*end == '\n');
  }
  assert_int_equal(rows, 2 + 6);
  for (char *at = text; (at = strchr(at, '<')); at++) {
    bool ours = !strncmp(at, "<details>", 9) || !strncmp(at, "</details>", 10) || !strncmp(at, "<summary>", 9) ||
                !strncmp(at, "</summary>", 10) || !strncmp(at, "<br>", 4);
    size_t ticks = 0; /* names with one ` stand between two of them */
    for (char *c = text; c + 1 < at; c++)
      if (c[0] == '`' && c[1] == '`') {
        ticks++;
        c++;
      }
    assert_true(ours || ticks % 2 == 1);
  }
  free(text);
  review_close(scene);
}

TEST(commands_cannot_be_injected)
{
  review_scene *scene = review_open(REVIEW_EVIL, REVIEW_EVIL_FILE, true);
  scene->notices.list[5].accepted = strdup("::error::x ##[error]y");
  scene->notices.list[5].accepted_until = strdup("2999-01-01");
  char *text = print(scene, "github");
  size_t lines = 0;
  has(text, "::error file=src/e\"vi%25l%2Ca%3Ab c<d>?.c,line=4,endLine=4,col=3,endColumn=4,title=Grows faster than "
            "before::");
  for (char *line = text; *line; lines++) {
    char *end = line + strcspn(line, "\n");
    if (lines < 5)
      assert_int_equal(strncmp(line, "::", 2), 0);
    else
      assert_int_not_equal(strncmp(line, "::", 2), 0);
    if (lines >= 5)
      assert_null(memmem(line, (size_t)(end - line), "##[", 3));
    line = end + (*end == '\n');
  }
  assert_int_equal(lines, 7);
  free(text);
  review_close(scene);
}

static const cJSON *at(const cJSON *object, const char *name)
{
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
  if (!item)
    fail_msg("no \"%s\"", name);
  return item;
}

TEST(sarif_has_regions_flows_and_fingerprints)
{
  review_scene *scene = review_open("scan", "src/scan.c", true);
  char *text = print(scene, "sarif");
  cJSON *sarif = cJSON_Parse(text);
  const cJSON *run = cJSON_GetArrayItem(at(sarif, "runs"), 0), *result = cJSON_GetArrayItem(at(run, "results"), 0);
  assert_int_equal(cJSON_GetArraySize(at(at(at(run, "tool"), "driver"), "rules")), SC_RULE_COUNT);
  assert_string_equal(at(result, "ruleId")->valuestring, "worse-order");
  assert_string_equal(at(result, "level")->valuestring, "error");
  const cJSON *rule = cJSON_GetArrayItem(at(at(at(run, "tool"), "driver"), "rules"), at(result, "ruleIndex")->valueint);
  assert_string_equal(at(rule, "id")->valuestring, "worse-order");
  assert_true(at(result, "rank")->valuedouble == 95);
  const cJSON *place = at(cJSON_GetArrayItem(at(result, "locations"), 0), "physicalLocation");
  assert_string_equal(at(at(place, "artifactLocation"), "uri")->valuestring, "src/scan.c");
  assert_string_equal(at(at(place, "artifactLocation"), "uriBaseId")->valuestring, "SRCROOT");
  const cJSON *region = at(place, "region");
  assert_true(at(region, "startLine")->valueint == 4 && at(region, "startColumn")->valueint == 3 &&
              at(region, "endLine")->valueint == 4 && at(region, "endColumn")->valueint == 4);
  const cJSON *flow =
      at(cJSON_GetArrayItem(at(cJSON_GetArrayItem(at(result, "codeFlows"), 0), "threadFlows"), 0), "locations");
  assert_int_equal(cJSON_GetArraySize(flow), 4); /* the process has no place */
  char wanted[40];
  snprintf(wanted, sizeof wanted, "%s:1", scene->notices.list[0].fingerprint);
  assert_string_equal(at(at(result, "partialFingerprints"), "primaryLocationLineHash")->valuestring, wanted);
  assert_int_equal(cJSON_GetArraySize(at(result, "suppressions")), 0);
  assert_string_equal(at(cJSON_GetArrayItem(at(run, "results"), 4), "level")->valuestring, "none"); /* better */
  cJSON_Delete(sarif);
  free(text);
  review_close(scene);
}

TEST(other_formats_say_the_same)
{
  review_scene *scene = review_open("scan", "src/scan.c", true);
  prints(scene, "gitlab", "\"critical\"");
  prints(scene, "gitlab", scene->notices.list[0].fingerprint);
  prints(scene, "junit", "<failure message=\"scan: iterations quadratic, before linear;");
  prints(scene, "junit", "tests=\"6\" failures=\"3\" errors=\"0\" skipped=\"0\"");
  prints(scene, "openmetrics", "scale_notice_emergence{workload=\"program\",rule=\"worse-order\",subject=\"scan\"");
  prints(scene, "openmetrics", "side=\"before\",bound=\"value\"} 1000000\n");
  prints(scene, "json", "\"verdict\":\t\"1 thing grows faster than before: scan;");
  char *text = print(scene, "openmetrics");
  assert_string_equal(text + strlen(text) - 6, "# EOF\n");
  free(text);
  review_close(scene);
}

static int write_all(const char *directory)
{
  for (int change = 0; change < 2; change++)
    for (int evil = 0; evil < 2; evil++) {
      review_scene *scene = review_open(evil ? REVIEW_EVIL : "scan", evil ? REVIEW_EVIL_FILE : "src/scan.c", change);
      if (evil) {
        sc_notice *last = &scene->notices.list[scene->notices.count - 1];
        last->accepted = strdup("known ]]> | \"'<");
        last->accepted_until = strdup("2999-01-01");
        scene->notices.accepted = 1;
      }
      for (size_t i = 0; i < FORMATS; i++) {
        char path[4096], *text = print(scene, formats[i]);
        snprintf(path, sizeof path, "%s/%s-%s.%s", directory, change ? "change" : "study", evil ? "evil" : "plain",
                 formats[i]);
        unit_write_file(path, text);
        free(text);
      }
      review_close(scene);
    }
  return 0;
}

/* What never takes half of the total is not said to matter at no size: it may be a third of it. */
TEST(only_resources_matter_nowhere)
{
  review_scene *scene = review_open("scan", "scan.c", false);
  sc_notice *notice = &scene->notices.list[0];
  for (int resource = 0; resource < 2; resource++) {
    notice->emergence = (sc_interval){INFINITY, INFINITY, INFINITY};
    notice->resource = resource;
    char *words = sc_notice_emergence(&scene->notices, notice);
    assert_string_equal(words, resource ? "holds at no size looked at" : "");
    free(words);
    notice->emergence = (sc_interval){12400, 12400, 12400};
    words = sc_notice_emergence(&scene->notices, notice);
    assert_string_equal(words, resource ? "holds from n = 12,400 on" : "takes half of the total from n = 12,400 on");
    free(words);
  }
  review_close(scene);
  scene = review_open("scan", "scan.c", true);
  char *words = sc_notice_emergence(&scene->notices, &scene->notices.list[0]);
  assert_string_equal(words, "exceeds the base from n = 120 on");
  free(words);
  review_close(scene);
}

int main(int argc, char **argv)
{
  if (argc == 3 && strcmp(argv[1], "--write") == 0)
    return write_all(argv[2]);
  return unit_run(NULL, NULL);
}
