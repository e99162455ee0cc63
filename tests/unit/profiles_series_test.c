/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of numbers that are equal are kept once. */
#include "unit.h"

#include "profiles/graph/series.h"

/* Enough rows that slots collide and the table grows. */
TEST(equal_rows_share_a_number)
{
  enum { ROWS = 20000 };
  sc_series_set set = {.width = 2};
  uint32_t number;
  for (uint32_t pass = 0; pass < 2; pass++)
    for (uint32_t i = 0; i < ROWS; i++) {
      const double row[] = {i % 100, i / 100};
      assert_int_equal(sc_series_intern(&set, row, &number), 0);
      assert_int_equal(number, i);
    }
  assert_int_equal(set.count, ROWS);
  assert_float_equal(sc_series_row(&set, 4321)[0], 21, 0);
  const double zero[] = {-0.0, 0};
  assert_int_equal(sc_series_intern(&set, zero, &number), 0);
  assert_int_equal(number, 0);
  sc_series_free(&set);
}
