#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sizes, names and paths that are odd or impossible, places that may not be read or written, limits of the system: one
# error with a hint and status 2, or it simply works.
. "$(dirname "$0")/lib.sh"
need_compiler
trap 'chmod -R u+rwx "$work"; rm -rf "$work"' EXIT
chmod 755 .
fault() { echo "FAULT: $*"; cat out err; status=1; }
expect() { # the same of one message
  told "$@"
  [ "$(grep -cE '^scale-run: (error|warning): ' err)" = 1 ] || fault "not one message: $*"
}
# The user that may nothing: this one, or for root another.
user=()
if [ "$(id -u)" = 0 ]; then
  command -v setpriv >/dev/null || exit 77
  user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
fi

compile_computing prog n
chmod 755 prog
study() { "$run" run "$@" --event none -q --no-report -- ./prog '{n}'; }
from() { study -P "n=$1"; }

# Sizes.
for range in 0..100 -5..100 nan..5 1e30..1e31 100..1e400 0x10..100 '' １００..800; do
  expect 2 'is not a size' 'up to 1e18' from "$range"
done
expect 2 'range 800..100 of n is empty' 'below high' from 800..100
expect 2 'one size .100. tells nothing' 'n=100..6400' from 100
expect 2 '--at: "0" is not a size' . study -P n=1..8 --at 0
expect 2 'more than 1000 sizes' 'leave' study -P n=1..8 --at "$(seq -s' ' 10000)"
expect 2 'expected NAME=LOW..HIGH' 'for example' study -P =1..5
expect 2 '"größe" of <parameter> is not a name' 'letters a to z' "$run" run -P größe=1..9 -- ./prog '{größe}'
for trace in 1048577 18446744073709551615; do
  expect 2 "--trace $trace: no more than 1048576 events" '--trace 1048576' study -P n=1..8 --trace "$trace"
done
[ ! -e scale.db ] || fault "a study although nothing could be run"

# Many targets, and the very large.
study -P n=10..200 --at 1000 || fault "a study"
"$run" report --at "$(seq -s' ' 1000 10 10000)" >out 2>err || fault "900 targets"
"$run" ask --at 1e18 >out 2>err || fault "a target of 1e18"
grep -q '1e+36' out || fault "n^2 at 1e18"

# Blanks and letters of other alphabets in paths and titles.
mkdir 'a dir' && cp prog 'a dir/ü prög'
"$run" run -P n=10..100 --event none -q -o 'a dir/st ü.db' -- './a dir/ü prög' '{n}' >out 2>err || fault "blanks in paths"
"$run" report 'a dir/st ü.db' >out 2>err || fault "the study of a path with blanks"
cat >'ä b.xml' <<'X'
<workload name="w"><title>Größe — 数</title><parameter name="n" unit="Zähler"><range low="10" high="80"/></parameter>
<generate file="{dir}/ä b.txt"><line repeat="{n}">ü</line></generate>
<command stdin="{dir}/ä b.txt"><arg>./a dir/ü prög</arg><arg>{n}</arg></command></workload>
X
TMPDIR="$work/a dir" "$run" run 'ä b.xml' --event none -q -o w.db >out 2>err || fault "a workload of such names"
grep -q '^Größe — 数$' out || fault "the title"
[ "$(ls 'a dir' | wc -l)" = 2 ] || fault "scratch files were left in TMPDIR"

# The scratch directory.
TMPDIR=$work/prog expect 2 "cannot make the directory $work/prog/" 'TMPDIR' study -P n=1..8 -o t.db
(unset TMPDIR && study -P n=1..8 -o t.db) || fault "without TMPDIR"
TMPDIR='' study -P n=1..8 -o t.db || fault "with an empty TMPDIR"
mkdir closed any && chmod 555 closed && chmod 777 any
TMPDIR=$work/closed expect 2 'cannot make the directory' 'TMPDIR' \
  "${user[@]}" "$run" run -P n=1..8 --event none -o any/x.db -- ./prog '{n}'

# What may not be read or written.
mkdir readable && cp scale.db readable && chmod 444 readable/scale.db && chmod 555 readable
"${user[@]}" "$run" report readable/scale.db >out 2>err || fault "a study that may only be read"
expect 2 'readonly' 'may be written' "${user[@]}" "$run" verify -q readable/scale.db --at 300
expect 2 'unable to open' 'may be written' "${user[@]}" "$run" run -P n=1..8 -o readable/new.db -- ./prog '{n}'
cp scale.db secret.db && cp 'ä b.xml' secret.xml && chmod 000 secret.db secret.xml
expect 2 'secret.db cannot be read' 'you may read' "${user[@]}" "$run" report secret.db
expect 2 'secret.xml cannot be read: Permission denied' . "${user[@]}" "$run" run secret.xml
expect 2 'cannot open the profile none.scprof' 'SCALE_PROFILE_DIR' "$run" dump none.scprof
expect 2 'not a raw profile' 'scale-cc' "$run" dump "$work"
expect 2 'it is a folder' 'workload file' "$run" run "$work"
expect 2 'not a regular file' . study -P n=1..8 -o "$work"
mkdir open && chmod 777 open && cp prog open && chmod 600 open/prog
[ "$(id -u)" != 0 ] || chown 65534 open/prog
cd open || exit 1
expect 3 'cannot start ./prog 1: Permission denied' 'chmod' "${user[@]}" "$run" run -P n=1..8 --event none -q -- ./prog '{n}'
cd ..

# No right to sample: a warning, once; counts are there.
chmod 755 open/prog && cd open || exit 1
rm -f scale.db
if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -gt 1 ]; then
  expect 0 "warning: not allowed to sample 'page-faults:k'" . \
    "${user[@]}" "$run" run -P n=10..100 --event page-faults:k -q --no-report -- ./prog '{n}'
  "${user[@]}" "$run" report >out 2>err || fault "counts without times"
  grep -q 'No time was sampled' out || fault "the report does not say that there are no times"
fi
cd ..

# Limits of the system.
files() { (ulimit -n 12 && study -P n=1..8 -o limit.db); }
expect 2 'Too many open files' 'ulimit -n' files
small() { (ulimit -f 10 && study -P n=1..8 -o limit2.db); }
expect 2 'limit2.db' . small
if [ -w /dev/full ]; then
  report() { "$run" report >/dev/full; }
  expect 2 'output cannot be written' 'room' report
fi
exit $status
