/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
/* cmocka, what has to be included before it, and tests that are named once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* TEST(adds_up) { ... } is a test; `state` is cmocka's. All tests of a file run, in its order. */
#define TEST(name) TEST_WITH(name, NULL, NULL)
/* The same between the functions set_up and tear_down. */
#define TEST_WITH(name, set_up, tear_down)                                    \
  static void name(void **state);                                             \
  __attribute__((constructor)) static void add_test_##name(void)              \
  {                                                                           \
    unit_add(&(struct CMUnitTest){#name, name, set_up, tear_down}, __LINE__); \
  }                                                                           \
  static void name(void **state)
/* The same between the file's set_up and tear_down, as a function of what the one left for the other in *state. */
#define TEST_OF(what, name)                                 \
  static void in_##name(what);                              \
  TEST_WITH(name, set_up, tear_down) { in_##name(*state); } \
  static void in_##name(what)
#define FIXTURE_TEST(name) TEST_OF(struct fixture *f, name)

void unit_add(const struct CMUnitTest *test, int line); /* copied */
/* What `main` returns: runs the tests between two functions, or NULL. A file whose tests need neither has no main. */
int unit_run(CMFixtureFunction set_up, CMFixtureFunction tear_down);

/* A function of ours that can fail does not. Needs base/err.h. */
#define unit_ok(call)                   \
  do {                                  \
    if (call)                           \
      fail_msg("%s", sc_err_message()); \
  } while (0)
#define COUNT(array) (sizeof(array) / sizeof *(array))
/* A stream whose text is *text, terminated, once it is closed; to be freed. */
FILE *unit_stream(char **text);
void unit_write_file(const char *path, const char *text);
#define unit_has(text, part)                         \
  do {                                               \
    if (!strstr(text, part))                         \
      fail_msg("\"%s\" is not in:\n%s", part, text); \
  } while (0)
/* To a billionth of what is expected, or to another part of it. */
#define unit_near(value, expected)              unit_near_by(value, expected, 1e-9)
#define unit_near_by(value, expected, relative) unit_near_at(value, expected, relative, __FILE__, __LINE__)
void unit_near_at(double value, double expected, double relative, const char *file, int line);
