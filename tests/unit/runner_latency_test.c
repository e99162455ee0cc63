/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "runner/process/latency.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

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

static void keep(sc_study *study, const char *text) { assert_int_equal(sc_study_put(study, "latency", text), 0); }

TEST(a_study_keeps_what_was_found_at_any_moment)
{
  char path[] = "/tmp/latency-XXXXXX.db", old[1000] = "1e-6", *text = NULL;
  int file = mkstemps(path, 3);
  sc_study *study;
  sc_latency found, again;
  assert_true(file >= 0);
  close(file);
  unlink(path);
  assert_int_equal(sc_study_open(path, SC_STUDY_CREATE, &study), 0);
  assert_int_equal(sc_latency_load(study, &found), 0);
  assert_true(found.page == 0 && found.steps[0] == 0);
  assert_int_equal(sc_latency_keep(study), 0);
  assert_int_equal(sc_latency_load(study, &found), 0);
  assert_true(found.page > 0 && found.steps[SC_LATENCY_SIZES - 1] >= found.steps[0] && found.fast[0] > 0);
  assert_true(found.least[0] == found.steps[0] && found.most[0] == found.steps[0]);
  /* of one moment alone, as older studies have it: steps of 1 s, thrice as long as the fast ones */
  for (int i = 0; i < SC_LATENCY_SIZES; i++)
    strcat(old, " 0.9 0.3");
  keep(study, old);
  assert_int_equal(sc_latency_load(study, &found), 0);
  assert_true(found.page == 1e-6 && found.steps[5] == 0.9 && found.fast[5] == 0.3);
  assert_true(found.least[5] == 0.9 && found.most[5] == 0.9);
  assert_int_equal(sc_latency_keep(study), 0);
  assert_int_equal(sc_latency_load(study, &again), 0);
  for (int i = 0; i < SC_LATENCY_SIZES; i++) {
    assert_true(again.most[i] == 0.9 && again.least[i] < 1e-5);
    assert_float_equal(again.steps[i], sqrt(0.9 * again.least[i]), 1e-3 * again.steps[i]);
  }
  assert_int_equal(sc_study_get(study, "latency", &text), 0);
  char *moments = strstr(text, " 2 ");
  assert_non_null(moments);
  memcpy(moments, " 8 ", 3);
  keep(study, text);
  assert_int_equal(sc_latency_keep(study), 0);
  assert_int_equal(sc_latency_load(study, &found), 0); /* the ninth: of little weight */
  assert_true(found.steps[3] > again.steps[3] / 10);
  static const char *const bad[] = {"1e-6 2e-9 nonsense", "-1", "1", "", "nan"};
  for (size_t i = 0; i < COUNT(bad); i++) {
    keep(study, bad[i]);
    assert_int_equal(sc_latency_load(study, &found), 0);
    assert_true(found.page == 0 && found.steps[0] == 0 && found.most[0] == 0);
  }
  sc_study_close(study);
  unlink(path);
  free(text);
}
