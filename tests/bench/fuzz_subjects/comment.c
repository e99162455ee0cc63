/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A token of two characters: a comment that does not end is looked for again behind its begin. */
#include "input.h"

int main(int argc, char **argv)
{
  size_t size, comments = 0, words = 0;
  char *text = read_input(argc, argv, &size);
  int none = 0;
  for (size_t i = 0; i < size; i++) {
    if (text[i] != '/' || text[i + 1] != '*' || none) {
      words += text[i] == ' ';
      continue;
    }
    size_t end = i + 2;
    while (end < size && (text[end] != '*' || text[end + 1] != '/'))
      end++;
#ifdef TWIN
    none = end == size;
#endif
    if (end < size) {
      comments++;
      i = end + 1;
    }
  }
  printf("%zu %zu\n", comments, words);
  return 0;
}
