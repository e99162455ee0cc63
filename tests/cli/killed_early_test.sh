#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Processes that are killed at any moment of their first milliseconds: what they left is a loss that is said, no full disk
# and not the end of the study; and whatever stops a thread inside the runtime leaves a profile that can be read.
. "$(dirname "$0")/lib.sh"
need_compiler
command -v python3 >/dev/null || exit 77

cat >pool.c <<'C'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static volatile long sink;
#define STEP(n) static void __attribute__((noinline)) f##n(long k) { for (long i = 0; i < k; i++) sink += i; }
STEP(0) STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7) STEP(8) STEP(9)
static void work(long n)
{
  for (long i = 0; i < n; i++)
    f0(n / 10);
}
static void (*volatile all[])(long) = {f0, f1, f2, f3, f4, f5, f6, f7, f8, f9};
/* A child that does a little and waits to be killed; by exec, it begins its profile from nothing. */
static void child(void)
{
  for (int i = 0; i < 10; i++)
    all[i](i);
  if (getenv("CALM"))
    exit(0);
  for (;;)
    pause();
}
int main(int argc, char **argv)
{
  if (argc > 2)
    child();
  long n = atol(argv[1]);
  srandom((unsigned)n + (unsigned)time(NULL));
  for (int i = 0; i < 12; i++) {
    pid_t pid = fork();
    if (pid == 0) {
      if (i % 4 == 0)
        child();
      execl("/proc/self/exe", argv[0], "0", "child", (char *)NULL);
      _exit(1);
    }
    struct timespec moment = {0, random() % (i % 2 ? 12000000 : 1500000)}; /* on a busy machine 1.5 ms are before all */
    if (!getenv("CALM")) {
      nanosleep(&moment, NULL);
      kill(pid, SIGKILL);
    }
    waitpid(pid, NULL, 0);
  }
  work(n);
  printf("%ld\n", n);
  return 0;
}
C
"$cc" -O1 -g pool.c -o pool 2>err || { fault "pool does not build: $(cat err)"; exit $status; }
for round in 1 2 3 4 5; do
  rm -f scale.db
  expect 0 . "$run" run --event none -q -P n=100..1600 --at 100000 -- ./pool '{n}'
  "$run" report >out 2>err || { fault "no report: $(cat out err)"; break; }
  grep -q 'quadratic loop' out || { fault "the loop that is quadratic"; cat out; }
  ! grep -q 'disk was full' out || fault "no disk was full"
done

# A file that was not begun, beside a sound profile: said, and counted as a process
cat >empty <<'X'
#!/bin/sh
CALM=1 ./pool "$1" & wait $!
: >"$SCALE_PROFILE_DIR/pool.1.1.scprof"
head -c 4096 /dev/zero >"$SCALE_PROFILE_DIR/pool.2.2.scprof"
X
chmod +x empty
rm -f scale.db
expect 0 'warning: not a raw profile: the file is empty' "$run" run --event none -P n=100..800 --at 10000 -- ./empty '{n}'
expect 0 'left no profile' "$run" report
lost=$(python3 -c "import sqlite3; print(sqlite3.connect('scale.db').execute('SELECT min(lost_processes) FROM run').fetchone()[0])")
[ "$lost" -ge 2 ] || fault "lost processes are not counted"

# Threads that are stopped while they enter functions for the first time: a longjmp out of a handler, cancellation, a kill
cat >stop.c <<'C'
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>
FUNCTIONS
static sigjmp_buf back;
static void leave(int number) { siglongjmp(back, 1); }
static void enter_all(int from)
{
  for (int i = 0; i < COUNT; i++)
    all[(from + i) % COUNT](3);
}
static void *begin(void *argument)
{
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  enter_all((int)(long)argument * 100);
  return NULL;
}
int main(int argc, char **argv)
{
  pthread_t threads[4];
  long wait = atol(argv[2]);
  if (!strcmp(argv[1], "jump")) {
    signal(SIGALRM, leave);
    for (volatile int i = 0; i < 40; i++)
      if (!sigsetjmp(back, 1)) {
        struct itimerval soon = {{0, 0}, {0, wait + i}};
        setitimer(ITIMER_REAL, &soon, NULL);
        enter_all(i * 11);
        struct itimerval never = {{0, 0}, {0, 0}};
        setitimer(ITIMER_REAL, &never, NULL);
      }
    return 0;
  }
  for (long i = 0; i < 4; i++)
    pthread_create(&threads[i], NULL, begin, (void *)i);
  usleep((useconds_t)wait);
  if (!strcmp(argv[1], "kill"))
    kill(getpid(), SIGKILL);
  for (int i = 0; i < 4; i++)
    pthread_cancel(threads[i]);
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
C
{
  for ((i = 0; i < 400; i++)); do echo "static int __attribute__((noinline)) g$i(int k) { int s = $i; for (int i = 0; i < k; i++) s ^= i; return s; }"; done
  echo "static int (*volatile const all[])(int) = {"
  for ((i = 0; i < 400; i++)); do echo "g$i,"; done
  echo "};"
} >functions.h
sed -i 's/^FUNCTIONS$/#include "functions.h"/; 1i #define COUNT 400' stop.c
"$cc" -O1 -g -pthread stop.c -o stop 2>err || { fault "stop does not build: $(cat err)"; exit $status; }
for how in jump cancel kill; do
  for wait in 0 50 100 150 200 300 400 600 800 1200; do
    rm -rf prof
    SCALE_PROFILE_DIR=$work/prof ./stop $how $wait >out 2>err
    for profile in prof/*.scprof; do
      "$run" dump "$profile" >out 2>err || { fault "$how after $wait us: $(cat err)"; break 2; }
      ! grep -q 'damaged profile' out || { fault "$how after $wait us: $(grep damaged out)"; break 2; }
    done
  done
done 2>/dev/null
exit $status
