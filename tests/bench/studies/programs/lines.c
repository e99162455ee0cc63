/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lines N: writes a file of n lines and parses it: getline, strtok, strtol. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long parse(char *line)
{
  long sum = 0;
  for (char *field = strtok(line, ","); field; field = strtok(NULL, ","))
    sum += strtol(field, NULL, 10);
  return sum;
}

int main(int argc, char **argv)
{
  long n = argc > 1 ? atol(argv[1]) : 0, sum = 0;
  FILE *file = tmpfile();
  char *line = NULL;
  size_t room = 0;
  if (!file)
    return 3;
  for (long i = 0; i < n; i++)
    fprintf(file, "%ld,%ld,name,%ld\n", i, i * 31 % 977, i % 7);
  rewind(file);
  while (getline(&line, &room, file) > 0)
    sum += parse(line);
  printf("%ld\n", sum);
  free(line);
  fclose(file);
}
