# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by the tests of this folder: builds crowd.c in a new directory and measures it into scale.db.
set -u
run=$SCALE_BUILD/bin/scale-run
cc=$SCALE_BUILD/bin/scale-cc
[ -x "$run" ] && [ -x "$cc" ] || exit 77
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
status=0
fault() { echo "FAULT: $*"; status=1; }
expect() { # status, pattern in the output, command
  local want=$1 pattern=$2 got
  shift 2
  "$@" >out 2>err
  got=$?
  [ "$got" = "$want" ] || { fault "exit status $got instead of $want: $*"; cat out err; }
  grep -qE -- "$pattern" out err || { fault "no /$pattern/ in the output of: $*"; cat out err; }
}
json() { # json FILE EXPRESSION: whether a Python expression over the document d holds
  python3 -c "import json,sys; d=json.load(open('$1')); sys.exit(0 if ($2) else 1)" || { fault "$2"; cat "$1"; }
}
cp "$here/crowd.c" .
"$cc" -O2 -g -pthread -o crowd crowd.c || { echo "scale-cc failed"; exit 1; }
"$run" run -P n=400,800,1600,3200,6400 --at 51200 --event none --max-iterations 1 -- ./crowd '{n}' >first 2>progress ||
  { cat first progress; exit 1; }
