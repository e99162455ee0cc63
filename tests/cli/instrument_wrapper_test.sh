#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scale-cc and scale-c++ as a compiler among compilers: modes, options, links, and the build systems' configure steps.
. "$(dirname "$0")/instrument/common.sh"
need python3

cat >prog.c <<'C'
#include <stdio.h>
#include <stdlib.h>
static int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int twice(int n);
int main(int argc, char **argv)
{
  int items[4] = {3, 1, 2, argc};
  long sum = 0;
  qsort(items, 4, sizeof(*items), cmp);
  for (int i = 0; i < 100; i++)
    sum += twice(i) ^ items[i % 4];
  printf("%ld %s\n", sum, argv[argc - 1][0] ? "ok" : "");
  return 0;
}
C
cat >twice.c <<'C'
int twice(int n);
int twice(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += n ^ i; return sum; }
C
cat >throw.cpp <<'C'
#include <cstdio>
#include <stdexcept>
#include <vector>
struct shape { virtual ~shape() = default; virtual int area() const = 0; };
struct square : shape { int side; explicit square(int s) : side(s) {} int area() const override { if (side == 3) throw std::runtime_error("three"); return side * side; } };
int main()
{
  std::vector<shape *> shapes;
  int total = 0;
  for (int i = 0; i < 5; i++) shapes.push_back(new square(i));
  for (auto *s : shapes) { try { total += s->area(); } catch (const std::exception &) { total += 100; } delete s; }
  std::printf("%d\n", total);
}
C
"$clang" -O2 prog.c twice.c -o plain && expected=$(./plain)

# quiet COMMAND...: it must succeed and say nothing
quiet() {
  "$@" >out 2>err </dev/null || fail "$*: status $?: $(head -3 err)"
  same "$*: says" "" "$(cat out err)"
}
# counted PROGRAM: it runs as the plain one, and main is in its profile
counted() {
  profiled "$@"
  same "$*: output" "$expected" "$(cat out err)"
  has "$*: profile" "^main " "$(contexts)"
}

# levels, position, kinds of link
for level in -O0 -O1 -O2 -O3 -Os -Ofast; do
  quiet "$cc" $level prog.c twice.c -o prog$level -Wall -Wextra -Werror
  counted ./prog$level
done
quiet "$cc" -O2 -fPIC -c prog.c twice.c
quiet "$cc" prog.o twice.o -o linked -Werror
counted ./linked
quiet "$cc" -no-pie prog.o twice.o -o nopie
counted ./nopie
quiet "$cc" -static prog.o twice.o -o static
counted ./static
quiet "$cc" -static-pie prog.o twice.o -o staticpie
counted ./staticpie
quiet "$cc" -shared -fPIC twice.c -o libtwice.so
quiet "$cc" prog.o -L. -ltwice -Wl,-rpath,"$PWD" -o shared
counted ./shared
has "shared: one tree" "^main/twice 100 4950$" "$(contexts)"
same "shared: one profile" 1 "$(ls prof | wc -l)"
"$clang" -shared -fPIC twice.c -o libtwice.so
counted ./shared
quiet "$cc" -r prog.o twice.o -o both.o
same "-r: no runtime" "" "$(nm both.o | grep ' [TD] __scale_enter$')"
quiet "$cc" both.o -o relinked
counted ./relinked
quiet "$cc" -O2 prog.c -c -o sp.o
ar rcs libtw.a twice.o
quiet "$cc" sp.o libtw.a -o archived
counted ./archived
for level in -O0 -O2 -O3; do
  quiet "$cxx" $level throw.cpp -o throw$level
  profiled ./throw$level
  same "exceptions $level" 121 "$(cat out err)"
  has "exceptions $level: profile" "^main " "$(contexts)"
done
has "a build id" "Build ID" "$(readelf -n linked)"
quiet "$cc" prog.o twice.o -o noid -Wl,--build-id=none
same "a build id of one's own" "" "$(readelf -n noid | grep 'Build ID')"

# where nobody said how much debug information, all but local variables; line numbers at least where somebody did
variables() { readelf --debug-dump=info "$1" | grep -c DW_TAG_variable; }
quiet "$cc" -c -O2 prog.c -o all.o
quiet "$cc" -c -O2 -g prog.c -o g.o
quiet "$cc" -c -O2 -g0 prog.c -o g0.o
quiet "$cc" -c -O2 -g -gline-tables-only prog.c -o g1.o
for o in all.o g.o g0.o g1.o; do has "$o: line table" "debug_line" "$(readelf -SW $o)"; done
[ "$(variables all.o)" -gt 2 ] || fail "variables are gone"
[ "$(variables g.o)" -gt "$(variables all.o)" ] || fail "local variables are gone although somebody asked for them"
same "variables" "0 0" "$(variables g0.o) $(variables g1.o)"
code() { objdump -dr "$1" | tail -n +4; }
same "debug information changes no code" "$(code g0.o | md5sum)" "$(code all.o | md5sum)"

# what only asks, preprocesses or assembles is clang's alone
same "--version" "$("$clang" --version | head -1)" "$("$cc" --version | head -1)"
same "-dumpmachine" "$("$clang" -dumpmachine)" "$("$cc" -dumpmachine)"
same "-print-prog-name" "$("$clang" -print-prog-name=ld)" "$("$cc" -print-prog-name=ld)"
same "-E" "$("$clang" -E prog.c | md5sum)" "$("$cc" -E prog.c | md5sum)"
same "-M" "$("$clang" -M twice.c)" "$("$cc" -M twice.c)"
has "-Wl,--version" "ld|LLD|gold|mold" "$("$cc" -Wl,--version 2>&1)"
printf '.globl f\n.text\nf: ret\n' >f.s
quiet "$cc" -Werror -c f.s
quiet "$cc" -Werror -x assembler -c f.s -o f2.o
quiet "$cc" -Werror -fsyntax-only prog.c
"$cc" twice.o -x c - -o piped <prog.c 2>err; same "stdin" "" "$(cat err)"
counted ./piped
quiet "$cc" -S -O2 prog.c -o prog.s
has "-S: instrumented" "__scale_slot" "$(cat prog.s)"
quiet "$cc" -o dashes twice.o -- prog.c
counted ./dashes
"$cc" nowhere.c >/dev/null 2>err; same "an error's status" 1 $?
has "an error's text" "nowhere.c" "$(cat err)"

