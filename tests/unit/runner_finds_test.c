/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a search found, in every form that reviews have, and kept in a folder. With `--write DIR` all formats are
 * written, for the validators that tests/cli/review/formats_test.sh runs. */
#include "unit.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz_scene.h"
#include "runner/finds/finds.h"
#include "runner/process/scratch.h"
#include "runner/review/review.h"
#include "runner/review/words.h"

#define EVIL      "a\"b'|`c`&]]>\n::error file=x,line=1::%0A##[error]\xff\xe2\x80\xae@all\\|<img"
#define EVIL_FILE "src/e\"vi%l,a:b c<d>\xff.c"

static const char *const formats[] = {"text",  "lines",  "json",   "markdown",   "sarif",
                                      "junit", "github", "gitlab", "openmetrics"};

typedef struct scene {
  sc_fuzz_finds finds;
  sc_finds_judge judge;
  sc_notices notices;
} scene;

static void add_step(sc_fuzz_find *find, const char *function, const char *file, unsigned line, int kind)
{
  find->steps[find->step_count++] =
      (sc_fuzz_step){.function = strdup(function), .file = strdup(file), .line = line, .kind = kind};
}

/* "[" * n in a loop, exactly, a crash of a NUL, and a time-out. */
static void open_finds(const char *name, const char *file, scene *s)
{
  made_target target = made(cost_open_brackets);
  *s = (scene){.finds = confirm_brackets(&target)};
  assert_int_equal(s->finds.count, 1);
  sc_fuzz_find *find = &s->finds.list[0];
  for (size_t i = 0; i < find->step_count; i++) {
    free(find->steps[i].function);
    free(find->steps[i].file);
  }
  find->step_count = 0;
  add_step(find, name, file, 3, SC_FUZZ_PLACE_CALL);
  add_step(find, name, file, 4, SC_FUZZ_PLACE_LOOP);
  assert_int_equal(sc_mem_grow_zeroed(&s->finds.list, &s->finds.capacity, 3, sizeof *s->finds.list), 0);
  s->finds.list[1] = (sc_fuzz_find){.outcome = SC_FUZZ_CRASHED, .signal = 11, .failed_at = 3};
  s->finds.list[2] = (sc_fuzz_find){.outcome = SC_FUZZ_TIMED_OUT, .failed_at = 5};
  assert_int_equal(sc_family_parse("\"\\x00\" * n", &s->finds.list[1].family), 0);
  assert_int_equal(sc_family_parse("(\"a\" . i) * n", &s->finds.list[2].family), 0);
  assert_int_equal(SC_NEW(s->finds.list[2].steps, 1), 0);
  add_step(&s->finds.list[2], name, file, 9, SC_FUZZ_PLACE_CALL);
  s->finds.count = 3;
}

static void notice_all(scene *s)
{
  sc_finds_judge_of("./prog", &s->judge);
  assert_int_equal(sc_finds_notices(&s->judge.judge, &s->finds, NULL, &s->notices), 0);
}

static void open_scene(const char *name, const char *file, scene *s)
{
  open_finds(name, file, s);
  notice_all(s);
}

static void close_scene(scene *s)
{
  sc_notices_free(&s->notices);
  sc_fuzz_finds_free(&s->finds);
}

static char *print(const scene *s, const char *format)
{
  char *text;
  FILE *out = unit_stream(&text);
  int err = sc_notices_printer(format)(out, &s->notices);
  fclose(out);
  if (err < 0)
    fail_msg("%s: %s", format, sc_err_message());
  return text;
}

TEST(notices_tell_what_was_found)
{
  scene s;
  open_scene("scan", "src/scan.c", &s);
  const sc_notice *slow = &s.notices.list[0], *crash = &s.notices.list[1], *lasting = &s.notices.list[2];
  assert_int_equal(s.notices.count, 3);
  assert_int_equal(slow->rule, SC_RULE_SLOW_INPUT);
  assert_int_equal(crash->rule, SC_RULE_CRASHING_INPUT);
  assert_int_equal(lasting->rule, SC_RULE_LASTING_INPUT);
  assert_string_equal(slow->subject, "scan");
  assert_string_equal(crash->subject, "prog");
  assert_string_equal(slow->file, "src/scan.c");
  assert_int_equal(slow->line, 4);
  assert_true(slow->superlinear && !crash->superlinear);
  assert_string_equal(slow->inputs->family, "\"[\" * n");
  assert_string_equal(slow->inputs->example, "\"[[[[[[[[[[[[[[[[\"");
  assert_string_equal(crash->inputs->example, "00 00 00");
  assert_string_equal(lasting->inputs->example, "\"a1a2a3a4a5\"");
  unit_has(slow->message, "scan: iterations grow as n^2 with \"[\" * n: 0.5 n^2 - 0.5 n; takes 1 s at ");
  unit_has(crash->message, "crashes with signal 11");
  assert_string_equal(s.notices.verdict, "1 thing grows faster than the bytes of its input: scan; 1 input crashes the "
                                         "program: prog; 1 input takes too long: scan.");
  unit_has(s.notices.coverage, " runs, 0 s.");
  close_scene(&s);
}

