/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of values in JSON: counted here by what stands in them. */
#include "unit.h"

#include "instrument/events/place.h"

#include <cjson/cJSON.h>
#include <stdlib.h>

/* Every number in the text is the line it stands in (its key's, if it has one); returns how many there are. */
static size_t check_numbers(const char *text, const cJSON *root, const cJSON *item)
{
  size_t count = 0;
  if (cJSON_IsNumber(item)) {
    assert_int_equal(sc_place_line(text, strlen(text), root, item), item->valueint);
    count++;
  }
  for (const cJSON *child = item->child; child; child = child->next)
    count += check_numbers(text, root, child);
  return count;
}

static void check(const char *text, size_t numbers)
{
  cJSON *root = cJSON_Parse(text);
  assert_non_null(root);
  assert_int_equal(check_numbers(text, root, root), numbers);
  cJSON_Delete(root);
}

TEST(test_lines)
{
  check("1", 1);
  check("\n\n 3\n", 1);
  check("\xef\xbb\xbf\n2", 1);
  check("[1,\n2, 2 ,[],{}\n, 3,[\n4\n]\n,\n[[7]]]", 6);
  check("{\"a\":1,\n\"b\":\n 2,\n\"c\"\n:\n4, \"d\":[\n7,\r\n8.0e0], \"e\":{\n\"f\":9}}", 6);
  check("[true,false,null,\"-1\",\n2.0]", 1);
}

/* Quotes, brackets, colons and line breaks within strings are none. */
TEST(test_strings)
{
  check("[\"a\\\"]\\n,{:\",\n2,\"\\\\\",\n3, \"\\u0022\", 3]", 3);
  check("{\"k\\\":\\\\\": \"v:\",\n \"x\": 2, \"\": \"\",\n\":\": 3}", 2);
  check("[\"raw\nbreak\", 2]", 1);
}

TEST(test_containers)
{
  const char *text = "{\n\"a\": {\n\"b\": [\n\n{}] },\n\"c\": \"s\"}";
  cJSON *root = cJSON_Parse(text);
  const cJSON *a = cJSON_GetObjectItem(root, "a"), *b = cJSON_GetObjectItem(a, "b");
  assert_int_equal(sc_place_line(text, strlen(text), root, root), 1);
  assert_int_equal(sc_place_line(text, strlen(text), root, a), 2);
  assert_int_equal(sc_place_line(text, strlen(text), root, b), 3);
  assert_int_equal(sc_place_line(text, strlen(text), root, b->child), 5);
  assert_int_equal(sc_place_line(text, strlen(text), root, cJSON_GetObjectItem(root, "c")), 6);
  cJSON_Delete(root);
}

TEST(test_bytes)
{
  assert_int_equal(sc_place_line_of("", 0), 1);
  assert_int_equal(sc_place_line_of("a\nb", 1), 1);
  assert_int_equal(sc_place_line_of("a\nb", 2), 2);
}