# precompiled headers
printf '#pragma once\ninline int square(int n) { return n * n; }\n' >square.h
printf '#include "square.h"\nint main() { return square(2) - 4; }\n' >square.cpp
quiet "$cxx" -x c++-header square.h -o square.h.pch
quiet "$cxx" -include square.h square.cpp -o square
quiet "$cxx" -include-pch square.h.pch square.cpp -o square
quiet ./square

# response files
echo "-O2 -Wno-maybe-uninitialized -c 'prog.c' -o \"from response.o\"" >args
quiet "$cc" -Werror @args
quiet "$cc" "from response.o" twice.o -o response
counted ./response
echo "prog.o twice.o" >objects
quiet "$cc" @objects -o response2
counted ./response2

# gcc's own options, and link-time optimisation
quiet "$cc" -Werror -Wall -fno-tree-vectorize -Wno-maybe-uninitialized -Wimplicit-fallthrough=3 -fno-ipa-sra \
  -Wlogical-op -Wduplicated-cond -Werror=format-overflow=2 -fno-gcse -mpreferred-stack-boundary=4 \
  -flto=auto -ffat-lto-objects -fuse-linker-plugin -fvar-tracking-assignments -specs=/dev/null \
  -fmax-errors=5 -O2 prog.c twice.c -o gcc
counted ./gcc
has "no link-time optimisation" "ELF" "$("$cc" -flto -c twice.c -o lto.o && file lto.o 2>/dev/null || head -c 4 lto.o)"

# times are attributed by symbols, which no option of the link may leave out
for option in -s -Wl,-s -Wl,--strip-all -Wl,-S; do
  quiet "$cc" -O2 prog.c twice.c $option -o symbols
  has "$option" ' T main' "$(nm symbols 2>&1)"
  has "$option" 'debug_info' "$(readelf -SW symbols)"
done

# what cannot be done is said once, with a way out
refused() { # why, options...
  why=$1
  shift
  "$cc" "$@" >out 2>err; same "$*: status" 1 $?
  same "$*: lines" 2 "$(cat out err | wc -l)"
  has "$*: why" "$why" "$(head -1 err)"
  has "$*: hint" "^hint: " "$(tail -1 err)"
}
refused "-m32: only 64-bit" -m32 -c prog.c
refused "-m32: only 64-bit" -m32 prog.c twice.c -o prog32
refused "-fsanitize=undefined,cfi-icall: .*link-time" -flto -fvisibility=hidden -fsanitize=undefined,cfi-icall prog.c twice.c -o cfi
refused "-nostdlib: .*libc" -nostdlib prog.c twice.c -o without
refused "-nodefaultlibs: .*libc" -nodefaultlibs prog.o twice.o -o without
quiet "$cc" -m32 -E -P twice.c -o twice.i
quiet "$cc" -m32 -m64 -c twice.c
quiet "$cc" -fsanitize=cfi -fno-sanitize=cfi -c twice.c
quiet "$cc" -nostdlib -shared -fPIC twice.c -o without.so
quiet "$cc" -nodefaultlibs prog.o twice.o -lc -lgcc -lgcc_s -o with
counted ./with

# switched off, other compiler, own options
SCALE_WRAPPER=off "$cc" -O2 prog.c twice.c -o off || fail "SCALE_WRAPPER=off"
same "off: nothing inside" "" "$(nm off | grep __scale)"
cat >other <<'S'
#!/bin/sh
echo "$@"
S
chmod +x other
has "SCALE_CLANG" "^--driver-mode=g\+\+ .*twice.c" "$(SCALE_CLANG=./other "$cxx" -c twice.c)"
SCALE_CLANG=./twice.c/none "$cc" -c twice.c 2>err; same "no compiler: status" 127 $?
has "no compiler: hint" "^hint: " "$(cat err)"
quiet "$cc" -O0 --scale-exclude=twice --scale-exclude='cm?' prog.c twice.c -o without
counted ./without
same "excluded" "" "$(contexts | grep -E 'twice|cmp')"
quiet "$cc" -O0 --scale-include=twice prog.c twice.c -o only
profiled ./only
same "included" "twice" "$(totals | cut -d' ' -f1)"
echo 'exclude function twice' >rules
quiet "$cc" -O0 --scale-filter=rules prog.c twice.c -o ruled
counted ./ruled
same "filter file" "" "$(contexts | grep twice)"
has "--scale-version" "^plugin=.* [0-9a-f]{16}$" "$("$cc" --scale-version)"
has "--scale-where" "^runtime=/" "$("$cc" --scale-where)"
mkdir -p moved/bin moved/lib && cp -r "$SCALE_BUILD/lib/scale" moved/lib/ && cp "$cc" moved/bin/
quiet moved/bin/scale-cc prog.o twice.o -o moved/prog
counted ./moved/prog
rm moved/lib/scale/scale-pass.so
moved/bin/scale-cc -c prog.c 2>err; same "no plugin: status" 1 $?
has "no plugin" "scale-pass.so" "$(cat err)"
finish
