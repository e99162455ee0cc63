#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What a report or a hint advises is followed to the letter, and then what it was about is known. Timed: times are sampled.
. "$(dirname "$0")/lib.sh"
need_compiler
cat >pure.c <<'C'
#include <stdlib.h>
int main(int argc, char **argv)
{
  static volatile long sum;
  long n = atol(argv[1]);
  for (long i = 0; i < n * n; i++)
    sum += i;
  return argc != 2;
}
C
"$cc" -O1 -g -o pure pure.c || exit 1
study=(-P n=500..4000 --at 40000 -q --no-report)
measure() { "$run" run "${study[@]}" "$@" -- ./pure '{n}' >log 2>&1 || { fault "run $*"; cat log; }; }

# Resources: a program without any need not be built again, as the answer would be the same.
measure --event none
for command in 'ask --resource heap' blame; do
  expect 2 '^hint: what code built with scale-cc locks, allocates, opens and starts is recorded' "$run" $command
  grep -q 'restart\|anew' out && fault "$command: measuring again is of no use"
done

# No times.
expect 2 '^hint: run again with --event task-clock --restart, or ask for iterations, or wall' "$run" ask --of time --at 40000
for metric in iterations wall; do
  expect 0 '^At n = 40,000: ' "$run" ask --of $metric --at 40000
done
"$run" report | tr -s ' \n' ' ' >told
grep -q 'No time was sampled.* then run again with --restart, and without --event none' told || { fault 'no advice'; cat told; }
# Only where this machine can sample.
measure --restart
if "$run" report --json >report.json && json report.json 'd["cost"]["unit"] == "s"'; then
  expect 0 '^At n = 40,000: .* of processor time ' "$run" ask --of time --at 40000
  expect 0 . "$run" report
  grep -q 'No time was sampled' out && fault 'the advice was followed, and is given again'
  # With what the report prints behind "To check it", word by word, from a study without times.
  measure --event none --restart
  "$run" report | sed -n '/^To \(check it\|decide\): /,/^$/p' | tr '\n' ' ' | sed 's/^To [^:]*: scale-run run/run -q --no-report/' >command
  grep -q '^run ' command || { fault 'no command'; cat command; }
  eval '"$run"' "$(cat command)" >log 2>&1 || { fault "$(cat command)"; cat log; }
  "$run" report --json >report.json
  json report.json 'd["cost"]["unit"] == "s" and d["range"]["max"] > 4000'
fi
exit $status
