#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Attaching to a server as it serves: its threads, processes that it has and that it makes, other programs that it becomes;
# detaching at the end, at Ctrl-C, at its end; what was acquired before; attaches that add up to one study; errors.
. "$(dirname "$0")/../lib.sh"
. "$here/attach.sh"
need_uprobes

cat >serve.c <<'X'
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#define NOINLINE __attribute__((noinline))
extern void named_run(void);
NOINLINE void handle(void) { __asm__ volatile("push %%rax; pop %%rax" ::: "memory"); }
NOINLINE int *get(int *slot) { __asm__ volatile("" ::: "memory"); return slot; }
NOINLINE void put(int *slot) { *slot = 0; __asm__ volatile("" ::: "memory"); }
static int slots[8];
static long wanted;
static void repeat(long times) { while (times-- > 0) handle(); }
static void *work(void *unused) { repeat(wanted); return unused; }
static int orders[2], answers[2];
static void child(void)
{
  long times;
  while (read(orders[0], &times, sizeof times) == sizeof times) {
    repeat(times);
    if (write(answers[1], "", 1) != 1)
      break;
  }
  _exit(0);
}
int main(int argc, char **argv)
{
  char line[100], answer;
  long times;
  pthread_t thread;
  if (pipe(orders) || pipe(answers))
    return 1;
  pid_t own = fork();
  if (own == 0)
    child();
  if (argc > 1)
    get(&slots[0]); /* long before anybody attaches */
  puts("ready"), fflush(stdout);
  while (fgets(line, sizeof line, stdin)) {
    if (sscanf(line, "work %ld", &times) == 1) {
      wanted = times;
      repeat(times);
      pthread_create(&thread, NULL, work, NULL);
      pthread_join(thread, NULL);
      if (write(orders[1], &times, sizeof times) != sizeof times || read(answers[0], &answer, 1) != 1)
        return 2;
      pid_t fresh = fork();
      if (fresh == 0) {
        repeat(times);
        _exit(0);
      }
      waitpid(fresh, NULL, 0);
    } else if (sscanf(line, "slots %ld", &times) == 1) {
      put(&slots[0]);
      for (long i = 0; i < times; i++)
        put(get(&slots[1 + i % 3]));
      get(&slots[7]);
      named_run();
    } else if (strncmp(line, "load", 4) == 0)
      dlopen("./libplug.so", RTLD_NOW);
    else if (strncmp(line, "exec", 4) == 0)
      execl("./other", "other", (char *)NULL);
    else if (strncmp(line, "leave", 5) == 0)
      execl("./another", "another", (char *)NULL);
    else if (strncmp(line, "crash", 5) == 0)
      abort();
    puts("done"), fflush(stdout);
  }
  return 0;
}
X
echo 'void named_run(void) { __asm__ volatile(""); }' >named.c
"$plain_cc" -O2 -shared -fPIC -Wl,-soname,libnamed.so.1 -o libnamed.so.1.2 named.c && ln -s libnamed.so.1.2 libnamed.so.1 || exit 1
"$plain_cc" -O2 -g -fno-ipa-sra -o serve serve.c ./libnamed.so.1 -Wl,-rpath,"$work" -lpthread -ldl || exit 1
ln serve other
cp serve another
echo 'void plug_run(void) { __asm__ volatile(""); }' >plug.c
"$plain_cc" -O2 -shared -fPIC -o libplug.so plug.c || exit 1

