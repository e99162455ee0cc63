#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A budget of a function that the program does not have is refused after the first runs, not after the study; the runs are kept.
# What may run at larger sizes, or be loaded later, is waited for.
. "$(dirname "$0")/lib.sh"
need_compiler
cat >prog.c <<'C'
#include <stdlib.h>
#ifdef PLUGIN
#include <dlfcn.h>
#endif
static volatile long sink;
static inline void inlined(long n)
{
  for (long i = 0; i < n; i++)
    sink += i;
}
__attribute__((noinline)) static void parse(long n) { inlined(n); }
__attribute__((noinline)) static void seldom(long n) { inlined(n); }
int main(int argc, char **argv)
{
  long n = atol(argv[1]);
  parse(n);
  if (n > 500)
    seldom(n);
#ifdef PLUGIN
  void (*run)(long) = (void (*)(long))dlsym(dlopen("./plugin.so", RTLD_NOW), "plugged");
  run(n);
#endif
  return argc != 2;
}
C
compile -O2 -o prog prog.c
strip -o stripped prog
cat >plugin.c <<'C'
void plugged(long n);
static volatile long sink;
void plugged(long n)
{
  for (long i = 0; i < n; i++)
    sink++;
}
C
compile -O1 -shared -fPIC -o plugin.so plugin.c
compile -O1 -DPLUGIN -o loads prog.c -ldl
study() { # PROGRAM BUDGET
  cat >w.xml <<X
<workload name="p"><parameter name="n"><range low="100" high="1600"/></parameter><command><arg>./$1</arg><arg>{n}</arg></command>
<budgets><budget>$2</budget></budgets></workload>
X
  "$run" run -q --event none -o s.db w.xml
}
runs() { python3 -c "import sqlite3; print(sqlite3.connect('s.db').execute('SELECT count(*) FROM run').fetchone()[0])"; }
command -v python3 >/dev/null || exit $status

for program in prog stripped; do
  rm -f s.db
  expect 2 'the budget "calls of pasre at n=1600 <= 1": the program has no function named pasre' study $program 'calls of pasre at n=1600 &lt;= 1'
  [ "$(runs)" -le 2 ] || fault "$(runs) runs before it is refused"
  grep -q 'did you mean "parse"' err || { fault "no name near it"; cat err; }
  expect 2 'no function named pasre' study $program 'order of main &gt; pasre &lt;= n' # no run more
  [ "$(runs)" -le 2 ] || fault "runs although it is known"
  for known in parse seldom inlined; do
    expect 0 '^ +calls of .* kept' study $program "calls of $known at n=1600 &lt;= 1e6"
  done
done
# What did not run at the first sizes is suggested, too.
rm -f s.db
expect 2 'did you mean "seldom"' study prog 'calls of seldon at n=1600 &lt;= 1'

# Other kinds of names are no functions; and what is loaded while the program runs has names of its own.
rm -f s.db
expect 0 'kept' study prog 'iterations at n=1600 &lt;= 1e6'
[ -e plugin.so ] || exit $status
rm -f s.db
expect 0 'calls of plugged' study loads 'calls of plugged at n=1600 &lt;= 1'
rm -f s.db
expect 2 'no function "pluged" ran in the study' study loads 'calls of pluged at n=1600 &lt;= 1'
exit $status
