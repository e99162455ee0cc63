/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "buffers.h"

struct buffer *buffer_new(size_t size)
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

void buffer_free(struct buffer *buffer)
{
  free(buffer->bytes);
  free(buffer);
}
