/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/utf8.h"

TEST(lengths)
{
  static const struct {
    const char *text;
    size_t left, length;
  } cases[] = {
      {"a", 1, 1},
      {"", 0, 0},
      {"\0", 1, 0},
      {"\xc3\xa9", 2, 2},
      {"\xc3\xa9", 1, 0}, /* cut */
      {"\xe2\x82\xac", 3, 3},
      {"\xf0\x9f\x98\x80", 4, 4},
      {"\xc0\x80", 2, 0},         /* overlong */
      {"\xed\xa0\x80", 3, 0},     /* a surrogate */
      {"\xf4\x90\x80\x80", 4, 0}, /* beyond U+10FFFF */
      {"\x80", 1, 0},
      {"\xff", 1, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_int_equal(sc_utf8_length(cases[i].text, cases[i].left), cases[i].length);
}

TEST(what_is_written_is_valid)
{
  for (uint32_t code = 1; code <= 0x10ffff; code++) {
    char text[4];
    if (code >> 11 == 0x1b)
      continue;
    size_t length = sc_utf8_write(code, text);
    assert_int_equal(sc_utf8_length(text, length), length);
  }
  char euro[4];
  assert_int_equal(sc_utf8_write(0x20ac, euro), 3);
  assert_memory_equal(euro, "\xe2\x82\xac", 3);
}

TEST(what_is_shown_is_printable)
{
  static const struct {
    const char *text, *shown;
  } cases[] = {{"", ""},
               {"order lock", "order lock"},
               {"gr\xc3\xb6\xc3\x9f"
                "e \xe2\x82\xac \xf0\x9f\x98\x80 \xc2\xa0",
                "gr\xc3\xb6\xc3\x9f"
                "e \xe2\x82\xac \xf0\x9f\x98\x80 \xc2\xa0"},
               {"\x1b[31mred\n\ttab\x7f", "?[31mred??tab?"},
               {"\xc2\x9b"
                "1m",
                "\\u009b1m"}, /* the same as escape and [ */
               {"a\xe2\x80\xae"
                "b\xe2\x81\xa9 \xe2\x80\x8bz\xe2\x80\x8f\xc2\xad\xef\xbb\xbf",
                "a\\u202eb\\u2069 \\u200bz\\u200f\\u00ad\\ufeff"},
               {"\xf3\xa0\x80\x81", "\\U000e0001"},
               {"caf\xe9 \xff\xc3", "caf? ??"},
               {"\xed\xa0\x80", "???"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *printed;
    size_t size;
    sc_buf shown = {0};
    FILE *out = open_memstream(&printed, &size);
    sc_utf8_show(cases[i].text, &shown);
    assert_int_equal(sc_buf_finish(&shown), 0);
    assert_string_equal(shown.text, cases[i].shown);
    sc_utf8_print(cases[i].text, out);
    fclose(out);
    assert_string_equal(printed, cases[i].shown);
    sc_buf_free(&shown);
    free(printed);
  }
}

static bool is_shown(uint32_t code)
{
  char text[5] = {0};
  return sc_utf8_printable(text, sc_utf8_write(code, text)) > 0;
}

TEST(what_nobody_sees_is_not_printable)
{
  static const uint32_t ranges[][2] = {{0x80, 0x9f},       {0xad, 0xad},       {0x34f, 0x34f},    {0x61c, 0x61c},
                                       {0x115f, 0x1160},   {0x17b4, 0x17b5},   {0x200b, 0x200f},  {0x2028, 0x202e},
                                       {0x2060, 0x206f},   {0x180b, 0x180f},   {0x3164, 0x3164},  {0xfe00, 0xfe0f},
                                       {0xfeff, 0xfeff},   {0xffa0, 0xffa0},   {0xfff0, 0xfffb},  {0xfffe, 0xffff},
                                       {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff}};
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
    for (uint32_t code = ranges[i][0]; code <= ranges[i][1]; code++)
      assert_false(is_shown(code));
    assert_true(is_shown(ranges[i][1] + 1) || ranges[i][1] == 0xfffb);
    assert_true(is_shown(ranges[i][0] - 1) || ranges[i][0] == 0x80);
  }
  assert_true(is_shown(0xfffc) && is_shown(0xfffd)); /* replacements are seen */
  assert_false(is_shown(0xfffe));
}

TEST(json_is_printed_with_escapes)
{
  static const struct {
    const char *json, *printed;
  } cases[] = {{"{\n\t\"a\":\t[1, \"\xc3\xa9\"]\n}", "{\n\t\"a\":\t[1, \"\xc3\xa9\"]\n}"},
               {"\"\xe2\x80\xae\xc2\x9b\x7f\"", "\"\\u202e\\u009b\\u007f\""},
               {"\"\xf3\xa0\x80\x81\"", "\"\\udb40\\udc01\""}, /* a tag, beyond the basic plane */
               {"\"x\xff\xc3\"", "\"x\\ufffd\\ufffd\""},
               {"", ""}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *printed;
    FILE *out = unit_stream(&printed);
    sc_utf8_print_json(cases[i].json, out);
    fclose(out);
    assert_string_equal(printed, cases[i].printed);
    free(printed);
  }
}
