/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Benign: a program that sorts n words and ends. The table of words is in use until then, and nobody frees it; what is
 * needed for one word only is freed at once.
 */
#include "program.h"
#include <string.h>

static int compare(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static char *word_new(long number)
{
  char *scratch = malloc(100);
  if (!scratch)
    exit(1);
  snprintf(scratch, 100, "word %ld", number * 7919 % 10007);
  char *word = malloc(strlen(scratch) + 1);
  if (!word)
    exit(1);
  strcpy(word, scratch);
  free(scratch);
  return word;
}

int main(int argc, char **argv)
{
  long n = program_size(argc, argv);
  static char **words;
  words = malloc((size_t)n * sizeof *words);
  if (!words)
    return 1;
  for (long i = 0; i < n; i++)
    words[i] = word_new(i);
  qsort(words, (size_t)n, sizeof *words, compare);
  printf("%s %s\n", words[0], words[n - 1]);
  return 0;
}
