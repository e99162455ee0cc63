#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What one line keeps for the same reason is one finding, with the weaker one as a line; what two lines keep are two.
. "$(dirname "$0")/../lib.sh"
need_compiler
cp "$here/audit.c" .
compile -O2 -g -o one audit.c
compile -O2 -g -DTWO_LINES -o two audit.c
for kind in one two; do
  "$run" run -q -P n=500,1000,2000,4000,8000 --kind work --at 100000 --event none -o $kind.db -- ./$kind '{n}' >out 2>err || { cat out err; exit 1; }
  "$run" report $kind.db --json >$kind.json
done
line=$(grep -n 'malloc(sizeof \*r); text' audit.c | cut -d: -f1)
json one.json '[(f["rule"], f["line"]) for f in d["resources"]["findings"]] == [("unbounded-growth", '"$line"')]'
json one.json 'd["resources"]["findings"][0]["also"].startswith("unbounded-growth in column ")'
json two.json '[(f["rule"], f["also"]) for f in d["resources"]["findings"]] == [("unbounded-growth", None)] * 2'
json two.json 'sorted(f["line"] for f in d["resources"]["findings"]) == ['"$((line - 4)), $((line - 3))"']'
"$run" report one.db >out 2>err
tr -s ' \n' ' ' <out | grep -qE 'Also unbounded-growth in column [0-9]+: peak outstanding [0-9,]+ bytes, predicted at n = 100,000: ' ||
  { fault "the line about the other call"; cat out; }
for format in markdown gitlab sarif junit; do
  "$run" report one.db --format $format | grep -qE 'Also unbounded.?-growth in column' || fault "$format leaves the other call out"
done
exit $status
