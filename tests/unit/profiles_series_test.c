/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "transitions_scene.h"

#include "transitions/model/order.h"
#include "profiles/graph/series.h"

/* Enough rows that slots collide and the table grows. */
TEST(equal_rows_share_a_number)
{
  enum { ROWS = 20000 };
  sc_series_set set;
  uint32_t number;
  assert_int_equal(sc_series_init(&set, 2), 0);
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

static sc_model model_of(double exponent, double log_exponent)
{
  return (sc_model){
      .order = {exponent, log_exponent, (int)lround(exponent)}, .points = 5, .terms = {{1, exponent, log_exponent}}};
}

static enum sc_rise rise(double e0, double l0, double e1, double l1, enum sc_fit_engine engine)
{
  sc_order from = {e0, l0, (int)lround(e0)};
  sc_model model = model_of(e1, l1);
  return sc_order_rise(&from, &model, engine);
}

TEST(orders_rise)
{
  assert_int_equal(rise(0, 0, 1, 0, SC_FIT_DEFAULT), SC_RISE_ORDER);
  assert_int_equal(rise(0, 0, 1, 1, SC_FIT_DEFAULT), SC_RISE_ORDER);
  assert_int_equal(rise(1, 0, 1, 1, SC_FIT_DEFAULT), SC_RISE_LOG);
  assert_int_equal(rise(1, 1, 1, 1, SC_FIT_DEFAULT), SC_RISE_NONE);
  assert_int_equal(rise(1, 1, 2, 0, SC_FIT_DEFAULT), SC_RISE_ORDER);
  assert_int_equal(rise(0, 0, 0, 1, SC_FIT_DEFAULT), SC_RISE_NONE);
  assert_int_equal(rise(1, 0, 1.2, 0, SC_FIT_DEFAULT), SC_RISE_NONE);
  assert_int_equal(rise(1.45, 0, 1.55, 0, SC_FIT_DEFAULT), SC_RISE_NONE); /* across the rounding */
  assert_int_equal(rise(1, 0, 1.45, 0, SC_FIT_DEFAULT), SC_RISE_ORDER);
  assert_int_equal(rise(0, 0, 0.45, 0, SC_FIT_DEFAULT), SC_RISE_NONE);
  assert_int_equal(rise(2, 0, 1, 0, SC_FIT_DEFAULT), SC_RISE_NONE);
  assert_int_equal(rise(1.45, 0, 1.55, 0, SC_FIT_DELTA_INFER), SC_RISE_ORDER);
  assert_int_equal(rise(1, 0, 1.45, 0, SC_FIT_DELTA_INFER), SC_RISE_NONE);
}

TEST(fractions_need_support)
{
  const sc_order from = {1, 0, 1};
  sc_model model = model_of(1.45, 0);
  model.points = 3;
  assert_int_equal(sc_order_rise(&from, &model, SC_FIT_DEFAULT), SC_RISE_NONE);
  model.points = 4;
  model.fit_error = 0.2;
  assert_int_equal(sc_order_rise(&from, &model, SC_FIT_DEFAULT), SC_RISE_NONE);
  model.fit_error = 0.05;
  assert_int_equal(sc_order_rise(&from, &model, SC_FIT_DEFAULT), SC_RISE_ORDER);
}
