#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Instrumented libraries in programs that are not: however they are linked, loaded and bound, with parameters in every
# kind of register, with and without a profile folder, and calling each other.
. "$(dirname "$0")/instrument/common.sh"
need python3

cat >inner.c <<'C'
long inner(long x);
long inner(long x) { long sum = 0; for (long i = 0; i < x; i++) sum += i; return sum; }
C
cat >outer.c <<'C'
#include <complex.h>
#include <stdarg.h>
struct pair { long a; double b; };
struct big { long v[5]; };
long inner(long x);
int twice(int x) { return 2 * x; }
double eight(double a, double b, double c, double d, double e, double f, double g, double h) { return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h; }
double mixed(int a, float b, long c, double d, char e, float f, long *g, double h, int i, unsigned j) { return a + b + c + d + e + f + *g + h + i + j; }
struct pair both(struct pair p, float x) { struct pair r = {p.a + 1, p.b + x}; return r; }
struct big many(long x) { struct big r = {{x, x + 1, x + 2, x + 3, inner(x)}}; return r; }
long double wide(long double a, double b) { return a * b; }
double complex turn(double complex z) { return z * I; }
int sum(int n, ...) { va_list l; int s = 0; va_start(l, n); while (n--) s += va_arg(l, int) + (int)va_arg(l, double); va_end(l); return s; }
long back(long (*f)(long, double), long x) { return f(x, 0.5) + inner(x); }
C
cat >calls.h <<'C'
#define CALLS(F) F(twice) F(eight) F(mixed) F(both) F(many) F(wide) F(turn) F(sum) F(back)
struct pair { long a; double b; };
struct big { long v[5]; };
int twice(int x);
double eight(double a, double b, double c, double d, double e, double f, double g, double h);
double mixed(int a, float b, long c, double d, char e, float f, long *g, double h, int i, unsigned j);
struct pair both(struct pair p, float x);
struct big many(long x);
long double wide(long double a, double b);
double _Complex turn(double _Complex z);
int sum(int n, ...);
long back(long (*f)(long, double), long x);
C
cat >plain.c <<'C'
#define _GNU_SOURCE
#include "calls.h"
#include <dlfcn.h>
#include <stdio.h>
#ifdef OPEN
#define F(name) static __typeof__(name) *p_##name;
CALLS(F)
#undef F
#define F(name) p_##name = (__typeof__(name) *)dlsym(library, #name);
#define C(name) p_##name
#else
#define C(name) name
#endif
static long called(long x, double y) { return x + (long)(4 * y); }
int main(int argc, char **argv)
{
  long nine = 9;
  (void)argv;
#ifdef OPEN
  void *library = dlopen("./libouter.so", OPEN);
  if (!library) { puts(dlerror()); return 1; }
  CALLS(F)
#endif
  for (int i = 0; i < 3; i++) { /* lazily bound, then not */
    struct pair p = {argc, 0.5}, q = C(both)(p, 0.25f);
    struct big b = C(many)(7);
    printf("%d %g %g %ld %g %ld %Lg %g %d %ld\n", C(twice)(argc), C(eight)(1, 2, 3, 4, 5, 6, 7, 8), C(mixed)(1, 2, 3, 4, 5, 6, &nine, 8, 9, 10),
           q.a, q.b, b.v[4], C(wide)(3.0L, 2), __imag__ C(turn)(1.0), C(sum)(2, 1, 2.0, 3, 4.0), C(back)(called, 5));
  }
  return 0;
}
C
"$clang" -fPIC -shared inner.c -o libinner.so && "$clang" -fPIC -shared outer.c -o libouter.so -L. -linner -Wl,-rpath,"$PWD" &&
  "$clang" plain.c -o program -L. -louter -Wl,-rpath,"$PWD" -Wl,-rpath-link,. && expected=$(./program) || fail "the plain build"
"$clang" -DOPEN=RTLD_LAZY plain.c -o opens_lazy && "$clang" -DOPEN='RTLD_NOW | RTLD_GLOBAL' plain.c -o opens_now || fail "the plain build"
mkdir plain_libraries && cp lib*.so plain_libraries
"$clang" plain.c -o preloaded -Lplain_libraries -louter -Wl,-rpath,"$PWD/plain_libraries" -Wl,-rpath-link,plain_libraries || fail "the plain build"

# right NAME COMMAND...: prints what the plain one does, with a profile folder and without
right() {
  name=$1
  shift
  "$@" >out 2>err
  same "$name: no folder" "0 $expected" "$? $(cat out err)"
  profiled "$@"
  same "$name" "0 $expected" "$status $(cat out err)"
  tree=$(totals)
  has "$name: counts" "^twice 3$" "$tree"
  has "$name: counts" "^inner 6$" "$tree"
}
linkers=bfd
command -v ld.lld >/dev/null && linkers="bfd lld"
for linker in $linkers; do
  for level in -O0 -O1 -O2 -O3; do
    "$cc" -fuse-ld=$linker $level -fPIC -shared inner.c -o libinner.so -Wl,-z,lazy &&
      "$cc" -fuse-ld=$linker $level -fPIC -shared outer.c -o libouter.so -Wl,-z,lazy -L. -linner -Wl,-rpath,"$PWD" ||
      fail "$linker $level does not build"
    same "$linker $level: no library lists symbols of ours as its own" "" \
      "$(nm libinner.so | grep '[A-Z] __\(scale\|start\|stop\)_' | grep -v ' W __scale_\(enter\|node\|slot\|thread_own\|\(enter\|node\|call\|wrap\)_gate\|event_[a-z]*\)$')"
    same "$linker $level: gates bound lazily" "" "$(readelf -rW libouter.so | grep 'JUMP_SLO.*__scale_\(enter\|node\|call\|wrap\)')"
    right "$linker $level: linked" ./program
    right "$linker $level: bound at once" env LD_BIND_NOW=1 ./program
    right "$linker $level: opened lazily" ./opens_lazy
    right "$linker $level: opened at once" ./opens_now
    right "$linker $level: preloaded" env LD_PRELOAD="$PWD/libouter.so $PWD/libinner.so" ./preloaded
  done
done
finish
