#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A program built as always is forked for each input, and its counts are exact, whatever it does.
. "$(dirname "$0")/instrument/common.sh"
runs=$SCALE_BUILD/tests/cli/fuzz-target-runs
[ -x "$runs" ] || { echo "skipped: built without the analysis"; exit 77; }
"$cc" -O2 -o parser "$files/../fuzz_target/parser.c" || fail "does not build"
mkdir scratch

# run EXPECTED INPUTS OPTION... -- COMMAND...
run() {
  local expected=$1 inputs=$2
  shift 2
  same "$*" "$expected" "$(printf '%s\n' "$inputs" | "$runs" --scratch scratch --seconds 5 --show nest,leaf "$@" 2>&1)"
}
linear="ended 0 0 nest:0=1 nest:15=3"
quadratic="ended 0 7 nest:0=1 nest:15=10 nest:17=100"
run "$linear
$quadratic
$linear" "3 x
10 (
3 x" -- ./parser -f {file}
run "$linear
$quadratic" "3 x
10 (" -- ./parser {stdin}
run "$linear
$quadratic" "3 x
10 (" -- ./parser {arg}
run "ended 0 7 nest:0=1 nest:15=6 nest:17=6" "3 x" -- ./parser "x({arg}y"

# what ends it ends nothing else, and what it leaves is ended
run "crashed 6 0
$linear
timed-out 9 0
out-of-memory 6 0
ended 0 0 nest:0=1 nest:15=2
$linear" "1 C
3 x
1 L
1 M
2 F
3 x" --memory 40000000 -- ./parser -f {file}
echo D >descriptors
./parser -f descriptors
open=$?
# the input's file may go; nothing is left open in the program
run "ended 0 0 nest:0=1 nest:15=2
$linear
ended 0 $open" "2 R
3 x
1 D" -- ./parser -f {file}
# calls through a pointer, again and again: the same contexts
run "ended 0 0 nest:0=1 nest:15=4 leaf:0=4
ended 0 0 nest:0=1 nest:15=9 leaf:0=9" "4 P
9 P" --again 300 -- ./parser -f {file}
same "left in the scratch folder" "input" "$(ls scratch)"

# what cannot be run is said
has "no place" "names no place for the input" "$("$runs" -- ./parser -f x 2>&1 </dev/null)"
has "two places" "several places" "$("$runs" -- ./parser {file} {file} 2>&1 </dev/null)"
has "no counters" "no counters" "$("$runs" -- /bin/true {file} 2>&1 </dev/null)"
exit $((failures != 0))
