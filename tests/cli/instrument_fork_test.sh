#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A child of fork takes over its parent's contexts as they are when it copies them, which may be later than the fork: what
# the parent allocated first in between has a number in the map of the heap that the child knew nothing of, and crashed.
. "$(dirname "$0")/instrument/common.sh"

"$clang" -O1 -fPIC -shared "$files/fork_later_waits.c" -o libwaits.so &&
  "$cc" -O1 "$files/fork_later.c" -o later -L. -lwaits -Wl,-rpath,"$work" || fail "build"

# heap FUNCTION ACQUIRES BYTES: of what the function acquired, the child's profile says, all came back
heap() {
  said=$("$SCALE_BUILD/bin/scale-run" dump "$child" | sed -n "/function $1 /,/ heap .*malloc/p" | sed -n 's/.*malloc[^ ]* *//p')
  same "fork $how: $1" "acquires $2, units $3, returned $2, units returned $3" "${said%, peak*}"
}

for how in '' early bare 'bare early'; do
  profiled ./later $how
  same "fork $how: the parent's status" 0 $status
  same "fork $how: the child's status" 0 "$(cat out)"
  child=$(grep -l "" prof/* | while read -r file; do
    "$SCALE_BUILD/bin/scale-run" dump "$file" | grep -q '^# pid.*forked' && echo "$file"
  done)
  heap last 2 624
  same "fork $how: profiles named otherwise" "" "$(ls prof | grep -vxE 'later\.[0-9]+\.[0-9]+\.scprof')"
  case $how in
    bare*) ;; # has no profile of its own before it comes to a new context
    *) heap later 1 200 ;;
  esac
done

# Where a child's file may not become as long as what is kept of the tree, it has some of its chunks, and says what is not there.
"$cc" -O1 "$files/fork_limited.c" -o limited || fail "build"
for length in 4096 8192 12288 20480 28672 36864 45056 65536; do
  profiled ./limited $length
  same "at most $length bytes: status" 0 "$status"
  child=
  for file in prof/*; do
    "$SCALE_BUILD/bin/scale-run" dump "$file" >dumped || fail "at most $length bytes: $file"
    grep -q '^# pid.*forked' dumped || continue
    child=$file
    [ "$(stat -c %s "$file")" -le $length ] || fail "at most $length bytes, but the child's file is longer"
    grep 'damaged' dumped && fail "at most $length bytes: the child's file"
    lost=$(sed -n 's/.* lost bytes \([0-9]*\),.*/\1/p' dumped)
    [ $length -eq 65536 ] && enough=0 || enough=1
    [ "$((lost > 0))" = $enough ] || fail "at most $length bytes: the child has lost $lost"
  done
  [ -n "$child" ] || fail "at most $length bytes: the child has no profile"
done
finish