TEST(gates_are_of_growth_or_of_anything)
{
  scene s;
  open_scene("scan", "src/scan.c", &s);
  assert_int_equal(sc_notices_status(&s.notices, "order"), 1);
  assert_int_equal(sc_notices_status(&s.notices, "any"), 1);
  assert_int_equal(sc_notices_status(&s.notices, "none"), 0);
  assert_int_equal(sc_notices_status(&s.notices, NULL), 0);
  s.notices.list[0].accepted = strdup("short lists");
  assert_int_equal(sc_notices_status(&s.notices, "order"), 0);
  assert_int_equal(sc_notices_status(&s.notices, "any"), 1);
  close_scene(&s);
}

TEST(what_is_gone_closes_no_gate_and_what_is_worse_does)
{
  static const struct {
    enum sc_fuzz_change change;
    enum sc_rule rule;
    int status;
  } cases[] = {{SC_FUZZ_GONE, SC_RULE_GONE, 0},
               {SC_FUZZ_STILL, SC_RULE_SLOW_INPUT, 1},
               {SC_FUZZ_LESS, SC_RULE_SLOW_INPUT, 1},
               {SC_FUZZ_MOVED, SC_RULE_SLOW_INPUT, 1},
               {SC_FUZZ_WORSE, SC_RULE_WORSE_ORDER, 1}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    scene s;
    open_finds("scan", "src/scan.c", &s);
    s.finds.list[0].change = cases[i].change;
    sc_fuzz_find_free(&s.finds.list[1]);
    sc_fuzz_find_free(&s.finds.list[2]);
    s.finds.count = 1;
    notice_all(&s);
    assert_int_equal(s.notices.list[0].rule, cases[i].rule);
    assert_int_equal(sc_notices_status(&s.notices, "any"), cases[i].status);
    assert_int_equal(sc_notices_status(&s.notices, "order"), cases[i].status);
    close_scene(&s);
  }
}

TEST(a_family_is_an_error_from_a_time_of_a_megabyte_on)
{
  for (int more = -1; more <= 1; more++) {
    scene s;
    open_finds("scan", "src/scan.c", &s);
    s.finds.list[0].per_megabyte = SC_FUZZ_SEVERE * (1 + more * 1e-6);
    notice_all(&s);
    assert_int_equal(s.notices.list[0].severity, more >= 0 ? SC_SEVERITY_ERROR : SC_SEVERITY_WARNING);
    close_scene(&s);
  }
}

TEST(an_example_is_cut_where_it_is_long)
{
  for (int more = 0; more < 2; more++) {
    sc_fuzz_find find = {.outcome = SC_FUZZ_CRASHED, .failed_at = SC_FUZZ_SHOWN + (uint64_t)more};
    sc_buf out = {0};
    double n, bytes;
    assert_int_equal(sc_family_parse("\"a\" * n", &find.family), 0);
    assert_int_equal(sc_finds_example(&find, &out, &n, &bytes), 0);
    assert_int_equal(sc_buf_finish(&out), 0);
    assert_int_equal(strstr(out.text, " ...") != NULL, more);
    unit_near(bytes, SC_FUZZ_SHOWN + more);
    sc_buf_free(&out);
    find = (sc_fuzz_find){.family = find.family}; /* one that grows */
    assert_int_equal(sc_finds_example(&find, &out, &n, &bytes), 0);
    unit_near(n, SC_FUZZ_EXAMPLE);
    sc_buf_free(&out);
  }
}

