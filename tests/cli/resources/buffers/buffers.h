/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stddef.h>
#include <stdlib.h>

struct buffer {
  size_t size;
  char *bytes;
};
struct buffer *buffer_new(size_t size);
void buffer_free(struct buffer *buffer);

/* The same in a header, where it is inlined. */
static inline struct buffer *buffer_make_here(size_t size)
{
  struct buffer *buffer = (struct buffer *)malloc(sizeof *buffer);
  if (!buffer)
    return NULL;
  buffer->size = size;
  buffer->bytes = (char *)calloc(size, 1);
  if (!buffer->bytes) {
    free(buffer);
    return NULL;
  }
  return buffer;
}

void serve_first(long request), serve_second(long request), serve_third(long request);
