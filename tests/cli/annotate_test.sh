#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# <scale/annotate.h>: nothing in a normal build, but checked; counted in an instrumented one; harmless in between.
. "$(dirname "$0")/instrument/common.sh"
include=$source/instrument/include
run=$SCALE_BUILD/bin/scale-run

cat >with.c <<'C'
#include <scale/annotate.h>
#include <stdlib.h>
struct connection { int number; };
enum kind { SMALL, LARGE };
static int evaluated;
static int touch(int value) { evaluated++; return value; }
int use(struct connection *connection, enum kind kind, unsigned char small, const volatile void *address);
int use(struct connection *connection, enum kind kind, unsigned char small, const volatile void *address)
{
  int before = touch(1);
  SCALE_CAPACITY("connections", 16);
  if (kind == SMALL)
    SCALE_ACQUIRE_FAILED("connections", 0);
  else
    SCALE_ACQUIRE("connections", connection, 1);
  SCALE_READ("connections", connection);
  SCALE_WRITE("bytes" " of it", address);
  SCALE_WAIT_BEGIN("queue", small);
  SCALE_WAIT_BEGIN("latch", kind);
  before += rand();
  SCALE_WAIT_END("latch", kind);
  SCALE_WAIT_END("queue", small);
  SCALE_RELEASE("connections", connection, touch(1) + sizeof(*connection));
  return before + connection->number + evaluated;
}
int main(void) { struct connection c = {0}; return use(&c, LARGE, 3, &c) == 0; }
C
sed -E '/annotate.h/d; s/SCALE_[A-Z_]+\(.*\);/;/' with.c >without.c
same "lines left" 0 "$(grep -c SCALE_ without.c)"
cp with.c with.cpp && cp without.c without.cpp

code() { # COMPILER FILE: all that is left of it without debug information and the file's name
  "$@" -o code.o 2>err || { fail "$*: $(cat err)"; return; }
  [ ! -s err ] || fail "$* says: $(cat err)"
  objdump -drst code.o | grep -v -e 'file format' -e ' df \*ABS\*' | md5sum
}
for level in -O0 -O2; do
  for language in "$clang -std=c99" "gcc -std=c99" "$clang -std=c17" "$clang --driver-mode=g++ -std=c++11" "g++ -std=c++11" "g++ -std=c++20"; do
    command -v ${language%% *} >/dev/null || continue
    case $language in *++*) ending=cpp strict=-Wold-style-cast ;; *) ending=c strict=-Wstrict-prototypes ;; esac
    flags="$level -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-unused-parameter $strict -Werror"
    cp with.$ending unit.$ending && with=$(code $language $flags -I"$include" -c unit.$ending)
    cp without.$ending unit.$ending && without=$(code $language -w $level -c unit.$ending)
    same "$language $level: vanishes" "$without" "$with"
  done
done

# refused WHAT CODE: no compiler takes it, in a normal build or an instrumented one
refused() {
  printf '#include <scale/annotate.h>\nstruct pair { long a, b; } pair; char name[8]; void f(void); void f(void) { %s; }\n' "$2" >wrong.c
  cp wrong.c wrong.cpp
  for compiler in "$clang -I$include" "gcc -I$include" "g++ -I$include -xc++" "$cc" "$cxx -xc++"; do
    command -v ${compiler%% *} >/dev/null || continue
    ! $compiler -c wrong.c -o wrong.o 2>/dev/null || fail "$1: ${compiler%% *} takes it"
  done
}
refused "a name that is no literal" 'SCALE_READ(name, 1)'
refused "a structure as id" 'SCALE_READ("r", pair)'
refused "no such variable" 'SCALE_ACQUIRE("r", 1, nothing)'
refused "a structure as units" 'SCALE_RELEASE("r", 1, pair)'
refused "a structure as capacity" 'SCALE_CAPACITY("r", pair)'
refused "a wait without end" 'SCALE_WAIT_BEGIN("r", 1)'
refused "an end without wait" 'SCALE_WAIT_END("r", 1)'

