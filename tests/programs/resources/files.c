/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * n files are opened and their headers looked at. The descriptor of every fifth, which is no text, is forgotten.
 * Twin: that of a text is made a stream, whose end, within the C library, closes it; the others are closed at once.
 */
#include "program.h"
#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

static bool is_text(long number) { return number % 5 != 2; }

static long look(long number)
{
  int file = open("/dev/zero", O_RDONLY | O_CLOEXEC); /* culprit */
  if (file < 0)
    return -1;
  char header[16];
  if (read(file, header, sizeof header) != sizeof header || !is_text(number)) {
#ifdef TWIN
    close(file);
#endif
    return 0;
  }
#ifdef TWIN
  FILE *stream = fdopen(file, "r");
  if (!stream)
    exit(1);
  long next = fgetc(stream);
  fclose(stream);
  return 1 + next;
#else
  close(file);
  return 1;
#endif
}

int main(int argc, char **argv)
{
  long n = program_size(argc, argv), texts = 0;
  for (long i = 0; i < n; i++)
    texts += look(i);
  printf("%ld\n", texts);
  return 0;
}
