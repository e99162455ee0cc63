/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A JSON tokenizer that looks at each byte once: a search finds nothing in it. */
#include "../input.h"

enum { DEPTH = 1 << 16 };

static const char *skip_string(const char *at)
{
  for (at++; *at && *at != '"'; at++)
    if (*at == '\\' && at[1])
      at++;
  return *at ? at + 1 : at;
}

int main(int argc, char **argv)
{
  size_t size, strings = 0, numbers = 0, words = 0, bad = 0, depth = 0, deepest = 0;
  static char open[DEPTH];
  const char *at = read_input(argc, argv, &size);
  while (*at) {
    if (*at == '"') {
      at = skip_string(at);
      strings++;
    } else if ((*at >= '0' && *at <= '9') || *at == '-') {
      while ((*at >= '0' && *at <= '9') || strchr("+-.eE", *at ? *at : ' '))
        at++;
      numbers++;
    } else if (*at >= 'a' && *at <= 'z') {
      while (*at >= 'a' && *at <= 'z')
        at++;
      words++;
    } else {
      if ((*at == '[' || *at == '{') && depth < DEPTH)
        open[depth++] = *at == '[' ? ']' : '}';
      else if (*at == ']' || *at == '}')
        bad += depth == 0 || open[--depth] != *at;
      deepest = depth > deepest ? depth : deepest;
      at++;
    }
  }
  printf("%zu %zu %zu %zu %zu\n", strings, numbers, words, bad, deepest);
  return 0;
}
