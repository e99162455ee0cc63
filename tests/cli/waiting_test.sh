#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Where programs wait that are known: at the line of the call, with a model; those that compute have no mention of it.
# Timed: how long calls wait is measured.
. "$(dirname "$0")/lib.sh"
need_compiler
command -v python3 >/dev/null || exit 77
measure() { # STUDY SIZES TARGET COMMAND...
  local study=$1 sizes=$2 target=$3
  shift 3
  expect 0 '' "$run" run -P "n=$sizes" --at "$target" -o "$study" --no-report -- "$@"
  "$run" report "$study" --format json >"$study.json" || fault "report of $study"
}
waits="d['elapsed'][0]['waits']"

# One millisecond of sleep for each of n, at its line.
cat >app.c <<'C'
#include <stdlib.h>
#include <unistd.h>
__attribute__((noinline)) static void poll_device(long n)
{
  for (long i = 0; i < n; i++)
    usleep(1000);
}
int main(int argc, char **argv)
{
  poll_device(atol(argv[1]));
  return 0;
}
C
compile -O1 -g -o app app.c
measure app.db 25,50,100,200 2000 ./app '{n}'
json app.db.json "len($waits) == 1 and not d['elapsed'][0]['waits_overlap']"
json app.db.json "($waits[0]['kind'], $waits[0]['called'], $waits[0]['function'], $waits[0]['line']) == ('sleep', 'usleep', 'poll_device', 6)"
json app.db.json "2 < $waits[0]['seconds']['value'] < 4 and $waits[0]['waits'] == 200"
json app.db.json "$waits[0]['proportional_to']['formula'] == 'n' and $waits[0]['proportional_to']['exact']"
sleeping='Sleeping in poll_device \(app\.c:6\), by usleep: [0-9.]+ s of [0-9.]+ s \([0-9.]+%\), 95% interval [0-9.]+ s to [0-9.]+ s, grows as n\.'
expect 0 "$sleeping" "$run" report app.db
expect 0 'Sleeping in poll.*device .*, by usleep: .* grows as n' "$run" report app.db --format markdown
"$run" report app.db --format html >app.html || fault "no page"
python3 -c "
import base64, re, zlib
data = re.search(r'id=\"data\">([^<]*)', open('app.html').read()).group(1)
assert b'Sleeping in poll_device (app.c:6), by usleep' in zlib.decompress(base64.b64decode(data))" || fault "the page has no place"
expect 0 'At n = 2,000: [0-9.]+ s of waiting in poll_device' "$run" ask app.db --of waiting --function poll_device --at 2000
expect 0 '10 s of waiting in main .* is reached at n = ' "$run" ask app.db --limit 'waiting(main)=10s'
expect 0 'waiting +[0-9.]+ s' "$run" ask app.db --function poll_device --at 2000
expect 0 '' "$run" ask app.db --of waiting --function 'app.c:5' --at 2000 --json
cp out asked.json
json asked.json "2 < d['sizes'][0]['values'][0]['predicted']['value'] < 4 and d['sizes'][0]['values'][0]['metric'] == 'waiting'"
expect 2 'waiting is not predicted with suppositions' "$run" ask app.db --of waiting --suppose main=n --at 2000
expect 0 'main;poll_device;loop.* [0-9]{10}$' "$run" export app.db --at 2000 --format folded --metric waiting
expect 0 'main;poll_device;loop.* 2[0-9]{8}$' "$run" export app.db --at 200 --format folded --metric waiting
"$run" export app.db --format extra-p -o series.jsonl || fault "no series"
python3 -c "
import json
points = [json.loads(line) for line in open('series.jsonl')]
waits = [p for p in points if p['metric'] == 'waiting' and p['params']['n'] == 200]
assert len(waits) >= 1 and 'poll_device' in waits[0]['callpath'] and 0.2 < max(waits[0]['value']) < 0.4, waits" || fault "the series have no waiting"
expect 2 'it is what calls wait for: .scale-run ask --of waiting. predicts how long' "$run" ask app.db --resource sleep --at 2000
expect 0 'no resource|No resource' "$run" report app.db --resources

