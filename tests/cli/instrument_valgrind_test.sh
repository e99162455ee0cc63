#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Valgrind's race detectors report of an instrumented program what they report of the same without: nothing of what the
# runtime shares between threads, and no race that its ways of waiting would hide the order of.
. "$(dirname "$0")/instrument/common.sh"
need valgrind
cat >threads.c <<'C'
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
enum { THREADS = 4, LOCKS = 40, ROUNDS = 100 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, locks[LOCKS];
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t full, empty;
static long sum, ready;
static int box;
static void *handed[THREADS];
static int one(int x) { return x + 1; }
static int two(int x) { return x + 2; }
static int three(int x) { return x + 3; }
static int four(int x) { return x + 4; }
static int (*volatile call[])(int) = {one, two, three, four};
static void hand_over(long n, int i)
{
  void *block = malloc(40 + (size_t)i);
  pthread_mutex_lock(&mutex);
  void *old = handed[(n + 1) % THREADS];
  handed[(n + 1) % THREADS] = block;
  pthread_mutex_unlock(&mutex);
  free(old);
}
static void *work(void *argument)
{
  long n = (long)argument, own = 0;
  for (int i = 0; i < ROUNDS; i++) {
    own += call[(i + n) % 4](i);
    pthread_mutex_lock(&mutex);
    sum += own;
    pthread_mutex_unlock(&mutex);
    pthread_rwlock_rdlock(&rwlock);
    pthread_rwlock_unlock(&rwlock);
    hand_over(n, i);
    for (int j = 0; i % 50 == 0 && j < LOCKS; j++)
      pthread_mutex_lock(&locks[j]);
    for (int j = 0; i % 50 == 0 && j < LOCKS; j++)
      pthread_mutex_unlock(&locks[j]);
  }
  pthread_mutex_lock(&mutex);
  ready++;
  pthread_cond_broadcast(&condition);
  while (ready < THREADS)
    pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  return NULL;
}
static void *empties(void *unused)
{
  for (int i = 0; i < ROUNDS; i++) {
    sem_wait(&full);
    sum += box;
    sem_post(&empty);
  }
  return unused;
}
int main(void)
{
  pthread_t thread[THREADS];
  for (int j = 0; j < LOCKS; j++)
    pthread_mutex_init(&locks[j], NULL);
  for (int round = 0; round < 2; round++) {
    ready = 0; /* after the join: no race */
    for (long i = 0; i < THREADS; i++)
      pthread_create(&thread[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
      pthread_join(thread[i], NULL);
  }
  sem_init(&full, 0, 0);
  sem_init(&empty, 0, 1);
  pthread_create(&thread[0], NULL, empties, NULL);
  for (int i = 0; i < ROUNDS; i++) {
    sem_wait(&empty);
    box = i;
    sem_post(&full);
  }
  pthread_join(thread[0], NULL);
  for (int i = 0; i < THREADS; i++)
    free(handed[i]);
  return sum == 0;
}
C
"$clang" -O1 -gdwarf-4 -pthread threads.c -o plain || fail "cannot build the plain program"
"$cc" -O1 -gdwarf-4 -pthread threads.c -o threads || fail "cannot build"
for tool in helgrind drd; do
  valgrind -q --tool=$tool --error-exitcode=42 ./plain >out 2>err || fail "$tool says of the plain program: $(head -20 err)"
  profiled valgrind -q --tool=$tool --error-exitcode=42 ./threads
  same "$tool: status" 0 $status
  same "$tool" "" "$(head -30 err)"
  valgrind -q --tool=$tool --error-exitcode=42 ./threads >out 2>err || fail "$tool without a folder: $(head -20 err)"
done
finish
