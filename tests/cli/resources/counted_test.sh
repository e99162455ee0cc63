#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Locks of readers and writers that a program makes of counters are locks: entered and left as often as they are, by readers
# and by writers, at every level of optimisation.
. "$(dirname "$0")/../lib.sh"
need_compiler
export SCALE_PASS_VERIFY=1
counted() { # WHERE NAME WHAT HOW-MANY: of all lines about it, by readers ("readers' count") or writers ("writer's flag")
  local got
  got=$(grep -E "^ +rwlock $2 .*$1" dumped | tr ',' '\n' | sed -nE "s/^(.*  )? *$3 ([0-9]+)( \(.*)?\$/\2/p" | awk '{ s += $1 } END { print s + 0 }')
  [ "$got" = "$4" ] || fault "$level: $2, $1: $3 $got instead of $4"
}
for level in -O0 -O1 -O2 -O3; do
  compile $level -g -pthread -o counted "$here/counted.c"
  rm -rf profiles && mkdir profiles
  SCALE_PROFILE_DIR=profiles ./counted || fault "$level: it does something else"
  "$run" dump profiles/*.scprof >dumped
  for name in table.lock.readers list::readers first readers looking state; do
    [ $name != table.lock.readers ] || name='(lock|table)[^ ]*readers'
    for what in acquires returned holds releases; do
      counted "readers' count" "$name" $what 360
      counted "writer's flag" "$name" $what 40
    done
  done
  for what in acquires returned holds releases; do
    counted "readers' count" viewing $what 400 # 40 of them before they edit
    counted "writer's flag" viewing $what 40
    counted "readers' count" tried $what 400 # 40 of them after they wrote
    counted "writer's flag" tried $what 40
  done
done
# Who waits for the condition waits for the lock, and how long that is counts once.
compile -O2 -g -pthread -I"$here/../../programs/resources" -o ledger "$here/../../programs/resources/ledger.c"
rm -rf profiles && mkdir profiles
SCALE_PROFILE_DIR=profiles ./ledger 8 >/dev/null || fault "the ledger is not kept"
"$run" dump profiles/*.scprof >dumped
grep -qE "^ +rwlock .*waits [0-9]+ \([0-9]" dumped || fault "nobody has waited for the ledger's lock"
grep -qE "^ +condition .*waits [0-9]+" dumped || fault "nobody has waited for the ledger's condition"
grep -E "^ +condition .*waits [0-9]+ \([0-9]" dumped && fault "the time of waits for the ledger counts twice"
exit $status
