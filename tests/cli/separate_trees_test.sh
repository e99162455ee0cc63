#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A library that brings a runtime of its own counts into a tree of its own: the report says so, and of no other program.
. "$(dirname "$0")/lib.sh"
need_compiler

cat >library.c <<'C'
int sum(int n)
{
  int s = 0;
  for (int i = 0; i < n; i++)
    s += i;
  return s;
}
C
cat >main.c <<'C'
#include <stdlib.h>
#include <unistd.h>
int sum(int);
int main(int argc, char **argv)
{
  if (argc > 2) /* once more in the same process, which is no second tree */
    execl(argv[0], argv[0], argv[1], NULL);
  return sum(atoi(argv[1])) == 1;
}
C
"$cc" -O2 -shared -fPIC library.c -o libjoined.so
"$cc" -O2 -shared -fPIC library.c -o libapart.so -Wl,--exclude-libs,ALL
for kind in joined apart; do
  "$cc" -O2 main.c -o $kind ./lib$kind.so
  expect 0 . "$run" run -q -P n=100..800 --event none -o $kind.db -- ./$kind '{n}' again
done
expect 0 'own: libapart.so of apart' "$run" report apart.db
for kind in joined apart; do "$run" report --format json $kind.db >$kind.json || fault "report of $kind"; done
json apart.json '[t["module"].endswith("/libapart.so") and t["program"].endswith("/apart") for t in d["separate_trees"]] == [True]'
json joined.json 'd["separate_trees"] == []'
python3 -c 'import json, jsonschema, sys; jsonschema.validate(*(json.load(open(f)) for f in sys.argv[1:]))' \
  apart.json "$here/../../docs/report.schema.json" || fault "the document is not what its schema says"
"$run" report joined.db | grep -q 'tree of its own' && fault "a tree of its own where there is one tree"
exit $status
