#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Named pipes, devices, folders and random bytes in place of files on the command line or in a workload. Nothing
# waits, nothing is taken for what it isn't. And outputs to a disk without room.
. "$(dirname "$0")/lib.sh"
need_compiler
cat >prog.c <<'C'
#include <stdlib.h>
static volatile long sink;
int main(int argc, char **argv)
{
  for (long i = 0, n = atol(argv[1]); i < n; i++)
    sink += i;
  return 0;
}
C
"$cc" -O1 -o prog prog.c || exit 1
"$run" run -q --event none --no-report -P n=100,200,400,800 -- ./prog '{n}' 2>err || { cat err; exit 1; }
mkfifo pipe
head -c 5000 /dev/urandom >random
echo 'Some text, and not a diff.' >text
generate() { # file
  cat >generate.xml <<X
<workload name="g"><parameter name="n"><range low="1" high="4"/></parameter>
<generate file="$1"><line>x</line></generate><command><arg>$work/prog</arg><arg>{n}</arg></command></workload>
X
}

quick() { timeout 60 "$@"; }
for bad in pipe /dev/zero /dev/tty .; do
  why='it is a (named pipe|device|folder)|is not a study|is not a regular file|cannot be read|not a regular file|cannot open the profile'
  for command in "report $bad" "ask $bad --at n=4" "run $bad" "fit $bad" "diff $bad scale.db" "diff scale.db $bad" \
    "report --format sarif --changed $bad" "report --format sarif --accept $bad" "export $bad" "dump $bad" "run -P n=1,2,3 -o $bad -- ./prog {n}"; do
    expect 2 "$why" quick "$run" $command
  done
  quick "$cc" "--scale-probes=$work/$bad" -c prog.c 2>err && fault "a probe set that is $bad"
  grep -q 'the probe set .* cannot be read' err || { fault "words about the probe set $bad"; cat err; }
done
for bad in random text; do
  expect 2 'not a (unified )?diff' quick "$run" report --format sarif --changed $bad
done
mkfifo "$work/named"
generate "$work/named"
expect 3 'cannot write the input file .*named' quick "$run" run -o generated.db generate.xml

# Pipes that are ours already are files to read.
git diff --no-index /dev/null prog.c >changes.diff
expect 0 '"version"' quick "$run" report --format sarif --changed <(cat changes.diff)
expect 0 '"version"' quick "$run" report --format sarif --changed /dev/stdin <changes.diff
expect 0 '"version"' quick "$run" report --format sarif --changed /dev/null

# No room: the error names the path, and nothing is left that looks like a report.
formats='text json sarif html markdown junit codequality openmetrics'
for format in $formats; do
  "$run" report --format $format >/dev/null 2>&1 || continue
  expect 2 '/dev/full cannot be written: No space left on device' quick "$run" report --format $format -o /dev/full
  grep -q '^hint: ' err || fault "no hint with $format"
  quick "$run" report --format $format >/dev/full 2>err
  [ $? = 2 ] || fault "status of $format to a full device"
  grep -q 'the output cannot be written: No space left on device' err || { fault "$format to a full device"; cat err; }
done
mkdir small
if mount -t tmpfs -o size=4k none small 2>/dev/null; then
  trap 'umount "$work/small"; rm -rf "$work"' EXIT
  for format in $formats; do
    "$run" report --format $format >whole 2>/dev/null || continue
    [ "$(wc -c <whole)" -gt 4096 ] || continue
    echo before >small/report
    expect 2 'small/report cannot be written: No space left on device' quick "$run" report --format $format -o small/report
    [ "$(cat small/report)" = before ] || fault "$format: what was there is gone"
    [ "$(ls -A small)" = report ] || fault "$format: left: $(ls -A small)"
  done
fi
exit $status
