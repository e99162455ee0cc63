#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --scale-facts: what objects then tell of the code, and that the code stays as it is.
. "$(dirname "$0")/instrument/common.sh"
need python3
need objcopy
unset SCALE_FACTS
print=$files/facts/print.py

# facts FILE: what it holds, in facts.json
facts() {
  rm -f facts.json
  objcopy --dump-section .scale_facts=facts.json "$1" /dev/null 2>/dev/null || objcopy -I elf64-little --dump-section .scale_facts=facts.json "$1" /dev/null
}
code() { objdump -dr "$1" | tail -n +4; }
valid() { python3 -c 'import json, sys; [json.loads(line) for line in open("facts.json", encoding="utf-8").read().replace("\0", "").splitlines()]' ||
  fail "$1: no JSON"; }
sections() { readelf -SW "$1" | grep -c '\.scale_facts'; }

# every shape, at every level
cp "$files"/facts/shapes.* .
for level in -O0 -O2; do
  "$cc" $level --scale-facts -c shapes.c -o shapes.o && facts shapes.o && python3 "$print" facts.json >shapes.txt
  diff "$files/facts/shapes.c.expect" shapes.txt >&2 || fail "shapes.c $level"
done
"$cxx" -O2 --scale-facts -c shapes.cpp -o shapes++.o && facts shapes++.o && python3 "$print" facts.json >shapes.txt
diff "$files/facts/shapes.cpp.expect" <(grep -v 'global\|^type [^ ]* std::' shapes.txt) >&2 || fail "shapes.cpp"

# nothing without the option; with it the same code as with -g, and no less debug information than was asked for
for options in "-O2" "-O0" "-O2 -g" "-O2 -g0" "-O2 -g1" "-O2 -gdwarf-5"; do
  "$cc" ${options/-g[01]/-g} -c shapes.c -o plain.o && "$cc" $options --scale-facts -c shapes.c -o told.o || fail "$options"
  same "$options: not asked for" 0 "$(sections plain.o)"
  same "$options: asked for" 1 "$(sections told.o)"
  same "$options: code" "$(code plain.o | md5sum)" "$(code told.o | md5sum)"
  facts told.o
  has "$options: types" 'slab.slots' "$(python3 "$print" facts.json list_pop)"
done
SCALE_FACTS=1 "$cc" -c shapes.c -o told.o && same "SCALE_FACTS=1" 1 "$(sections told.o)"
SCALE_FACTS=0 "$cc" -c shapes.c -o told.o && same "SCALE_FACTS=0" 0 "$(sections told.o)"
SCALE_WRAPPER=off "$cc" --scale-facts -c shapes.c -o told.o && same "SCALE_WRAPPER=off" 0 "$(sections told.o)"
has "--scale-version" '^SCALE_FACTS=1$' "$(SCALE_FACTS=1 "$cc" --scale-version)"

# without debug information the compiler's names and numbers
where=$("$cc" --scale-where)
pass=$(sed -n 's/^plugin=//p' <<<"$where")
SCALE_FACTS=1 "$clang" -fpass-plugin="$pass" -O2 -c shapes.c -o bare.o && facts bare.o
has "no debug information" 'pop slab.#0 through _item.#0' "$(python3 "$print" facts.json list_pop)"

# all kinds of files keep them: assembler, link-time optimisation, libraries, archives, what a linker throws away
cat >main.c <<'C'
#include <stddef.h>
void *stack_pop(void *s);
int unused_function(void);
int unused_function(void) { return 1; }
struct elsewhere { int used; void *single; } elsewhere;
int main(int argc, char **argv) { return argc > 5 && stack_pop(argv) != NULL; }
C
# units WHAT FILE UNIT...: facts of these units are in it
units() {
  facts "$2" && valid "$1"
  same "$1: units" "$(shift 2; printf '%s\n' "$@" | sort)" \
    "$(python3 -c 'import json; [print(json.loads(x)["unit"]) for x in open("facts.json").read().replace("\0", "").splitlines()]' | sort)"
}
"$cc" -O2 --scale-facts -S shapes.c -o shapes.s && "$cc" -c shapes.s -o s.o && units "-S" s.o shapes.c
"$cc" -O2 --scale-facts -fPIC -ffunction-sections -fdata-sections -c main.c shapes.c && units "-fPIC" shapes.o shapes.c
rm -f lib.a && ar rcs lib.a shapes.o && "$cc" main.o lib.a -o archived -Wl,--gc-sections && units "an archive, --gc-sections" archived main.c shapes.c
"$cc" -shared main.o shapes.o -o libboth.so && units "a library" libboth.so main.c shapes.c
"$cc" -r main.o shapes.o -o both.o && units "-r" both.o main.c shapes.c
for linker in bfd lld gold; do
  "$cc" -fuse-ld=$linker main.o shapes.o -o linked -Wl,--gc-sections 2>err || { grep -q 'invalid linker' err || fail "$linker: $(cat err)"; continue; }
  units "$linker" linked main.c shapes.c
done
same "not in memory" 0 "$(readelf -SW archived | grep '\.scale_facts' | grep -c ' A ')"
"$cc" -O2 -flto --scale-facts main.c shapes.c -o dropped && units "-flto, which scale-cc drops" dropped main.c shapes.c
for lto in full thin; do # plain clang: what a linker makes objects of
  SCALE_FACTS=1 "$clang" -g -O2 -flto=$lto -fpass-plugin="$pass" -c shapes.c -o shapes.bc &&
    "$clang" -O2 -x ir -c shapes.bc -o lto.o && units "-flto=$lto" lto.o shapes.c || fail "-flto=$lto"
done
cp archived stripped && strip stripped && ./stripped || fail "a stripped program does not run"
units "stripped" stripped main.c shapes.c
strip -R .scale_facts stripped && ! readelf -SW stripped | grep -q 'scale_facts' || fail "strip -R keeps facts"

# names that are hard to write down
cat >'it"s \odd.c' <<'C'
struct größe { struct größe *nächste; int n; };
struct größe *kopf;
extern int quoted(void) __asm__("a\"b\\c\td$e");
int quoted(void) { struct größe *x = kopf; if (x) kopf = x->nächste; return 1; }
C
"$cc" -O2 --scale-facts -c 'it"s \odd.c' -o odd.o && facts odd.o && valid "odd names"
has "a name that is not ASCII" 'pop ::kopf through größe.nächste' "$(python3 "$print" facts.json)"
printf 'int f(int a) { return a; }\n' >"$(printf 'bad\377.c')"
"$cc" --scale-facts -c "$(printf 'bad\377.c')" -o bad.o && facts bad.o && valid "a file's name in another encoding"
: >empty.c
"$cc" --scale-facts -c empty.c -o empty.o && facts empty.o && valid "an empty unit"

# every program of the tests compiles to the same code, with valid facts
for program in "$source"/tests/programs/*.c "$source"/tests/programs/*.cpp; do
  compile=$cc standard=
  case $program in *.cpp) compile=$cxx standard=-std=c++20 ;; esac
  "$compile" -O1 -w $standard -c "$program" -o plain.o 2>err || fail "$program: $(head -1 err)"
  "$compile" -O1 -w $standard --scale-facts -c "$program" -o told.o 2>err || fail "$program: $(head -1 err)"
  same "$program: code" "$(code plain.o | md5sum)" "$(code told.o | md5sum)"
  facts told.o && valid "$program"
done
finish
