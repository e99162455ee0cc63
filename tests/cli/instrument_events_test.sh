#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Events of resources: every known call is caught, as often as it happens, and has the name that the source gives it, at
# every level of optimisation.
. "$(dirname "$0")/instrument/common.sh"
need python3
[ -x "$SCALE_BUILD/bin/scale-run" ] || { echo "skipped: scale-run is not built"; exit 77; }
export SCALE_PASS_VERIFY=1

# caught WHAT EXPECT: what the profile of the last run says has every line of the file
caught() {
  "$SCALE_BUILD/bin/scale-run" dump prof/*.scprof >dump
  python3 "$files/events/totals.py" <dump >totals
  while read -r line; do
    case $line in \#*) continue ;; esac
    grep -qxF "$line" totals || fail "$1: no <$line>, but <$(grep -F "${line% *}" totals | tr '\n' ';')>"
  done <"$2"
}
# program FILE LEVEL [option...]: is built plain and with scale-cc and does the same
program() {
  local from=$files/events/$1 level=$2 what="$1 $2" with=$cc without=$clang
  shift 2
  case $from in *.cpp) with=$cxx without="$clang --driver-mode=g++" ;; esac
  $without "$level" -I"$source/instrument/include" "$from" -o plain || fail "$what: the plain build"
  "$with" -g "$level" "$@" "$from" -o prog || fail "$what: does not build"
  ./plain >expected
  profiled ./prog
  same "$what: exit status" 0 "$status"
  cmp -s out expected || fail "$what: other output"
}

tab=$(printf '\t')
# row COLUMN...
row() { (IFS=$tab; echo "$*"); }
probes() {
  row lw_acquire other acquire arg:0 1 nonzero none shared_if:arg:1=1 '' 0 'main_locks[4]=special' ''
  row lw_release other release arg:0 1 always none
  row pool_get other acquire arg:0 arg:1 nonnegative none global 'my pool' 50 '' 'second thing'
  row waits_for other wait none 1 always timed:nonzero idle 'waiting room'
  row lw_release other nonsense arg:0 1 always none
  row lw_release
}

for level in -O0 -O1 -O2 -O3; do
  program names.c $level
  caught "names.c $level" "$files/events/names.expect"
  has "names.c $level: where a lock is declared" "mutex book::mutex \(.*/events/names\.c:12\)" "$(cat dump)"
  has "names.c $level: where a lock is declared" "mutex order_lock \(.*/events/names\.c:21\)" "$(cat dump)"
  program guards.cpp $level
  caught "guards.cpp $level" "$files/events/guards.expect"
  program kinds.c $level
  caught "kinds.c $level" "$files/events/kinds.expect"
  "$cc" -g $level -c "$files/events/wrapper.c" || fail "wrapper.c $level: does not build"
  "$cc" -g $level "$files/events/wrapped.c" wrapper.o -o prog || fail "wrapped.c $level: does not build"
  profiled ./prog
  same "wrapped.c $level: exit status" 0 "$status"
  caught "wrapped.c $level" "$files/events/wrapped.expect"
  SCALE_EVENTS=$(probes) program probed.c $level --scale-exclude=excluded
  caught "probed.c $level" "$files/events/probed.expect"
  has "probed.c $level: a shared acquire" "special.*lw_acquire:[0-9]+ shared" "$(cat dump)"
  grep -q secret dump && fail "probed.c $level: an excluded function's annotation is in the profile"
done

# Without debug information only variables have names; nothing else changes.
program names.c -O2 -gline-tables-only
caught 'names.c without types' /dev/stdin <<'E'
mutex order_lock pthread_mutex_lock acquires 32
mutex main.once pthread_mutex_lock acquires 8
E
# Guaranteed tail calls stay what they are.
cat >tail.c <<'C'
#include <stdlib.h>
static void *get(unsigned long n) { __attribute__((musttail)) return malloc(n); }
void *volatile block;
int main(void) { block = get(10); free(block); return 0; }
C
"$cc" -O0 -g tail.c -o prog || fail 'tail.c does not build'
profiled ./prog
same 'tail.c: exit status' 0 "$status"
finish
