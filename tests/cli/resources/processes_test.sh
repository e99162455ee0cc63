#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What children have out is added up only for those that live together, however they end.
. "$(dirname "$0")/../lib.sh"
need_compiler
"$cc" -O1 -g -o processes "$here/processes.c" || { echo "scale-cc failed"; exit 1; }

most() { echo "[n['measured'] for r in d['resources']['list'] if r['class'] == 'stream' for n in r['numbers'] if n['metric'] == '$1']"; }
measure() { # MODE PEAK KEPT: of 48 children
  rm -f scale.db
  expect 0 '' "$run" run -P n=3,6,12,24,48 --at 480 --event none -- ./processes "$1" '{n}'
  expect 0 '' "$run" report --format json
  json out "$(most 'peak outstanding') == [$2] and $(most 'outstanding at the end') == [$3]"
  expect 0 '' "$run" report
  grep 'took no time' out && fault "$1: short processes have no times"
}
measure tidy 1 0
grep -q 'turns pathological' out || fault "children one after another turn pathological"
measure left 1 1
measure killed 1 1
measure together 48 48
exit $status
