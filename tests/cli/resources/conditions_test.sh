#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Waits for conditions are no finding: the report says that they were not judged, how many and how long.
. "$(dirname "$0")/../lib.sh"
need_compiler
cp "$here/pool.c" .
"$cc" -O2 -g -pthread -o pool pool.c || { echo "scale-cc failed"; exit 1; }
expect 0 '' "$run" run -q -P n=4,8,16,32 --kind clients --event none -- ./pool '{n}'
expect 0 '' "$run" report
tr -s ' \n' ' ' <out | grep -qE 'Waits for conditions were not judged\. At n = 32: served, [0-9,]+ waits, [0-9.]+ m?s of all threads[.;] ' ||
  { fault "waits for conditions"; cat out; }
expect 0 '' "$run" report --kind data
grep -q 'Waits for conditions' out && fault "clients are not the parameter"
exit $status
