#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A std::function that calls another one does something else there: the loop that calls too often is found at its own line,
# and nothing at that of the innocent call above. One that calls itself is a recursion.
. "$(dirname "$0")/../lib.sh"
cxx=$SCALE_BUILD/bin/scale-c++
need_compiler
cat >nest.cpp <<'CPP'
#include <cstdlib>
#include <functional>
static volatile long sink;
static void each(long n, const std::function<void(long)> &f)
{
  for (long i = 0; i < n; i++)
    f(i);
}
static void count(long j) { sink = sink + j; }
int main(int argc, char **argv)
{
  long n = atol(argv[1]);
  std::function<void(long)> leaf = [&](long j) { count(j); };
  std::function<void(long)> plain = [&](long i) { leaf(i); };
  std::function<void(long)> often = [&](long i) {
    for (long j = 0; j < n; j++)
      leaf(i * j);
  };
  each(n, plain);
  each(n, often);
  std::function<void(long)> down = [&](long left) {
    if (left)
      down(left - 1);
  };
  down(10);
  return 0;
}
CPP
for level in 0 2; do
  "$cxx" -std=c++17 -O$level -g -o nest$level nest.cpp || exit 1
  "$run" run -P n=10..160 --at 10000 --event none --quiet --no-report -o nest$level.db -- ./nest$level '{n}' >log 2>&1 ||
    { fault "run at -O$level"; cat log; }
  "$run" report nest$level.db --json >report.json
  json report.json '16 in [f["subject"]["line"] for f in d["findings"] if f["superlinear"]]'
  json report.json 'not {7, 14} & {f["subject"]["line"] for f in d["findings"] if f["superlinear"]}'
  SCALE_PROFILE_DIR=$PWD/profile$level ./nest$level 20
  "$run" dump profile$level/*.scprof >dump
  [ "$(grep -c 'function main::.*operator().* calls=11 ' dump)" = 1 ] || { fault 'the recursion is not one context'; cat dump; }
done
exit $status
