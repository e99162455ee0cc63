#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A changed number in a study: `study check` says which run it is in, and no command works with it.
. "$(dirname "$0")/lib.sh"
need_compiler
command -v python3 >/dev/null || exit 77
sql() { python3 -c "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.executescript(sys.argv[2])" "$@"; }

cat >prog.c <<'C'
#include <stdlib.h>
static volatile long sink;
int main(int argc, char **argv)
{
  long n = atol(argv[1]);
  for (long i = 0; i < n; i++)
    for (long k = 0; k < i; k++)
      sink += k;
  return 0;
}
C
"$cc" -O1 -g prog.c -o prog || exit 1
"$run" run --event none -q -P n=100..800 --at 100000 -- ./prog '{n}' >out 2>err || { fault "a good study"; cat err; exit 1; }
expect 0 '^scale.db: [0-9]+ runs and all that they rest on are as they were saved$' "$run" study check
expect 0 . "$run" report
cp out good
expect 0 . "$run" study check --json scale.db
cp out sound.json
json sound.json "d['checksums'] and d['runs'] >= 5 and d['damaged'] == []"

cp scale.db good.db
sql scale.db "UPDATE counts SET numbers = replace(numbers, '4950', '4951') WHERE run = 1"
expect 2 'error: the study scale.db is damaged: run 1 has changed since it was saved' "$run" report
grep -q 'hint: `scale-run study check scale.db`' err || { fault "no hint"; cat err; }
for command in "ask --at 1e6" "baseline" "export" "diff good.db scale.db" "verify --at 900" "run --event none -P n=100..800 --at 100000 -- ./prog {n}"; do
  expect 2 'run 1 has changed' "$run" $command
done
expect 2 '^the study scale.db is damaged: run 1 has changed since it was saved$' "$run" study check
grep -q 'error: 1 part of scale.db is damaged' err || { fault "no error"; cat err; }
expect 2 . "$run" study check --json
cp out damaged.json
json damaged.json "[(p['part'], p['run']) for p in d['damaged']] == [('run', 1)]"
valid answers sound.json damaged.json

# An earlier version has no checksums: it is read, and gets them when it is added to
cp good.db scale.db
sql scale.db "CREATE TABLE rows (id INTEGER PRIMARY KEY, parent INTEGER NOT NULL, location INTEGER NOT NULL); INSERT INTO rows SELECT id, parent, location FROM context; DROP VIEW path; DROP VIEW context; DROP TABLE contexts; ALTER TABLE rows RENAME TO context"
sql scale.db "DROP TABLE checksum; ALTER TABLE location DROP COLUMN system; PRAGMA user_version = 5"
expect 0 'version 5 has no checksums' "$run" study check
expect 0 . "$run" report
"$run" study check >out 2>err || fault "after it was reported"

expect 2 'say what to do with the study' "$run" study
expect 2 'say what to do with the study' "$run" study scale.db
expect 2 'unexpected argument' "$run" study check scale.db other.db
expect 2 'none.db' "$run" study check none.db
exit $status
