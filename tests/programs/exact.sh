#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# exact.sh PROGRAM LEVEL: proves that the counts are exact.
#
# PROGRAM (C or C++) is built with scale-cc at LEVEL (-O0 ... -O3) and run: its output and exit status must be those of the
# plain build, its calls per function and iterations per source loop those of the oracle (clang's front-end counters, see
# oracle/oracle-cc), to the last digit. A line "oracle: none" in the program turns that comparison off, where the oracle
# itself cannot be right (fork: children inherit counters); then PROGRAM.expect must exist: lines of
# `scale-run dump --totals` that have to be found in the profile. A line "oracle skips: NAME" leaves out a function, a line
# "flags: ..." gives further compiler options. With SCALE_PLAIN_COPIES=1 in the environment functions have a plain copy
# each, which must do the same.
set -eu
program=$1 level=$2
here=$(cd "$(dirname "$0")" && pwd)
bin=$SCALE_BUILD/bin
name=$(basename "$program")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
case $program in *.c) cc=scale-cc plain=clang-19 oracle=oracle-cc ;; *) cc=scale-c++ plain=clang++-19 oracle=oracle-c++ ;; esac
flags=$(sed -n 's/.*flags: *\([^*]*\).*/\1/p' "$program" | head -n 1)
fail() { echo "$name $level: $1"; exit 1; }

# shellcheck disable=SC2086
{
  "$bin/$cc" $level $flags -c "$program" -o scale.o && "$bin/$cc" scale.o -o scale -lpthread -lm $flags 2>link.log ||
    { cat link.log; fail "does not build with $cc"; }
  $plain $level $flags -w "$program" -o plain -lpthread -lm
}
run() { status=0; "$@" >"$work/output" 2>"$work/errors" </dev/null || status=$?; echo "$status"; }
expected_status=$(run ./plain); mv output plain.output; mv errors plain.errors
status=$(run ./scale) # without a folder for profiles
[ "$status" = "$expected_status" ] || fail "without a profile: exit status $status, the plain build's is $expected_status"
cmp output plain.output && cmp errors plain.errors || fail "without a profile: the output differs from the plain build's"
mkdir profiles
status=$(SCALE_PROFILE_DIR=$work/profiles run ./scale)
[ "$status" = "$expected_status" ] || fail "exit status $status, the plain build's is $expected_status"
cmp output plain.output || fail "the output differs from the plain build's"
cmp errors plain.errors || fail "the plain build wrote something else to standard error"
ls profiles/*.scprof >/dev/null 2>&1 || fail "no profile was written"
for profile in profiles/*.scprof; do "$bin/scale-run" dump --totals "$profile"; done >totals

if ! grep -q 'oracle: none' "$program"; then
  export ORACLE_DIR="$work" ORACLE_LOOPS="$SCALE_BUILD/tests/programs/oracle-loops"
  # shellcheck disable=SC2086
  "$here/oracle/$oracle" $level $flags -c "$program" -o oracle.o &&
    "$here/oracle/$oracle" oracle.o -o oracle -lpthread -lm $flags
  LLVM_PROFILE_FILE=$work/oracle.profraw run ./oracle >/dev/null
  llvm-profdata-19 merge -o oracle.profdata oracle.profraw
  llvm-cov-19 export ./oracle -instr-profile=oracle.profdata >coverage.json 2>/dev/null
  touch loops
  skips=$(sed -n 's/.*oracle skips: *\([^ *]*\).*/\1/p' "$program")
  # shellcheck disable=SC2086
  python3 "$here/oracle/compare.py" coverage.json loops totals $skips || fail "counts are not exact"
elif [ ! -e "$program.expect" ] && [ ! -e "${program%.*}.expect" ]; then
  fail "has neither an oracle nor an .expect file"
fi
for expect in "$program.expect" "${program%.*}.expect"; do
  [ -e "$expect" ] || continue
  python3 "$here/oracle/expect.py" "$expect" totals || fail "counts are not those of $(basename "$expect")"
done
