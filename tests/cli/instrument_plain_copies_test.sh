#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --scale-plain-copies: without a profile folder a program executes hardly more than the plain one does; with one it counts
# as ever; libraries, pointers, jump tables and what runs before main go on working.
. "$(dirname "$0")/instrument/common.sh"

cat >calls.c <<'C'
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
struct big { long v[6]; };
typedef long op(long);
__attribute__((noinline)) static long twice(long x) { return x * 2; }
__attribute__((noinline)) static long next(long x) { return x + 1; }
static op *const ops[] = {twice, next};
struct three { long v[3]; };
long third(void *p, struct three t) { return p ? 0 : t.v[2]; } /* t is above the return address */
static long (*volatile third_by)(void *, struct three) = third;
__attribute__((noinline)) struct big fill(struct big b, long x)
{
  for (int i = 0; i < 6; i++)
    b.v[i] += x;
  return b;
}
__attribute__((noinline)) long sum(int n, ...)
{
  long s = 0;
  va_list list;
  va_start(list, n);
  for (int i = 0; i < n; i++)
    s += va_arg(list, long);
  va_end(list);
  return s;
}
long tree(int);
__attribute__((noinline)) long below(int n, ...) /* its plain copy calls plain copies */
{
  va_list list;
  va_start(list, n);
  long s = n ? tree(va_arg(list, int)) + below(n - 1, 3) : 0;
  va_end(list);
  return s;
}
long tree(int depth) { return depth > 1 ? tree(depth - 1) + tree(depth - 2) + 1 : 1; }
static long interpret(const unsigned char *at)
{
  static const void *const labels[] = {&&stop, &&add, &&sub};
  long x = 0;
  goto *labels[*at++];
add:
  x += 3;
  goto *labels[*at++];
sub:
  x--;
  goto *labels[*at++];
stop:
  return x;
}
static long early;
__attribute__((constructor)) static void begin(void) { early = tree(4); }
int main(int argc, char **argv)
{
  long n = argc > 1 ? atol(argv[1]) : 1000, s = early;
  static const unsigned char code[] = {1, 1, 2, 1, 2, 0};
  struct big b = {{1, 2, 3, 4, 5, 6}};
  for (long i = 0; i < n; i++) {
    s += ops[i & 1](i) + interpret(code);
    b = fill(b, i);
    s += below(2, 4);
  }
  s += third_by(NULL, (struct three){{n, 2, 3}});
  s += tree(15) + b.v[3] + sum(3, 1L, 2L, 3L);
  printf("%ld\n", s);
  return s & 7;
}
C
for level in -O1 -O2 -O3; do
  "$clang" $level calls.c -o plain && SCALE_PASS_VERIFY=1 "$cc" $level --scale-plain-copies calls.c -o copies &&
    "$cc" $level calls.c -o counted || fail "$level does not build"
  expected=$(./plain 500; echo $?)
  same "$level: output without a folder" "$expected" "$(./copies 500; echo $?)"
  profiled ./counted 500
  wanted=$(totals)
  profiled ./copies 500
  same "$level: output with a folder" "$expected" "$(cat out; echo $status)"
  same "$level: counts" "$wanted" "$(totals)"
done
[ "$(nm copies | grep -c '\.__scale\.plain$')" -ge 10 ] || fail "not every function has a copy: $(nm copies | grep plain)"

# Instructions are those of the plain build, but for three at each call by pointer (which version?) and the start.
if command -v valgrind >/dev/null; then
  instructions() { valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 | sed -n 's/.*Collected : //p'; }
  for build in plain copies counted; do declare "$build=$(($(instructions ./$build 60000) - $(instructions ./$build 10000)))"; done
  [ $((copies * 100)) -le $((plain * 105)) ] || fail "$copies instructions, $plain of the plain build, $counted counted"
  [ $((counted * 100)) -gt $((plain * 110)) ] || fail "the program shows nothing: counted $counted, plain $plain"
fi

# A library in a plain program, linked, opened and preloaded; functions of it that another library replaces.
cat >lib.cpp <<'C'
#include <stdexcept>
#include <string>
#include <vector>
extern "C" int hook(int x) { return x; }
struct node { virtual int value(int x) { return hook(x); } virtual ~node() = default; };
inline int shared(int x) { static int calls; return x + ++calls; }
extern "C" int work(int n)
{
  std::vector<std::string> rows;
  node one;
  for (int i = 0; i < n; i++)
    rows.push_back(std::to_string(one.value(i)));
  try {
    if (rows.size() > 3)
      throw std::runtime_error("full");
  } catch (const std::exception &e) {
    return shared(int(rows.back().size()));
  }
  return -1;
}
C
cat >use.c <<'C'
#include <stdio.h>
extern int work(int n);
#ifdef REPLACE
int hook(int x) { return x * 100; }
#endif
int main(void) { return printf("%d %d\n", work(50), work(2)) < 0; }
C
"$clang" -x c++ -O2 -fPIC -shared lib.cpp -o libplain.so -lstdc++ &&
  "$cxx" -O2 -fPIC -shared --scale-plain-copies lib.cpp -o libcopies.so || fail "the library does not build"
for define in -DKEEP -DREPLACE; do
  "$clang" $define -rdynamic use.c -o use-plain ./libplain.so && "$clang" $define -rdynamic use.c -o use-copies ./libcopies.so &&
    "$cc" -O2 --scale-plain-copies $define -rdynamic use.c -o use-both ./libcopies.so || fail "$define does not build"
  for program in use-copies use-both; do
    same "$define $program" "$(./use-plain)" "$(./$program)"
    profiled ./$program
    same "$define $program, with a folder" "$(./use-plain)" "$(cat out)"
    has "$define $program" '^work 2$' "$(totals)"
  done
done
# A folder that was asked for and can't be had is no reason to stop counting: children may get one.
same "no folder to be had" "$(./use-plain)" "$(SCALE_PROFILE_DIR=/proc/nowhere ./use-both)"

has "--scale-version" '^SCALE_PLAIN_COPIES=1$' "$(SCALE_PLAIN_COPIES=1 "$cc" --scale-version)"
has "--scale-help" '--scale-plain-copies +keep functions twice' "$("$cc" --scale-help)"
finish
