#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Units that are taken where threads wait for a condition, and given back where they signal it: each way to write that is
# recognised, at all levels of optimisation, and nothing else is taken for it. The numbers are known.
. "$(dirname "$0")/../lib.sh"
need_compiler

measure_once() { # LEVEL PROGRAM
  local compiler=$cc
  at="$2 $1"
  [[ $2 == *.cpp ]] && compiler=${cc%cc}c++
  "$compiler" "$1" -g -pthread -o units "$here/$2" || { fault "$at: scale-cc"; return; }
  rm -rf prof && mkdir prof
  SCALE_PROFILE_DIR=prof timeout 120 ./units || fault "$at: exit status $?"
  for file in prof/*; do "$run" dump "$file"; done >dumped
}
counted() { # [CLASS] NAME WHAT EXPECTED
  local got class=semaphore
  [ $# = 4 ] && { class=$1; shift; }
  got=$(grep -E "^ +$class $(sed 's/[<>]/[&]/g' <<<"$1") " dumped | tr ',' '\n' | sed -nE "s/^(.*  )? *$2 ([0-9]+)( \(.*)?\$/\2/p" |
    awk '{ s += $1 } END { print s + 0 }')
  [ "$got" = "$3" ] || fault "$at: $class $1: $2 $got instead of $3"
}
no_units() { # NAME: of a condition that was signalled
  grep -qE "^ +condition $1 " dumped || fault "$at: nothing of the condition $1"
  counted "$1" acquires 0
}

for level in -O0 -O2 -O3; do
  measure_once "$level" units.c
  for name in list index counter first leaves baton; do
    counted "pool::$name" acquires 100
    counted "pool::$name" returned 100
    counted "pool::$name" releases 100
    grep -E "condition pool::$name .*waits [0-9]+ \([0-9]" dumped && fault "$at: the time of waits for pool::$name counts twice"
  done
  counted monitor::wrapped acquires 100
  counted monitor::wrapped returned 100
  counted monitor::wrapped releases 100
  counted pool::once acquires 100
  counted pool::once returned 100
  counted pool::index failures 1
  counted pool::leaves failures 1
  counted pool::list failures 0
  counted pool::queue acquires 0
  counted condition pool::queue writes 100
  measure_once "$level" units.cpp
  for name in List::given "Stack<int>::back" Shared::again Boxed::box; do
    counted "$name" acquires 100
    counted "$name" returned 100
  done
  counted Sized::ready acquires 103
  counted Sized::ready returned 100 # not the three that a thread takes in a row and keeps
  counted Sized::ready failures 1
  measure_once "$level" units_lookalikes.c
  for name in flags number can_read can_write meeting start; do
    no_units "office::$name"
  done
  for name in ticket marked in_use tried; do
    counted "office::$name" acquires 100
    counted "office::$name" returned 100
  done
  measure_once "$level" units_lookalikes.cpp
  for name in SharedLock::released Meeting::all; do
    no_units "$name"
  done
  for name in Idle::idle Permits::free Tries::tried Turns::turn; do
    counted "$name" acquires 100
    counted "$name" returned 100
  done
done
exit $status
