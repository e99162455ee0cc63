#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Ctrl-C: exit status 130, what was measured is kept, the same command resumes from there.
. "$(dirname "$0")/lib.sh"
need_compiler

# Waits in its third run for the file that says it may go on.
cat >slow.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static volatile long sink;
int main(int argc, char **argv)
{
  long n = atol(argv[1]);
  FILE *log = fopen(argv[2], "a");
  fprintf(log, "%ld\n", n);
  fclose(log);
  for (long i = 0; i < n; i++)
    sink += i;
  while (n == 800 && access(argv[3], F_OK) != 0)
    usleep(10000);
  return 0;
}
C
compile -O2 -o slow slow.c
: >log
command=("$run" run --event none -P n=100,200,800,1600 -- "$work/slow" '{n}' "$work/log" "$work/go")
set -m
"${command[@]}" >out 2>err &
pid=$!
for ((i = 0; i < 600; i++)); do grep -q '^800$' log && break; sleep 0.1; done
grep -q '^800$' log || fault "the third size was never run"
kill -INT "$pid"
wait "$pid"
got=$?
[ $got = 130 ] || { fault "exit status $got instead of 130"; cat err; }
grep -qE '^scale-run: error: interrupted; [2-9] runs kept in scale.db$' err || { fault "message"; cat err; }
grep -q '^hint: the same command resumes from there$' err || { fault "hint"; cat err; }
sleep 0.3
pgrep -f "^$work/slow" >/dev/null && fault "the target was left behind"

kept=$(grep -c '^100$' log)
touch go
"${command[@]}" >out 2>err || { fault "going on failed: $?"; cat err; }
[ "$(grep -c '^100$' log)" = "$kept" ] || { fault "a kept run was repeated"; cat log; }
[ "$(grep -c '^800$' log)" = 2 ] || { fault "the interrupted run was not repeated"; cat log; }
exit $status
