/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_TESTS = 100 };

static struct CMUnitTest tests[MOST_TESTS];
static int lines[MOST_TESTS];
static size_t count;

/* By lines: the order of constructors is the compiler's. */
void unit_add(const struct CMUnitTest *test, int line)
{
  size_t at = count++;
  if (at == MOST_TESTS)
    abort();
  for (; at && lines[at - 1] > line; at--) {
    tests[at] = tests[at - 1];
    lines[at] = lines[at - 1];
  }
  tests[at] = *test;
  lines[at] = line;
}

int unit_run(CMFixtureFunction set_up, CMFixtureFunction tear_down)
{
  return _cmocka_run_group_tests("tests", tests, count, set_up, tear_down);
}

FILE *unit_stream(char **text)
{
  static size_t length; /* written by every stream, read by none */
  *text = NULL;
  FILE *stream = open_memstream(text, &length);
  assert_non_null(stream);
  return stream;
}

void unit_write_file(const char *path, const char *text)
{
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

void unit_near_at(double value, double expected, double relative, const char *file, int line)
{
  if (fabs(value - expected) <= relative * fabs(expected))
    return;
  print_error("%.15g is not %.15g\n", value, expected);
  _fail(file, line);
}

__attribute__((weak)) int main(void) { return unit_run(NULL, NULL); }
