/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Benign: for each of n lines, memory that the C library obtains and the program frees (getline, open_memstream), or
 * that the library frees by itself (the stream's).
 */
#include "program.h"
#include <string.h>

static long copy(FILE *from)
{
  char *line = NULL, *text = NULL;
  size_t room = 0, length = 0;
  if (getline(&line, &room, from) < 0)
    exit(1);
  FILE *stream = open_memstream(&text, &length);
  if (!stream)
    exit(1);
  fprintf(stream, "line: %s", line);
  fclose(stream);
  long sum = (long)strlen(text);
  free(text);
  free(line);
  return sum;
}

int main(int argc, char **argv)
{
  long n = program_size(argc, argv), sum = 0;
  FILE *from = tmpfile();
  if (!from)
    return 1;
  for (long i = 0; i < n; i++)
    fprintf(from, "%ld\n", i);
  rewind(from);
  for (long i = 0; i < n; i++)
    sum += copy(from);
  fclose(from);
  printf("%ld\n", sum);
  return 0;
}
