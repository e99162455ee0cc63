/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Notices on changed lines: the diff, the extent of loops and functions, the choice of a line. */
#include "unit.h"

#include "review_scene.h"

#include <unistd.h>

#include "runner/loaded/source.h"
#include "runner/review/diff.h"
#include "runner/review/review.h"

TEST(changed_lines_are_those_of_the_new_file)
{
  static const char text[] =
      "diff --git a/src/x.c b/src/x.c\nindex 1..2 100644\n--- a/src/x.c\n+++ b/src/x.c\n"
      "@@ -1,4 +1,5 @@ int main(void)\n a\n-b\n+B\n+++ c is no head\n d\n e\n"
      "@@ -20 +21,0 @@\n-gone\n"
      "diff --git a/old.c b/old.c\ndeleted file mode 100644\n--- a/old.c\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-x\n-y\n"
      "diff --git \"a/\\303\\244 \\\"q\\\".c\" \"b/\\303\\244 \\\"q\\\".c\"\n--- /dev/null\n"
      "+++ \"b/\\303\\244 \\\"q\\\".c\"\n@@ -0,0 +1,2 @@\n+one\n+two\n\\ No newline at end of file\n"
      "diff -u p/z.c z.c\n--- p/z.c\t2026-01-01 00:00:00\n+++ z.c\t2026-01-02 00:00:00\n@@ -7 +7 @@\n-u\n+v\n";
  sc_diff diff;
  assert_int_equal(sc_diff_parse(text, strlen(text), &diff), 0);
  assert_int_equal(diff.count, 3);
  assert_string_equal(diff.files[0].path, "src/x.c");
  assert_int_equal(sc_diff_find(&diff, "src/x.c", 1, 1), 0);
  assert_int_equal(sc_diff_find(&diff, "src/x.c", 1, 100), 2);
  assert_int_equal(sc_diff_find(&diff, "src/x.c", 3, 100), 3);
  assert_int_equal(sc_diff_find(&diff, "src/x.c", 4, 100), 0);
  assert_int_equal(sc_diff_find(&diff, "/home/me/src/x.c", 2, 2), 2);
  assert_int_equal(sc_diff_find(&diff, "x.c", 2, 2), 2);
  assert_int_equal(sc_diff_find(&diff, "rc/x.c", 2, 2), 0);
  assert_int_equal(sc_diff_find(&diff, "\xc3\xa4 \"q\".c", 1, 9), 1);
  assert_int_equal(sc_diff_find(&diff, "z.c", 1, 9), 7);
  assert_int_equal(sc_diff_find(&diff, "old.c", 1, 9), 0);
  sc_diff_free(&diff);
  assert_int_equal(sc_diff_parse("", 0, &diff), 0);
  sc_diff_free(&diff);
}

TEST(what_is_no_diff_is_refused)
{
  static const char *const texts[] = {"hello\n",
                                      "--- a\n+++ b\n@@ -1,2 +1,2 @@\n x\n",
                                      "--- a\n+++ b\n@@ -1,1 +1,1 @@\n-x\n-y\n",
                                      "--- a\n+++ b\n@@ -1,99999999999999999999 +1 @@\n x\n",
                                      "--- a\n+++ b\n@@ nonsense @@\n",
                                      "diff --cc a\n@@@ -1,2 -1,2 +1,3 @@@\n"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    sc_diff diff;
    assert_int_equal(sc_diff_parse(texts[i], strlen(texts[i]), &diff), SC_E_USAGE);
    assert_non_null(strstr(sc_err_hint_text(), "git diff"));
    sc_diff_free(&diff);
  }
}

