/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "runner/workload/generate.h"

#include <stdlib.h>

#include "scratch_directory.h"

static void expect_generated(const sc_generator *generator, const char *expected)
{
  char text[256], real[4096];
  assert_int_equal(sc_generate_file(generator, &vars, NULL, 0), 0);
  snprintf(real, sizeof real, "%s/file", directory);
  FILE *file = fopen(real, "r");
  assert_non_null(file);
  size_t got = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[got] = '\0';
  assert_string_equal(text, expected);
}

static void expect_file(sc_generator_part *parts, size_t count, const char *expected)
{
  char path[] = "{dir}/file";
  const sc_generator generator = {path, parts, count};
  expect_generated(&generator, expected);
}

TEST(test_family)
{
  char path[] = "{dir}/file", family[] = "\"{\" * n . \"}\" * n";
  sc_generator generator = {path, NULL, 0, family};
  expect_generated(&generator, "{{{}}}"); /* without placeholders */
  char bad[] = "\"{\" * m";
  generator.family = bad;
  assert_int_equal(sc_generate_file(&generator, &vars, NULL, 0), SC_E_INPUT);
  volatile int interrupted = 1;
  generator.family = family;
  assert_int_equal(sc_generate_file(&generator, &vars, &interrupted, 0), SC_E_INTERRUPTED);
}

TEST(test_parts)
{
  sc_generator_part parts[] = {
      {"# {n}\n", "1"}, {"{i}. item {n}\n", "{n}"}, {"- ", "{n}-1"}, {"x", "0"}, {"end {{\n", "1"}};
  expect_file(parts, 5, "# 3\n1. item 3\n2. item 3\n3. item 3\n- - end {\n");
  expect_file(parts, 1, "# 3\n"); /* replaced, not appended */
  expect_file(parts + 3, 1, "");
}

TEST(test_errors)
{
  sc_generator_part part = {"x\n", "1000000"}, unknown = {"{j}", "1"};
  sc_generator bad = {"{dir}/none/file", &part, 1}, text = {"{dir}/file", &unknown, 1}, full = {"/dev/full", &part, 1};
  assert_int_equal(sc_generate_file(&bad, &vars, NULL, 0), SC_E_WORKLOAD);
  assert_non_null(strstr(sc_err_message(), "none/file"));
  assert_int_equal(sc_generate_file(&text, &vars, NULL, 0), SC_E_INPUT);
  assert_int_equal(sc_generate_file(&full, &vars, NULL, 0), SC_E_NOSPACE);
  assert_non_null(strstr(sc_err_hint_text(), "TMPDIR"));
}

TEST(test_interrupted)
{
  volatile int interrupted = 1;
  sc_generator_part part = {"x\n", "1000000000000"};
  const sc_generator generator = {"{dir}/file", &part, 1};
  assert_int_equal(sc_generate_file(&generator, &vars, &interrupted, 0), SC_E_INTERRUPTED);
}

int main(void) { return unit_run(set_up, tear_down); }
