# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by tests of commands: $run and $cc, $here (the test's own folder), a new directory to work in, and ways to expect.
# A test ends with `exit $status`; without scale-run it is skipped.
set -u
run=$SCALE_BUILD/bin/scale-run
cc=$SCALE_BUILD/bin/scale-cc
[ -x "$run" ] || exit 77
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
status=0
need_compiler() { [ -x "$cc" ] || exit 77; }
fault() { echo "FAULT: $*"; status=1; }
expect() { # status, pattern in the output, wrapped as it may be, command; lines have at most $columns columns where that is set
  local want=$1 pattern=$2 got
  shift 2
  "$@" >out 2>err
  got=$?
  [ "$got" = "$want" ] || { fault "exit status $got instead of $want: $*"; cat out err; }
  { cat out err; tr -s ' \n' ' ' <out; } | grep -E -- "$pattern" >/dev/null || { fault "no /$pattern/ in the output of: $*"; cat out err; }
  [ "$(LC_ALL=C.UTF-8 wc -L <out)" -le "${columns:-1000000}" ] || fault "wider than $columns columns: $*"
}
told() { # status, patterns of an error or a warning and of a hint, command
  local want=$1 pattern=$2 hint=$3 got
  shift 3
  "$@" >out 2>err
  got=$?
  [ "$got" = "$want" ] || fault "exit status $got instead of $want: $*"
  grep -qE -- "$pattern" err || fault "no /$pattern/: $*"
  grep -qE -- "^ *hint: .*$hint" err || fault "no hint /$hint/: $*"
}
compile() { "$cc" "$@" || { echo "scale-cc failed"; exit 1; }; } # arguments of scale-cc
compile_computing() { # PROGRAM STEPS: counts STEPS, such as n, times its argument n
  cat >"$1.c" <<C
#include <stdlib.h>
static volatile long sink;
int main(int argc, char **argv)
{
  long n = atol(argv[1]);
  for (long i = 0; i < n * $2; i++)
    sink += i;
  return 0;
}
C
  compile -O1 -g -o "$1" "$1.c"
}
json() { # json FILE EXPRESSION: whether a Python expression over the document d holds
  python3 -c "import json,sys; d=json.load(open('$1')); sys.exit(0 if ($2) else 1)" || { fault "$2"; head -c 3000 "$1"; }
}
valid() { # SCHEMA FILE...: documents keep docs/SCHEMA.schema.json, as far as there is python3-jsonschema to tell
  local schema=${here%/tests/cli*}/docs/$1.schema.json
  shift
  ! python3 -c 'import jsonschema' 2>/dev/null || python3 "${here%/tests/cli*}/tests/cli/validate.py" "$schema" "$@" ||
    fault "$schema is broken by one of $*"
}
