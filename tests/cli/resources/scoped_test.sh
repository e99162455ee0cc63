#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Mutexes that std::scoped_lock acquires together have the program's names, not that of the library's array.
. "$(dirname "$0")/../lib.sh"
need_compiler
for level in -O0 -O2; do
  "${cc%cc}c++" -std=c++17 "$level" -g -pthread -o scoped "$here/scoped.cpp" || { fault "scale-cc $level"; continue; }
  rm -rf prof && mkdir prof
  SCALE_PROFILE_DIR=prof timeout 60 ./scoped || fault "$level: exit status $?"
  "$run" dump prof/* >dumped
  for name in source target; do
    held=$(grep -E "^ +mutex $name " dumped | grep -oE ' holds [0-9]+' | awk '{ s += $2 } END { print s + 0 }')
    [ "$held" -ge 80 ] || { fault "$level: $held holds of $name"; cat dumped; }
  done
  grep -q '__locks' dumped && fault "$level: a name of the library's"
done
exit $status
