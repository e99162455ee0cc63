#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The work of a library that nobody rebuilt, as a probe set describes it: exact counts at every level of optimisation,
# and findings that name the library's function.
. "$(dirname "$0")/instrument/common.sh"
[ -x "$SCALE_BUILD/bin/scale-run" ] || { echo "skipped: scale-run is not built"; exit 77; }
export SCALE_PASS_VERIFY=1

cat >library.h <<'H'
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
struct text { const char *start; int length; };
unsigned digest(const void *data, size_t bytes);
const char *find(const char *text, char what);
long number(const char *text, const char **end);
int receive(void *to, int bytes);
unsigned sum_text(const struct text *text);
void fill(struct text *text, size_t *filled);
#ifdef __cplusplus
}
#endif
H
cat >library.c <<'C'
#include "library.h"
unsigned digest(const void *data, size_t bytes)
{
  unsigned hash = 1;
  for (size_t i = 0; i < bytes; i++)
    hash = hash * 31 + ((const unsigned char *)data)[i];
  return hash;
}
const char *find(const char *text, char what)
{
  while (*text && *text != what)
    text++;
  return text;
}
long number(const char *text, const char **end)
{
  long value = 0;
  for (; *text >= '0' && *text <= '9'; text++)
    value = value * 10 + *text - '0';
  if (end)
    *end = text;
  return value;
}
int receive(void *to, int bytes)
{
  *(char *)to = 0;
  return bytes > 20 ? -1 : bytes;
}
unsigned sum_text(const struct text *text) { return digest(text->start, (size_t)text->length); }
void fill(struct text *text, size_t *filled) { *filled = (size_t)text->length + 5; }
C
cat >library.json <<'J'
{"schema_version": 1, "events": [
  {"function": "digest", "event": "work", "units": {"argument": 1}},
  {"function": "find", "event": "work", "units": {"difference": [{"return": true}, {"argument": 0}]}, "unit": "characters"},
  {"function": "number", "event": "work", "units": {"difference": [{"end_in": 1}, {"argument": 0}]}},
  {"function": "receive", "event": "work", "units": {"product": [{"argument": 1}, {"return": true}]}},
  {"function": "sum_text", "event": "work", "units": {"sum": [{"argument": 0, "field": 8, "size": 4}, 1]}},
  {"function": "fill", "event": "work", "units": {"pointee_of": 1}, "after": true},
  {"function": "own", "event": "work", "units": {"least": [{"argument": [0, 1]}, 100]}, "unit": "elements"},
  {"function": "apart", "event": "work", "units": {"argument": 0}, "unit": "elements"},
  {"function": "each", "event": "work", "units": 1, "unit": "operations"},
  {"function": "strlen", "event": "work", "units": {"length_of": 0}, "unit": "characters"}]}
