#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What scale-run says about itself: help, and mistakes on the command line.
. "$(dirname "$0")/../lib.sh"
# expect STATUS 'PATTERN' COMMAND...: exit status, and a line of the output (stdout and stderr) that matches.
expect() {
  local want=$1 pattern=$2 got
  shift 2
  "$@" >out 2>&1
  got=$?
  [ "$got" = "$want" ] || { fault "exit status $got instead of $want: $*"; cat out; }
  grep -qE -- "$pattern" out || { fault "no /$pattern/ in the output of: $*"; cat out; }
}

expect 0 '^scale-run [0-9]+\.[0-9]+' "$run" --version
expect 0 '^Examples$' "$run" --help
[ "$(grep -n '^Examples' out | cut -d: -f1)" -lt "$(grep -n '^Verbs' out | cut -d: -f1)" ] || fault "help must lead with examples"
verbs=$("$run" --help | awk '/^Verbs/ { on = 1; next } on && /^  [a-z]/ { print $1 } /^$/ { on = 0 }')
for verb in ${verbs:?}; do
  expect 0 "^  scale-run $verb" "$run" "$verb" --help
  grep -q '^  -h, --help' out || fault "$verb --help lists no options"
  awk 'length > 100 { exit 1 }' out || fault "$verb --help is wider than 100 columns"
done
grep -q $'\033' out && fault "escape sequences off a terminal"

expect 2 '^scale-run: error: say what to do' "$run"
expect 2 '^hint: did you mean `scale-run report`\?$' "$run" reprot
expect 2 '^hint: did you mean --format\?$' "$run" report --formt json
expect 2 '^scale-run: error: there is no study nosuch.db$' "$run" report nosuch.db
expect 2 '^hint: make one: scale-run run .* -o nosuch.db' "$run" ask nosuch.db --at 5
expect 2 'error: there is no study' "$run" ask
expect 2 'error: say which size to run' "$run" verify
expect 2 'error: say what to run' "$run" run
expect 2 'needs -P' "$run" run -- ./prog
expect 2 'exclude each other' "$run" run w.xml -- ./prog
expect 2 'error: say which profile to print' "$run" dump
expect 2 'there is no help page' "$run" --help=html

expect 0 '<range low="100" high="6400"/>' "$run" run -P n=100..6400 --at 1,000,000 --print-workload -- ./prog '{n}'
grep -q '<targets>1000000</targets>' out || fault "--at is not in the workload"

# On a terminal errors are coloured unless NO_COLOR is set.
on_terminal() { timeout 20 script -qec "$run reprot" /dev/null </dev/null; }
if script -qec true /dev/null </dev/null >/dev/null 2>&1; then # not without pseudo-terminals
  TERM=xterm on_terminal | grep -q $'\033' || fault "no colour on a terminal"
  TERM=xterm NO_COLOR=1 on_terminal | grep -q $'\033' && fault "colour in spite of NO_COLOR"
  TERM=dumb on_terminal | grep -q $'\033' && fault "colour on a dumb terminal"
fi

"$run" --help >/dev/full 2>err
[ $? = 2 ] && grep -q 'the output cannot be written' err || fault "a full disk must be an error: $(cat err)"
exit $status
