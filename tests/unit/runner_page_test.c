/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data of a page: JSON, strings, classes of orders, and how they are packed. What they show is tests/cli/page's. */
#include "unit.h"

#include <stdlib.h>

#include <cjson/cJSON.h>
#include <math.h>

#include "runner/page/parts.h"

TEST(json_is_compact)
{
  sc_buf out = {0};
  sc_page_json json = {.out = &out, .first = true};
  sc_page_open(&json, NULL, '{');
  sc_page_open(&json, "list", '[');
  sc_page_number(&json, NULL, 9007199254740991.0, 3);
  sc_page_number(&json, NULL, 1.0 / 3, 4);
  sc_page_number(&json, NULL, -0.0, 4);
  sc_page_number(&json, NULL, INFINITY, 4);
  sc_page_number(&json, NULL, NAN, 4);
  sc_page_open(&json, NULL, '[');
  sc_page_close(&json, ']');
  sc_page_close(&json, ']');
  sc_page_bool(&json, "b", true);
  sc_page_integer(&json, "i", -5);
  sc_page_text(&json, "none", NULL);
  sc_page_close(&json, '}');
  assert_int_equal(sc_buf_finish(&out), 0);
  assert_string_equal(out.text,
                      "{\"list\":[9007199254740991,0.3333,0,null,null,[]],\"b\":true,\"i\":-5,\"none\":null}");
  sc_buf_free(&out);
}

TEST(texts_come_back_as_they_were)
{
  static const char *const texts[] = {"", "a\"b\\c", "tab\tline\n\x01", "</script>",
                                      "Gr\xc3\xb6\xc3\x9f"
                                      "e"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    sc_buf out = {0};
    sc_page_json json = {.out = &out, .first = true};
    sc_page_text(&json, NULL, texts[i]);
    assert_int_equal(sc_buf_finish(&out), 0);
    cJSON *back = cJSON_Parse(out.text);
    assert_non_null(back);
    assert_string_equal(cJSON_GetStringValue(back), texts[i]);
    cJSON_Delete(back);
    sc_buf_free(&out);
  }
}

TEST(bytes_that_are_no_text_are_replaced)
{
  sc_buf out = {0};
  sc_page_json json = {.out = &out, .first = true};
  sc_page_text(&json, NULL, "a\xff\xc3z");
  assert_int_equal(sc_buf_finish(&out), 0);
  assert_string_equal(out.text, "\"a\xef\xbf\xbd\xef\xbf\xbdz\"");
  sc_buf_free(&out);
}

TEST(what_nobody_sees_is_escaped)
{
  sc_buf out = {0};
  sc_page_json json = {.out = &out, .first = true};
  sc_page_text(&json, NULL, "a\xe2\x80\xa8z\xe2\x80\xae\xc2\xad");
  assert_int_equal(sc_buf_finish(&out), 0);
  cJSON *back = cJSON_Parse(out.text);
  assert_string_equal(cJSON_GetStringValue(back), "a\\u2028z\\u202e\\u00ad");
  cJSON_Delete(back);
  sc_buf_free(&out);
}

TEST(equal_texts_have_one_number)
{
  sc_page_strings strings = {0};
  uint32_t first, again;
  char text[32];
  for (uint32_t i = 0; i < 5000; i++) {
    snprintf(text, sizeof text, "name %u", i);
    assert_int_equal(sc_page_strings_add(&strings, text, &first), 0);
    assert_int_equal(first, i);
  }
  for (uint32_t i = 0; i < 5000; i += 7) {
    snprintf(text, sizeof text, "name %u", i);
    assert_int_equal(sc_page_strings_add(&strings, text, &again), 0);
    assert_int_equal(again, i);
  }
  assert_int_equal(strings.count, 5000);
  sc_page_strings_free(&strings);
}

TEST(orders_have_classes)
{
  static const struct {
    sc_order order;
    int class;
  } cases[] = {
      {{0, 0, 0, 0, 0}, 0},   {{0, 1, 0, 0, 0}, 1},    {{0.5, 0, 1, 0, 0}, 1},   {{1, 0, 1, 0, 0}, 2},
      {{1, 1, 1, 0, 0}, 3},   {{1.25, 0, 1, 0, 0}, 3}, {{1.5, 0, 2, 0, 0}, 4},   {{2, 0, 2, 0, 0}, 4},
      {{0.1, 0, 0, 0, 0}, 0}, {{0.11, 0, 0, 0, 0}, 1}, {{0.9, 0, 1, 0, 0}, 1},   {{0.91, 0, 1, 0, 0}, 2},
      {{1.1, 0, 1, 0, 0}, 2}, {{1.11, 0, 1, 0, 0}, 3}, {{2.1, 0, 2, 0, 0}, 4},   {{2.11, 0, 2, 0, 0}, 5},
      {{1.9, 1, 2, 0, 0}, 4}, {{1.91, 1, 2, 0, 0}, 5}, {{2, 0.5, 2, 0, 0}, 4},   {{2, 0.51, 2, 0, 0}, 5},
      {{2, 1, 2, 0, 0}, 5},   {{3, 0, 3, 0, 0}, 5},    {{100, 0, 100, 2, 0}, 5}, {{-1, 0, -1, 0, 0}, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_int_equal(sc_page_order_class(&cases[i].order), cases[i].class);
}
