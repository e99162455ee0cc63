#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scale-run is killed at random moments, by each signal that can: no process stays, daemons included; no folder stays
# after the next run; the study is whole, and the same command resumes it, with what an undisturbed study says.
#
# KILLS=500 SIGNALS=KILL tries more often, and only so.
. "$(dirname "$0")/lib.sh"
need_compiler
command -v python3 >/dev/null || exit 77
kills=${KILLS:-30}
mkdir tmp
export TMPDIR=$work/tmp SCALE_TEST_MARK=$work
# A sanitizer's own handler waits for ever where the signal comes while leaks are looked for.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}handle_segv=0

# Starts two daemons (a session of their own, no parent) that end when it ends in order, and else run for a long time.
cat >prog.c <<'C'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static volatile long sink;
static int ends[2];
static void daemonise(void)
{
  char byte;
  if (fork() == 0) {
    setsid();
    if (fork() == 0) {
      signal(SIGTERM, SIG_IGN);
      close(ends[1]);
      if (read(ends[0], &byte, 1) != 1)
        sleep(600);
    }
    _exit(0);
  }
}
static void stop(int number) { _exit(write(ends[1], "xx", 2) != 2); }
int main(int argc, char **argv)
{
  long n = atol(argv[1]);
  if (pipe(ends) < 0)
    return 1;
  daemonise();
  daemonise();
  for (long i = 0; i < n * 100; i++)
    sink += i;
  if (argc > 2) { /* a service */
    signal(SIGTERM, stop);
    puts("ready");
    fflush(stdout);
    for (;;)
      pause();
  }
  usleep(20000);
  stop(0);
}
C
"$cc" -O1 -o prog prog.c || exit 1
cat >service.xml <<XML
<workload name="served">
  <parameter name="n"><range low="100" high="1600"/></parameter>
  <service><command><arg>$work/prog</arg><arg>{n}</arg><arg>serve</arg></command><ready output="ready"/></service>
  <command><arg>/bin/sleep</arg><arg>0.05</arg></command>
</workload>
XML

ours() { grep -lsz "^SCALE_TEST_MARK=$work$" /proc/[0-9]*/environ | cut -d/ -f3 | while read -r pid; do
  [ "$pid" = $$ ] || [ "$pid" = "$BASHPID" ] || [ "$(cut -d' ' -f4 "/proc/$pid/stat" 2>/dev/null)" = "$$" ] ||
    readlink "/proc/$pid/exe" 2>/dev/null | grep -E "scale-|$work|/sleep$"; done; }
said() { # what a study says, but for times: counts are exact, whichever sizes were run
  "$run" report --json "$1" | python3 -c "
import json, sys
def bare(x):
    if isinstance(x, dict):
        return {k: bare(v) for k, v in x.items() if not any(w in k for w in ('wait', 'elapsed', 'seconds', 'evidence'))}
    return [bare(v) for v in x] if isinstance(x, list) else x
d = json.load(sys.stdin)
json.dump({k: bare(d[k]) for k in ('total', 'findings', 'undecided', 'suppressed', 'coverage')}, sys.stdout, indent=1)"; }
whole() { python3 -c "import sqlite3,sys; sys.exit(sqlite3.connect('$1').execute('pragma integrity_check').fetchall() != [('ok',)])"; }

"$run" run -q --event none -o done.db -P n=100,200,400 -- "$work/prog" '{n}' >out 2>err || { fault "no study: $?"; cat err; exit 1; }
read -ra signals <<<"${SIGNALS:-KILL QUIT USR1 ABRT SEGV ALRM HUP TERM KILL INT USR2 PROF}"
for ((i = 0; i < kills; i++)); do
  signal=${signals[i % ${#signals[@]}]}
  case $((i % 3)) in
    0) command=("$run" run -q --event none -o run.db -P n=100,200,400,800,1600 -- "$work/prog" '{n}') ;;
    1) command=("$run" run -q --event none -o service.db service.xml) ;;
    2) command=("$run" verify -o done.db --at n=500) ;;
  esac
  # A job of its own: else the shell has it ignore SIGINT and SIGQUIT.
  set -m
  "${command[@]}" >out 2>err &
  pid=$!
  set +m
  sleep "0.$((RANDOM % 60 + 10))"
  kill -$signal $pid 2>/dev/null
  wait $pid 2>/dev/null
  for ((w = 0; w < 100; w++)); do [ -z "$(ours)" ] && break; sleep 0.1; done
  left=$(ours)
  [ -z "$left" ] || { fault "left after SIG$signal of ${command[1]}: $left"; cat err; break; }
  for study in run.db service.db done.db; do
    [ ! -s $study ] || whole $study || fault "$study is damaged by SIG$signal of ${command[1]}"
  done
done
"$run" run -q --event none -o run.db -P n=100,200,400,800,1600 -- "$work/prog" '{n}' >out 2>err || { fault "going on: $?"; cat err; }
"$run" run -q --event none -o service.db service.xml >out 2>err || { fault "going on with the service: $?"; cat err; }
"$run" run -q --event none -o undisturbed.db -P n=100,200,400,800,1600 -- "$work/prog" '{n}' >out 2>err ||
  { fault "undisturbed: $?"; cat err; }
said run.db >resumed && said undisturbed.db >undisturbed && [ -s resumed ] && diff undisturbed resumed ||
  fault "what was resumed says something else"
"$run" verify -o done.db --at n=500 >out 2>err || { fault "verify: $?"; cat err; }
[ -z "$(ls -A tmp)" ] || fault "left in TMPDIR: $(ls -A tmp)"
[ -z "$(ours)" ] || fault "left at the end: $(ours)"
exit $status