TEST(all_formats_say_the_same)
{
  scene s;
  open_scene("scan", "src/scan.c", &s);
  for (size_t i = 0; i < COUNT(formats); i++) {
    char *text = print(&s, formats[i]);
    unit_has(text, strcmp(formats[i], "openmetrics") == 0 ? "scale_input_bytes{workload=\"prog\",rule=\"slow-input\""
                                                          : "n^2");
    free(text);
  }
  char *text = print(&s, "json");
  cJSON *document = cJSON_Parse(text);
  const cJSON *notice = cJSON_GetArrayItem(cJSON_GetObjectItem(document, "notices"), 0),
              *inputs = cJSON_GetObjectItem(notice, "inputs");
  assert_string_equal(cJSON_GetObjectItem(inputs, "family")->valuestring, "\"[\" * n");
  unit_near_by(cJSON_GetObjectItem(cJSON_GetObjectItem(inputs, "bytes_1s"), "value")->valuedouble, 14142, 0.05);
  unit_near_by(cJSON_GetObjectItem(inputs, "order")->valuedouble, 2, 0.01);
  assert_true(cJSON_IsNull(cJSON_GetObjectItem(inputs, "ends")));
  cJSON_Delete(document);
  free(text);
  close_scene(&s);
}

static int keep(const char *folder, const scene *s, char ***files)
{
  char *command[] = {"./prog", "-x{y}&", "in={file}", NULL};
  return sc_finds_keep(folder, command, &s->finds, files);
}

static char *read_text(const char *path)
{
  static char text[8192];
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  assert_int_equal(fclose(file), 0);
  return text;
}

static char *new_directory(void)
{
  char *directory;
  assert_int_equal(sc_scratch_make(NULL, &directory, NULL), 0);
  return directory;
}

TEST(what_is_kept_is_read_again)
{
  scene s;
  sc_finds_kept kept;
  char **files, folder[200];
  char *directory = new_directory();
  snprintf(folder, sizeof folder, "%s/families", directory);
  open_finds("scan", "src/scan.c", &s);
  for (int again = 0; again < 2; again++) { /* the second time they are replaced */
    assert_int_equal(keep(folder, &s, &files), 0);
    unit_has(files[0], "families/slow-scan.xml");
    sc_mem_free_list(files);
    assert_int_equal(sc_finds_load(folder, &kept), 0);
    assert_int_equal(kept.count, 3);
    unit_has(kept.files[0], "crash-signal11.xml");
    assert_int_equal(kept.list[0].signal, 11);
    assert_int_equal(kept.list[0].failed_at, 3);
    assert_int_equal(kept.list[1].outcome, SC_FUZZ_TIMED_OUT);
    assert_string_equal(kept.list[2].function, "scan");
    assert_string_equal(kept.list[2].file, "scan.c");
    assert_int_equal(kept.list[2].kind, SC_FUZZ_PLACE_LOOP);
    unit_near_by(kept.list[2].order, 2, 0.01);
    sc_finds_kept_free(&kept);
  }
  s.finds.list[0].steps[1].kind = SC_FUZZ_PLACE_CALL; /* another place of the same function */
  assert_int_equal(keep(folder, &s, &files), 0);
  unit_has(files[0], "families/slow-scan-2.xml");
  sc_mem_free_list(files);
  close_scene(&s);
  sc_scratch_remove(directory);
  free(directory);
}

TEST(kept_failures_are_no_larger_than_inputs)
{
  char *directory = new_directory(), path[300];
  snprintf(path, sizeof path, "%s/a.xml", directory);
  for (int more = 0; more < 2; more++) {
    sc_finds_kept kept;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file,
            "<workload name=\"a\"><parameter name=\"n\"><range low=\"1\" high=\"9\"/></parameter>"
            "<generate file=\"{dir}/input\" family=\"&quot;[&quot; * n\"/><command><arg>x</arg></command>"
            "<found what=\"crashes\" signal=\"6\" size=\"%d\"/></workload>",
            SC_FUZZ_INPUT + more);
    fclose(file);
    assert_int_equal(sc_finds_load(directory, &kept), more ? SC_E_INPUT : 0);
    if (more)
      unit_has(sc_err_message(), "a.xml: at the size of <found>");
    sc_finds_kept_free(&kept);
  }
  sc_scratch_remove(directory);
  free(directory);
}

