#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# matrix.py tells right verdicts from wrong ones: on reports made by hand.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
printf 'int free;\nint kept; /* culprit */\n' >sick.c
cp sick.c well.c
cat >cases <<'END'
sick  sick.c  -       leak  work  1,2,3  100  session-table  unbounded-growth  1
well  well.c  -DTWIN  none  work  1,2,3  100  -              -                 1
END
status=0
report() { # file, then findings: rule severity resource line holds_at_100
  file=$1
  shift
  {
    printf '{"resources": {"list": [], "findings": ['
    comma=
    for finding; do
      # shellcheck disable=SC2086
      set -- $finding
      printf '%s{"rule": "%s", "severity": "%s", "confidence": 0.9, "resource": {"name": "%s", "class": "heap",
        "file": "", "line": 0}, "emergence": {"size": 5}, "numbers": [{"metric": "peak", "measured": 3}],
        "context": null, "sites": [{"file": "/where/ever/sick.c", "line": %s}], "holds_predicted": [{"n": 100, "holds": %s}]}' \
        "$comma" "$@"
      comma=,
    done
    printf ']}}\n'
  } >"$file"
}
expect() { # what, status, pattern in the output
  got=0
  python3 "$here/matrix.py" cases . faulty "${4-.}" ${5-} ${6-} >output || got=$?
  if [ $got -ne "$2" ] || ! grep -q -- "$3" output; then
    echo "FAULT: $1: status $got, and not '$3' in:"
    cat output
    status=1
  fi
}
right='leak warning session-table 2 true'
report well.json
report sick.json "$right"
expect 'all right' 0 '^leak .* 1  .* 1$'
report sick.json "$right" 'unbounded-growth error heap 1 true'
expect 'what is true as well' 0 'unbounded-growth (error'
report sick.json 'leak note session-table 2 true'
expect 'a note is not a finding' 1 'MISSED: no leak'
report sick.json 'unbounded-growth error heap 1 true'
expect 'only what is true as well' 1 'MISSED: no leak'
report sick.json 'leak error session-table 1 true'
expect 'wrong line' 1 'WRONG PLACE: it names the lines \[1\] of sick.c'
report sick.json 'leak error heap 2 true'
expect 'wrong resource' 1 'WRONG PLACE: the resource is heap'
report sick.json 'leak error session-table 2 false'
expect 'not at the target' 1 'WRONG PLACE: it is not to hold at 100'
report sick.json 'leak error heap 2 true' "$right"
expect 'the right one among others' 0 '^ok    sick'
report sick.json "$right" 'contention warning lock 2 true'
expect 'a rule that is not true' 1 'FALSE ALARM: contention (warning'
report sick.json "$right"
report well.json 'unbounded-growth warning heap 2 true'
expect 'a twin' 1 'FALSE ALARM: unbounded-growth (warning'
rm well.json
echo 'scale-cc: error' >well.log
expect 'no report' 1 'NO REPORT'
# What was judged wrongly is measured twice more, and two of three decide.
rm well.log
mkdir second third
report well.json 'unbounded-growth warning heap 2 true'
report second/well.json
report third/well.json
expect 'wrong once of three' 0 '^ok    well .* 2 of 3 right$' . second third
[ ! -s faulty ] || { echo "FAULT: wrong once of three: it is named as faulty"; status=1; }
report third/well.json 'leak error heap 2 true'
expect 'wrong twice of three' 1 '^FAULT well .* 1 of 3 right$' . second third
[ "$(cat faulty)" = well ] || { echo "FAULT: wrong twice of three: it is not named as faulty"; status=1; }
exit $status
