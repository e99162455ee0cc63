/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

/* Where the tests run under a sanitizer: that memory runs out is part of the test. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "allocator_may_return_null=1"; }

static void composition(void **state)
{
  (void)state;
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

static void nothing_is_an_empty_text(void **state)
{
  (void)state;
  sc_buf buf = {0};
  assert_int_equal(sc_buf_finish(&buf), 0);
  assert_string_equal(buf.text, "");
  char *text = sc_buf_take(&buf);
  assert_string_equal(text, "");
  assert_null(buf.text);
  free(text);
}

static void growth(void **state)
{
  (void)state;
  sc_buf buf = {0};
  for (int i = 0; i < 10000; i++)
    sc_buf_printf(&buf, "%04d", i);
  assert_int_equal(sc_buf_finish(&buf), 0);
  assert_int_equal(buf.length, 40000);
  assert_memory_equal(buf.text + 4 * 9876, "9876", 4);
  sc_buf_free(&buf);
}

static void failure_sticks(void **state)
{
  (void)state;
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

static void arrays(void **state)
{
  (void)state;
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

static void memory(void **state)
{
  (void)state;
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

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(composition), cmocka_unit_test(nothing_is_an_empty_text),
      cmocka_unit_test(growth),      cmocka_unit_test(failure_sticks),
      cmocka_unit_test(arrays),      cmocka_unit_test(memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