# instrumented: the header is found without a word, and the program is as before
for compiler in "$cc with.c" "$cxx with.cpp"; do
  for level in -O0 -O2; do
    $compiler $level -Wall -Wextra -Werror -Wno-unused-parameter -o prog 2>err || fail "$compiler $level: $(cat err)"
    profiled ./prog
    same "$compiler $level: status" 0 $status
    [ -x "$run" ] || continue
    "$run" dump prof/*.scprof >dump
    for what in "resource connections .*SCALE_ACQUIRE[:0-9]* +acquires 1, .*units 1" "resource connections .*SCALE_RELEASE[:0-9]* +releases 1" \
                "resource connections .*SCALE_READ[:0-9]* +reads 1" "resource bytes of it .*SCALE_WRITE[:0-9]* +writes 1" \
                "resource queue .*SCALE_WAIT[:0-9]* +waits 1" "resource latch .*SCALE_WAIT[:0-9]* +waits 1"; do
      has "$compiler $level" "$what" "$(cat dump)"
    done
    same "$compiler $level: failed" 0 "$(grep -c 'connections.*failures' dump)"
  done
done
"$cc" -E with.c >with.i && "$cc" with.i -o prog && profiled ./prog
same "preprocessed before: status" 0 $status

# plain clang, with what scale.cmake and pkg-config add
counts() { # WHAT: ./prog's connections are counted, under their name
  profiled ./prog
  same "$1: status" 0 $status
  [ ! -x "$run" ] || has "$1" "resource connections .*SCALE_ACQUIRE[:0-9]* +acquires 1" "$("$run" dump prof/*.scprof)"
}
if command -v cmake >/dev/null; then
  printf 'cmake_minimum_required(VERSION 3.25)\nproject(annotated C)\nadd_executable(prog with.c)\n' >CMakeLists.txt
  cmake -B build -DCMAKE_C_COMPILER="$clang" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_PROJECT_INCLUDE="$("$cc" --scale-where | sed -n 's/^cmake=//p')" >out 2>&1 && cmake --build build >>out 2>&1 &&
    mv build/prog prog && counts "scale.cmake" || fail "scale.cmake: $(tail -n 5 out)"
fi
if command -v pkg-config >/dev/null; then
  "$clang" -O2 with.c $(PKG_CONFIG_PATH=$SCALE_BUILD/lib/pkgconfig pkg-config --cflags --libs scale-instrument) -o prog 2>err ||
    fail "pkg-config: $(cat err)"
  counts "pkg-config"
fi

# two resources may know the same unit, or count units that have no names, and stay two
cat >two.c <<'C'
#include <scale/annotate.h>
int main(void)
{
  int shared;
  for (int i = 0; i < 10; i++) {
    SCALE_ACQUIRE("outer", &shared, 1);
    SCALE_ACQUIRE("inner", &shared, 1);
    SCALE_ACQUIRE("bytes", 0, 5);
    SCALE_ACQUIRE("slots", 0, 2);
    SCALE_RELEASE("bytes", 0, 5);
    SCALE_RELEASE("slots", 0, 1);
    SCALE_RELEASE("inner", &shared, 1);
    SCALE_RELEASE("outer", &shared, 1);
  }
  return 0;
}
C
"$cc" -O2 two.c -o two && profiled ./two
if [ -x "$run" ]; then
  "$run" dump prof/*.scprof >dump
  for resource in "outer 10 10 1" "inner 10 10 1" "bytes 50 50 5" "slots 20 10 11"; do
    set -- $resource
    has "$1" "resource $1 +SCALE_ACQUIRE[:0-9]+ +acquires 10,.* units $2,.* units returned $3, peak $4" "$(cat dump)"
  done
  same "releases of what nobody has" 0 "$(grep -c unknown dump)"
fi

# somebody else's header of that name comes first
mkdir -p mine/scale && echo '#define MINE 1' >mine/scale/annotate.h
printf '#include <scale/annotate.h>\nint mine = MINE;\n' >mine.c
"$cc" -Imine -c mine.c 2>err || fail "a header of one's own: $(cat err)"

# left out by a filter, or compiled without the pass: nothing counts, everything links
"$cc" -O2 --scale-exclude=use with.c -o prog 2>err || fail "left out: $(cat err)"
profiled ./prog
same "left out: status" 0 $status
"$clang" -O2 -D__SCALE__=1 -I"$include" -c with.c -o plain.o && "$cc" plain.o -o prog 2>err || fail "without the pass: $(cat err)"
profiled ./prog
same "without the pass: status" 0 $status
finish
