/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <stdlib.h>

#include "runner/text/table.h"

static char *print(sc_table *table, int indent)
{
  char *text;
  FILE *out = unit_stream(&text);
  assert_int_equal(sc_table_print(table, out, indent, "", ""), 0);
  fclose(out);
  sc_table_free(table);
  return text;
}

static void fill(sc_table *table, const char *const *cells, size_t count)
{
  for (size_t i = 0; i < count; i++)
    sc_table_cell(table, cells[i]);
}

TEST(columns_line_up)
{
  const char *const cells[] = {"name", "n", "x", "a", "1,000", "", "longer", "2", "y"};
  sc_table *table = sc_table_new("lrl");
  fill(table, cells, 9);
  char *text = print(table, 2);
  assert_string_equal(text, "  name        n  x\n  a       1,000\n  longer      2  y\n");
  free(text);
}

static char *print_within(int width)
{
  const char *const cells[] = {"n", "time", "95%",    "", "", "calls", "95%",      "sure",
                               "8", "1 s",  "1 to 2", "", "", "70",    "7 to 700", "low"};
  sc_table *table = sc_table_new("rrrrrrrl");
  char *text;
  FILE *out = unit_stream(&text);
  fill(table, cells, 16);
  assert_int_equal(sc_table_print_within(table, out, 1, 1, width, "", ""), 0);
  fclose(out);
  sc_table_free(table);
  return text;
}

TEST(a_table_that_is_too_wide_becomes_several)
{
  static const struct {
    int width;
    const char *expected;
  } cases[] = {
      {42, " n  time     95%  calls       95%  sure\n 8   1 s  1 to 2     70  7 to 700  low\n"},
      {39, " n  time     95%  calls       95%  sure\n 8   1 s  1 to 2     70  7 to 700  low\n"},
      {38, " n  time     95%  calls       95%\n 8   1 s  1 to 2     70  7 to 700\n\n n  sure\n 8  low\n"},
      {32, " n  time     95%\n 8   1 s  1 to 2\n\n n  calls       95%  sure\n 8     70  7 to 700  low\n"},
      {5, " n  time     95%\n 8   1 s  1 to 2\n\n n  calls       95%\n 8     70  7 to 700\n\n n  sure\n 8  low\n"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *text = print_within(cases[i].width);
    assert_string_equal(text, cases[i].expected);
    free(text);
  }
}

/* What a table with these cells looks like, with its first column fitted into a width. */
static void expect_fitted(const char *columns, const char *const *cells, size_t count,
                          void (*fit)(sc_table *table, size_t column, int width), int width, const char *expected)
{
  sc_table *table = sc_table_new(columns);
  fill(table, cells, count);
  if (fit)
    fit(table, 0, width);
  char *text = print(table, 0);
  assert_string_equal(text, expected);
  free(text);
}

TEST(empty_columns_are_left_out)
{
  static const char *const cells[] = {"name", "actual", "n", "a", "", "5", "b", "", "6"};
  expect_fitted("lrr", cells, 9, NULL, 0, "name  n\na     5\nb     6\n");
}

TEST(a_wide_column_is_cut_in_the_middle)
{
  static const char *const cells[] = {"h", "n", "0123456789abcdefghijklmnopqrstuvwxyz", "10,000", "short", "5"};
  expect_fitted("lr", cells, 6, sc_table_fit, 30,
                "h                            n\n"
                "012345678...qrstuvwxyz  10,000\n"
                "short                        5\n");
}

TEST(names_are_cut_but_never_their_place)
{
  static const char *const cells[] = {"h",
                                      "n",
                                      "1. __gnu_cxx::__ops::_Iter<...>::operator_next (bits_algo.h:1867:4)",
                                      "10,000",
                                      "2. a_rather_long_name_without_any_namespace (long_file_name.c:5)",
                                      "5",
                                      "3. std::__sort<...> (bits_algo.h:1:4)",
                                      "5"};
  expect_fitted("lr", cells, 8, sc_table_fit, 53,
                "h                                                   n\n"
                "1. operator_next (bits_algo.h:1867:4)          10,000\n"
                "2. a_rather_long_name... (long_file_name.c:5)       5\n"
                "3. std::__sort<...> (bits_algo.h:1:4)               5\n");
}

TEST(namespaces_are_kept_where_they_fit)
{
  static const char *const cells[] = {"h", "std::__detail::_Hashtable_alloc<...>::_M_deallocate_node (policy.h:2)",
                                      "std::_Rb_tree<...>::_M_get_insert_unique_pos<...> (tree.h:2)",
                                      "vector::erase from a_namespace::Queue::pop (app.cpp:29)"};
  expect_fitted("l", cells, 4, sc_table_fit, 43,
                "h\nstd::...::_M_deallocate_node (policy.h:2)\n_M_get_insert_unique_pos<...> (tree.h:2)\n"
                "vector::erase from pop (app.cpp:29)\n");
}

TEST(names_that_differ_stay_different)
{
  static const char *const cells[] = {"h",
                                      "1. vector::erase from store::Ring<int>::pop (ring.h:9)",
                                      "2. vector::erase from store::Ring<pair<long, string>>::pop (ring.h:9)",
                                      "vector::erase from store::Ring<int>::pop (ring.h:9)",
                                      "vector::erase from store::Ring<long>::pop (ring.h:9)",
                                      "a::A::f (a.h:1)",
                                      "a::A::f (a.h:1)"};
  expect_fitted("l", cells, 7, sc_table_fit, 40,
                "h\n1. vector::erase from pop (ring.h:9)\n2. vector::erase from pop (ring.h:9)\n"
                "erase from Ring<int>::pop (ring.h:9)\nerase from Ring<long>::pop (ring.h:9)\n"
                "a::A::f (a.h:1)\na::A::f (a.h:1)\n");
}

TEST(a_long_call_is_cut_to_its_name)
{
  static const char *const cells[] = {"h", "string::~basic_string from (anonymous namespace)::join (app.cpp:105)"};
  expect_fitted("l", cells, 2, sc_table_fit, 40, "h\n~basic_string from join (app.cpp:105)\n");
}

TEST(the_function_that_works_is_kept)
{
  static const char *const cells[] = {"h", "1. atol -> strtol from main (a.c:2)", "atol -> strtol", "x -> y (a.c:1)"};
  expect_fitted("l", cells, 4, sc_table_fit, 30, "h\n1. strtol from main (a.c:2)\natol -> strtol\nx -> y (a.c:1)\n");
}

TEST(formulas_are_cut_at_their_ends)
{
  static const char *const cells[] = {"h", "n", "12 n^2 log2(n) + 345 n log2(n) + 6", "10,000", "3 n", "5"};
  expect_fitted("lr", cells, 6, sc_table_fit_ends, 32,
                "h                              n\n"
                "12 n^2 log2(n) + 345 ...  10,000\n"
                "3 n                            5\n");
}
