/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions' names, and whether a file has them. */
#include "unit.h"

#include "runner/process/function_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void check_word(const char *name, const char *wanted)
{
  sc_buf word = {0};
  assert_int_equal(sc_function_names_word(name, &word), wanted != NULL);
  if (wanted)
    assert_string_equal(word.text, wanted);
  sc_buf_free(&word);
}

TEST(functions_have_a_word)
{
  check_word("parse", "parse");
  check_word("parse (blocks.c:12)", "parse");
  check_word("main > load > parse ", "parse");
  check_word("app::Ring<std::vector<int> >::pop(int) const", "pop");
  check_word("std::sort<std::vector<int>::iterator>", "sort");
  check_word("(anonymous namespace)::find", "find");
  check_word("Ring::~Ring()", "Ring");
  check_word("to_string[abi:cxx11]", "to_string");
  check_word("operator new", NULL);
  check_word("Ring::operator[](int)", NULL);
  check_word("blocks.c:12", NULL);
  check_word("loop blocks.c:12:3", NULL);
  check_word("", NULL);
  check_word("<unnamed>", NULL);
}

static void check_has(const char *content, size_t length, const char *word, bool wanted)
{
  char path[] = "/tmp/names-XXXXXX";
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, content, length), (ssize_t)length);
  close(fd);
  assert_int_equal(sc_function_names_has(path, word), wanted);
  unlink(path);
}

TEST(files_have_whole_names)
{
  static const char text[] = "\0parse\0reparsed\0_ZN3app4loadEv\0_ZN3app14loadXEv\0keep.part.0\0last";
  const size_t length = sizeof text - 1;
  check_has(text, length, "parse", true);
  check_has(text, length, "pars", false);
  check_has(text, length, "parsed", false);
  check_has(text, length, "load", true);
  check_has(text, length, "loadX", false); /* 14 is no length of it */
  check_has(text, length, "app", true);
  check_has(text, length, "keep", true);
  check_has(text, length, "last", true); /* up to the file's end */
  check_has(text, length, "las", false);
  check_has("4load", 5, "load", false); /* the length would be all there is in front of it */
  check_has("x4load", 6, "load", true);
  assert_true(sc_function_names_has("/nonexistent/file", "parse"));
}

TEST(near_names_are_suggested)
{
  char best[100] = "";
  unsigned distance = 100;
  assert_int_equal(
      sc_function_names_suggest("/proc/self/exe", "sc_function_names_sugest", best, sizeof best, &distance), 0);
  assert_string_equal(best, "sc_function_names_suggest");
  assert_int_equal(distance, 1);
  assert_int_equal(sc_function_names_suggest("/nonexistent/file", "parse", best, sizeof best, &distance), 0);
}
