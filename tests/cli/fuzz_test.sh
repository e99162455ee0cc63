#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scale-run fuzz finds the planted family of a program with its exact model, and nothing in the twin without it.
. "$(dirname "$0")/lib.sh"
need_compiler

cat >scan.c <<'END'
#include <stdio.h>
static char text[1 << 22];
int main(int argc, char **argv)
{
  FILE *file = fopen(argv[1], "r");
  size_t size = fread(text, 1, sizeof text, file);
  long sum = 0;
  for (size_t i = 0; i < size; i++)
#ifdef PLANTED
    if (text[i] == '[')
      for (size_t k = i; k < size && text[k] != ']'; k++)
        sum += k ^ sum;
#else
    sum += text[i] == '[' ? 2 : text[i] == ']';
#endif
  printf("%ld\n", sum);
  return 0;
}
END
"$cc" -O2 -g -DPLANTED -o planted scan.c || fault "does not build"
"$cc" -O2 -g -o twin scan.c || fault "does not build"
expect 0 'Family "\[" \* n Model 0.5 n\^2 \+ 0.5 n Confirmed exactly at n = 1,301' "$run" fuzz --for 10s -- ./planted {file}
expect 0 '^ ?Nothing found' "$run" fuzz --for 5s -- ./twin {file}
told 2 'the program to search is missing' 'scale-run fuzz' "$run" fuzz
told 2 'scan.c:2: no entry of a dictionary' 'NAME=' "$run" fuzz --dict scan.c --for 1s -- ./twin {file}
exit $status