/* A name longer than a workload may have, and bytes that no XML has. */
TEST(finds_of_any_name_are_kept)
{
  char *directory = new_directory(), longest[400];
  memset(longest, 'y', sizeof longest - 1);
  longest[sizeof longest - 1] = '\0';
  const char *const names[] = {EVIL, longest, "\x1b[31m\x01", "{{{"};
  for (size_t i = 0; i < COUNT(names); i++) {
    scene s;
    sc_finds_kept kept;
    char **files, folder[300];
    snprintf(folder, sizeof folder, "%s/%zu", directory, i);
    open_finds(names[i], EVIL_FILE, &s);
    if (keep(folder, &s, &files) < 0)
      fail_msg("%zu: %s", i, sc_err_message());
    sc_mem_free_list(files);
    assert_int_equal(sc_finds_load(folder, &kept), 0);
    assert_int_equal(kept.count, 3);
    sc_finds_kept_free(&kept);
    close_scene(&s);
  }
  sc_scratch_remove(directory);
  free(directory);
}

TEST(what_cannot_be_kept_keeps_no_other_away)
{
  scene s;
  char **files, *directory = new_directory(), path[300];
  open_finds("scan", "src/scan.c", &s);
  snprintf(path, sizeof path, "%s/slow-scan.input", directory); /* where the example of the first would be */
  assert_int_equal(mkdir(path, 0700), 0);
  assert_int_equal(keep(directory, &s, &files), SC_E_IO);
  unit_has(sc_err_message(), "slow-scan.input cannot be written");
  assert_string_equal(files[0], "");
  unit_has(files[1], "/crash-signal11.xml");
  unit_has(files[2], "/lasting-scan.xml");
  sc_mem_free_list(files);
  close_scene(&s);
  sc_scratch_remove(directory);
  free(directory);
}

/* A search gives it bytes in memory, a workload the path of a file. */
TEST(a_harness_that_is_kept_has_a_file_to_read)
{
  scene s;
  char **files, *directory = new_directory(), *command[] = {"./harness", "-x", NULL};
  open_finds("scan", "src/scan.c", &s);
  assert_int_equal(sc_finds_keep(directory, command, &s.finds, &files), 0);
  unit_has(read_text(files[0]), "    <arg>-x</arg>\n    <arg>{dir}/input</arg>\n  </command>");
  sc_mem_free_list(files);
  close_scene(&s);
  sc_scratch_remove(directory);
  free(directory);
}

TEST(folders_that_keep_nothing_are_refused)
{
  sc_finds_kept kept;
  char *directory = new_directory(), path[300];
  assert_int_equal(sc_finds_load("/nonexistent", &kept), SC_E_INPUT);
  sc_finds_kept_free(&kept);
  assert_int_equal(sc_finds_load(directory, &kept), SC_E_INPUT);
  unit_has(sc_err_message(), "keeps no families");
  sc_finds_kept_free(&kept);
  snprintf(path, sizeof path, "%s/a.xml", directory);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs("<workload name=\"a\"><parameter name=\"n\"><range low=\"1\" high=\"9\"/></parameter>"
        "<command><arg>x</arg></command></workload>",
        file);
  fclose(file);
  assert_int_equal(sc_finds_load(directory, &kept), SC_E_INPUT);
  unit_has(sc_err_message(), "<found> is missing");
  sc_finds_kept_free(&kept);
  sc_scratch_remove(directory);
  free(directory);
}

static int write_all(const char *directory)
{
  for (int evil = 0; evil < 2; evil++) {
    scene s;
    open_scene(evil ? EVIL : "scan", evil ? EVIL_FILE : "src/scan.c", &s);
    if (evil) {
      s.notices.list[2].accepted = strdup("known ]]> | \"'<");
      s.notices.list[2].accepted_until = strdup("2999-01-01");
      s.notices.accepted = 1;
    }
    for (size_t i = 1; i < COUNT(formats); i++) {
      char path[4096], *text = print(&s, formats[i]);
      snprintf(path, sizeof path, "%s/search-%s.%s", directory, evil ? "evil" : "plain", formats[i]);
      FILE *file = fopen(path, "w");
      assert_non_null(file);
      fputs(text, file);
      assert_int_equal(fclose(file), 0);
      free(text);
    }
    close_scene(&s);
  }
  return 0;
}

int main(int argc, char **argv)
{
  if (argc == 3 && strcmp(argv[1], "--write") == 0)
    return write_all(argv[2]);
  return unit_run(NULL, NULL);
}
