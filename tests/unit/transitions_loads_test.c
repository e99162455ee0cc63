/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "transitions/model/loads.h"

enum { CONTEXTS = 5000, DISTINCT = 700 };

static sc_load make(uint32_t number)
{
  return (sc_load){.model = number, .counted = true, .ratio = 1, .each = number / 3.0, .open = number % 2};
}

TEST(each_context_gets_its_own_back)
{
  sc_loads loads;
  assert_int_equal(sc_loads_begin(&loads, CONTEXTS), 0);
  for (uint32_t c = 0; c < CONTEXTS; c++)
    assert_true(sc_loads_at(&loads, c)->model == 0 && !sc_loads_at(&loads, c)->counted);
  for (uint32_t c = 0; c < CONTEXTS; c++) {
    sc_load load = make(c % DISTINCT);
    assert_int_equal(sc_loads_set(&loads, c, &load), 0);
  }
  assert_int_equal(loads.count, DISTINCT + 1);
  for (uint32_t c = 0; c < CONTEXTS; c++) {
    sc_load load = make(c % DISTINCT);
    assert_memory_equal(sc_loads_at(&loads, c), &load, sizeof load);
  }
  sc_loads_free(&loads);
}

/* Contexts that share a load do not change with one of them, also where that is set from the list itself. */
TEST(a_change_is_of_one_context)
{
  sc_loads loads;
  sc_load first = make(1), none = {0};
  assert_int_equal(sc_loads_begin(&loads, 3), 0);
  for (uint32_t c = 0; c < 3; c++)
    assert_int_equal(sc_loads_set(&loads, c, &first), 0);
  sc_load changed = *sc_loads_at(&loads, 1);
  changed.growing = true;
  assert_int_equal(sc_loads_set(&loads, 1, &changed), 0);
  assert_true(sc_loads_at(&loads, 1)->growing && !sc_loads_at(&loads, 0)->growing && !sc_loads_at(&loads, 2)->growing);
  assert_int_equal(sc_loads_set(&loads, 2, sc_loads_at(&loads, 1)), 0);
  assert_ptr_equal(sc_loads_at(&loads, 2), sc_loads_at(&loads, 1));
  assert_int_equal(sc_loads_set(&loads, 0, &none), 0);
  assert_true(sc_loads_at(&loads, 0)->ratio == 0);
  sc_loads_free(&loads);
}
