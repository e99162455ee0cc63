/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "buffers.h"

static struct buffer *kept[100000];
static long count;

/* Keeps the second one of two. */
void serve_second(long request)
{
  struct buffer *head = buffer_new(32);
  struct buffer *body = buffer_new(512); /* kept */
  head->bytes[request % 32] = 1;
  kept[count++] = body;
  buffer_free(head);
}
