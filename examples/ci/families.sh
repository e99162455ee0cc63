#!/bin/sh
# SPDX-License-Identifier: MIT
# The inputs that made a program slow once, run again: a regression test that takes seconds. Copy it into the project.
#
#   sh families.sh -- ./build-scale/prog {file}           runs what the folder families/ keeps
#   SCALE_SEARCH=10min sh families.sh -- ...              first searches for more, as a nightly job does, and keeps it
#
# The program is built with scale-cc (review.sh beside this builds a CMake project). The exit status is 1 if an input still
# makes something grow faster than its bytes, and .scale-accept has no line about it:
#
#   slow-input parse_list until 2027-03-01: lists are short here
#
# To the folder review/ go families.md and families.sarif.
set -eu

families=${SCALE_FAMILIES:-families}
out=${SCALE_OUT:-review}
mkdir -p "$out"

if [ -n "${SCALE_SEARCH:-}" ]; then
  scale-run fuzz --for "$SCALE_SEARCH" --seed "$(date +%s)" -o "$families" "$@"
fi
if ! ls "$families"/*.xml >/dev/null 2>&1; then
  echo "families.sh: $families keeps nothing yet"
  exit 0
fi
scale-run fuzz --check "$families" --fail-on none --format markdown "$@" >"$out/families.md"
scale-run fuzz --check "$families" --fail-on none --format sarif "$@" >"$out/families.sarif"
if [ -n "${GITHUB_ACTIONS:-}" ]; then
  scale-run fuzz --check "$families" --format github "$@"
else
  scale-run fuzz --check "$families" --format lines "$@"
fi
