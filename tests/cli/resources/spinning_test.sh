#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Locks made of atomic operations are found, at every level of optimisation alike, and nothing that looks like one is
# taken for a lock; their contention is reported as other locks' is.
. "$(dirname "$0")/../lib.sh"
need_compiler
programs=$(cd "$here/../../programs" && pwd)
totals=$(cd "$here/../instrument/events" && pwd)/totals.py
export SCALE_PASS_VERIFY=1

# counts LEVEL PROGRAM: what its profile says of spin locks is what is expected, and all
counts() {
  local with=$cc
  case $2 in *.cpp) with=$(dirname "$cc")/scale-c++ ;; esac
  "$with" "$1" -g -pthread -o prog "$programs/$2" || { fault "$2 $1 does not build"; return; }
  rm -rf counted
  SCALE_PROFILE_DIR=counted ./prog >out || fault "$2 $1 fails"
  "$run" dump counted/*.scprof | python3 "$totals" | grep '^spinlock' | diff "$here/$2.expect" - >differences ||
    { fault "$2 $1: other locks"; cat differences; }
}
for level in -O0 -O1 -O2 -O3; do
  counts $level spin.c
  counts $level spin.cpp
done

# In several threads the locks exclude as before.
"$cc" -O2 -g -pthread -o spin "$programs/spin.c" || fault "spin.c does not build"
SCALE_PROFILE_DIR=threads ./spin 4 2000 >out
grep -qx '8000 16000 24000 32000 40000 0' out || { fault "the locks do not exclude"; cat out; }
"$run" dump threads/*.scprof | python3 "$totals" >all
python3 "$here/balanced.py" all || fault "not every acquire is given back"

compile -O2 -g -pthread -o spinning "$here/spinning.c"
"$run" run -P n=1,2,3,4 --kind threads --at 64 --event none -- ./spinning '{n}' >first 2>progress ||
  { cat first progress; exit 1; }
expect 0 'table::guard \(spinning\.c:[0-9]+\): spinlock, contention (from n = |above n = )' "$run" report
expect 0 '^table::guard \(spinning\.c:[0-9]+\), spinlock$' "$run" blame table::guard
expect 0 '"resources"' "$run" report --format json
grep -q '"table::guard"' out || fault "JSON does not have the lock"
grep -q '"lookups"' out && fault "a counter is taken for a lock"
"$run" report | tr -s '\n ' ' ' >said
grep -q 'Not understood as locks: compare-exchange loop in count_one (spinning.c:[0-9]*). ' said ||
  { fault "the counter's loop is not named, or more than it"; cat said; }
if "$run" report --format html -o page.html 2>said; then
  python3 "$here/page_names.py" page.html | grep -qF '"table::guard"' || fault "the page does not have it"
fi
exit $status
