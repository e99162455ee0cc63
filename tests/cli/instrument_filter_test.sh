#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Filters: what is excluded vanishes from the profile, everything else is counted as exactly as before.
. "$(dirname "$0")/instrument/common.sh"
need python3
[ -x "$SCALE_BUILD/bin/scale-run" ] || { echo "skipped: scale-run is not built"; exit 77; }

mkdir -p src/lib
cat >src/prog.cpp <<'C'
#include <cstdio>
#include <cstdlib>
long lib_sum(long n);
long lib_call(long (*function)(long), long n);
#define NOINLINE __attribute__((noinline))
namespace app {
NOINLINE static long leaf(long n) { long s = 0; for (long i = 0; i < n; i++) s += i ^ n; return s; }
struct Box { NOINLINE long get(long n) const { long s = 0; for (long i = 0; i < 3; i++) s += leaf(n); return s; } };
NOINLINE static long twice(long n) { return n ? leaf(n) + twice(n - 1) : 0; }
static long back(long n) { return leaf(n) + 1; }
inline long folded(long n) { long s = 0; for (long i = 0; i < 5; i++) s += leaf(i) * n; return s; }
}
int main()
{
  long s = 0;
  for (long i = 0; i < 10; i++)
    s += app::Box().get(i) + app::twice(2) + lib_sum(i) + lib_call(app::back, i) + app::folded(i);
  std::printf("%ld\n", s);
}
C
cat >src/lib/sum.cpp <<'C'
static long part(long n) { long s = 0; for (long i = 0; i < n; i++) s += i * n; return s; }
long lib_sum(long n) { return part(n) + part(n + 1); }
long lib_call(long (*function)(long), long n) { return function(n) + 1; }
C
(cd src && "$clang" --driver-mode=g++ -O2 prog.cpp lib/sum.cpp -o ../plain) && ./plain >expected || fail "the plain build"