# Sleep that gets longer with each call: no count and no processor time says so, the elapsed time does.
cat >longer.c <<'C'
#include <stdlib.h>
#include <unistd.h>
__attribute__((noinline)) static void nap(long i) { usleep((useconds_t)(50 * i)); }
int main(int argc, char **argv)
{
  for (long i = 0; i < atol(argv[1]); i++)
    nap(i);
  return 0;
}
C
compile -O1 -g -o longer longer.c
measure longer.db 20,40,80,160 1600 ./longer '{n}'
expect 0 'Superlinear growth: sleeping in nap \(longer\.c:3\), by usleep, grows as n\^2; at n = 1,600: [0-9.]+ (s|min) \([0-9.]+( ms| s| min)? to [0-9.]+ (s|min)\) of the [0-9.]+ (s|min) \([0-9.]+( ms| s| min)? to [0-9.]+ (s|min)\) that pass' "$run" report longer.db
expect 4 'sleeping in nap' "$run" report longer.db --fail-on superlinear
json longer.db.json "d['verdict']['outcome'] == 'superlinear' and 'nap' in d['verdict']['text']"
expect 0 '^No superlinear growth' "$run" report app.db
expect 0 '' "$run" report app.db --fail-on superlinear

# Work that is nothing to the processor, and all that the run takes.
cat >nested.c <<'C'
#include <stdlib.h>
#include <time.h>
static volatile long sink;
int main(int argc, char **argv)
{
  long n = atol(argv[1]);
  for (long i = 0; i < n * 4000000; i++)
    sink += i;
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      nanosleep(&(struct timespec){0, 500000}, NULL);
  return 0;
}
C
compile -O1 -g -o nested nested.c
measure nested.db 5,10,20,40 400 ./nested '{n}'
json nested.db.json "$waits[0]['proportional_to']['order']['exponent'] == 2 and $waits[0]['line'] == 11"
json nested.db.json "[f['line'] for f in d['findings'] if f['superlinear'] and f['predictions'][0]['waiting_share'] > 0.5] == [10]"
"$run" report nested.db | tr -s ' \n' ' ' | grep -qE 'calls in it wait [0-9.,]+ (s|min|h), [0-9.]+% of the elapsed time' || fault 'the finding does not wait'
expect 0 'calls in it wait [0-9.,]+ s: [0-9]+% of the elapsed time' "$run" report nested.db --details

# A pipe whose writer is slow; a program that reads a file again and again, which is in memory, waits for nothing.
cat >reads.c <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
  char line[100];
  long sum = 0;
  while (fgets(line, sizeof line, stdin))
    sum += atol(line);
  printf("%ld\n", sum);
  return 0;
}
C
cat >slowly.sh <<'C'
#!/bin/sh
i=0
while [ $i -lt "$1" ]; do echo $i; sleep 0.005; i=$((i + 1)); done
C
chmod +x slowly.sh
compile -O1 -g -o reads reads.c
measure reads.db 10,20,40,80 400 sh -c './slowly.sh {n} | ./reads'
json reads.db.json "[(w['kind'], w['called'], w['line']) for w in $waits] == [('io', 'fgets', 7)] and $waits[0]['seconds']['value'] > 1"

