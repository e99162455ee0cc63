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
expect 0 'Family "\[" \* n Model 0.5 n\^2 \+ 0.5 n Confirmed exactly at n = 1,301' "$run" fuzz --runs 1500 -- ./planted {file}
expect 0 '^ ?Nothing found' "$run" fuzz --runs 1500 -- ./twin {file}
# words of the program that no punctuation gives, and harnesses, searched at once
cat >harness.c <<'END'
#include <stddef.h>
#include <stdint.h>
#include <string.h>
static volatile long sum;
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  for (size_t i = 0; i + 5 <= size; i++)
    if (memcmp(data + i, "BEGIN", 5) == 0)
      for (size_t k = i; k < size; k++)
        sum += data[k];
  return 0;
}
END
"$cc" -O2 -g --scale-fuzz-main -o harness harness.c || fault "the harness does not build"
expect 0 'Family "BEGIN" \* n Model 2.5 n\^2 \+ 2.5 n Confirmed exactly at n = 1,301.*1 find' "$run" fuzz --harness --jobs 2 --runs 1500 -- ./harness
told 2 'at most 64' 'each processor' "$run" fuzz --harness --jobs 65 --for 1s -- ./harness
told 2 'the program to search is missing' 'scale-run fuzz' "$run" fuzz
told 2 'scan.c:2: no entry of a dictionary' 'NAME=' "$run" fuzz --dict scan.c --for 1s -- ./twin {file}
exit $status

# a custom mutator makes what no token is: each record begins with the sum of its bytes, or all is refused
cat >records.c <<'END_OF_C'
#include <stddef.h>
#include <stdint.h>
#include <string.h>
static volatile long sum;
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
static unsigned check(const uint8_t *data, size_t size)
{
  unsigned all = 17;
  for (size_t i = 0; i < size; i++)
    all = all * 31 + data[i];
  return all % 251;
}
#ifdef MUTATOR
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
  if (size < 4 || most < 4)
    memcpy(data, "1234", size = 4);
  (void)LLVMFuzzerMutate(data + 1, 3, 3);
  data[0] = (uint8_t)check(data + 1, 3);
  return 4;
}
#endif
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  size_t records = 0;
  while (4 * records + 4 <= size && data[4 * records] == check(data + 4 * records + 1, 3))
    records++;
  for (size_t i = 0; i < records; i++)
    for (size_t k = 0; k < i; k++)
      sum = sum + 1;
  return 0;
}
END_OF_C
compile -O1 -g --scale-fuzz-main -o records records.c
compile -O1 -g -DMUTATOR --scale-fuzz-main -o records-mutated records.c
expect 0 'Nothing found' "$run" fuzz --harness --runs 20000 -- ./records
expect 0 'Model 0.5 n\^2 - 0.5 n' "$run" fuzz --harness --runs 20000 -- ./records-mutated

# who ends the process that runs it ends the search, which says so
cat >ending.c <<'END_OF_C'
#include <signal.h>
#include <unistd.h>
int main(void)
{
  char text[100];
  return read(0, text, sizeof text) < 0 || kill(getppid(), SIGKILL);
}
END_OF_C
compile -O1 -g -o ending ending.c
told 3 'the program ended before it could be run' 'its parent' "$run" fuzz --runs 100 -- ./ending {stdin}
