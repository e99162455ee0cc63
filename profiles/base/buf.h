/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* A growing string. Zero-initialise; `text` is NUL-terminated once anything was
 * added. Running out of memory sets `failed` and later additions do nothing, so
 * that a long composition needs one check, sc_buf_finish, at its end. */
typedef struct sc_buf {
  char *text;
  size_t length, capacity;
  bool failed;
} sc_buf;

/* Append `length` bytes, a string, or what printf makes; without memory nothing, and `failed` is set. */
void sc_buf_add(sc_buf *buf, const char *text, size_t length);
void sc_buf_puts(sc_buf *buf, const char *text);
void sc_buf_printf(sc_buf *buf, const char *format, ...) SC_PRINTF(2, 3);
/* 0, with text never NULL, or SC_E_NOMEM. */
int sc_buf_finish(sc_buf *buf) SC_CHECK;
/* Hands the text over to the caller (free it) and empties buf; NULL after a failure. */
char *sc_buf_take(sc_buf *buf);
void sc_buf_free(sc_buf *buf);

/* malloc family that sets the last error. Element count times size is overflow-checked. */
void *sc_mem_new(size_t count, size_t size); /* zeroed, or NULL */
/* Points `pointer` to `count` elements, all zero: 0 or SC_E_NOMEM. */
#define SC_NEW(pointer, count) (((pointer) = sc_mem_new((count), sizeof *(pointer))) ? 0 : SC_E_NOMEM)
int sc_mem_grow(void *array, size_t *capacity, size_t need, size_t size) SC_CHECK;        /* array: T **; doubles */
int sc_mem_grow_zeroed(void *array, size_t *capacity, size_t need, size_t size) SC_CHECK; /* what is new is zero */
char *sc_mem_copy_string(const char *text);
void sc_mem_free_list(char **list); /* of texts, NULL-terminated; or NULL */