# C++ streams and the scanf family wait as well, at -O2 in inline functions of the headers; of a call through a pointer
# nobody knows where it is, and the report says so.
cat >streams.cpp <<'C'
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <unistd.h>
using reader = ssize_t (*)(int, void *, size_t);
static reader volatile read_bytes = read;
static long by_line()
{
  std::string line;
  long count = 0;
  while (std::getline(std::cin, line)) // line
    count++;
  return count;
}
static long by_number()
{
  long value, count = 0;
  while (std::cin >> value) // number
    count++;
  return count;
}
static long by_getline()
{
  char *line = nullptr;
  size_t room = 0;
  long count = 0;
  while (getline(&line, &room, stdin) > 0) // getline
    count++;
  return count;
}
static long by_scanf()
{
  long value, count = 0;
  while (std::scanf("%ld", &value) == 1) // scanf
    count++;
  return count;
}
static long by_pointer()
{
  char bytes[8];
  long count = 0;
  while (read_bytes(0, bytes, sizeof bytes) > 0)
    count++;
  return count;
}
int main(int, char **argv)
{
  long (*const ways[])() = {by_line, by_number, by_getline, by_scanf, by_pointer};
  std::printf("%ld\n", ways[std::atoi(argv[1])]());
}
C
for level in -O0 -O2; do
  "$SCALE_BUILD/bin/scale-c++" $level -g -o streams streams.cpp || { echo "scale-c++ failed"; exit 1; }
  way=0
  for name in line number getline scanf; do
    rm -f streams.db
    measure streams.db 10,20,40 400 sh -c "./slowly.sh {n} | ./streams $way"
    line=$(grep -n "// $name\$" streams.cpp | cut -d: -f1)
    json streams.db.json "[(w['kind'], w['function'], w['line']) for w in $waits] == [('io', 'by_$name()', $line)] and $waits[0]['seconds']['value'] > 1"
    "$run" report streams.db >out
    grep -q "_ZS\|_ZN\|getdelim" out && fault "$level $name: a mangled name"
    way=$((way + 1))
  done
done
measure pointer.db 10,20,40 400 sh -c "./slowly.sh {n} | ./streams 4"
json pointer.db.json "$waits == []"
expect 4 'most of the elapsed time is waiting, but which calls wait is not known' "$run" ask pointer.db --of waiting --at 400
expect 0 'own time.*' "$run" ask pointer.db --function by_pointer --at 400 # who asks for a function gets an answer
expect 0 'The waiting is proportional to|Which calls wait is not known: calls through pointers' "$run" report pointer.db

cat >healthy.c <<'C'
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
static volatile long sink;
int main(int argc, char **argv)
{
  long n = atol(argv[1]);
  char *buffer = malloc(1 << 20);
  int fd = open(argv[0], O_RDONLY);
  for (long i = 0; i < n; i++) {
    if (lseek(fd, 0, SEEK_SET) != 0 || read(fd, buffer, 1 << 20) < 0)
      return 1;
    for (long k = 0; k < 100000; k++)
      sink += buffer[k % 1000];
  }
  return 0;
}
C
compile -O1 -g -o healthy healthy.c
measure healthy.db 100,200,400,800 8000 ./healthy '{n}'
json healthy.db.json "$waits == []"
"$run" report healthy.db | grep -q 'by read' && fault "a program that computes is said to wait"

# Two threads wait at a time: their seconds are not those that pass.
cat >threads.c <<'C'
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static long n;
static void *work(void *unused)
{
  for (long i = 0; i < n; i++)
    usleep(2000);
  return unused;
}
int main(int argc, char **argv)
{
  pthread_t threads[2];
  n = atol(argv[1]);
  for (int t = 0; t < 2; t++)
    if (pthread_create(&threads[t], NULL, work, NULL) != 0)
      return 1;
  for (int t = 0; t < 2; t++)
    pthread_join(threads[t], NULL);
  return 0;
}
C
compile -O1 -g -pthread -o threads threads.c
measure threads.db 10,20,40,80 800 ./threads '{n}'
json threads.db.json "d['elapsed'][0]['waits_overlap'] and 1.5 < $waits[0]['seconds']['value'] / d['elapsed'][0]['time']['value'] < 2.5"
expect 0 'Sleeping in work \(threads\.c:8\), by usleep: [0-9.]+ s of all threads' "$run" report threads.db
expect 0 'of waiting of all threads in work' "$run" ask threads.db --of 'waiting(work)' --at 800

