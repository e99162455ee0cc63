#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Waits for conditions that are no pool's are no finding: the report says that they were not judged, how many and how long.
. "$(dirname "$0")/../lib.sh"
need_compiler
"$cc" -O2 -g -pthread -o meet "$here/meet.c" || { echo "scale-cc failed"; exit 1; }
"$run" run -q -P n=4,8,16,32 --kind threads --event none -o meet.db -- ./meet '{n}' >out 2>err
"$run" report meet.db >out 2>err
tr -s ' \n' ' ' <out | grep -qE 'Waits for conditions were not judged\. At n = 32: met, [0-9,]+ waits, [0-9.]+ [mu]?s of all threads[.;] ' ||
  { fault "waits for conditions"; cat out; }
"$run" report meet.db --kind data >out 2>err
grep -q 'Waits for conditions' out && fault "threads are not the parameter"

# Nobody waits for units of a list as long as there are enough: said as well.
"$cc" -O2 -g -pthread -o free_list "$here/free_list.c" || { echo "scale-cc failed"; exit 1; }
"$run" run -q -P n=1,2,3 --kind threads --event none -o free_list.db -- ./free_list '{n}' >out 2>err
"$run" report free_list.db >out 2>err
tr -s ' \n' ' ' <out | grep -qF 'No thread waited for a condition that others signal: given_back, 60 signals at n = 3.' ||
  { fault "signals without waits"; cat out; }

# A pool of four, whose clients the parameter's name says: found from few of them, and right when 64 are run.
"$cc" -O2 -g -pthread -o desk "$here/desk.c" || { echo "scale-cc failed"; exit 1; }
"$run" run -q -P clients=1,2,3,4 --at 64 --event none -o desk.db -- ./desk '{clients}' >out 2>err
"$run" report desk.db --format json >desk.json || fault "report desk"
json desk.json '[(f["rule"], f["servers"]) for f in d["resources"]["findings"]] == [("contention", 4)]'
expect 0 '^ +work \(desk\.c:[0-9]+\) +mean hold time ' "$run" verify desk.db --at clients=64 --event none
grep -qE '^  sleep ' out && { fault "sleeping is no resource"; cat out; }
exit $status
