#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Where the program is not alone in its process: functions of its own that libc's start code calls before there is
# thread-local storage; ThreadSanitizer, which must see no races in our counters, and the program's all the same; and no
# memory left for counters.
. "$(dirname "$0")/instrument/common.sh"
need python3

cat >own.c <<'C'
#include <stddef.h>
#include <stdio.h>
#include <string.h>
static char pool[1 << 20];
static size_t at;
void *malloc(size_t n) { size_t a = (at + 15) & ~(size_t)15; at = a + n; return pool + a; }
void free(void *p) {}
void *calloc(size_t a, size_t b) { return memset(malloc(a * b), 0, a * b); }
void *realloc(void *p, size_t n) { return p ? memcpy(malloc(n), p, n) : malloc(n); }
void *memcpy(void *to, const void *from, size_t n) { for (size_t i = 0; i < n; i++) ((volatile char *)to)[i] = ((const char *)from)[i]; return to; }
void *memset(void *to, int c, size_t n) { for (size_t i = 0; i < n; i++) ((volatile char *)to)[i] = (char)c; return to; }
size_t strlen(const char *s) { size_t n = 0; while (((const volatile char *)s)[n]) n++; return n; }
int main(void)
{
  char *volatile text = strdup("mine");
  printf("%s %zu\n", text, strlen(text));
  return 0;
}
C
for level in -O0 -O2; do
  for link in "" -static -static-pie; do
    "$cc" $level own.c -o own $link 2>err || fail "own $level $link: $(cat err)"
    profiled ./own
    same "own $level $link" "0 mine 4" "$status $(cat out)"
    has "own $level $link: malloc is counted" "^malloc [1-9]" "$(totals)"
  done
done

# a function that runs before libc begins, of a program and before a library's own
cat >early.c <<'C'
#include <stdio.h>
static int sum;
static int work(int n) { for (int i = 0; i < n; i++) sum += i; return sum; }
static void early(int argc, char **argv, char **environment) { sum = work(argc + 4); }
__attribute__((section(".preinit_array"), used)) static void (*const entry)(int, char **, char **) = early;
int main(void) { printf("%d\n", work(3)); return 0; }
C
for level in -O0 -O2; do
  for link in "" -no-pie -static -static-pie; do
    "$cc" $level early.c -o early $link 2>err || fail "early $level $link: $(cat err)"
    profiled ./early
    same "early $level $link" "0 13" "$status $(cat out)"
    has "early $level $link: is counted" "^early 1" "$(totals)"
    has "early $level $link: main, too" "^main 1" "$(totals)"
    (unset SCALE_PROFILE_DIR; ./early >out); same "early $level $link: no folder" "13" "$(cat out)"
  done
done

# what comes before everything else in a function, and keeps no slot
cat >profiler.c <<'C'
#include <stdio.h>
__attribute__((noinline)) int work(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += i; printf("%d\n", sum); return sum; }
int main(void) { work(3); return work(4) - 6; }
C
for level in -O0 -O2; do
  for flags in "-pg -mfentry" -pg; do
    # shellcheck disable=SC2086
    "$cc" $level $flags profiler.c -o profiler 2>err || fail "$level $flags: $(cat err)"
    profiled ./profiler
    same "$level $flags" "0 3 6" "$status $(xargs <out)"
    same "$level $flags: calls" "main/work 2 7" "$(contexts | grep work)"
  done
done

cat >race.cpp <<'C'
#include <cstdio>
#include <cstdlib>
#include <map>
#include <thread>
#include <vector>
#define NOINLINE __attribute__((noinline))
static long results[4], shared;
typedef long op(long);
NOINLINE static long leaf(long n) { long s = 0; for (long i = 0; i < n; i++) s += i ^ n; return s; }
static op *volatile direct = leaf;
NOINLINE static long forward(long n) { return direct(n + 1); }
static op *volatile by_forward = forward;
static int compare(const void *a, const void *b) { return by_forward(*(const int *)a % 7) - by_forward(*(const int *)b % 7); }
static void work(long k, bool racy)
{
  int items[50];
  std::map<int, int> seen;
  for (int i = 0; i < 50; i++) items[i] = i * 7 % 50;
  qsort(items, 50, sizeof *items, compare);
  for (int i = 0; i < 100; i++) { seen[i] = by_forward(i % 5); results[k] += leaf(i); }
  try { if (k % 2) throw 1; } catch (int) { results[k]++; }
  if (racy) shared++;
}
int main(int argc, char **)
{
  for (int round = 0; round < 100; round++) {
    std::vector<std::thread> threads;
    for (long k = 0; k < 4; k++) threads.emplace_back(work, k, argc > 1);
    for (auto &thread : threads) thread.join();
  }
  std::printf("%ld\n", results[0] + results[1]);
}
C
if "$clang" --driver-mode=g++ -O2 -fsanitize=thread race.cpp -o plain 2>err && ./plain >expected 2>err; then
  for level in -O0 -O1 -O2 -O3; do
    "$cxx" $level -fsanitize=thread race.cpp -o race 2>err || fail "race $level: $(cat err)"
    profiled ./race
    same "race $level: reports" "0 " "$status $(head -3 err)"
    same "race $level: output" "$(cat expected)" "$(cat out)"
    has "race $level: counts" "^_ZL4worklb 400$" "$(totals)"
    profiled ./race racy
    has "race $level: the program's own race" "ThreadSanitizer: data race" "$(cat err)"
  done
else
  echo "not tested: ThreadSanitizer is not installed, or cannot run here"
fi

# 1500 functions are entered for the first time when no more memory is to be had: the program notices nothing
{
  echo '#include <stdio.h>
#include <sys/resource.h>
typedef long op(long);'
  for ((i = 0; i < 1500; i++)); do
    echo "static long leaf$i(long n) { long s = 0; for (long i = 0; i < n; i++) s += i ^ n; return s + $i; }
static long f$i(long n) { return n ? leaf$i(n) + f$i(n - 1) : 0; }"
  done
  echo 'static op *volatile table[] = {'
  for ((i = 0; i < 1500; i++)); do echo "f$i,"; done
  echo '};
int main(void)
{
  struct rlimit none = {1, 1};
  long s = 0;
  setrlimit(RLIMIT_AS, &none);
  for (int round = 0; round < 3; round++)
    for (int i = 0; i < 1500; i++)
      s += table[i](5);
  printf("%ld\n", s);
  return 0;
}'
} >many.c
"$clang" -O0 many.c -o plain && ./plain >expected || fail "the plain build of many"
for level in -O0 -O1; do
  "$cc" $level many.c -o many || fail "many $level does not build"
  profiled ./many
  same "many $level" "0 $(cat expected)" "$status $(cat out)"
  has "many $level: says what is lost" " truncated [1-9][0-9]* lost [1-9]" "$(contexts 2>&1)" # (records are lost, too)
done
finish
