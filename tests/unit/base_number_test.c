/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <math.h>
#include <stdlib.h>

#include "base/number.h"

static double read_all(const char *text)
{
  double value = -1;
  assert_int_equal(sc_number_read(text, strlen(text), &value), strlen(text));
  return value;
}

TEST(reads)
{
  assert_true(read_all("0.1") == 0.1);
  assert_true(read_all("-12") == -12);
  assert_true(read_all(".5") == 0.5);
  assert_true(read_all("1e3") == 1000);
  assert_true(read_all("9223372036854775807") == 0x1p63);
  assert_true(read_all("61.487425097682866") == 61.487425097682866);
  assert_true(read_all("1e999") == HUGE_VAL);
  assert_true(read_all("-1e999") == -HUGE_VAL);
  assert_true(read_all("1e-999") == 0);
  assert_true(read_all("5e-324") == 5e-324);
}

/* The short way must give what strtod gives, to the last bit. */
TEST(reads_as_strtod_does)
{
  uint64_t bits = 88172645463325252;
  for (int i = 0; i < 200000; i++) {
    char text[40];
    bits ^= bits << 13;
    bits ^= bits >> 7;
    bits ^= bits << 17;
    double value = ldexp((double)(bits >> 11) / 0x1p53 + 0.5, (int)(bits % 61) - 20);
    snprintf(text, sizeof text, "%.*g", 1 + (int)(bits % 19), value);
    assert_true(read_all(text) == strtod(text, NULL));
    double middle = value + (nextafter(value, INFINITY) - value) / 2; /* as near to the middle as 18 digits are */
    snprintf(text, sizeof text, "%.18g", middle);
    assert_true(read_all(text) == strtod(text, NULL));
  }
  assert_true(read_all("9007199254740993") == 9007199254740992); /* in the middle: to the even one */
  assert_true(read_all("9007199254740995") == 9007199254740996);
  assert_true(read_all("0.000") == 0 && read_all("1.") == 1);
}

TEST(reads_the_beginning_only)
{
  double value;
  assert_int_equal(sc_number_read("12,13", 5, &value), 2);
  assert_true(value == 12);
  assert_int_equal(sc_number_read("123", 2, &value), 2); /* no byte behind the length */
  assert_true(value == 12);
  static const char *const none[] = {"", "-", "x", "inf", "nan", "-inf", "+1", " 1"};
  for (size_t i = 0; i < sizeof none / sizeof *none; i++)
    assert_int_equal(sc_number_read(none[i], strlen(none[i]), &value), 0);
}

static void written(double value, const char *expected)
{
  char text[SC_NUMBER_BYTES];
  assert_int_equal(sc_number_write(value, SC_NUMBER_SAME, text), strlen(expected));
  assert_string_equal(text, expected);
}

TEST(writes)
{
  written(0, "0");
  written(-0.0, "0");
  written(100000, "100000");
  written(1e18, "1000000000000000000");
  written(0x1p62, "4611686018427387904");
  written(0x1p63, "9223372036854775808");
  written(0.1, "0.1");
  written(1.0 / 3, "0.3333333333333333");
  written(-2.2250738585072014e-308, "-2.2250738585072014e-308");
  written(1e-9, "1e-09");
}

TEST(writes_as_many_digits_as_wanted)
{
  char text[SC_NUMBER_BYTES];
  assert_int_equal(sc_number_write(1.0 / 3, 4, text), 6);
  assert_string_equal(text, "0.3333");
  assert_int_equal(sc_number_write(0.25, 10, text), 4);
  assert_string_equal(text, "0.25");
  assert_int_equal(sc_number_write(123456789, 3, text), 9); /* whole numbers have all */
  assert_string_equal(text, "123456789");
}

/* Fifteen digits by the short way are those of printf, but for a last digit that is off by one. */
TEST(fifteen_digits_are_printfs)
{
  uint64_t bits = 88172645463325252;
  for (int i = 0; i < 100000; i++) {
    char text[SC_NUMBER_BYTES], expected[40];
    bits ^= bits << 13;
    bits ^= bits >> 7;
    bits ^= bits << 17;
    double value = ldexp((double)(bits >> 11) / 0x1p53 + 0.5, (int)(bits % 63) - 13) * (bits & 1 ? 1 : -1);
    size_t length = sc_number_write(value, 15, text);
    assert_int_equal(length, strlen(text));
    snprintf(expected, sizeof expected, "%.15g", value);
    if (strcmp(text, expected) && fabs(strtod(text, NULL) / value - 1) > 1.1e-14)
      fail_msg("%s for %s", text, expected);
  }
  char text[SC_NUMBER_BYTES];
  sc_number_write(1234.5, 15, text);
  assert_string_equal(text, "1234.5");
  sc_number_write(-0.001, 15, text);
  assert_string_equal(text, "-0.001");
  sc_number_write(999999.9999999999, 15, text);
  assert_string_equal(text, "1000000");
  sc_number_write(100.05, 15, text);
  assert_string_equal(text, "100.05");
}

TEST(reads_numbers_of_any_length)
{
  char text[600];
  memset(text, '1', sizeof text);
  text[1] = '.';
  double value;
  assert_int_equal(sc_number_read(text, sizeof text, &value), sizeof text);
  assert_true(value == 1.1111111111111112);
}

TEST(what_is_written_is_read)
{
  uint64_t bits = 88172645463325252;
  for (int i = 0; i < 100000; i++) {
    char text[SC_NUMBER_BYTES];
    double value, again;
    bits ^= bits << 13;
    bits ^= bits >> 7;
    bits ^= bits << 17;
    memcpy(&value, &bits, sizeof value);
    if (!isfinite(value))
      continue;
    size_t length = sc_number_write(value, SC_NUMBER_SAME, text);
    assert_int_equal(sc_number_read(text, length, &again), length);
    assert_true(again == value);
  }
}

TEST(reads_what_is_above_0)
{
  double value = 0;
  assert_true(sc_number_positive("80%", true, &value) && value == 0.8);
  assert_true(sc_number_positive("1.5e3", false, &value) && value == 1500);
  assert_true(sc_number_positive(".5%", true, &value) && value == 0.005);
  assert_true(sc_number_positive("5.", false, &value) && value == 5);
  const char *const refused[] = {"",   "0",   "-1",  "+1",    " 1", "1 ",   "1x",  "0x10",
                                 "1e", "1,5", "0.%", "1e999", "%",  "80%%", "inf", "nan"};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    if (sc_number_positive(refused[i], true, &value))
      fail_msg("%s is %g", refused[i], value);
  assert_false(sc_number_positive("80%", false, &value));
}

TEST(reads_whole_numbers)
{
  uint64_t value = 0;
  assert_true(sc_number_whole("18446744073709551615", &value) && value == UINT64_MAX);
  assert_true(sc_number_whole("007", &value) && value == 7);
  static const char *const refused[] = {"", "-1", "+1", " 1", "1 ", "1.", "1e3", "0x1", "18446744073709551616"};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    assert_false(sc_number_whole(refused[i], &value));
}

TEST(two_hexadecimal_digits_are_a_byte)
{
  assert_int_equal(sc_number_hex("00"), 0);
  assert_int_equal(sc_number_hex("fFx"), 255);
  assert_int_equal(sc_number_hex("9a"), 0x9a);
  static const char *const others[] = {"", "1", "g0", "0g", "0\xff", " 1"};
  for (size_t i = 0; i < COUNT(others); i++)
    assert_int_equal(sc_number_hex(others[i]), -1);
}
