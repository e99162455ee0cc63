/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a probe costs by the first instruction: which it is, and that it is measured. */
#include "instrument/attach/price.h"

#include <stdio.h>

#include "unit.h"

#ifdef __x86_64__
static enum sc_price_start start_of(const char *code, size_t bytes)
{
  return sc_price_start((const unsigned char *)code, bytes);
}
#define START(code) start_of(code, sizeof(code) - 1)

TEST(first_instructions_are_told_apart)
{
  assert_int_equal(START("\x0f\x1f\x44\x00\x00"), SC_PRICE_NOP);
  assert_int_equal(START("\x0f\x1f\x40\x00"), SC_PRICE_EMULATED); /* another nop */
  assert_int_equal(START("\x90"), SC_PRICE_EMULATED);
  assert_int_equal(START("\x55"), SC_PRICE_EMULATED);     /* push %rbp */
  assert_int_equal(START("\x41\x57"), SC_PRICE_EMULATED); /* push %r15 */
  assert_int_equal(START("\x48\x50"), SC_PRICE_EMULATED); /* push, with a prefix that changes nothing */
  assert_int_equal(START("\xe9\x00\x00\x00\x00"), SC_PRICE_EMULATED);
  assert_int_equal(START("\x74\x02"), SC_PRICE_EMULATED);
  assert_int_equal(START("\x0f\x84\x00\x00\x00\x00"), SC_PRICE_EMULATED);
  assert_int_equal(START("\x58"), SC_PRICE_STEPPED);             /* pop %rax */
  assert_int_equal(START("\xf3\x0f\x1e\xfa"), SC_PRICE_STEPPED); /* endbr64 */
  assert_int_equal(START("\x48\x83\xec\x08"), SC_PRICE_STEPPED);
  assert_int_equal(START("\x8d\x47\x01"), SC_PRICE_STEPPED);
  assert_int_equal(START("\x41\x8b\x07"), SC_PRICE_STEPPED); /* mov, with the prefix of a push */
  assert_int_equal(START("\x41"), SC_PRICE_STEPPED);
  assert_int_equal(START(""), SC_PRICE_STEPPED);
}
#endif

TEST(a_call_costs_what_it_tells)
{
  const sc_prices prices = {{{1, 2, 10}, {3, 4, 12}, {7, 8, 20}}};
  struct scale_capture capture = {0};
  assert_float_equal(sc_price_call(&prices, SC_PRICE_EMULATED, NULL), 2, 0);
  assert_float_equal(sc_price_call(&prices, SC_PRICE_NOP, &capture), 1, 0);
  capture.tells = SCALE_TELLS_ENTRY;
  assert_float_equal(sc_price_call(&prices, SC_PRICE_STEPPED, &capture), 12, 0);
  capture.tells = SCALE_TELLS_RETURN;
  assert_float_equal(sc_price_call(&prices, SC_PRICE_STEPPED, &capture), 20, 0);
  capture.tells = SCALE_TELLS_ENTRY | SCALE_TELLS_RETURN; /* and a message more */
  assert_float_equal(sc_price_call(&prices, SC_PRICE_EMULATED, &capture), 10, 0);
}

TEST(prices_are_measured)
{
  sc_prices prices;
  int err = sc_price_measure(&prices);
  if (err == SC_E_UNSUPPORTED) {
    printf("skipped: %s\n", sc_err_message());
    skip();
  }
  assert_int_equal(err, 0);
  for (int start = 0; start < SC_PRICE_STARTS; start++) {
    for (int kind = 0; kind < SC_PRICE_KINDS; kind++)
      printf("%s, %d: %.3f us\n", sc_price_start_name(start), kind, prices.call[kind][start] * 1e6);
    assert_true(prices.call[SC_PRICE_COUNT][start] > 20e-9); /* no call without a trap is that slow */
    assert_true(prices.call[SC_PRICE_COUNT][start] < 1e-3);
    assert_true(prices.call[SC_PRICE_RETURN][start] > prices.call[SC_PRICE_COUNT][start]);
  }
}
