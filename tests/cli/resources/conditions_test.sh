#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Waits for conditions are no finding: the report says that they were not judged, how many and how long.
. "$(dirname "$0")/../lib.sh"
need_compiler
cp "$here/pool.c" .
"$cc" -O2 -g -pthread -o pool pool.c || { echo "scale-cc failed"; exit 1; }
# How often clients look again differs from run to run, so the total may be bounded or not: the status is either.
"$run" run -q -P n=4,8,16,32 --kind clients --event none -- ./pool '{n}' >out 2>err
"$run" report >out 2>err
tr -s ' \n' ' ' <out | grep -qE 'Waits for conditions were not judged\. At n = 32: served, [0-9,]+ waits, [0-9.]+ m?s of all threads[.;] ' ||
  { fault "waits for conditions"; cat out; }
"$run" report --kind data >out 2>err
grep -q 'Waits for conditions' out && fault "clients are not the parameter"
exit $status
