#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the C++ library does is said of the user's line that calls it, in every output; --unfold-system names the library's
# own frames.
. "$(dirname "$0")/../lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
cxx=$SCALE_BUILD/bin/scale-c++
need_compiler
cp "$here/app.cpp" .
line=$(grep -n 'items.erase' app.cpp | cut -d: -f1)
called=$(grep -n 'queue.pop()' app.cpp | cut -d: -f1)
inner=$(grep -n 'j = j + 1' app.cpp | cut -d: -f1)
for level in -O0 -O2; do
  "$cxx" $level -g -o app app.cpp || exit 1
  rm -f scale.db
  "$run" run -P n=40..640 --event none --quiet --no-report --at n=100000 -- ./app '{n}' >log 2>&1 || { cat log; exit 1; }

  expect 0 "^[12]. vector::erase from Queue::pop \(app.cpp:$line\): quadratic" "$run" report --details
  grep -qE 'stl_|bits/|__copy|_ZN|allocator|basic_string' out && { fault "$level: the library's own frames"; cat out; }
  grep -qE "Queue::pop \(app.cpp:[0-9]+\) from line $called " out || { fault "$level: no line of the call of pop"; cat out; }
  grep -qE "vector::erase \(app.cpp:$line\) .*<-- here" out || { fault "$level: the path does not end in the call"; cat out; }
  # forty levels of templates are not listed one by one
  grep -qE '\.\.\. [0-9]+ levels' out || { fault "$level: the deep path is not cut"; cat out; }
  grep -qE "Nested<0>::run \(app.cpp:$inner" out || { fault "$level: no loop in the innermost template"; cat out; }
  [ "$(grep -cE 'Nested<[0-9]+>::run' out)" -le 8 ] || { fault "$level: levels that say nothing"; cat out; }

  expect 0 'stl_|vector.tcc|bits' "$run" report --unfold-system

  "$run" report --format json >report.json || fault 'no JSON'
  json report.json "[f for f in d['findings'] if f['subject']['line'] == $line and f['subject']['file'].endswith('app.cpp')
    and f['subject']['function'].startswith('Queue::pop') and '::erase' in f['subject']['through']]"
  json report.json "[s for f in d['findings'] for s in f['context'] if s['call_line'] == $called]"
  "$run" report --format sarif >report.sarif || fault 'no SARIF'
  json report.sarif "[r for r in d['runs'][0]['results'] if 'vector::erase from Queue::pop' in r['message']['text'] and
    r['locations'][0]['physicalLocation']['region']['startLine'] == $line]"
  for format in markdown lines; do
    expect 0 "app.cpp.*$line" "$run" report --format "$format"
    grep -q 'vector::erase from Queue::pop' out || { fault "$format: not the user's function"; cat out; }
  done
  # the profiles of other tools have the line of the call in its caller
  "$run" export --at n=640 --format callgrind -o app.callgrind && "$run" export --at n=640 -o app.pb.gz || fault 'no export'
  awk -v line="$called" '/^calls=/ { call = 1; next } call && $1 == line { found = 1 } { call = 0 } END { exit !found }' \
    app.callgrind || fault "$level: callgrind has no line of the call"
  PYTHONPATH=$here/../export python3 -B - "$called" <<'P' || fault "$level: pprof has no line of the call"
import gzip, sys
from exports import fields
profile = {}
for number, value in fields(gzip.open("app.pb.gz").read()):
    profile.setdefault(number, []).append(value)
lines = {dict(fields(dict(fields(location))[4])).get(2, 0) for location in profile[4]}
assert int(sys.argv[1]) in lines, lines
P
  expect 0 "vector::erase from (Queue::)?pop \(app.cpp:$line\)" "$run" ask --at n=100000 --top 20
done

# Headers of folders that the build calls a system's are a library's, too; with -I they are the user's own.
mkdir -p vendor/include
cat >vendor/include/lists.h <<'END'
static int vendor_find(const long *list, long n, long wanted)
{
  for (long i = 0; i < n; i++)
    if (list[i] == wanted)
      return 1;
  return 0;
}
END
cat >user.c <<'END'
#include <lists.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
  long n = atol(argv[argc - 1]), found = 0;
  long *list = calloc((size_t)n + 1, sizeof *list);
  for (long i = 0; i < n; i++)
    found += vendor_find(list, i, 7);
  return (int)found;
}
END
cc=$SCALE_BUILD/bin/scale-cc
study() { # OPTION...
  "$cc" -O2 -g "$@" -o user user.c || exit 1
  rm -f scale.db
  "$run" run -P n=40..640 --event none --quiet --no-report --at n=100000 -- ./user '{n}' >log 2>&1 || { cat log; exit 1; }
}
for option in "-isystem vendor/include" "-isystemvendor/include" "-idirafter $PWD/vendor/../vendor/include" "@options" CPATH; do
  echo "-isystem $PWD/vendor/include" >options
  if [ "$option" = CPATH ]; then C_INCLUDE_PATH=vendor/include study; else study $option; fi
  expect 0 "^1. vendor_find from main \(user.c:8\): quadratic" "$run" report --details
  expect 0 "^1. vendor_find \(lists.h:3:3\): quadratic" "$run" report --unfold-system
done
"$run" baseline -o base.json || fault "no baseline"
expect 0 "^1. vendor_find from main \(user.c:7:3\): quadratic" "$run" report base.json # which keeps no lines of calls
study -Ivendor/include
expect 0 "^1. vendor_find \(lists.h:3:3\): quadratic" "$run" report --details
study -isystem . -Ivendor/include # what is compiled is nobody's header
expect 0 "main \(user.c:3\)" "$run" report --all --details
exit $status