J
# One function a line, so that optimisers move no call to another one's line.
cat >program.c <<'C'
#include "library.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static long sum;
static unsigned own(unsigned rows, unsigned columns) { return rows * columns; }
unsigned apart(int steps);
__attribute__((always_inline)) static inline void each(int i) { sum += i; }
static void go_over(const char *data, size_t n)
{
  for (size_t i = 1; i <= n; i++)
    sum += digest(data, i); /* 1 + ... + n */
  for (size_t i = 0; i < n; i++)
    sum += digest(data, 16); /* the same each time, and counted */
}
static void once(const char *data, size_t n)
{
  const char *end;
  size_t filled = 0;
  struct text text = {data, -1};
  sum += find(data, 'z') - data;
  sum += number("12345x", NULL);
  sum += number("123", &end);
  sum += receive(&text.length, 4);
  sum += receive(&text.length, 21); /* fails: nothing is done */
  text.length = 7;
  sum += (long)sum_text(&text);
  fill(&text, &filled);
  sum += (long)filled + own((unsigned)n, 4);
  sum += own((unsigned)n, 400);
  sum += apart(9);
  sum += apart(-1); /* no work either */
  each(1);
  sum += (long)strlen(data);
}
int main(int argc, char **argv)
{
  size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 10;
  char *data = calloc(n + 100, 1);
  data[0] = 'a', data[1] = 'b', data[2] = 'z';
  go_over(data, n);
  once(data, n);
  printf("%ld\n", sum);
  free(data);
  return 0;
}
C
echo 'unsigned apart(int steps) { return (unsigned)steps + 1; }' >apart.c
cat >expected <<'E'
apart elements 9
digest bytes 160
digest bytes 55
each operations 1
fill bytes 12
find characters 2
number bytes 3
number bytes 5
own elements 100
own elements 40
receive bytes 16
strlen characters 3
sum_text bytes 8
E
# counted: "FUNCTION UNIT COUNT" of the last run, of what the set describes
counted() {
  "$SCALE_BUILD/bin/scale-run" dump prof/*.scprof >dump
  sed -n 's/^ *work \([^ ]*\) [^ ]* \([a-z]*\)=\([0-9]*\).*/\1 \2 \3/p' dump | grep -vE '^(strtoul|calloc|printf|memset) ' | sort
}
"$clang" -O1 -c library.c -o library.o || fail "the library does not build"
for level in -O0 -O1 -O2 -O3; do
  "$cc" $level --scale-probes=library.json program.c apart.c library.o -o program 2>err || fail "$level: $(cat err)"
  profiled ./program 10
  same "$level: status" 0 "$status"
  counted | grep -v ' 0$' >got
  cmp -s expected got || fail "$level: $(diff expected got)"
done
# Without the set, nothing of the library is known; strlen is again what the table says.
"$cc" -O2 program.c apart.c library.o -o program 2>err || fail "without a set: $(cat err)"
profiled ./program 10
same "without a set" "strlen bytes 3" "$(counted)"

# Calls that may throw: the amount is known where they return to.
cat >throwing.cpp <<'C'
#include "library.h"
#include <cstdio>
#include <stdexcept>
struct guard { ~guard() { std::puts("end"); } };
int main()
{
  const char *text = "abcd,efg";
  int failures = 0;
  for (int i = 0; i < 3; i++)
    try {
      guard g;
      if (find(text, ',') - text == 4 && i == 1)
        throw std::runtime_error("one");
    } catch (const std::exception &) {
      failures++;
    }
  return failures - 1;
}
C
for level in -O0 -O2; do
  "$cxx" $level --scale-probes=library.json throwing.cpp library.o -o throwing 2>err || fail "throwing.cpp: $(cat err)"
  profiled ./throwing
  same "throwing.cpp $level: status" 0 "$status"
  has "throwing.cpp $level" "^find characters 12$" "$(counted)"
done

# Reports name the function, where it is called and how its work grows.
cat >loop.c <<'C'
#include "library.h"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
  size_t n = strtoul(argv[argc - 1], NULL, 10);
  char *data = calloc(n, 1);
  unsigned all = 0;
  for (size_t i = 0; i < n; i++)
    all += digest(data, i);
  printf("%u\n", all);
  free(data);
  return 0;
}
C
"$cc" -O2 --scale-probes=library.json loop.c library.o -o loop 2>err || fail "loop.c: $(cat err)"
run=$SCALE_BUILD/bin/scale-run
"$run" run -P n=500,1000,2000,4000 --at 1e5 --max-iterations 1 -q --no-report -o loop.db -- ./loop '{n}' >out 2>&1 || fail "scale-run run: $(cat out)"
"$run" report loop.db >out 2>&1
has "the report" "^1\. digest from main \(loop\.c:10:12\): quadratic work, 0\.5 n\^2 - 0\.5 n bytes" "$(cat out)"
has "the report" "^   Predicted   n = 100,000: 5\.00 billion bytes \(exactly\), " "$(cat out)"
finish
