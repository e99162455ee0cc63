#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Events of resources: every known call is caught, as often as it happens, and has the name that the source gives it, at
# every level of optimisation.
. "$(dirname "$0")/instrument/common.sh"
need python3
[ -x "$SCALE_BUILD/bin/scale-run" ] || { echo "skipped: scale-run is not built"; exit 77; }
export SCALE_PASS_VERIFY=1

# caught WHAT EXPECT [places]: what the profile of the last run says has every line of the file
caught() {
  "$SCALE_BUILD/bin/scale-run" dump prof/*.scprof >dump
  python3 "$files/events/totals.py" ${3-} <dump >totals
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
  row sit other acquire ret 1 nonzero none '' seats
  row sit other acquire arg:0 1 nonzero none '' desks
  row stand_up other release arg:0 1 always none '' seats
  row stand_up other release arg:0 1 always none '' desks
}
# The compiler with these lines: scale-cc itself hands on those of probe sets alone.
cat >told <<S
#!/bin/sh
SCALE_EVENTS=\$(cat "$work/lines") exec "$clang" "\$@"
S
chmod +x told
probes >lines

for level in -O0 -O1 -O2 -O3; do
  program names.c $level
  caught "names.c $level" "$files/events/names.expect"
  has "names.c $level: where a lock is declared" "mutex book::mutex \(.*/events/names\.c:12\)" "$(cat dump)"
  has "names.c $level: where a lock is declared" "mutex order_lock \(.*/events/names\.c:21\)" "$(cat dump)"
  program places.c $level
  caught "places.c $level" "$files/events/places.expect" places
  same "places.c $level: places" "$(grep -vc '^#' "$files/events/places.expect")" "$(grep -cE ' (acquires|releases) ' totals)"
  program owners.cpp $level
  caught "owners.cpp $level" "$files/events/owners.expect" places
  program guards.cpp $level
  caught "guards.cpp $level" "$files/events/guards.expect"
  program kinds.c $level
  caught "kinds.c $level" "$files/events/kinds.expect"
  "$cc" -g $level -c "$files/events/wrapper.c" || fail "wrapper.c $level: does not build"
  "$cc" -g $level "$files/events/wrapped.c" wrapper.o -o prog || fail "wrapped.c $level: does not build"
  profiled ./prog
  same "wrapped.c $level: exit status" 0 "$status"
  caught "wrapped.c $level" "$files/events/wrapped.expect"
  SCALE_CLANG=$work/told program probed.c $level --scale-exclude=excluded
  caught "probed.c $level" "$files/events/probed.expect"
  has "probed.c $level: a shared acquire" "special.*lw_acquire:[0-9]+:[0-9]+ shared" "$(cat dump)"
  grep -q secret dump && fail "probed.c $level: an excluded function's annotation is in the profile"
done

# Without debug information only variables have names; nothing else changes.
program names.c -O2 -gline-tables-only
caught 'names.c without types' /dev/stdin <<'E'
mutex order_lock pthread_mutex_lock acquires 32
mutex main.once pthread_mutex_lock acquires 8
E
# Lines that are not understood: no object, and an error that names the line and what is wrong with it.
refused() { # EXPECTED LINE
  rm -f refused.o
  printf '%s\n\n%s\n' "$(probes | head -n 1)" "$2" >lines
  SCALE_CLANG=$work/told "$cc" -c -x c /dev/null -o refused.o 2>err && fail "$2: is taken"
  same "$2" "error: SCALE_EVENTS, line 3: $1" "$(head -n 1 err)"
  has "$2: hint" "^hint: .*--scale-print-events" "$(sed -n 2p err)"
  same "$2: errors" 1 "$(grep -c '^error' err)"
  [ ! -e refused.o ] || fail "$2: leaves an object"
}
long=$(head -c 61 /dev/zero | tr '\0' x)
refused "'f' has not 3 to 12 columns, separated by tabs" f
refused "'f other acquire' has not 3 to 12 columns, separated by tabs" 'f other acquire'
refused "'$(row 1 2 3 4 5 6 7 8 9 10 11 12 13 | sed 's/\t/\\09/g')' has not 3 to 12 columns, separated by tabs" "$(row 1 2 3 4 5 6 7 8 9 10 11 12 13)"
refused 'there is no function' "$(row '' other acquire)"
refused "'lock' is no class" "$(row f lock acquire)"
refused "'nonsense' is no event" "$(row f other nonsense)"
refused "'${long%x}...' is no event" "$(row f other "$long")"
refused "'\1B[1m\C3\A4' is no event" "$(row f other "$(printf '\033[1m\303\244')")"
refused "'arg:64' is no identity" "$(row f other acquire arg:64)"
refused "'arg:0x' is no identity" "$(row f other acquire arg:0x)"
refused "'-1' is not a number of units" "$(row f other acquire arg:0 -1)"
refused "'arg:0*arg:' is not a number of units" "$(row f other acquire arg:0 'arg:0*arg:')"
refused "'often' is no success" "$(row f other acquire arg:0 1 often)"
refused "'timed:often' is no wait" "$(row f other acquire arg:0 1 zero timed:often)"
refused "'red' is no flag" "$(row f other acquire arg:0 1 zero none shared,red)"
refused "'4294967296' is no capacity" "$(row f other acquire arg:0 1 zero none '' pool 4294967296)"
refused "'a=b;c' are no aliases" "$(row f other acquire arg:0 1 zero none '' '' 0 'a=b;c')"
refused "work needs a function, an amount and a unit, separated by tabs" "$(row f work arg:0)"
refused "work needs a function, an amount and a unit, separated by tabs" "$(row '' work arg:0 bytes)"
refused "'arg:0 - 1' is no amount of work" "$(row f work 'arg:0 - 1' bytes)"
refused "'arg:0->8:3' is no amount of work" "$(row f work 'arg:0->8:3' bytes)"
refused "'do:strlen' is no amount of work of a probe set" "$(row f work do:strlen bytes)"
refused "'1+copied' is no amount of work of a probe set" "$(row f work 1+copied bytes)"
refused "'litres' is no unit of work" "$(row f work arg:0 litres)"
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
