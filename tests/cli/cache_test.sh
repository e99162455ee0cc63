#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A cache that is not full at the sizes measured grows as a leak does: the words say what is known, and what was given back
# at the end is no error.
. "$(dirname "$0")/lib.sh"
need_compiler
cp "$here/cache.c" .
for program in KEPT EMPTIED LOST; do
  "$cc" -O1 -g -D$program -o $program cache.c || fault "scale-cc failed"
  "$run" run -P n=200,400,800,1600 --kind work --max-iterations 0 --at 100000 --event none --no-report -o $program.db \
    -- ./$program '{n}' >out 2>&1 || { fault "run $program"; cat out; }
done
# Measured beyond the bound nothing is found.
"$run" run -P n=4000,8000,16000,32000,64000 --kind work --max-iterations 0 --at 100000 --event none --no-report -o full.db \
  -- ./KEPT '{n}' >out 2>&1 || { fault "run beyond the bound"; cat out; }

found='heap of make_session \(cache\.c:[0-9]+\): unbounded-growth'
expect 0 "$found" "$run" report EMPTIED.db --resources --at 100000 --details
grep -q 'unbounded-growth, warning\]' out || { fault "what is given back at the end is an error"; cat out; }
tr -s ' \n' ' ' <out | grep -q 'All of it is given back by the end of the run: it is no leak' || { fault "words"; cat out; }
# What is never given back may be a cache that is not full yet; where every second session comes back, the others are lost.
expect 0 'heap of make_session \(cache\.c:[0-9]+\): leak' "$run" report KEPT.db --resources --at 100000 --details
grep -q 'leak, warning\]' out || { fault "what a cache may keep is an error"; cat out; }
tr -s ' \n' ' ' <out | grep -q 'A cache that is not full yet looks the same' || { fault "words of KEPT"; cat out; }
expect 0 'heap of make_session \(cache\.c:[0-9]+\): leak' "$run" report LOST.db --resources --at 100000 --details
grep -q 'leak, error\]' out || { fault "what is lost is no error"; cat out; }
grep -q 'A cache' out && { fault "what is lost is called a cache"; cat out; }
expect 0 'No resource turns pathological' "$run" report full.db --resources --at 100000
exit $status