serve() { # arguments: starts the server as $server, with its input at descriptor 8 and its output at 9
  rm -f in out.pipe
  mkfifo in out.pipe
  ./serve "$@" <in >out.pipe 2>/dev/null &
  server=$!
  exec 8>in 9<out.pipe
  read -r -u 9 line
}
ask() { echo "$*" >&8 && read -r -u 9 -t 60 line && [ "$line" = done ] || fault "no answer to $*"; }
finish() { exec 8>&- 9<&-; wait $server 2>/dev/null; }
attach() { # arguments of attach: begins it as $attached, and waits until it is
  : >told
  "$run" attach $server "$@" >said 2>told &
  attached=$!
  await_attached $attached
  sleep 0.3 # processes join
}
detach() { # status: as Ctrl-C does, which processes behind & do not get
  kill -TERM $attached
  ended "$1"
}
ended() {
  wait $attached
  got=$?
  [ "$got" = "$1" ] || { fault "attach: exit status $got instead of $1"; cat said told; }
}

# Exact counts: what was called before and after is not of it; threads, a child that was there, and one that is made, are.
serve
ask work 100
attach --uprobes handle --for 10min --overhead 10000% -o one.db
told 2 'another scale-run is at work' 'another study' "$run" attach $server --uprobes handle --for 1s -o one.db
ask work 1000
ask load
detach 0
ask work 100
of one.db <<<'1 /serve/handle 4000'
grep -q 'when it was interrupted, at load = 1' said || fault 'its end is not told'
grep -qE '^handle +4,000 ' said || fault 'no table of what was seen'
grep -q 'it loaded .*libplug.so meanwhile' told || fault 'a library that came is not told'

# It execs, and goes on as another program.
attach --uprobes handle --for 10min --overhead 10000% -o exec.db
ask work 10
echo exec >&8
read -r -u 9 -t 60 line
[ "$line" = ready ] || fault 'the server did not become another one'
ask work 20
echo leave >&8
read -r -u 9 -t 60 line
ask work 40 # of another file
detach 0
grep -q 'it runs .*/another now' told || fault 'a program that is not probed is not told'
of exec.db <<X
1 /serve/handle 40
1 /other/handle 80
X
finish

# It crashes, or ends, while it is attached to.
serve
attach --uprobes handle --for 10min --overhead 10000% -o crash.db
ask work 10
echo crash >&8
ended 0
of crash.db <<<'1 /serve/handle 40'
grep -q 'when the process ended' said || fault 'the end of the process is not told'
finish

# What was acquired before is given back by nobody unknown, and what stays out is known.
cat >slots.json <<'X'
{"schema_version": 1, "resources": [{"name": "slots", "class": "pool", "events": [
  {"function": "get", "event": "acquire", "unit": {"return": true}},
  {"function": "put", "event": "release", "unit": {"argument": 0}}]}]}
X
serve slots
attach --probes slots.json --for 10min --overhead 10000% -o slots.db
ask slots 100
detach 0
grep -q '1 release of what was acquired before' said || fault 'what came back from before is not told'
python3 - <<'X' || fault 'other events of slots'
import sqlite3, sys
rows = sqlite3.connect("slots.db").execute("SELECT via, acquires, releases, returned, strangers, unseen FROM usage ORDER BY via").fetchall()
sys.exit(rows != [("get", 101, 0, 100, 0, 0), ("put", 0, 100, 0, 0, 0)] and (print(rows) or 1))
X
finish

# A library by the name that it is linked by, which is that of a link.
serve
attach --uprobes libnamed.so.1:named_run --for 10min -o named.db
ask slots 1
detach 0
of named.db <<<'1 /serve/named_run 1'
finish

# Attaches under several loads are sizes of one study; windows of other lengths are told for as long as the first.
serve
for n in 10 20 40; do
  attach -P clients=$n --uprobes handle --for 4s --overhead 10000% -o sizes.db
  ask work $((25 * n))
  ended 0
