#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# exact_cmark.sh LEVEL: as exact.sh, on a real program: cmark, built unmodified through CMake, over its own specification.
set -eu
level=$1
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
bin=$SCALE_BUILD/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "cmark $level: $1"; exit 1; }
"$root/.ci/debian-source" cmark 0.30.2 "$work/source"
cd "$work"
build() { # directory, compiler
  cmake -S source -B "$1" -G Ninja -DCMAKE_C_COMPILER="$2" -DCMAKE_CXX_COMPILER="$3" -DCMAKE_BUILD_TYPE=None \
    -DCMAKE_C_FLAGS="$level" -DCMARK_TESTS=OFF -DCMARK_SHARED=OFF >"$1.log" 2>&1 &&
    ninja -C "$1" cmark_exe >>"$1.log" 2>&1 || { tail -n 30 "$1.log"; fail "does not build with $2"; }
}
export ORACLE_DIR="$work" ORACLE_LOOPS="$SCALE_BUILD/tests/programs/oracle-loops"
build scale "$bin/scale-cc" "$bin/scale-c++"
build oracle "$here/oracle/oracle-cc" "$here/oracle/oracle-c++"
mkdir profiles
input=source/test/spec.txt
for format in html commonmark; do
  SCALE_PROFILE_DIR="$work/profiles" scale/src/cmark -t $format --smart <$input >scale.$format
  LLVM_PROFILE_FILE="$work/%p.profraw" oracle/src/cmark -t $format --smart <$input >oracle.$format
  cmp scale.$format oracle.$format || fail "its output changed"
done
for profile in profiles/*.scprof; do "$bin/scale-run" dump --totals "$profile"; done >totals
llvm-profdata-19 merge -o oracle.profdata ./*.profraw
llvm-cov-19 export oracle/src/cmark -instr-profile=oracle.profdata >coverage.json 2>/dev/null
python3 "$here/oracle/compare.py" coverage.json loops totals || fail "counts are not exact"
