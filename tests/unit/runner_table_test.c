/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runner/table.h"

static char *print(sc_table *table, int indent)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  assert_non_null(out);
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

static void columns_line_up(void **state)
{
  const char *const cells[] = {"name", "n", "x", "a", "1,000", "", "longer", "2", "y"};
  sc_table *table = sc_table_new("lrl");
  fill(table, cells, 9);
  char *text = print(table, 2);
  assert_string_equal(text, "  name        n  x\n  a       1,000\n  longer      2  y\n");
  free(text);
}

static void empty_columns_are_left_out(void **state)
{
  const char *const cells[] = {"name", "actual", "n", "a", "", "5", "b", "", "6"};
  sc_table *table = sc_table_new("lrr");
  fill(table, cells, 9);
  char *text = print(table, 0);
  assert_string_equal(text, "name  n\na     5\nb     6\n");
  free(text);
}

static void cells_are_cut_in_the_middle(void **state)
{
  const char *const cells[] = {"h", "0123456789abcdefghij", "short"};
  sc_table *table = sc_table_new("l");
  fill(table, cells, 3);
  sc_table_limit(table, 0, 11);
  char *text = print(table, 0);
  assert_string_equal(text, "h\n0123...ghij\nshort\n");
  free(text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(columns_line_up),
      cmocka_unit_test(empty_columns_are_left_out),
      cmocka_unit_test(cells_are_cut_in_the_middle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
