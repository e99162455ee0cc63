#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Peaks are reported for the whole program, not added up over the places that acquire.
. "$(dirname "$0")/../lib.sh"
need_compiler
compile -O1 -g -pthread -o peaks "$here/peaks.c"

measure() { # MODE BLOCKS: out at a time, of 800,000 bytes
  rm -f scale.db
  expect 0 '' "$run" run -P n=100,200,400,800 --at 8000 --event none -- ./peaks "$1" '{n}'
  expect 0 '' "$run" report --format json
  json out "[round(n['measured'] / 8e5, 1) for r in d['resources']['list'] if r['class'] == 'heap'
    for n in r['numbers'] if n['metric'] == 'peak outstanding'] == [$2]"
}
measure in-turn 1
measure together 2
measure handed-over 1
exit $status
