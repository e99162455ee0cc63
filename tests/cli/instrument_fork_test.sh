#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Children copy the tree of a parent that goes on: every profile must be sound, and every child's counts its own.
. "$(dirname "$0")/instrument/common.sh"
"$cc" -O1 "$files/fork_busy.c" -o fork_busy || fail "cannot build fork_busy"
run=1
while [ $run -le 3 ]; do
  rm -rf profiles
  SCALE_PROFILE_DIR=profiles ./fork_busy || fail "a child failed"
  same "profiles" 61 "$(find profiles -name '*.scprof' | wc -l)"
  for profile in profiles/*.scprof; do
    "$SCALE_BUILD/bin/scale-run" dump "$profile" >dump 2>err || fail "$(cat err)"
    sed -n 's/.*function work_0 .* calls=//p' dump >>calls
  done
  same "calls of the children" "$(seq 60)" "$(sort -n calls)"
  rm -f calls
  run=$((run + 1))
done
finish