# Calls do what they do without: errno, interruptions, ends of processes, cancellation; also without a profile.
cat >same.c <<'C'
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static int ends[2], cleaned;
static void interrupt(int signal) { (void)signal; }
static void clean(void *unused) { (void)unused, cleaned = 1; }
static void *reader(void *unused)
{
  char byte;
  pthread_cleanup_push(clean, NULL);
  if (read(ends[0], &byte, 1) == 1)
    cleaned = 2;
  pthread_cleanup_pop(0);
  return unused;
}
int main(void)
{
  struct sigaction action;
  char byte;
  pthread_t thread;
  int status = 0;
  memset(&action, 0, sizeof action);
  action.sa_handler = interrupt;
  sigaction(SIGALRM, &action, NULL);
  if (pipe(ends) != 0)
    return 1;
  ualarm(20000, 0);
  printf("%d", (int)read(ends[0], &byte, 1)), printf(" %d\n", errno == EINTR);
  errno = EDOM;
  printf("%d %d\n", usleep(1000), errno == EDOM);
  printf("%d", (int)read(-1, &byte, 1)), printf(" %d\n", errno == EBADF);
  printf("%d\n", poll(NULL, 0, 5));
  pid_t child = vfork();
  if (child == 0)
    _exit(7);
  printf("%d %d\n", waitpid(child, &status, 0) == child, WEXITSTATUS(status));
  if (pthread_create(&thread, NULL, reader, NULL) != 0)
    return 1;
  usleep(20000);
  pthread_cancel(thread);
  pthread_join(thread, NULL);
  printf("%d\n", cleaned);
  return 0;
}
C
compile -O1 -g -pthread -o same same.c
printf -- '-1 1\n0 1\n-1 1\n0\n1 7\n1\n' >wanted
./same >plain.txt && cmp plain.txt wanted || { fault "another behaviour without a profile"; cat plain.txt; }
mkdir profiles
SCALE_PROFILE_DIR=$PWD/profiles ./same >profiled.txt && cmp profiled.txt wanted || { fault "another behaviour"; cat profiled.txt; }
expect 0 '' "$run" dump profiles/*.scprof
for call in usleep read poll waitpid; do grep -q "$call" out || { fault "the profile has no $call"; cat out; }; done
# With more threads than were measured: as many waits as executions there.
cat >crowd.c <<'C'
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static long n;
static void fetch(void) { usleep(2000); }
static void *work(void *unused)
{
  for (long i = 0; i < n; i++)
    fetch();
  return 0;
}
int main(int argc, char **argv)
{
  pthread_t thread[64];
  long threads = atol(argv[2]);
  n = atol(argv[1]);
  for (long t = 0; t < threads; t++)
    pthread_create(&thread[t], 0, work, 0);
  for (long t = 0; t < threads; t++)
    pthread_join(thread[t], 0);
  return 0;
}
C
compile -O1 -g -pthread -o crowd crowd.c
expect 0 '' "$run" run -P n=5..40 -P threads=1,2,4 --at 80 --no-report -o crowd.db -- ./crowd '{n}' '{threads}'
for threads in 1 16; do
  "$run" ask crowd.db --of 'waiting(fetch)' --at "n=80,threads=$threads" --json >"crowd.$threads" || fault "waiting at $threads threads"
done
python3 - <<'PY' || fault "16 threads do not wait 16 times as long"
import json
one, many = (json.load(open(f"crowd.{t}"))["sizes"][0]["values"][0]["predicted"]["value"] for t in (1, 16))
assert 0.15 < one and 14 < many / one < 18, (one, many)
PY
expect 0 'Sleeping in fetch \(crowd\.c:[0-9]+\), by usleep: [0-9.]+ m?s of all threads' "$run" report crowd.db --at n=80,threads=16
expect 0 '^ +waiting +[0-9.]+ m?s' "$run" ask crowd.db --function fetch --at n=80,threads=16
exit $status
