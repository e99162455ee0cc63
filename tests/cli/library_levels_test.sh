#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The work of C library functions is the same at every level of optimisation, function by function: whether the optimiser
# takes a call apart or leaves it. With _FORTIFY_SOURCE the checking functions are counted as the others.
. "$(dirname "$0")/lib.sh"
need_compiler
command -v python3 >/dev/null || exit 77
cat >counts.py <<'P'
import collections, re, sys
def counts(file):
    found, place = collections.defaultdict(collections.Counter), None
    for line in open(file):
        m = re.match(r"( *)(\w+) (\S+?)(?:\(.*?\))? ", line)
        if not m:
            continue
        depth = len(m[1])
        if place and depth <= place[1]:
            place = None
        if not place and m[2] == "function" and m[3] not in ("main", "_start"):
            place = m[3], depth
            found[m[3]] += {}
        elif place and m[2] in ("work", "loop"):
            amount = int(re.search(r"=(\d+)", line)[1]) if m[2] == "work" else 0
            if amount:
                found[place[0]][m[3]] += amount
    return found
files = sys.argv[1:]
base = counts(files[0])
known = {"strcat_lit": {"strcat": 50}, "strcat_empty": {}, "strcat_var": {"strcat": 70}, "strncat_lit_long": {"strncat": 50},
         "strncat_lit_n": {"strncat": 54}, "strcpy_lit": {}, "strcpy_var": {"strcpy": 20}, "sprintf_lit": {},
         "sprintf_s": {"sprintf": 20}, "printf_lit": {"printf": 11}, "printf_c": {}, "puts_var": {"puts": 21},
         "strcmp_lit": {}, "strcmp_var": {"strcmp": 15}, "memchr_lit": {}, "strstr_1": {"strstr": 19},
         "wrap_strcat": {"strcat": 53}, "wrap_strcpy": {"strcpy": 3}, "wrap_same2": {"strcmp": 2}, "strlen_var": {"strlen": 20}}
status = 0
for name, want in known.items():
    if dict(base[name]) != want:
        print(f"FAULT: {name}: {dict(base[name])}, expected {want}")
        status = 1
for file in files[1:]:
    here = counts(file)
    for name in base:
        if here[name] != base[name]:
            print(f"FAULT: {name}: {dict(base[name])} in {files[0]}, {dict(here[name])} in {file}")
            status = 1
sys.exit(status)
P
try() { # NAME FLAGS...
  local name=$1
  shift
  "$cc" -w "$@" -o program "$here/../programs/complexity/library_levels.c" || { echo "$name does not build"; exit 1; }
  clang-19 -w "$@" -o plain "$here/../programs/complexity/library_levels.c" || exit 1
  rm -rf profiles
  SCALE_PROFILE_DIR=$PWD/profiles ./program >got 2>&1 || fault "$name: exit status $?"
  ./plain >wanted 2>&1
  cmp got wanted || fault "$name: another output"
  "$run" dump profiles/*.scprof >"$name"
}
for level in O0 O1 O2 O3 Os; do
  try "$level" "-$level"
done
python3 counts.py O0 O1 O2 O3 Os || status=1
for level in O1 O2 O3 Os; do
  try "F$level" "-$level" -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3
done
python3 counts.py FO2 FO1 FO3 FOs 2>&1 | grep -v 'FAULT: wrap_.*expected' >out
[ -s out ] && { cat out; status=1; }
# Work is called what the source calls it, and stands where the source has it.
cat >fortified.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
static char text[1000], copy[1000];
static wchar_t wide[1000], wide_copy[1000];
int main(int count, char **words)
{
  int number = 0;
  strcat(text, words[0]);
  strcpy(copy, text);
  strncat(copy, text, (size_t)count + 2);
  memcpy(copy + 500, text, strlen(text));
  mbstowcs(wide, text, 999);
  wcscpy(wide_copy, wide);
  wcscat(wide_copy, wide);
  snprintf(copy, sizeof copy, "%s", text);
  sscanf(text, "%d", &number);
  return number;
}
C
works() { # FLAGS...: name, place, unit and count of each
  "$cc" -w -O2 -D_GNU_SOURCE "$@" -o fortified fortified.c || exit 1
  rm -rf profiles
  SCALE_PROFILE_DIR=$PWD/profiles ./fortified || fault "$*: exit status $?"
  "$run" dump --totals profiles/*.scprof | grep '^work' | sort
}
works -U_FORTIFY_SOURCE >written
for name in strcat strcpy strncat memcpy wcscpy wcscat snprintf sscanf; do
  grep -qE "^work	$name	.*fortified\.c	[0-9]+:" written || { fault "no work of $name"; cat written; }
done
for fortified in 2 3; do
  works -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=$fortified >found
  diff written found || fault "_FORTIFY_SOURCE=$fortified: work of another name or place"
done
# A method that is called as the library's function is a place of its own.
cat >method.cpp <<'C'
#include <cstring>
struct text {
  const char *bytes;
  std::size_t strlen() const { return std::strlen(bytes); }
};
int main(int, char **words)
{
  return text{words[0]}.strlen() > 1000;
}
C
"$SCALE_BUILD/bin/scale-c++" -O2 -o method method.cpp && rm -rf profiles && SCALE_PROFILE_DIR=$PWD/profiles ./method &&
  "$run" dump --totals profiles/*.scprof >found || fault "method.cpp"
grep -q '^work	strlen	.*method\.cpp	4:' found || { fault "the work of a method"; cat found; }
exit $status
