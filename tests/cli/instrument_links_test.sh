#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What a linker may be told beside the objects: functions to wrap, what a library exports and binds to itself. The program
# does what it does without instrumentation, and its libraries count into its tree.
. "$(dirname "$0")/instrument/common.sh"
need python3
linkers=bfd
command -v ld.lld >/dev/null && linkers="bfd lld"

# --wrap: calls from other objects reach the wrapper, calls in the function's own object do not
cat >own.c <<'C'
int func(int x);
int other(int x);
int func(int x) { return x + 1; }
int other(int x) { return func(x) * 2; }
C
cat >calls.c <<'C'
#include <stdio.h>
int func(int x);
int other(int x);
int main(int argc, char **argv)
{
  int (*volatile p)(int) = func;
  (void)argv;
  printf("%d %d %d\n", func(argc), other(argc), p(argc));
  return 0;
}
C
cat >wrapper.c <<'C'
int __real_func(int x);
int __wrap_func(int x);
int __wrap_func(int x) { return 100 + __real_func(x); }
C
echo "-Wl,-z,now,--wrap=func" >told
echo "--wrap=func" >told.linker
for linker in $linkers; do
  for level in -O0 -O2; do
    compilers="$clang $cc"
    [ $linker = lld ] && compilers=$cc # lld wraps calls in the function's own object too if they are not inlined
    for compiler in $compilers; do
      "$compiler" $level -c own.c -o own.o && "$compiler" $level -c calls.c -o calls.o && "$compiler" $level -c wrapper.c -o wrapper.o || fail "$level does not build"
      "$clang" $level -c wrapper.c -o foreign.o
      for told in -Wl,--wrap=func -Wl,--wrap,func "-Wl,-z -Wl,now,--wrap,func" "-Xlinker --wrap -Xlinker func" "-Xlinker --wrap=func" \
        -Wl,-wrap,func @told -Wl,@told.linker "-Wl,--wrap=func -Wl,--wrap=func -Wl,--wrap=absent"; do
        for with in wrapper.o foreign.o; do
          # shellcheck disable=SC2086
          "$compiler" -fuse-ld=$linker own.o calls.o $with $told -o wrapped >log 2>&1 || fail "$linker $level $told: $(cat log)"
          same "$linker $level $told: says" "" "$(cat log)"
          same "$linker $level $told, $with, by ${compiler##*/}" "102 4 102" "$(./wrapped)"
        done
      done
    done
    "$cc" -fuse-ld=$linker own.o calls.o wrapper.o -Wl,--wrap=func -o wrapped
    profiled ./wrapped
    has "$linker $level: wrapper" "^main/__wrap_func 2 0$" "$(contexts)"
    has "$linker $level: behind it" "^main/__wrap_func/func 2 0$" "$(contexts)"
  done
done

# a function made weak, local, global or renamed after compiling
cat >first.c <<'C'
#include <stdio.h>
int func(int x);
int user(int x);
int local(int x);
__attribute__((noinline)) static int hidden(int x) { return x + 7; }
int func(int x) { return x + 1; }
#ifdef OWN /* calls in the object keep reaching its own function: where it became weak, as if inlined */
int user(int x) { return func(x) + hidden(x); }
#else
int user(int x) { return hidden(x); }
#endif
C
cat >second.c <<'C'
int func(int x);
int func(int x) { return x + 1000; }
C
cat >third.c <<'C'
#include <stdio.h>
int func(int x);
int user(int x);
int hidden(int x);
int main(int argc, char **argv)
{
  int (*volatile p)(int) = func;
  (void)argv;
#ifdef GLOBAL
  printf("%d ", hidden(argc));
#endif
  printf("%d %d %d\n", func(argc), user(argc), p(argc));
  return 0;
}
C
# changed OPTION LEVEL FLAGS: the same from an object and from an archive, with another func and by scale-cc's and clang's
changed() {
  for second in "$cc" "$clang"; do
    outputs=
    for compiler in "$clang" "$cc"; do
      with=$second
      [ "$compiler" = "$clang" ] && with=$clang
      "$compiler" $2 $3 -fno-inline -c first.c -o first.o && "$with" $2 -c second.c -o second.o && "$compiler" $2 $3 -c third.c -o third.o &&
        objcopy "$1" first.o changed.o || fail "$1 $2 does not build"
      rm -f libchanged.a && ar rcs libchanged.a changed.o
      objects="third.o second.o changed.o:third.o changed.o second.o:third.o second.o libchanged.a"
      case $1 in --globalize*) objects="third.o changed.o:changed.o third.o" ;; esac
      while read -r -d: list; do
        # shellcheck disable=SC2086
        "$compiler" $list -o changed 2>log || fail "$1 $2 $list by ${compiler##*/}: $(head -3 log)"
        outputs="$outputs/$(./changed)"
      done <<<"$objects:"
      [ "$compiler" = "$clang" ] && plain=$outputs && outputs=
    done
    same "$1 $2, the other by ${second##*/}" "$plain" "$outputs"
  done
}
for level in -O0 -O2; do
  changed --weaken-symbol=func $level ""
  changed --weaken $level ""
  changed --localize-symbol=func $level -DOWN
  changed --redefine-sym=func=renamed $level -DOWN
