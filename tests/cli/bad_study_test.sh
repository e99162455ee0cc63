#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Studies of something else, of another version, damaged ones, and a full disk: what is there stays as it is.
. "$(dirname "$0")/lib.sh"
need_compiler
command -v python3 >/dev/null || exit 77
trap 'umount "$work/small" 2>/dev/null; rm -rf "$work"' EXIT
fault() { echo "FAULT: $*"; cat out err; status=1; }
expect() { # WANT PATTERN COMMAND...: exit status, one error that matches, a hint
  local want=$1 pattern=$2
  shift 2
  told "$want" "^scale-run: error: .*$pattern" . "$@"
}

compile_computing prog n
study() { "$run" run -P n=100..800 --at 100000 --event none -q "$@"; }
study -- ./prog '{n}' >out 2>err || { fault "a good study"; exit 1; }
cp scale.db good.db

# Two at once: the lock is held by a stand-in, so that nothing depends on who is faster.
exec 9<scale.db
flock 9
expect 2 'another scale-run is at work' study -- ./prog '{n}'
exec 9<&-
cmp -s scale.db good.db || fault "the refused one changed the study"

# Another command in the same study, or another build of the program.
expect 2 'another workload' study -- ./prog '{n}' x
cmp -s scale.db good.db || fault "the study was changed"
study --restart -- ./prog '{n}' x >out 2>err || fault "--restart"
cmp -s scale.db.old good.db || fault "the old study is not kept as it was"
cp good.db scale.db
rm prog && "$cc" -O2 -o prog prog.c
study -- ./prog '{n}' >out 2>err || fault "the same program, built again, is taken for another one"
cp scale.db good.db
sed -i 's/sink += i/sink -= i/' prog.c && "$cc" -O2 -o prog prog.c
study -- ./prog '{n}' >out 2>err || fault "a new build does not begin a new study"
grep -q 'prog was built anew: a new study begins in scale.db, the old one is scale.db.old' err || fault "nothing is said of it"
cmp -s scale.db.old good.db || fault "the study of the old build is not kept as it was"
"$run" diff scale.db.old scale.db >out 2>err || fault "old and new build cannot be compared"
grep -q '^No change' out || fault "two builds that do the same differ"
"$run" diff >out 2>err && fault "diff without a base"
grep -q 'the build before: scale-run diff scale.db.old scale.db' err || fault "the study of the build before is not offered"
cp good.db scale.db
mkdir elsewhere && mv prog elsewhere && cd elsewhere || exit 1
expect 2 'another program' study -o ../scale.db -- ./prog '{n}'
cd .. || exit 1
"$run" report >out 2>err || fault "the study of a program that is gone is of no use"
mv elsewhere/prog . && rm -r elsewhere
expect 2 'another build of .*/prog' "$run" verify --at 900
"$run" report >out 2>err || fault "the study is of no use after a mismatch"

# Another version; not a study; cut off.
cp good.db scale.db
python3 -c "
import sqlite3
d = sqlite3.connect('scale.db'); d.execute('PRAGMA user_version = 9999'); d.commit()"
expect 2 'version' "$run" report
expect 2 'version' study -- ./prog '{n}'
for bad in text cut other; do
  case $bad in
    text) printf 'no database at all, but longer than the header of one: %0200d' 0 >scale.db ;;
    cut) head -c 5000 good.db >scale.db ;;
    other) rm scale.db; python3 -c "
import sqlite3
d = sqlite3.connect('scale.db'); d.execute('CREATE TABLE t(a)'); d.execute('INSERT INTO t VALUES(1)'); d.commit()" ;;
  esac
  cp scale.db before.db
  expect 2 'scale.db' "$run" report
  expect 2 'scale.db' study -- ./prog '{n}'
  cmp -s scale.db before.db || fault "$bad: a file that is no study was changed"
done
expect 2 'none.db' "$run" report none.db

# A full disk: what was stored before can be reported.
mkdir small
if mount -t tmpfs -o size=400k tmpfs small 2>/dev/null; then
  cp good.db small/scale.db
  head -c 10000000 /dev/zero >small/fill 2>/dev/null
  expect 2 'space' "$run" run -P n=100..3200 --event none -q -o small/scale.db --restart -- ./prog '{n}'
  rm small/fill
  cp good.db small/scale.db 2>/dev/null || { rm -f small/*; cp good.db small/scale.db; }
  head -c 10000000 /dev/zero >small/fill 2>/dev/null
  cp good.db scale.db
  git_build=$(sed 's/sink -= i/sink += i/' prog.c) && printf '%s\n' "$git_build" >prog.c && "$cc" -O2 -o prog prog.c
  expect 2 'space' "$run" verify small/scale.db --at 1000
  "$run" report small/scale.db >out 2>err || fault "the study on a full disk is of no use"
  # the profile itself has no room
  rm -f small/*
  head -c 10000000 /dev/zero >small/fill 2>/dev/null
  TMPDIR=$work/small expect 2 '.' study --restart -- ./prog '{n}'
  umount small
else
  echo "not tested: a full disk (no right to mount one)"
fi
# Tables that are views computing for ever, triggers, virtual tables: refused before anything is read from them.
for strange in 'ALTER TABLE costs RENAME TO kept; CREATE VIEW costs AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x AS run, x AS context, x AS cost, x AS depth FROM c' \
  'CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM counts; END' 'CREATE TABLE other (x)'; do
  rm -f strange.db
  cp scale.db strange.db
  python3 -c "import sqlite3, sys; d = sqlite3.connect('strange.db'); d.executescript(sys.argv[1]); d.commit()" "$strange"
  timeout 30 "$run" report strange.db >out 2>err
  [ $? = 2 ] || { fault "status of a study with: $strange"; cat err; }
  grep -q 'strange.db is damaged: it has tables, views or triggers that no study has' err || { fault "words about: $strange"; cat err; }
done
exit $status
