#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Calls that optimised code turns into jumps stay jumps: ten million of them, through pointers and between the functions
# of a shared library, on a small stack. What a library function that was jumped to calls back keeps its context.
. "$(dirname "$0")/instrument/common.sh"
need python3

cat >chain.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#define NOINLINE __attribute__((noinline))
typedef long step(long n, long s);
extern step *volatile steps[3];
NOINLINE static long one(long n, long s) { return n ? steps[n % 3](n - 1, s + 1) : s; }
NOINLINE static long two(long n, long s) { return n ? steps[n % 3](n - 1, s + 2) : s; }
NOINLINE static long three(long n, long s) { return n ? steps[n % 3](n - 1, s + 3) : s; }
step *volatile steps[3] = {one, two, three};
int main(int argc, char **argv)
{
  printf("%ld\n", steps[0](atol(argv[1]), 0));
  return 0;
}
C
cat >parity.c <<'C'
int even(long n);
int odd(long n);
__attribute__((noinline)) int even(long n) { return n ? odd(n - 1) : 1; }
__attribute__((noinline)) int odd(long n) { return n ? even(n - 1) : 0; }
C
cat >ask.c <<'C'
#include <stdio.h>
#include <stdlib.h>
int even(long n);
int main(int argc, char **argv)
{
  printf("%d\n", even(atol(argv[1])));
  return 0;
}
C
cat >back.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#define NOINLINE __attribute__((noinline))
typedef int compare(const void *a, const void *b);
NOINLINE static int helper(int n) { return n & 7; }
static int (*volatile help)(int) = helper;
static int by_help(const void *a, const void *b) { return help(*(const int *)a) - help(*(const int *)b); }
static void (*volatile sorter)(void *, size_t, size_t, compare *) = qsort;
NOINLINE static void jumps_to_qsort(int *items, size_t n) { sorter(items, n, sizeof *items, by_help); }
static void (*volatile jump)(int *, size_t) = jumps_to_qsort;
NOINLINE static void jumps(int *items, size_t n) { jump(items, n); }
int main(void)
{
  int items[2];
  for (int i = 0; i < 100; i++) {
    items[0] = i;
    items[1] = i + 1;
    jumps(items, 2);
  }
  for (int i = 0; i < 10; i++)
    qsort(items, 2, sizeof *items, by_help);
  return 0;
}
C

ulimit -s 512
expected=$("$clang" -O2 chain.c -o plain && ./plain 10000000) || fail "the plain chain"
for level in -O1 -O2 -O3 -Os; do
  "$cc" $level chain.c -o chain || fail "chain $level does not build"
  profiled ./chain 10000000
  same "chain $level" "0 $expected" "$status $(cat out)"
  same "chain $level: calls" "10000001" "$(totals | grep -vE '^(main|atol) ' | awk '{ sum += $2 } END { print sum }')"
  "$cc" $level -fPIC -shared parity.c -o libparity.so && "$cc" $level ask.c -L. -lparity -Wl,-rpath,"$PWD" -o ask ||
    fail "ask $level does not build"
  profiled ./ask 10000000
  same "library $level" "0 1" "$status $(cat out)"
  same "library $level: calls" "even 5000001 odd 5000000" "$(totals | grep -E '^(even|odd) ' | xargs)"
  "$cc" $level back.c -o back || fail "back $level does not build"
  profiled ./back
  has "back $level: called back" "^main/jumps/jumps_to_qsort/by_help 100 " "$(contexts)"
  has "back $level: what that calls" "^main/jumps/jumps_to_qsort/by_help/helper 200 " "$(contexts)"
  has "back $level: called back otherwise" "^main/by_help 10 " "$(contexts)"
done
finish
