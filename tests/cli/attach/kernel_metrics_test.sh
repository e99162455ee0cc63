#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the kernel adds up of a process while it is attached to: processor time that a program burns, pages that it faults,
# and time that two threads wait for one processor, of threads and processes that live, come and end; as series of the study.
. "$(dirname "$0")/../lib.sh"
. "$here/attach.sh"
need_uprobes
[ -r /proc/self/schedstat ] || { echo 'skipped: the kernel tells nothing in /proc/PID/schedstat'; exit 77; }

cat >eat.c <<'X'
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
__attribute__((noinline)) void handle(void) { __asm__ volatile("" ::: "memory"); }
static double used(void)
{
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1e3 + now.tv_nsec * 1e-6;
}
static void burn(long ms)
{
  for (double end = used() + ms; used() < end;)
    ;
}
static void touch(long pages)
{
  char *all = mmap(NULL, pages * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  madvise(all, pages * 4096, MADV_NOHUGEPAGE);
  for (long i = 0; i < pages; i++)
    all[i * 4096] = 1;
  munmap(all, pages * 4096);
}
static long amount;
static void *touching(void *unused) { touch(amount); return unused; }
static void *burning(void *processor)
{
  sched_setaffinity(0, sizeof(cpu_set_t), processor);
  burn(amount);
  return NULL;
}
static void share(void)
{
  cpu_set_t one;
  pthread_t threads[2];
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, burning, &one);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
}
int main(void)
{
  char line[100];
  pthread_t thread;
  burn(300); /* before anybody attaches */
  touch(7000);
  puts("ready"), fflush(stdout);
  while (fgets(line, sizeof line, stdin)) {
    char what = 0;
    if (sscanf(line, "%c %ld", &what, &amount) < 1)
      return 1;
    handle();
    if (what == 'b')
      burn(amount);
    else if (what == 'p')
      touch(amount);
    else if (what == 't') {
      pthread_create(&thread, NULL, touching, NULL);
      pthread_join(thread, NULL);
    } else if (what == 'c') {
      pid_t child = fork();
      if (child == 0) {
        burn(amount);
        touch(10 * amount);
        _exit(0);
      }
      waitpid(child, NULL, 0);
    } else if (what == 's')
      share();
    puts("done"), fflush(stdout);
  }
  return 0;
}
X
"$plain_cc" -O2 -g -D_GNU_SOURCE -o eat eat.c -lpthread || exit 1
mkfifo in out.pipe
./eat <in >out.pipe 2>/dev/null &
eater=$!
exec 8>in 9<out.pipe
read -r -u 9 line
ask() { echo "$*" >&8 && read -r -u 9 -t 60 line && [ "$line" = done ] || fault "no answer to $*"; }
attach() { # study, size, the rest of the arguments; then `detach`
  : >told
  "$run" attach $eater -o "$1" -P n="$2" "${@:3}" --uprobes handle --for 10min --overhead 10000% >said 2>told &
  attached=$!
  await_attached $attached
  sleep 1 # processes join
}
detach() { kill -TERM $attached; wait $attached || { fault 'attach failed'; cat said told; }; }
series() { # study, Python over rows {size: {name: value}}
  python3 - "$1" "$2" <<'PYTHON'
import sqlite3, sys
rows = {}
for n, name, value in sqlite3.connect(sys.argv[1]).execute(
        "SELECT s.n, l.name, s.count FROM series s JOIN context c ON c.id = s.context JOIN location l ON l.id = c.location WHERE l.kind = 'work'"):
    rows.setdefault(n, {})[name] = value
if not eval(sys.argv[2], {"rows": rows}):
    sys.exit(f"not so: {sys.argv[2]}: {rows}")
PYTHON
}

# Of a thread that lives, of one that ends and of a child: 150 n ms of processor time and 2,000 n pages in four requests.
for n in 1 2 4; do
  attach eat.db $n --per handle
  ask b $((100 * n))
  ask p $((1000 * n))
  ask t $((500 * n))
  ask c $((50 * n))
  detach
done
# Pages of stacks and of a fresh child are some more, and time to fault them.
series eat.db 'all(2000 * n <= r["page-faults"] / 250 <= 2000 * n + 200 for n, r in rows.items()) and len(rows) == 3' ||
  fault 'page faults'
series eat.db 'all(145e3 * n <= r["processor-time"] / 250 <= 190e3 * n + 20e3 for n, r in rows.items())' || fault 'processor time'
expect 0 'Processes, by the kernel, per 1000 calls of handle' "$run" report eat.db
expect 0 '^  eat +page-faults +5[0-9]{2},[0-9]{3} ' "$run" report eat.db
expect 0 'is reached at n = (19|20|21)(\.[0-9]+)? ' "$run" ask eat.db --limit 'faults(page-faults)=1e7'
expect 0 'page-faults \(faults\) +(7\.9|8\.)' "$run" ask eat.db --functions --at 16
"$run" ask eat.db --functions --at 16 --json >ask.json && valid answers ask.json
expect 0 '^process eat;page-faults 2[0-9]{6}$' "$run" export eat.db --format folded --metric faults
told 2 'no work of library functions in operations' 'metric faults' "$run" export eat.db --format folded --metric operations
told 2 'no work of processes in blocks' 'metric microseconds' "$run" export eat.db --format folded --metric blocks --at 16 -o never
expect 0 'No change' "$run" diff eat.db eat.db
"$run" report eat.db --format json >report.json && valid report report.json
json report.json 'd["findings"] == []' # they are no executions
json report.json '[(p["process"], p["takes"], p["unit"]) for p in d["processes"]][:3] == [("eat", "processor-time", "microseconds"), ("eat", "run-queue-wait", "microseconds"), ("eat", "page-faults", "faults")]'
json report.json '[2 <= p["smallest"] / 250e3 <= 2.2 and 7.9 <= p["largest"] / 250e3 <= 8.8 for p in d["processes"] if p["takes"] == "page-faults"] == [True]'
"$run" report eat.db --at 16 --format json >report.json && valid report report.json
json report.json '[[(x["n"], 31 <= x["predicted"]["value"] / 250e3 <= 35) for x in p["predictions"]] for p in d["processes"] if p["takes"] == "page-faults"] == [[(16, True)]]'

# Two threads on one processor: each waits while the other one runs.
attach share.db 1
ask s 300
detach
series share.db 'rows[1]["run-queue-wait"] >= 200e3 and rows[1]["processor-time"] >= 590e3' || fault 'run-queue wait'

kill $eater 2>/dev/null
exec 8>&- 9<&-
wait $eater 2>/dev/null
exit $status
