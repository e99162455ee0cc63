/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Seconds of a profile's ticks: what readings of the clock say. */
#include "unit.h"

#include "profiles/scprof/internal.h"
#include "profiles/scprof/trace.h"

/* Ticks between two readings of the clock: 2,000,000 in a millisecond are half a nanosecond each. */
static sc_reader reader_of(uint64_t ticks_first, uint64_t ticks_last, uint64_t clock_first, uint64_t clock_last)
{
  sc_reader reader = {
      .header = {
          .ticks_start = ticks_first, .ticks_last = ticks_last, .clock_start = clock_first, .clock_last = clock_last}};
  sc_clock_set(&reader);
  return reader;
}

TEST(two_readings_give_the_tick)
{
  static const struct {
    uint64_t ticks[2], clock[2];
    double tick;
  } cases[] = {{{500, 2000500}, {1000, 1001000}, 0.5},
               {{500, 500}, {1000, 1001000}, 0},
               {{501, 500}, {1000, 1001000}, 0},
               {{500, 2000500}, {1000, 1000}, 0},
               {{500, 2000500}, {1001, 1000}, 0},
               {{0, 1000}, {0, 1000}, 1}, /* a microsecond apart */
               {{0, 999}, {0, 999}, 0},
               {{0, 10000}, {0, 1000}, 0.1},
               {{0, 10001}, {0, 1000}, 0},
               {{0, 1}, {0, 1000}, 1000},
               {{0, 1}, {0, 1001}, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sc_reader reader = reader_of(cases[i].ticks[0], cases[i].ticks[1], cases[i].clock[0], cases[i].clock[1]);
    if (sc_reader_tick(&reader) != cases[i].tick)
      fail_msg("case %zu: %g", i, sc_reader_tick(&reader));
  }
  sc_reader reader = reader_of(500, 2000500, 1000, 1001000);
  assert_true(sc_reader_seconds(&reader, 4000000000) == 2);
  assert_true(sc_clock_monotonic(&reader, 1500) == 1500 && sc_clock_monotonic(&reader, 300) == 900);
}

/* A profile that was read at one moment only takes another one's tick; the same clock ticks once a nanosecond. */
TEST(ticks_are_borrowed_where_there_is_one_reading)
{
  sc_reader reader = reader_of(500, 500, 1000, 1000);
  sc_reader_borrow_tick(&reader, 0.25);
  assert_true(sc_reader_tick(&reader) == 0.25 && reader.info.timed);
  sc_reader_borrow_tick(&reader, 0.75); /* it has one now */
  assert_true(sc_reader_tick(&reader) == 0.25);
  reader = reader_of(1000, 1000, 1000, 1000);
  sc_reader_borrow_tick(&reader, 0.25);
  assert_true(sc_reader_tick(&reader) == 1 && reader.info.timed);
  reader = reader_of(500, 500, 1000, 5000); /* its own readings contradict each other */
  sc_reader_borrow_tick(&reader, 0.25);
  assert_true(sc_reader_tick(&reader) == 0 && !reader.info.timed);
  reader = reader_of(500, 500, 1000, 1000);
  sc_reader_borrow_tick(&reader, 0);
  assert_true(!reader.info.timed);
}
