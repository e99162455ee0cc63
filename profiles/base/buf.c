/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/buf.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve_buf(sc_buf *buf, size_t extra)
{
  if (buf->failed || extra > SIZE_MAX / 2 - buf->length - 1) {
    buf->failed = true;
    return false;
  }
  if (sc_mem_grow(&buf->text, &buf->capacity, buf->length + extra + 1, 1) < 0)
    buf->failed = true;
  return !buf->failed;
}

void sc_buf_add(sc_buf *buf, const char *text, size_t length)
{
  if (!reserve_buf(buf, length))
    return;
  if (length)
    memcpy(buf->text + buf->length, text, length);
  buf->length += length;
  buf->text[buf->length] = '\0';
}

void sc_buf_puts(sc_buf *buf, const char *text) { sc_buf_add(buf, text, strlen(text)); }

void sc_buf_printf(sc_buf *buf, const char *format, ...)
{
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (length < 0)
    buf->failed = true;
  else if (reserve_buf(buf, (size_t)length)) {
    vsnprintf(buf->text + buf->length, (size_t)length + 1, format, again);
    buf->length += (size_t)length;
  }
  va_end(again);
}

int sc_buf_finish(sc_buf *buf)
{
  sc_buf_add(buf, "", 0);
  return buf->failed ? sc_err_set(SC_E_NOMEM, "out of memory") : 0;
}

char *sc_buf_take(sc_buf *buf)
{
  char *text = sc_buf_finish(buf) < 0 ? NULL : buf->text;
  if (!text)
    free(buf->text);
  *buf = (sc_buf){0};
  return text;
}

void sc_buf_free(sc_buf *buf)
{
  free(buf->text);
  *buf = (sc_buf){0};
}

void *sc_mem_new(size_t count, size_t size)
{
  void *memory = calloc(count ? count : 1, size ? size : 1);
  if (!memory)
    (void)sc_err_set(SC_E_NOMEM, "out of memory: %zu x %zu bytes wanted", count, size);
  return memory;
}

int sc_mem_grow(void *array, size_t *capacity, size_t need, size_t size)
{
  if (need <= *capacity)
    return 0;
  size_t larger = *capacity < 16 ? 16 : *capacity;
  while (larger < need) {
    if (larger > SIZE_MAX / 2)
      return sc_err_set(SC_E_NOMEM, "out of memory: %zu elements wanted", need);
    larger *= 2;
  }
  void *old, *fresh = NULL;
  memcpy(&old, array, sizeof old);
  if (larger <= SIZE_MAX / size)
    fresh = realloc(old, larger * size);
  if (!fresh)
    return sc_err_set(SC_E_NOMEM, "out of memory: %zu x %zu bytes wanted", larger, size);
  memcpy(array, &fresh, sizeof fresh);
  *capacity = larger;
  return 0;
}

int sc_mem_grow_zeroed(void *array, size_t *capacity, size_t need, size_t size)
{
  size_t before = *capacity;
  char *grown;
  SC_TRY(sc_mem_grow(array, capacity, need, size));
  memcpy(&grown, array, sizeof grown);
  if (*capacity > before)
    memset(grown + before * size, 0, (*capacity - before) * size);
  return 0;
}

void sc_mem_free_list(char **list)
{
  for (char **at = list; at && *at; at++)
    free(*at);
  free(list);
}

char *sc_mem_copy_string(const char *text)
{
  size_t bytes = strlen(text) + 1;
  char *copy = sc_mem_new(bytes, 1);
  if (copy)
    memcpy(copy, text, bytes);
  return copy;
}