done
counts sizes.db >counted
python3 - <<'X' || { fault 'other counts at several sizes'; cat counted; }
import sys
rows = [line.split() for line in open("counted")]
sys.exit([row[0] for row in rows] != ["10", "20", "40"] or any(abs(float(row[2]) / float(row[0]) / 100 - 1) > 0.3 for row in rows))
X
grep -q 'Measured at clients = 10 to 40' said || fault 'three sizes make no report'
"$run" report sizes.db --format json >report.json || fault 'no report'
valid report report.json
json report.json 'd["attached"]["seconds"] > 3.9 and d["attached"]["overhead"] >= 0 and d["variable"] == "clients"'
expect 0 'Attached to a running process: counts are per window of (3.9|4.*) s' "$run" report sizes.db
expect 0 'handle' "$run" ask --functions sizes.db --at 80
expect 0 'at every target, or a call for each of the load: no findings' "$run" report --all sizes.db # it is all of the total
told 2 'made by attaching to a process' 'attach again, under the load in question' "$run" verify sizes.db --at 80
told 2 'probes other functions' 'another study' "$run" attach $server -P clients=80 --uprobes get --for 1s -o sizes.db
told 2 'another program, or another parameter' 'another study' "$run" attach $server -P users=80 --uprobes handle --for 1s -o sizes.db
attach -P clients=80 --for 10min --overhead 10000% -o sizes.db # what it probes is known
ask work 10
detach 0
[ "$(counts sizes.db | grep -c '^80 ')" = 1 ] || fault 'a fourth size is not there'

# Counts for requests do not depend on how many there were, nor on how long it took.
for n in 1 2 3; do
  attach -P n=$n --per get --uprobes get,put,handle --for 10min --overhead 10000% -o per.db
  ask slots $((n * 500 - 1)) # and one that stays out
  ask work $((n * n * 125))
  detach 0
done
of per.db <<'X'
1 /serve/get 1000
1 /serve/put 1000
1 /serve/handle 1000
2 /serve/get 1000
2 /serve/put 1000
2 /serve/handle 2000
3 /serve/get 1000
3 /serve/put 1000
3 /serve/handle 3000
X
"$run" report per.db --format json >report.json
json report.json 'd["attached"]["per"] == "get"'
expect 0 'counts are per 1000 calls of get' "$run" report per.db
told 2 'calls of another function' 'another study' "$run" attach $server -P n=4 --per put --for 1s -o per.db
told 2 'per gets: it is not probed' 'uprobes' "$run" attach $server -P n=4 --per gets --uprobes get --for 1s -o none.db

# What cannot be attached to.
told 2 'say which process' 'pidof' "$run" attach --uprobes handle
told 2 '"serve" is no process' 'pidof' "$run" attach serve --uprobes handle
told 2 'there is no process 4194305' 'pgrep' "$run" attach 4194305 --uprobes handle -o none.db
told 2 'runs no program' 'pgrep' "$run" attach 2 --uprobes handle -o none.db
told 2 'neither is there' 'probes SET.json' "$run" attach $server -o none.db
told 2 'one attach is one size' 'P clients=8' "$run" attach $server -P n=1,2,3 --uprobes handle -o none.db
told 2 'one attach is one size' 'P clients=8' "$run" attach $server -P n=1..3 --uprobes handle -o none.db
told 2 'one attach is one size' 'P clients=8' "$run" attach $server -P n=0 --uprobes handle -o none.db
told 2 'no such function in serve' 'did you mean handle' "$run" attach $server --uprobes handles -o none.db
[ -e none.db ] && fault 'a study of nothing was left behind'
told 4 'none of these functions was called' 'under load' "$run" attach $server --uprobes handle --for 1s -o idle.db
"$run" run -q -P n=1,2,3 --uprobes step -o run.db --no-report -- ./need '{n}' >/dev/null 2>&1
told 2 'was not made by attaching' 'another study' "$run" attach $server -P n=3 --uprobes handle --for 1s -o run.db
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && getent passwd nobody >/dev/null; then
  chmod 755 "$work"
  mkdir users && chmod 777 users
  (cd users && told 2 'cannot see which program|CAP_BPF and CAP_PERFMON' 'root' \
    setpriv --reuid nobody --regid nogroup --clear-groups "$run" attach $server --uprobes handle -o nobody.db
    exit $status) || status=1
fi
finish
exit $status
