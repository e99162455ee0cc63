/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <stdlib.h>

#include "runner/text/json_write.h"

static const char text[] =
    "{\"a\": [1, 2.5, -0.001, 1e300], \"b\": {\"c\": null, \"d\": [true, false, {\"e\": \"\\u0001x\\n\"}]},"
    "\"empty\": {}, \"none\": [], \"nested\": [[], [[1], {\"f\": {}}]], \"quoted \\\"key\\\"\": \"\"}";

static char *written(cJSON *document, sc_json_member_fn member)
{
  char *out;
  FILE *stream = unit_stream(&out);
  assert_int_equal(sc_json_write_members(stream, document, &(sc_json){0}, 0, member, NULL), 0);
  fclose(stream);
  return out;
}

static void expect(const char *printed, const cJSON *document)
{
  char *expected = cJSON_Print(document);
  size_t length = strlen(expected);
  assert_int_equal(strncmp(printed, expected, length), 0);
  assert_string_equal(printed + length, "\n");
  cJSON_free(expected);
}

TEST(prints_as_cjson_does)
{
  cJSON *document = cJSON_Parse(text);
  char *out = written(cJSON_Duplicate(document, true), NULL);
  expect(out, document);
  free(out);
  cJSON_Delete(document);
}

static cJSON *make(size_t index)
{
  cJSON *made = cJSON_CreateObject();
  cJSON_AddNumberToObject(made, "index", (double)index);
  return made;
}

static int three(void *user, int list, size_t index, cJSON **made)
{
  assert_int_equal(list, 7);
  if (index == 3)
    return 0;
  *made = make(index);
  return 1;
}

static int none(void *user, int list, size_t index, cJSON **made) { return 0; }

static int failing(void *user, int list, size_t index, cJSON **made)
{
  return index ? SC_E_NOMEM : three(user, list, index, made);
}

/* Made one by one, members stand as if the array had them. */
TEST(members_are_made_when_they_are_printed)
{
  for (int count = 0; count <= 3; count += 3) {
    cJSON *apart = cJSON_CreateObject(), *whole = cJSON_CreateObject();
    cJSON_AddRawToObject(cJSON_AddObjectToObject(apart, "in"), "list", "[]")->valueint = 7;
    cJSON *list = cJSON_AddArrayToObject(cJSON_AddObjectToObject(whole, "in"), "list");
    for (int i = 0; i < count; i++)
      cJSON_AddItemToArray(list, make((size_t)i));
    char *out = written(apart, count ? three : none);
    expect(out, whole);
    free(out);
    cJSON_Delete(whole);
  }
}

TEST(errors_end_it)
{
  cJSON *document = cJSON_CreateObject();
  cJSON_AddRawToObject(document, "list", "[]")->valueint = 7;
  FILE *out = fopen("/dev/null", "w");
  assert_int_equal(sc_json_write_members(out, document, &(sc_json){0}, 0, failing, NULL), SC_E_NOMEM);
  fclose(out);
}

static void expect_nothing(cJSON *document, bool failed, int err, int expected)
{
  char *out;
  FILE *stream = unit_stream(&out);
  assert_int_equal(sc_json_write(stream, document, &(sc_json){failed}, err), expected);
  fclose(stream);
  assert_string_equal(out, "");
  free(out);
}

TEST(prints_nothing_of_what_is_not_whole)
{
  expect_nothing(cJSON_CreateObject(), false, SC_E_USAGE, SC_E_USAGE);
  expect_nothing(cJSON_CreateObject(), true, 0, SC_E_NOMEM);
  expect_nothing(NULL, false, 0, SC_E_NOMEM);
}