done
changed --globalize-symbol=hidden -O0 "-DOWN -DGLOBAL"

# nothing of ours takes the properties of control flow protection from a link
"$cc" -fcf-protection=full -O2 -fPIC -shared -nostartfiles own.c calls.c wrapper.c -Wl,--wrap=func,-z,cet-report=error -o protected.so 2>log ||
  fail "control flow protection: $(cat log)"
has "control flow protection" "IBT, SHSTK" "$(readelf -n protected.so)"

# one tree, whatever a library exports and binds to itself
cat >library.c <<'C'
int work(int n, int (*step)(int));
int work(int n, int (*step)(int)) { int sum = 0; for (int i = 0; i < n; i++) sum += step(i); return sum; }
C
cat >program.c <<'C'
#include <stdio.h>
int work(int n, int (*step)(int));
static int step(int i) { return i & 3; }
int main(void) { printf("%d\n", work(10, step)); return 0; }
C
echo 'V { global: work; local: *; };' >v.map
echo '-Wl,-soname,libwork.so -Wl,--version-script,v.map' >exports
for linker in $linkers; do
  for told in -Wl,-soname,libwork.so,--version-script,v.map -Wl,--version-script=v.map,-z,defs "-Wl,--version-script -Wl,v.map" \
    "-Xlinker --version-script -Xlinker v.map" "-Xlinker --version-script=v.map" @exports -Wl,-Bsymbolic -Wl,-Bsymbolic-functions \
    -Wl,-z,relro,-Bsymbolic,-soname,libwork.so,--version-script,v.map "-Wl,-Bsymbolic-functions -Wl,--version-script=v.map"; do
    # shellcheck disable=SC2086
    "$cc" -fuse-ld=$linker -O2 -fPIC -shared library.c -o libwork.so $told &&
      "$cc" -fuse-ld=$linker -O2 program.c -L. -lwork -Wl,-rpath,"$PWD" -o program || fail "$linker $told does not build"
    profiled ./program
    same "$linker $told: output" "0 13" "$status $(cat out err)"
    same "$linker $told: profiles" 1 "$(ls prof | wc -l)"
    has "$linker $told: tree" "^main/work/step 10 0$" "$(contexts)"
  done
done

# A linker script that says the versions, which GNU ld takes as an input or for -T, and no other version script beside them
echo 'VERSION { V { global: work; __scale_*; local: *; }; };' >v.script
for told in v.script -Wl,v.script -Wl,--script=v.script "-T v.script" -Tv.script; do
  # shellcheck disable=SC2086
  "$cc" -fuse-ld=bfd -O2 -fPIC -shared library.c -o libwork.so $told || fail "$told does not build"
done
"$cc" -fuse-ld=bfd -O2 -fPIC -shared library.c -o libwork.so v.script &&
  "$cc" -fuse-ld=bfd -O2 program.c -L. -lwork -Wl,-rpath,"$PWD" -o program || fail "versions of a script do not build"
profiled ./program
same "versions of a script: output" "0 13" "$status $(cat out err)"
has "versions of a script: tree" "^main/work/step 10 0$" "$(contexts)"

# An object of another version of the compiler would crash: it does not link
"$cc" -O2 -S library.c -o library.s && sed 's/__scale_module_[0-9]*/__scale_module_7/' library.s >before.s &&
  "$cc" -c before.s -o before.o || fail "an object of another version is not made"
"$cc" program.c before.o -o program 2>log && fail "an object of another version links"
has "an object of another version" "__scale_module_7" "$(cat log)"
finish
