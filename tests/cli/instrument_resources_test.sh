#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs that use locks, memory and descriptors, from the compiler to what dump shows: the numbers are known.
. "$(dirname "$0")/instrument/common.sh"
dump=$SCALE_BUILD/bin/scale-run
[ -x "$dump" ] || { echo "skipped: no scale-run"; exit 77; }

# row PATTERN: the numbers of the rows of resources that match, times left out
row() { "$dump" dump prof/*.scprof 2>&1 | grep -E "^ +($1)" | sed 's/^ *//; s/ ([^()]* [num]*s)//g; s/.*:[0-9]*  //'; }
number() { row "$1" | tr ',' '\n' | sed -n "s/^ *$2 \\([0-9]*\\)$/\\1/p"; }
totals_of() { # ROWS WHAT EXPECTED
  same "$3: $2 of $1" "$4" "$(number "$1" "$2" | awk '{ s += $1 } END { print s + 0 }')"
}

"$cc" -O2 -g "$files/resources.c" -o resources -pthread || { fail "build"; finish; }
"$cc" -O2 -g -static "$files/resources.c" -o static -pthread || fail "build, static"
for program in ./resources ./static; do
  for how in visit kill exec; do
    (ulimit -c 0; profiled $program $how) 2>/dev/null
    w="$program $how"
    totals_of 'mutex table.*pthread_mutex_lock:' acquires "$w" 4000
    totals_of 'mutex table.*pthread_mutex_lock:' holds "$w" 4000
    totals_of 'mutex table.*pthread_mutex_lock:' returned "$w" 4000
    totals_of 'mutex table.*pthread_mutex_unlock:' releases "$w" 4000
    totals_of 'mutex door.*pthread_mutex_lock:' acquires "$w" 5
    totals_of 'mutex door.*pthread_mutex_lock:' failures "$w" 0
    totals_of 'semaphore tickets.*sem_wait:' acquires "$w" 4000
    totals_of 'threads.*pthread_create:' acquires "$w" 4
    totals_of 'threads.*pthread_create:' returned "$w" 4
    [ "$(number 'mutex table.*pthread_mutex_lock:' waits | awk '{ s += $1 } END { print s + 0 }')" -gt 0 ] ||
      fail "$w: nobody waited for the table"
    # each wait gives the door back for a while, so that it is one hold more
    waits=$(number 'condition opened.*pthread_cond_wait:' waits | awk '{ s += $1 } END { print s + 0 }')
    totals_of 'mutex door.*pthread_mutex_lock:' holds "$w" $((5 + waits))
    has "$w: who held" 'waited [0-9]+ .* for mutex table .*held by .*visitor' "$("$dump" dump prof/*.scprof)"
    has "$w: nothing lost" 'lost resource events 0' "$("$dump" dump prof/*.scprof)"
  done
  profiled $program allocate
  totals_of 'heap  malloc:' acquires "$program" 1001
  totals_of 'heap  malloc:' returned "$program" 751
  totals_of 'heap  free:' releases "$program" 501
  totals_of 'heap  realloc:' acquires "$program" 6
  totals_of 'heap  realloc:' releases "$program" 6
  totals_of 'heap  realloc:' returned "$program" 6
  totals_of 'heap .*' 'releases of unknown' "$program" 0
  totals_of 'heap .*' unseen "$program" 0
done

profiled ./resources answer
same "signals: status" 0 $status
for lock in table door; do
  totals_of "mutex $lock.*pthread_mutex_lock:" acquires "signals" 300000
  totals_of "mutex $lock.*pthread_mutex_lock:" holds "signals" 300000
  totals_of "mutex $lock.*pthread_mutex_unlock:" 'releases of unknown' "signals" 0
done

profiled ./resources divide
same "fork: profiles" 2 "$(ls prof | wc -l)"
mkdir -p all && rm -f all/* && mv prof/* all
for file in all/*; do
  rm -rf prof && mkdir prof && cp "$file" prof
  if "$dump" dump "$file" | grep -q 'forked\|fork of'; then child=yes; else child=no; fi
  acquired=1 strangers=0
  [ $child = no ] || strangers=1
  for what in 'mutex table' 'descriptors' 'heap'; do
    totals_of "$what.*" acquires "fork (child: $child)" $acquired
    totals_of "$what.*" returned "fork (child: $child)" $acquired
    totals_of "$what.*" 'releases of unknown' "fork (child: $child)" $strangers
  done
done

# a library brings wrappers that the program has none of, and counts into the program's tree
"$cc" -O2 -g -fPIC -shared "$files/resources_library.c" -o liblibrary.so &&
  "$cc" -O2 -g -DWITH_LIBRARY "$files/resources.c" -o linked -L. -llibrary -Wl,-rpath,"$work" -pthread || fail "build"
profiled ./linked library
same "library: status" 0 $status
totals_of 'mutex table.*pthread_mutex_lock:' acquires "library" 101
totals_of 'mutex table.*pthread_mutex_lock:' holds "library" 101
totals_of 'mutex table.*pthread_mutex_unlock:' 'releases of unknown' "library" 0
totals_of 'rwlock shelf.*pthread_rwlock_rdlock:' holds "library" 100

# too little address space to remember blocks: nothing looks like a leak, and that is said
(ulimit -v 60000; profiled ./resources allocate)
totals_of 'heap  malloc:' acquires "little memory" 1001
totals_of 'heap  malloc:' unseen "little memory" 1001
has "little memory" 'lost resource events [1-9]' "$("$dump" dump prof/*.scprof)"
if command -v valgrind >/dev/null; then
  for how in allocate divide visit; do
    profiled valgrind -q --error-exitcode=42 ./resources $how
    same "valgrind $how" 0 $status
  done
fi

# the trace: as many events as asked for, the newest, and how many there were before
SCALE_TRACE=10 profiled ./resources allocate
"$dump" dump --trace prof/*.scprof >trace
same "trace: events" 10 "$(grep -vc '^#' trace)"
has "trace: the newest" "release.*heap.*free:" "$(tail -1 trace)"
has "trace: overwritten" "$((1001 + 501 + 6 - 10)) events overwritten" "$(grep '^#' trace)"
# A thread's end allocates nothing, and detached threads are known all the same.
"$cc" -O1 -pthread "$files/own_malloc.c" -o own_malloc || fail "own_malloc does not build"
profiled ./own_malloc
same "allocations at threads' ends" "0 0 0 0" "$status $(cat out)"
has "detached threads" "pthread_create[:0-9]* .*units 3, returned 3" \
  "$("$SCALE_BUILD/bin/scale-run" dump prof/*.scprof | grep threads)"
finish
