#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A program that holds many locks, has many threads and calls many functions from one place is as linear in the report as
# it is without instrumentation, by counts and by times: the runtime has no lists to search.
. "$(dirname "$0")/instrument/common.sh"
[ -x "$SCALE_BUILD/bin/scale-run" ] || { echo "skipped: no scale-run"; exit 77; }
"$cc" -O2 -g -pthread "$source/tests/programs/complexity/crowd.c" -o crowd || fail "cannot build"
"$SCALE_BUILD/bin/scale-run" run -P n=250,500,1000,2000,4000,8000 --max-iterations 0 --at 100000 -- ./crowd '{n}' >run 2>&1
same "run" 0 $?
"$SCALE_BUILD/bin/scale-run" report --all --fail-on superlinear >report 2>&1
same "report: $(cat report)" 0 $?
! grep -E 'quadratic|cubic|exponential|n\^[1-9]|n log' report || fail "superlinear: $(cat report)"
has "hold" "hold \(.*\): linear loop, 4 n iterations" "$(cat report)"
has "post" "post \(.*\): linear loop" "$(cat report)"
finish