every='_Z7lib_suml _Z8lib_callPFllEl _ZL4partl _ZN3app6foldedEl _ZN3appL4backEl _ZN3appL4leafEl _ZN3appL5twiceEl _ZNK3app3Box3getEl main'
# build LEVEL [option]...: ./prog, and its output is right; the environment may hold filters
build() {
  local level=$1
  shift
  "$cxx" "$level" "$@" -c src/prog.cpp -o prog.o 2>err && "$cxx" "$level" "$@" -c src/lib/sum.cpp -o sum.o 2>err &&
    "$cxx" prog.o sum.o -o prog 2>err || fail "build $level $*: $(cat err)"
  profiled ./prog
  cmp -s out expected || fail "build $level $*: another output"
}
# One line for each function and loop, with its count; then the functions' names.
sums() { "$SCALE_BUILD/bin/scale-run" dump --totals prof/*.scprof | grep -v ^removed | sort; }
names() { awk -F '\t' '$1 == "function" && $4 > 0 { print $2 }' | sort; }
# without NAMES: the profile holds all functions but these, each with the counts it has without a filter
without() {
  local gone=$1
  shift
  for level in -O0 -O2; do
    build $level "$@"
    sums | grep -vxFf "all$level" >more
    same "$level $*: counts that are new" "" "$(cat more)"
    same "$level $*: gone" "$gone" "$(sums | names | comm -13 - <(names <"all$level") | xargs)"
  done
}
build -O0 && sums >all-O0
same "functions" "$every" "$(names <all-O0 | xargs)"
same "leaf" "110" "$(awk -F '\t' '$1 == "function" && $2 ~ /leafEl/ { print $4 }' all-O0)" # (3 + 2 + 1 + 5) * 10
same "leaf's loop" "310" "$(awk -F '\t' '$1 == "loop" && $2 ~ /leafEl/ { print $6 }' all-O0)" # 3 * 45 + 10 * 3 + 45 + 10 * 10
build -O2 && sums >all-O2

# by function: linkage name, demangled name, patterns; by file, its tail and its folder
without '_ZN3appL4leafEl' --scale-exclude=_ZN3appL4leafEl
without '_ZN3appL5twiceEl' --scale-exclude=app::twice
without '_ZN3appL5twiceEl' '--scale-exclude=app::twice(long)'
without '_ZNK3app3Box3getEl' '--scale-exclude=app::Box::*'
without '_ZN3appL4backEl _ZN3appL5twiceEl' --scale-exclude=app::twice --scale-exclude='app::b?ck'
without '_Z7lib_suml _Z8lib_callPFllEl _ZL4partl' --scale-exclude=file:lib/sum.cpp
without '_Z7lib_suml _Z8lib_callPFllEl _ZL4partl' '--scale-exclude=file:lib/*'
SCALE_EXCLUDE='app::twice;file:lib/*' without '_Z7lib_suml _Z8lib_callPFllEl _ZL4partl _ZN3appL5twiceEl'
SCALE_EXCLUDE='app::twice' without '_ZN3appL4leafEl _ZN3appL5twiceEl' --scale-exclude='app::leaf'
without 'main' --scale-include='app::*' --scale-include='file:lib/*' --scale-include=lib_*
without '_Z7lib_suml _Z8lib_callPFllEl _ZL4partl _ZN3appL4leafEl main' --scale-include='app::*' --scale-exclude='*leaf*'
printf '# rules\n\nexclude function app::{twice,leaf}\r\n  exclude\tfile   lib/*\n' >"my rules"
without '_Z7lib_suml _Z8lib_callPFllEl _ZL4partl _ZN3appL4leafEl _ZN3appL5twiceEl' "--scale-filter=my rules"
printf 'include file src/*.cpp\n' >more_rules
printf 'exclude function main' >last_rules
SCALE_FILTER=more_rules without 'main' --scale-filter=last_rules

# what is called by an excluded function hangs below the function that called that one
build -O0 --scale-exclude=app::twice
has "called through an excluded function" "^main/_ZN3appL4leafEl 20 30$" "$(contexts | grep -E '^main/_ZN3appL4leafEl')"

# refused LINE PATTERN: a filter file with such a rule ends the compiler with one error and a hint, naming the line
refused() {
  printf 'exclude function a*\n%s\n' "$1" >bad
  "$cc" --scale-filter=bad -c src/lib/sum.cpp -o bad.o >out 2>err
  same "'$1': status" 1 $?
  same "'$1': lines" 2 "$(cat out err | wc -l)"
  has "'$1'" "^scale-cc: bad:2: $2" "$(cat err)"
  has "'$1': hint" "^hint: ." "$(cat err)"
  [ ! -e bad.o ] || fail "'$1': compiled all the same"
}
refused 'exclud function a' "not a rule: 'exclud function a'"
refused 'exclude method a' 'not a rule'
refused 'exclude function' 'not a rule'
refused 'app::twice' 'not a rule'
refused 'exclude function operator[]' "'operator\[\]' is no pattern: \[ without \]"
refused 'exclude function {a,b' "'\{a,b' is no pattern: \{ without \}"
refused 'include function {a,{b}}' '.*is no pattern'
refused 'include function {a}' '.*is no pattern'
refused 'include function [z-a]' '.*is no pattern'
refused 'include file src\' '.*is no pattern'
"$cc" --scale-filter=none -c src/lib/sum.cpp 2>err
same "no file: status" 1 $?
has "no file" "^scale-cc: cannot read the filter none: No such file" "$(cat err)"
"$cc" --scale-exclude='a[' -c src/lib/sum.cpp 2>err
same "option: status" 1 $?
has "option" "^scale-cc: exclude: 'a\[' is no pattern" "$(cat err)"
# ... but only where something is compiled
"$cc" --scale-filter=none --version >out 2>err || fail "--version with a filter that is not there"
"$cc" --scale-filter=none prog.o sum.o -lstdc++ -o linked 2>err || fail "link with a filter that is not there: $(cat err)"
build -O0 '--scale-exclude=operator\[\]' # right, and matches nothing
same "escaped" "$(cat all-O0)" "$(sums)"

# a compiler cache sees that any of the files changed
before=$(SCALE_FILTER=more_rules:last_rules "$cc" --scale-version)
echo 'exclude function x' >>last_rules
[ "$before" != "$(SCALE_FILTER=more_rules:last_rules "$cc" --scale-version)" ] || fail "--scale-version: the same for another filter"
finish