TEST(extents_end_with_the_brace)
{
  sc_sources sources = {0};
  unit_write_file("scan.c", "int a;\n"
                            "int\n"
                            "scan(const char *s) /* { */\n"     /* 3 */
                            "{ char c = '{'; // {\n"            /* 4 */
                            "  for (int i = 0; i < 9; i++) {\n" /* 5 */
                            "    puts(\"}\");\n"                /* 6 */
                            "  }\n"                             /* 7 */
                            "  while (s) s = next(s, ';'),\n"   /* 8 */
                            "    work();\n"                     /* 9 */
                            "}\n"                               /* 10 */
                            "int last(void) { return 1;\n");    /* 11 */
  assert_int_equal(sc_source_extent(&sources, "scan.c", 3, 1), 10);
  assert_int_equal(sc_source_extent(&sources, "scan.c", 5, 3), 7);
  assert_int_equal(sc_source_extent(&sources, "scan.c", 8, 3), 9);
  assert_int_equal(sc_source_extent(&sources, "scan.c", 11, 1), 0);
  assert_int_equal(sc_source_extent(&sources, "scan.c", 99, 1), 0);
  assert_int_equal(sc_source_extent(&sources, "none.c", 1, 1), 0);
  assert_int_equal(sc_source_extent(&sources, "/dev/zero", 1, 1), 0);
  assert_int_equal(sc_source_word_end(&sources, "scan.c", 5, 3), 6);
  assert_int_equal(sc_source_word_end(&sources, "scan.c", 5, 6), 7);
  assert_int_equal(sc_source_word_end(&sources, "none.c", 5, 6), 7);
  sc_sources_free(&sources);
}

TEST(paths_are_made_relative)
{
  static const char *const paths[][2] = {{"a/./b/../c.c", "a/c.c"},
                                         {"./x.c", "x.c"},
                                         {"../x.c", "../x.c"},
                                         {"/../x.c", "/x.c"},
                                         {"a/../../x", "../x"},
                                         {"/", "/"},
                                         {"", ""},
                                         {"/usr//include/a.h", "/usr/include/a.h"}};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
    char *relative = sc_source_relative(paths[i][0]);
    assert_string_equal(relative, paths[i][1]);
    free(relative);
  }
  char here[4096], below[4200];
  assert_non_null(getcwd(here, sizeof here));
  snprintf(below, sizeof below, "%s/build/../src/x.c", here);
  char *relative = sc_source_relative(below);
  assert_string_equal(relative, "src/x.c");
  free(relative);
}

/* The scene's steps: main.. scene.c:10, scan scan.c:3, loop scan.c:4. */
static void place(const char *diff, const char *file, uint32_t line, uint32_t column, bool changed)
{
  review_scene *scene = review_open("scan", "scan.c", false);
  unit_write_file("c.diff", diff);
  assert_int_equal(sc_notices_place(&scene->notices, "c.diff"), 0);
  const sc_notice *notice = &scene->notices.list[0];
  assert_string_equal(notice->file, file);
  assert_int_equal(notice->line, line);
  assert_int_equal(notice->column, column);
  assert_true(notice->end_line == line && notice->end_column > column);
  assert_true(notice->changed == changed);
  review_close(scene);
}

TEST(notices_go_to_changed_lines_of_their_context)
{
  unit_write_file("scan.c", "\n\nvoid scan(void) {\n  for (;;) {\n    here();\n  }\n  after();\n}\n");
  place("", "scan.c", 4, 3, false);
  place("--- a/other.c\n+++ b/other.c\n@@ -4 +4 @@\n-x\n+y\n", "scan.c", 4, 3, false);
  place("--- a/scan.c\n+++ b/scan.c\n@@ -4 +4 @@\n-x\n+y\n", "scan.c", 4, 3, true);       /* its own line */
  place("--- a/scan.c\n+++ b/scan.c\n@@ -5 +5 @@\n-x\n+y\n", "scan.c", 5, 5, true);       /* in the loop */
  place("--- a/scan.c\n+++ b/scan.c\n@@ -7 +7 @@\n-x\n+y\n", "scan.c", 7, 3, true);       /* in the function */
  place("--- a/scan.c\n+++ b/scan.c\n@@ -1 +1 @@\n-x\n+y\n", "scan.c", 4, 3, false);      /* elsewhere */
  place("--- a/scene.c\n+++ b/scene.c\n@@ -10 +10 @@\n-x\n+y\n", "scene.c", 10, 1, true); /* a step's line */
}

TEST(a_missing_diff_is_told)
{
  review_scene *scene = review_open("scan", "scan.c", false);
  assert_int_equal(sc_notices_place(&scene->notices, "none.diff"), SC_E_USAGE);
  assert_non_null(strstr(sc_err_hint_text(), "git diff"));
  review_close(scene);
}

int main(void)
{
  static char directory[] = "/tmp/scale-place-XXXXXX";
  if (!mkdtemp(directory) || chdir(directory) != 0)
    return 1;
  int failed = unit_run(NULL, NULL);
  unlink("scan.c");
  unlink("c.diff");
  rmdir(directory);
  return failed;
}
