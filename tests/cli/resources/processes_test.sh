#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What children have out is added up only for those that live together, however they end.
. "$(dirname "$0")/../lib.sh"
need_compiler
compile -O1 -g -o processes "$here/processes.c"

most() { echo "[n['measured'] for r in d['resources']['list'] if r['class'] == 'stream' for n in r['numbers'] if n['metric'] == '$1']"; }
measure() { # MODE PEAK KEPT: of 48 children
  rm -f scale.db
  expect 0 '' "$run" run -P n=3,6,12,24,48 --at 480 --event none --kind work -- ./processes "$1" '{n}'
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
# Beside children that end one after another the parent keeps one more each time: a leak, and not of theirs.
measure parent 49 48
"$run" report --format json >out
line=$(grep -n '/\* leaks \*/' "$here/processes.c" | cut -d: -f1)
json out '[(f["rule"], f["sites"][0]["line"]) for f in d["resources"]["findings"]] == [("leak", '"$line"')]'
"$run" baseline -o parent.json && "$run" diff parent.json scale.db >changes || fault "a leak is not the same in a baseline"
grep -qE 'leak' changes && { fault "a baseline forgets who keeps"; cat changes; }
# The same of memory; what the children have is no evidence that it is kept on purpose.
for twin in '' -DTWIN; do
  compile -O1 -g $twin -o jobs_of "$here/jobs_of.c"
  rm -f scale.db
  expect 0 '' "$run" run -P n=4,8,16,32,64 --at 640 --kind work --event none -- ./jobs_of '{n}'
  "$run" report --format json >out
  line=$(grep -n '/\* leaks \*/' "$here/jobs_of.c" | cut -d: -f1)
  wanted="[('leak', $line)]"
  [ -z "$twin" ] || wanted='[]'
  json out "[(f['rule'], f['sites'][0]['line']) for f in d['resources']['findings']] == $wanted"
done
exit $status
