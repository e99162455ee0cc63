#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# All examples, built in another folder and measured again, ten times: every diff, with the first study, its baseline and the
# one before, is empty.
. "$(dirname "$0")/lib.sh"
rounds=${SCALE_DIFF_ROUNDS:-10}
fetch cmark 0.30.2
build() { # build FOLDER
  mkdir -p "$1"
  quietly "$1/file-manager.log" make -s -C "$root/examples/file-manager" SCALE_CXX="$bin/scale-c++" OUT="$work/$1"
  cp -R cmark "$1/cmark"
  quietly "$1/configure.log" cmake -S "$1/cmark" -B "$1/build" -G Ninja -DCMAKE_C_COMPILER="$bin/scale-cc" \
    -DCMAKE_CXX_COMPILER="$bin/scale-c++" -DCMAKE_BUILD_TYPE=Release -DCMARK_TESTS=OFF -DCMARK_SHARED=OFF
  quietly "$1/ninja.log" ninja -C "$1/build" cmark_exe
}
measure() { # measure FOLDER
  FILE_MANAGER=$work/$1/file-manager CMARK=$work/$1/build/src/cmark
  export FILE_MANAGER CMARK
  "$bin/scale-run" run "$root/examples/file-manager/workload.xml" -o "$1/file-manager.db" --quiet --no-report
  for workload in ordered-list block-quote; do
    "$bin/scale-run" run "$root/examples/cmark/$workload.xml" -o "$1/$workload.db" --quiet --no-report
  done
}
empty() { # empty BASE HEAD
  "$bin/scale-run" diff "$1" "$2" >diff.out || fail "diff $1 $2"
  head -n 1 diff.out | grep -q '^No change: ' || { cat diff.out >&2; fail "diff $1 $2 is not empty"; }
}

round=0
while [ "$round" -le "$rounds" ]; do
  build "round$round"
  measure "round$round"
  for example in file-manager ordered-list block-quote; do
    if [ "$round" = 0 ]; then
      "$bin/scale-run" baseline "round0/$example.db" -o "$example.json"
      continue
    fi
    empty "round0/$example.db" "round$round/$example.db"
    empty "$example.json" "round$round/$example.db"
    empty "round$((round - 1))/$example.db" "round$round/$example.db"
  done
  rm -rf "round$round/build" "round$round/cmark"
  round=$((round + 1))
done
