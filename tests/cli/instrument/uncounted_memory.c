/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nothing in this file is counted: libc's start code may call it. */
#include <stddef.h>

static void step(char *to, const char *from) { *to = *from; }

void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
  for (size_t i = 0; i < bytes; i++)
    step((char *)to + i, (const char *)from + i);
  return to;
}

__attribute__((no_profile_instrument_function)) int helped(void) { return 1; }
