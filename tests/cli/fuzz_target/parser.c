/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads an input from a file, its argument or standard input. Its first letter says what else it does. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int leaf(int x) { return x * 3 + 1; }
static int (*volatile pointer)(int) = leaf;

static int nest(const char *text, size_t size)
{
  int sum = 0;
  for (size_t i = 0; i < size; i++)
    if (text[i] == '(')
      for (size_t k = 0; k < size; k++)
        sum += text[k];
  return sum;
}

static void fill_memory(void)
{
  for (;;) {
    char *volatile block = malloc(1 << 20);
    if (!block)
      abort();
    memset(block, 1, 1 << 20);
  }
}

static int count_descriptors(void)
{
  int count = 0;
  DIR *dir = opendir("/proc/self/fd");
  while (dir && readdir(dir))
    count++;
  return count - 3; /* ., .. and that of the folder */
}

int main(int argc, char **argv)
{
  static char text[1 << 20];
  FILE *file = argc == 3 ? fopen(argv[2], "r") : stdin;
  size_t size = argc == 2 ? strlen(argv[1]) : fread(text, 1, sizeof text, file);
  const char *input = argc == 2 ? argv[1] : text;
  char first = size ? input[0] : 0;
  if (argc == 3)
    fclose(file);
  if (first == 'C')
    abort();
  if (first == 'L')
    for (;;)
      ;
  if (first == 'M')
    fill_memory();
  if (first == 'F' && fork() == 0)
    sleep(1000);
  if (first == 'D')
    return count_descriptors();
  if (first == 'R')
    remove(argv[2]);
  if (first == 'P')
    for (size_t i = 0; i < size; i++)
      pointer((int)i);
  return nest(input, size) ? 7 : 0;
}
