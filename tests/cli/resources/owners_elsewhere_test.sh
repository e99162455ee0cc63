#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What a function in another file, or an inline one of a header, obtains and returns, with what it puts in it, belongs to
# the line of its call: in C and C++, optimised or not. And where a function does nothing but wait, each of its calls has a line.
. "$(dirname "$0")/../lib.sh"
need_compiler
cp "$here"/buffers/* .
second=$(grep -n '/\* kept' second.c | cut -d: -f1)
third=$(grep -n '/\* kept' third.c | cut -d: -f1)
for language in c c++; do
  for level in -O0 -O2; do
    compile -x $language $level -g -o buffers *.c
    rm -f scale.db
    "$run" run -q -P n=500,1000,2000,4000,8000 --kind work --at 100000 --event none -- ./buffers '{n}' >out 2>err || { cat out err; exit 1; }
    "$run" report --json >places.json
    json places.json '{(f["context"][-1]["file"].split("/")[-1], f["line"]) for f in d["resources"]["findings"]} == {("second.c", '"$second"'), ("third.c", '"$third"')}' ||
      fault "$language $level"
    json places.json 'len(d["resources"]["findings"]) == 2'
  done
done

# A worker waits for work in one place and for a pause to end in another one, by a function of another file or of this one.
cat >awaiting.h <<'C'
#include <pthread.h>
int await_change(pthread_cond_t *condition, pthread_mutex_t *lock);
C
cat >awaiting.c <<'C'
#include "awaiting.h"
int await_change(pthread_cond_t *condition, pthread_mutex_t *lock) { return pthread_cond_wait(condition, lock); }
C
cat >worker.c <<'C'
#include "awaiting.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER, asked = PTHREAD_COND_INITIALIZER;
static int paused = 1, work, ready;
static __attribute__((noinline)) int await_here(pthread_cond_t *condition) { return pthread_cond_wait(condition, &lock); }
static void *serve(void *nothing)
{
  pthread_mutex_lock(&lock);
  for (int done = 0; done < 20;) {
    ready = 1;
    pthread_cond_signal(&asked);
    if (paused)
      WAIT(&changed); /* pause */
    else if (!work)
      WAIT(&changed); /* work */
    done += work, work = 0;
  }
  pthread_mutex_unlock(&lock);
  return nothing;
}
int main(void)
{
  pthread_t thread;
  pthread_create(&thread, 0, serve, 0);
  pthread_mutex_lock(&lock);
  for (int i = 0; i < 21; i++) {
    while (!ready)
      pthread_cond_wait(&asked, &lock);
    work = paused ? 0 : 1;
    paused = ready = 0;
    pthread_cond_signal(&changed);
  }
  pthread_mutex_unlock(&lock);
  pthread_join(thread, 0);
  return 0;
}
C
pause=$(grep -n '/\* pause' worker.c | cut -d: -f1)
work=$(grep -n '/\* work' worker.c | cut -d: -f1)
for level in -O0 -O2; do
  for way in '-DWAIT(c)=await_change(c,&lock)' '-DWAIT(c)=await_here(c)'; do
    compile $level -g -pthread "$way" -o worker worker.c awaiting.c
    rm -rf prof && mkdir prof
    SCALE_PROFILE_DIR=prof ./worker || fault "$way $level: exit status $?"
    "$run" dump prof/* >dumped
    for line in "pause $pause 1" "work $work 20"; do
      read -r what at count <<<"$line"
      [ "$(sed -nE "s/.* pthread_cond_wait:$at:[0-9]+ .* waits ([0-9]+).*/\1/p" dumped)" = "$count" ] ||
        { fault "$way $level: the wait for $what is not reported as $count in line $at"; cat dumped; }
    done
  done
done
exit $status
