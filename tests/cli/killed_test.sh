#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scale-run is killed at random moments, by each signal that can: no process stays, daemons included; no folder stays
# after the next run; the study is whole, and the same command resumes it. Each study that is done at last says what an
# undisturbed one says, and the next one begins.
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
  for (long i = 0; i < n; i++)
    for (long k = 0; k < n; k++)
      sink += k;
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
command_of() { # the one that is killed, or that an undisturbed study is made by
  case $1 in
    run.db) command=("$run" run -q --event none -o "${2:-run.db}" -P n=100,200,400,800,1600 -- "$work/prog" '{n}') ;;
    service.db) command=("$run" run -q --event none -o "${2:-service.db}" service.xml) ;;
    done.db) command=("$run" verify -o done.db --at n=500) ;;
  esac
}
alike() { # STUDY: says the same as an undisturbed one
  said "$1" >resumed && [ -s resumed ] && diff "undisturbed.$1" resumed || fault "$1, which was resumed, says something else"
}
whole() { python3 -c "import sqlite3,sys; sys.exit(sqlite3.connect('$1').execute('pragma integrity_check').fetchall() != [('ok',)])"; }

"$run" run -q --event none -o done.db -P n=100,200,400 -- "$work/prog" '{n}' >out 2>err || { fault "no study: $?"; cat err; exit 1; }
for study in run.db service.db; do
  command_of $study undisturbed.db
  "${command[@]}" >out 2>err || { fault "undisturbed $study: $?"; cat err; }
  said undisturbed.db >undisturbed.$study && rm undisturbed.db
done
grep -q superlinear undisturbed.run.db || fault "the quadratic loop is no finding"
read -ra signals <<<"${SIGNALS:-KILL QUIT USR1 ABRT SEGV ALRM HUP TERM KILL INT USR2 PROF}"
studies=(run.db service.db done.db) finished=0
for ((i = 0; i < kills; i++)); do
  signal=${signals[i % ${#signals[@]}]} study=${studies[i % 3]}
  command_of $study
  # A job of its own: else the shell has it ignore SIGINT and SIGQUIT.
  set -m
  "${command[@]}" >out 2>err &
  pid=$!
  set +m
  sleep "0.$((RANDOM % 60 + 10))"
  kill -$signal $pid 2>/dev/null
  wait $pid 2>/dev/null
  ended=$?
  for ((w = 0; w < 100; w++)); do [ -z "$(ours)" ] && break; sleep 0.1; done
  left=$(ours)
  [ -z "$left" ] || { fault "left after SIG$signal of ${command[1]}: $left"; cat err; break; }
  for file in "${studies[@]}"; do
    [ ! -s $file ] || whole $file || fault "$file is damaged by SIG$signal of ${command[1]}"
  done
  if [ $ended = 0 ] && [ $study != done.db ]; then
    alike $study
    rm $study
    finished=$((finished + 1))
  fi
done
echo "$kills kills, $finished studies done between them"
for study in run.db service.db; do
  command_of $study
  "${command[@]}" >out 2>err || { fault "going on with $study: $?"; cat err; }
  alike $study
done
"$run" verify -o done.db --at n=500 >out 2>err || { fault "verify: $?"; cat err; }
[ -z "$(ls -A tmp)" ] || fault "left in TMPDIR: $(ls -A tmp)"
[ -z "$(ours)" ] || fault "left at the end: $(ours)"
exit $status
