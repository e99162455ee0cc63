/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/search.h"

/* Where the tests run under a sanitizer: that memory runs out is part of the test. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "allocator_may_return_null=1"; }

TEST(composition)
{
  sc_buf buf = {0};
  sc_buf_puts(&buf, "n");
  sc_buf_printf(&buf, " = %d, %s", 42, "or more");
  sc_buf_add(&buf, "...", 2);
  assert_int_equal(sc_buf_finish(&buf), 0);
  assert_string_equal(buf.text, "n = 42, or more..");
  assert_int_equal(buf.length, strlen(buf.text));
  sc_buf_free(&buf);
  assert_null(buf.text);
}

TEST(nothing_is_an_empty_text)
{
  sc_buf buf = {0};
  assert_int_equal(sc_buf_finish(&buf), 0);
  assert_string_equal(buf.text, "");
  char *text = sc_buf_take(&buf);
  assert_string_equal(text, "");
  assert_null(buf.text);
  free(text);
}

TEST(growth)
{
  sc_buf buf = {0};
  for (int i = 0; i < 10000; i++)
    sc_buf_printf(&buf, "%04d", i);
  assert_int_equal(sc_buf_finish(&buf), 0);
  assert_int_equal(buf.length, 40000);
  assert_memory_equal(buf.text + 4 * 9876, "9876", 4);
  sc_buf_free(&buf);
}

TEST(failure_sticks)
{
  sc_buf buf = {0};
  sc_buf_puts(&buf, "kept");
  sc_buf_add(&buf, "x", SIZE_MAX - 8); /* no memory has that */
  assert_true(buf.failed);
  sc_buf_puts(&buf, "more");
  assert_int_equal(buf.length, 4);
  assert_int_equal(sc_buf_finish(&buf), SC_E_NOMEM);
  assert_null(sc_buf_take(&buf));
  assert_false(buf.failed);
}

TEST(arrays)
{
  uint32_t *array = NULL;
  size_t capacity = 0;
  for (size_t i = 0; i < 1000; i++) {
    assert_int_equal(sc_mem_grow(&array, &capacity, i + 1, sizeof *array), 0);
    array[i] = (uint32_t)i;
  }
  assert_true(capacity >= 1000);
  for (uint32_t i = 0; i < 1000; i++)
    assert_int_equal(array[i], i);
  size_t before = capacity;
  assert_int_equal(sc_mem_grow(&array, &capacity, SIZE_MAX / 2, sizeof *array), SC_E_NOMEM);
  assert_int_equal(sc_mem_grow(&array, &capacity, SIZE_MAX, 1), SC_E_NOMEM);
  assert_int_equal(capacity, before); /* and the array is as it was */
  assert_int_equal(array[999], 999);
  free(array);
}

TEST(zeroed_arrays)
{
  uint32_t *array = NULL;
  size_t capacity = 0;
  for (size_t i = 0; i < 1000; i++) {
    size_t before = capacity;
    assert_int_equal(sc_mem_grow_zeroed(&array, &capacity, i + 1, sizeof *array), 0);
    for (size_t k = before; k < capacity; k++)
      assert_int_equal(array[k], 0);
    memset(array + before, 0xff, (capacity - before) * sizeof *array); /* what is there stays */
    assert_int_equal(array[0], UINT32_MAX);
  }
  free(array);
}

TEST(searches)
{
  static const struct {
    uint32_t other;
    uint64_t key;
  } list[] = {{9, 2}, {8, 5}, {7, 5}, {6, UINT64_MAX}};
  static const struct {
    uint64_t key;
    size_t up_to;
  } cases[] = {{0, 0}, {1, 0}, {2, 1}, {4, 1}, {5, 3}, {6, 3}, {UINT64_MAX, 4}};
  size_t offset = (size_t)((const char *)&list->key - (const char *)list);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_int_equal(sc_search_up_to(list, 4, sizeof *list, offset, cases[i].key), cases[i].up_to);
  assert_int_equal(sc_search_up_to(NULL, 0, sizeof *list, offset, 5), 0);
}

TEST(memory)
{
  char *bytes = sc_mem_new(100, 3);
  assert_non_null(bytes);
  for (int i = 0; i < 300; i++)
    assert_int_equal(bytes[i], 0);
  free(bytes);
  bytes = sc_mem_new(0, 0); /* NULL would look like a failure */
  assert_non_null(bytes);
  free(bytes);
  volatile size_t huge = SIZE_MAX / 2;
  assert_null(sc_mem_new(huge, 4));
  assert_non_null(strstr(sc_err_message(), "out of memory"));
  bytes = sc_mem_copy_string("copy");
  assert_string_equal(bytes, "copy");
  free(bytes);
}
