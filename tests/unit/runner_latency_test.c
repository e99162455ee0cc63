/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "runner/process/latency.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

TEST(memory_takes_longer_than_caches)
{
  sc_latency l;
  sc_latency_measure(&l);
  assert_true(l.page > 0);
  assert_true(l.fast[0] > 0 && l.fast[0] <= l.steps[0]);
  for (size_t i = 1; i < SC_LATENCY_SIZES; i++)
    assert_true(l.steps[i] >= l.steps[i - 1] && l.fast[i] >= l.fast[i - 1]);
  assert_true(l.steps[SC_LATENCY_SIZES - 1] > 3 * l.fast[0]);
}

TEST(a_study_keeps_it)
{
  char path[] = "/tmp/latency-XXXXXX.db", *first = NULL, *second = NULL;
  int file = mkstemps(path, 3);
  sc_study *study;
  sc_latency before, after;
  assert_true(file >= 0);
  close(file);
  unlink(path);
  assert_int_equal(sc_study_open(path, SC_STUDY_CREATE, &study), 0);
  assert_int_equal(sc_latency_load(study, &before), 0);
  assert_true(before.page == 0 && before.steps[0] == 0);
  assert_int_equal(sc_latency_keep(study), 0);
  assert_int_equal(sc_study_get(study, "latency", &first), 0);
  assert_int_equal(sc_latency_keep(study), 0); /* once a study */
  assert_int_equal(sc_study_get(study, "latency", &second), 0);
  assert_string_equal(first, second);
  assert_int_equal(sc_latency_load(study, &after), 0);
  assert_true(after.page > 0 && after.steps[SC_LATENCY_SIZES - 1] >= after.steps[0] && after.fast[0] > 0);
  assert_int_equal(sc_study_put(study, "latency", "1e-6 2e-9 nonsense"), 0);
  assert_int_equal(sc_latency_load(study, &after), 0);
  assert_true(after.page == 0 && after.steps[0] == 0);
  sc_study_close(study);
  unlink(path);
  free(first);
  free(second);
}
