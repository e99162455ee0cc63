#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Locks of files, and the semaphores, latches, barriers and waits of C++20, which are inline functions: the numbers are
# known, and the program does what it does without.
# Timed: waits are measured.
. "$(dirname "$0")/instrument/common.sh"
dump=$SCALE_BUILD/bin/scale-run
[ -x "$dump" ] || { echo "skipped: no scale-run"; exit 77; }

shown() { for file in prof/*.scprof; do "$dump" dump "$file"; done >dumped 2>&1; }
# sum ROWS WHAT: over the rows that match
sum() {
  grep -E "^ +($1)" dumped | tr ',' '\n' | sed -nE "s/^(.*  )? *$2 ([0-9]+)( \(.*)?\$/\\2/p" | awk '{ s += $1 } END { print s + 0 }'
}
counted() { same "$1: $3 of $2" "$4" "$(sum "$2" "$3")"; } # OF ROWS WHAT EXPECTED
some() { local n; n=$(sum "$2" "$3"); [ "$n" -ge "$4" ] && [ "$n" -le "$5" ] || fail "$1: $3 of $2 is $n, not $4 to $5"; }

for level in "-O0" "-O2" "-O2 -D_GLIBCXX_USE_POSIX_SEMAPHORE"; do
  "$cxx" -std=c++20 $level -g -pthread "$files/events/waiting.cpp" -o waiting || { fail "build $level"; continue; }
  profiled ./waiting
  same "$level: status" 0 $status
  shown
  counted "$level" "semaphore slots" acquires 83
  counted "$level" "semaphore slots" returned 82
  counted "$level" "semaphore single" acquires 2
  counted "$level" "semaphore single" failures 2
  some "$level" "semaphore slots" waits 1 80
  case $level in
  *POSIX*) ;;
  *) has "$level: the line of the call" "semaphore slots .*acquire\(\):22:11" "$(cat dumped)" ;;
  esac
  some "$level" "barrier main::meet" waits 1 80
  some "$level" "barrier main::done" waits 1 5
  some "$level" "barrier alone" waits 0 1 # of five; one may lose the processor
  for name in turn flag wide; do
    counted "$level" "condition $name" writes 1
  done
  some "$level" "condition (turn|flag|wide)" waits 1 3 # who comes late need not wait
  ! grep -q futex dumped || fail "$level: a futex that is not understood: $(grep futex dumped | head -3)"
done

"$cc" -O1 -g -pthread "$files/events/files.c" -o files || { fail "build files"; finish; }
for way in flock close shared description "flock forked" "lockf forked" "record forked"; do
  profiled ./files $way
  same "$way: status" 0 $status
  shown
  counted "$way" "rwlock file locks" acquires 80
  counted "$way" "rwlock file locks" holds 80
  counted "$way" "rwlock file locks" returned 80
  counted "$way" "rwlock file locks" failures 0
  if [ "$way" = shared ]; then
    counted "$way" "rwlock file locks" waits 0
  else
    some "$way" "rwlock file locks" waits 1 80
  fi
done
profiled ./files try
same "try: status" 0 $status
shown
counted try "rwlock file locks" acquires 2
counted try "rwlock file locks" failures 2
counted try "rwlock file locks" returned 2
finish
