#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Functions of the library whose work is counted where they are called by name are named in the report where they may be
# called through a pointer: from tables, as comparisons of qsort, in a std::function; and only there.
. "$(dirname "$0")/lib.sh"
need_compiler
[ "$(uname -m)" = x86_64 ] || exit 77
. "$here/instrument/named.sh"
# named_are WHAT [LINE]...: no more and no less
named_are() {
  local what=$1
  shift
  printf 'not_counted %s\n' "$@" | LC_ALL=C sort | diff - named || fault "$what: others are named"
}

export SCALE_PASS_VERIFY=1
through='calls through pointers of'
for level in -O0 -O1 -O2; do
  "$cc" -g $level "$source/pointed.c" "$source/pointed_table.c" -o prog || fault "$level: build"
  measured "$level"
  named_are "$level" "pointed.c $(line pointed.c '(comparison)strcmp') strcmp $through" \
    "pointed_table.c $(line pointed_table.c '{strlen') strlen $through" "pointed_table.c $(line pointed_table.c '{strlen') memcpy $through"
  # Only compared, or in a table that nobody reads.
  "$cc" -g $level "$source/compared.c" -o prog || fault "$level: build"
  measured "$level compared"
  [ -s named ] && { fault "$level compared: some are named"; cat named; }
  "$cc" -g $level -DCALLED "$source/compared.c" -o prog || fault "$level: build"
  measured "$level called"
  named_are "$level called" "compared.c $(line compared.c 'chosen = strlen') strlen $through"
done

# At -O0 libstdc++ itself calls strtoul through a pointer; the optimiser sees through that, and it counts.
for level in -O0 -O2; do
  "$SCALE_BUILD/bin/scale-c++" -g $level "$source/pointed.cpp" -o prog || fault "$level: C++: build"
  measured "$level C++"
  grep -v ' strtoul ' named >mine
  [ "$(cat mine)" = "not_counted pointed.cpp $(line pointed.cpp '{std::strlen}') strlen $through" ] || { fault "$level: C++: others are named"; cat mine; }
done
grep -q strtoul named && fault "a call that the optimiser made one by name is named"

columns=100
expect 0 'Not counted: calls through pointers of strlen \(pointed\.cpp:[0-9]+\)\.' "$run" report
"$run" report --format html -o page.html && python3 "$here/resources/page_names.py" page.html | grep -qF 'calls through pointers of strlen' || fault "the page does not name it"
exit $status
