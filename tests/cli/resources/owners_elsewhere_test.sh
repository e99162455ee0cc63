#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What a function in another file, or an inline one of a header, obtains and returns, with what it puts in it, belongs to
# the line of its call: in C and C++, optimised or not.
. "$(dirname "$0")/../lib.sh"
need_compiler
cp "$here"/buffers/* .
second=$(grep -n '/\* kept' second.c | cut -d: -f1)
third=$(grep -n '/\* kept' third.c | cut -d: -f1)
for language in c c++; do
  for level in -O0 -O2; do
    compile -x $language $level -g -o buffers *.c
    rm -f scale.db
    "$run" run -q -P n=500,1000,2000,4000,8000 --kind work --at 100000 --event none -- ./buffers '{n}' >out 2>err || { cat out err; exit 1; }
    "$run" report --json >places.json
    json places.json '{(f["context"][-1]["file"].split("/")[-1], f["line"]) for f in d["resources"]["findings"]} == {("second.c", '"$second"'), ("third.c", '"$third"')}' ||
      fault "$language $level"
    json places.json 'len(d["resources"]["findings"]) == 2'
  done
done
exit $status
