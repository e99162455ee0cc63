#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Waits that may be locks are named, each once, at every level of optimisation; loops that work, and what belongs to a lock that
# is understood, are not.
. "$(dirname "$0")/../lib.sh"
need_compiler
export SCALE_PASS_VERIFY=1

# named LEVEL PROGRAM: what the report of it names is what is expected, and all
named() {
  local with=$cc
  case $2 in *.cpp) with=$(dirname "$cc")/scale-c++ ;; esac
  "$with" "$1" -g -pthread -o prog "$here/$2" || { fault "$2 $1 does not build"; return; }
  rm -f scale.db
  "$run" run -P n=4,8,12,16 --event none --max-iterations 1 -- ./prog '{n}' >first 2>progress || { fault "$2 $1: run"; cat progress; }
  "$run" report --format json >report.json 2>err || { fault "$2 $1: report"; cat err; }
  python3 - report.json >got <<'PY'
import json, os, sys
for item in json.load(open(sys.argv[1]))["not_understood"]:
    print(item["function"].split("(")[0], os.path.basename(item["file"]), item["line"], item["what"])
PY
  LC_ALL=C sort got | diff wanted - >differences || { fault "$2 $1: others are named"; cat differences; }
}
# at FILE TEXT: the line where it stands
at() { grep -nF -- "$2" "$here/$1" | head -1 | cut -d: -f1; }
{
  echo "wait_ticket waits.c $(at waits.c 'while (atomic_load_explicit') spin-wait"
  echo "wait_volatile waits.c $(at waits.c '!ready; spins++') spin-wait"
  echo "wait_helper waits.c $(at waits.c 'while (!is_ready') spin-wait"
  echo "wait_value waits.c $(at waits.c 'while ((value') spin-wait"
  if [ "$(uname -m)" = x86_64 ]; then
    echo "wait_assembly waits.c $(at waits.c 'while (swap') inline assembly"
    echo "wait_in_assembly waits.c $(at waits.c '1: lock; decl') inline assembly"
  fi
} | LC_ALL=C sort >wanted
for level in -O0 -O1 -O2; do named $level waits.c; done
"$run" report --all | tr -s '\n ' ' ' | grep -qE 'Not understood as locks: .*spin-wait in wait_ticket \(waits\.c:[0-9]+\)' ||
  fault "the report does not name them"
{
  echo "barrier::wait_load waits.cpp $(at waits.cpp 'while (phase') spin-wait"
  echo "barrier::wait_operator waits.cpp $(at waits.cpp 'while (!open') spin-wait"
} | LC_ALL=C sort >wanted
for level in -O0 -O2; do named $level waits.cpp; done
exit $status
