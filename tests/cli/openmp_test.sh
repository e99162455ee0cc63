#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Critical sections and locks of OpenMP: recorded as often as they are entered, and judged as locks.
. "$(dirname "$0")/lib.sh"
need_compiler
cp "$here/openmp.c" .
"$cc" -O2 -g -fopenmp -o slow openmp.c 2>err || { echo "skipped: no OpenMP for clang"; exit 77; }
"$cc" -O2 -g -fopenmp -DTWIN -o short openmp.c || fault "the twin does not build"

SCALE_PROFILE_DIR=profiles ./slow 4 || fault "the instrumented program fails"
"$run" dump profiles/*.scprof >dump
# times PATTERN: how often the calls that match it acquired
times() { grep -E "$1" dump | grep -oE 'acquires [0-9]+' | awk '{ all += $2 } END { print all + 0 }'; }
[ "$(times 'critical section table +__kmpc_critical:')" = 80 ] || { fault "acquires of the section"; cat dump; }
[ "$(times 'count_lock \(.*openmp\.c:[0-9]+\) +omp_set_lock:')" = 80 ] || { fault "acquires of the lock"; cat dump; }
grep -qE 'critical section table +__kmpc_critical:.* waits [1-9]' dump || { fault "nobody waited for the section"; cat dump; }

for program in slow short; do
  "$run" run -P n=1,2,3,4 --kind threads --max-iterations 0 --at 48 --event none --no-report \
    -o $program.db -- ./$program '{n}' >out 2>&1 || { fault "run $program"; cat out; }
done
expect 0 '^1\. critical section table: spinlock, contention' "$run" report slow.db --resources --at 48
grep -q '^2\. ' out && { fault "the short lock is found, too"; cat out; }
expect 0 'No resource turns pathological' "$run" report short.db --resources --at 48
exit $status
