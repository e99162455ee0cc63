/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is accepted: in a file, in a comment, until a day. */
#include "unit.h"

#include "review_scene.h"

#include <unistd.h>

#include "runner/accept/accept.h"
#include "runner/report/json.h"
#include "runner/report/text.h"
#include "runner/review/review.h"
#include "runner/review/verdict.h"

static int parse(const char *text, bool comment, sc_acceptance *acceptance)
{
  return sc_acceptance_parse(text, strlen(text), comment, acceptance);
}

TEST(a_line_has_rule_place_day_and_reason)
{
  sc_acceptance a;
  assert_int_equal(parse("superlinear-loop std::map<a, b>::find until 2999-02-28:  known: #12 ", false, &a), 0);
  assert_int_equal(a.rule, SC_RULE_SUPERLINEAR_LOOP);
  assert_string_equal(a.where, "std::map<a, b>::find");
  assert_string_equal(a.until, "2999-02-28");
  assert_string_equal(a.reason, "known: #12");
  assert_false(sc_acceptance_expired(&a, "2999-02-28"));
  assert_true(sc_acceptance_expired(&a, "2999-03-01"));
  sc_acceptance_free(&a);
  assert_int_equal(parse("contention until 2028-02-29: x", true, &a), 0);
  assert_string_equal(a.where, "");
  sc_acceptance_free(&a);
}

TEST(bad_lines_are_told)
{
  static const struct {
    const char *text, *message, *hint;
  } lines[] = {{"superlinear-lop f until 2999-01-01: x", "there is no rule", "did you mean \"superlinear-loop\"?"},
               {"leak f: x", "until", "RULE WHERE"},
               {"leak until 2999-01-01: x", "no function", "RULE WHERE"},
               {"leak f until 2999-02-30: x", "\"2999-02-30\" is no day", "RULE WHERE"},
               {"leak f until 2027-02-29: x", "is no day", "RULE WHERE"},
               {"leak f until tomorrow or so: x", "\"tomorrow\" is no day", "RULE WHERE"},
               {"leak f until 2999-01-01", "no colon", "RULE WHERE"},
               {"leak f until 2999-01-01:  ", "no reason", "RULE WHERE"},
               {"leak", "until", "RULE WHERE"},
               {"", "there is no rule", ""}};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    sc_acceptance a;
    assert_int_equal(parse(lines[i].text, false, &a), SC_E_USAGE);
    assert_non_null(strstr(sc_err_message(), lines[i].message));
    assert_non_null(strstr(sc_err_hint_text(), lines[i].hint));
    sc_acceptance_free(&a);
  }
}

static bool means(const char *where, const sc_notice *notice)
{
  const sc_acceptance a = {.rule = SC_RULE_LEAK, .where = (char *)where};
  return sc_acceptance_means(&a, notice);
}

TEST(where_is_a_name_a_file_or_a_fingerprint)
{
  sc_notice notice = {.rule = SC_RULE_LEAK,
                      .subject = "a::f",
                      .file = "/home/x/src/a.c",
                      .fingerprint = "0123456789abcdef0123456789abcdef"};
  assert_true(means("a::f", &notice));
  assert_true(means("a::f@a.c", &notice));
  assert_true(means("a::f@src/a.c", &notice));
  assert_true(means("01234567", &notice));
  assert_false(means("0123456", &notice));
  assert_false(means("01234568", &notice));
  assert_false(means("f", &notice));
  assert_false(means("a::f@rc/a.c", &notice));
  assert_false(means("a::f@", &notice));
  assert_false(means("a::", &notice));
  notice.rule = SC_RULE_CONTENTION;
  assert_false(means("a::f", &notice));
}

static char directory[] = "/tmp/scale-accept-XXXXXX";

/* What accepting says on standard error. */
static char *accept(review_scene *scene, const char *path, bool named, int wanted)
{
  static char said[4096];
  fflush(stderr);
  int kept = dup(2);
  FILE *file = freopen("stderr.txt", "w+", stderr);
  assert_non_null(file);
  int err = sc_notices_accept(&scene->notices, path, named);
  fflush(stderr);
  rewind(stderr);
  said[fread(said, 1, sizeof said - 1, stderr)] = '\0';
  dup2(kept, 2);
  close(kept);
  assert_int_equal(err, wanted);
  return said;
}

TEST(accepted_ones_stand_behind_and_open_no_gate)
{
  review_scene *scene = review_open("scan", "src/scan.c", true);
  unit_write_file("accept", "# known\n\nworse-order scan until 2999-12-31: being rewritten\n"
                            "new-cost scan@scan.c until 2999-12-31: wanted\n");
  assert_string_equal(accept(scene, "accept", true, 0), "");
  assert_int_equal(scene->notices.accepted, 2);
  assert_int_equal(scene->notices.list[0].rule, SC_RULE_WORSE_COST);
  assert_int_equal(scene->notices.list[4].rule, SC_RULE_WORSE_ORDER);
  assert_string_equal(scene->notices.list[4].accepted, "being rewritten");
  assert_string_equal(scene->notices.list[4].accepted_until, "2999-12-31");
  assert_false(scene->notices.list[4].accepted_inline);
  assert_int_equal(sc_notices_status(&scene->notices, "order"), 0);
  assert_int_equal(sc_notices_status(&scene->notices, "any"), 1);
  assert_string_equal(scene->notices.verdict, "1 thing costs more than before: scan (2 accepted). In total at n = "
                                              "1,000,000: 5.8 days of processor time, before 2.0 s.");
  review_close(scene);
}

