/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Addresses of library functions that are compared, and one (CALLED) that is called. */
#include <stdlib.h>
#include <string.h>

static size_t own(const char *s) { return s[0] != 0; }
size_t (*volatile chosen)(const char *) = own;
__attribute__((unused)) static const void *const unread[] = {(const void *)memmove, (const void *)strchr};

int main(int argc, char **argv)
{
  size_t (*local)(const char *) = strlen;
  long s = 0;
  for (int i = 0; argc > 1 && i < atol(argv[1]); i++)
    s += chosen == local || (const void *)chosen == (const void *)strcspn;
#ifdef CALLED
  if (argc > 1)
    chosen = strlen;
  s += (long)chosen(argv[0]);
#endif
  return s + (long)strlen(argv[0]) > 1000000;
}