static char *report(const review_scene *scene, bool json)
{
  const sc_text_options options = {.notices = &scene->notices, .width = 100, .style = {"", "", "", "", ""}};
  char *text;
  FILE *out = unit_stream(&text);
  assert_int_equal(json ? sc_report_json_print(out, &scene->head, &scene->notices, false)
                        : sc_report_text_print(out, &scene->head, &options),
                   0);
  fclose(out);
  return text;
}

/* The report is not a list of notices, and marks its findings all the same. */
TEST(reports_mark_what_is_accepted)
{
  review_scene *scene = review_open("scan", "src/scan.c", false);
  unit_write_file("accept", "superlinear-loop scan until 2999-12-31: small inputs\n");
  char *text = report(scene, false);
  assert_null(strstr(text, "ccepted"));
  assert_non_null(strstr(text, "1. scan"));
  free(text);
  assert_string_equal(accept(scene, "accept", true, 0), "");
  text = report(scene, false);
  const char *accepted = strstr(text, "\n1. scan"), *other = strstr(text, "\n2. ");
  assert_non_null(accepted);
  assert_true(!other || other < accepted);
  assert_non_null(strstr(accepted, "iterations\n   Accepted    until 2999-12-31: small inputs\n"));
  assert_non_null(strstr(text, "(1 accepted)"));
  free(text);
  text = report(scene, true);
  cJSON *document = cJSON_Parse(text);
  const cJSON *found = cJSON_GetArrayItem(cJSON_GetObjectItem(document, "findings"), 0);
  const cJSON *mark = cJSON_GetObjectItem(found, "accepted");
  assert_int_equal(cJSON_GetObjectItem(found, "rank")->valueint, 1);
  assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(mark, "reason")), "small inputs");
  assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(mark, "until")), "2999-12-31");
  cJSON_Delete(document);
  free(text);
  review_close(scene);
}

TEST(expired_and_unused_lines_are_told)
{
  review_scene *scene = review_open("scan", "src/scan.c", true);
  unit_write_file("accept", "worse-order scan until 2020-01-01: soon\nworse-cost gone until 2999-01-01: x\n");
  const char *said = accept(scene, "accept", true, 0);
  assert_non_null(strstr(said, "accept:1: accepted until 2020-01-01 only, so it counts again: scan\n"));
  assert_non_null(strstr(said, "accept:2: nothing such is found any more, the line can go: gone\n"));
  assert_int_equal(scene->notices.accepted, 0);
  assert_int_equal(sc_notices_status(&scene->notices, "order"), 1);
  review_close(scene);
}

TEST(lines_of_the_other_verb_are_not_out_of_date)
{
  for (int change = 0; change < 2; change++) {
    review_scene *scene = review_open("scan", "src/scan.c", change);
    unit_write_file("accept", change ? "leak gone until 2999-01-01: x\nleak pool until 2020-01-01: x\n"
                                     : "worse-order gone until 2999-01-01: x\ngone scan until 2020-01-01: x\n");
    assert_string_equal(accept(scene, "accept", true, 0), "");
    unit_write_file("accept", "budget scan until 2999-01-01: x\n");
    assert_non_null(strstr(accept(scene, "accept", true, 0), "accept:1: nothing such is found any more"));
    review_close(scene);
  }
}

TEST(a_wrong_file_is_an_error_with_its_line)
{
  review_scene *scene = review_open("scan", "src/scan.c", true);
  unit_write_file("accept", "# fine\nworse-order scan: no day\n");
  accept(scene, "accept", true, SC_E_USAGE);
  assert_non_null(strstr(sc_err_message(), "accept:2: "));
  accept(scene, "none", true, SC_E_USAGE);
  assert_string_equal(accept(scene, "none", false, 0), "");
  review_close(scene);
}

TEST(a_comment_accepts_what_is_found_at_its_line)
{
  review_scene *scene = review_open("scan", "scan.c", false);
  const char *const comments[] = {"/* scale: accept superlinear-loop until 2999-01-01: small inputs */\n for(;;)",
                                  "\n  for (;;) // scale: accept superlinear-loop until 2999-01-01: small inputs"};
  sc_notices_free(&scene->notices);
  for (size_t i = 0; i < 2; i++) {
    char text[400];
    snprintf(text, sizeof text, "\n\n%s\n", comments[i]);
    unit_write_file("scan.c", text);
    assert_int_equal(sc_notices_of_study(&scene->head, &scene->notices), 0);
    assert_string_equal(accept(scene, "none", false, 0), "");
    assert_int_equal(scene->notices.accepted, 1);
    const sc_notice *last = &scene->notices.list[scene->notices.count - 1];
    assert_string_equal(last->accepted, "small inputs");
    assert_true(last->accepted_inline);
    sc_notices_free(&scene->notices);
  }
  unit_write_file("scan.c", "\n\n/* scale: accept superlinear-loop until 2001-01-01: x */\n for (;;)\n");
  assert_int_equal(sc_notices_of_study(&scene->head, &scene->notices), 0);
  assert_non_null(strstr(accept(scene, "none", false, 0), "scan.c:3: accepted only until 2001-01-01"));
  assert_int_equal(scene->notices.accepted, 0);
  unit_write_file("scan.c", "\n\n/* scale: accept supralinear-loop until 2999-01-01: x */\n for (;;)\n");
  assert_non_null(strstr(accept(scene, "none", false, 0), "scan.c:3: this comment accepts nothing: "));
  assert_int_equal(scene->notices.accepted, 0);
  review_close(scene);
}

int main(void)
{
  if (!mkdtemp(directory) || chdir(directory) != 0)
    return 1;
  int failed = unit_run(NULL, NULL);
  unlink("accept");
  unlink("scan.c");
  unlink("stderr.txt");
  rmdir(directory);
  return failed;
}
