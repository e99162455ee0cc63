/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program with its own allocator, which counts: prints the allocations between the end of a thread's function and the
 * last of its destructors, of a joined thread and two detached ones. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t), *__libc_realloc(void *, size_t), *__libc_calloc(size_t, size_t);
static long calls;
#define COUNT __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED)
void *malloc(size_t n)
{
  COUNT;
  return __libc_malloc(n);
}
void *realloc(void *p, size_t n)
{
  COUNT;
  return __libc_realloc(p, n);
}
void *calloc(size_t a, size_t b)
{
  COUNT;
  return __libc_calloc(a, b);
}

static pthread_key_t key;
static sem_t made, gone;
static void again(void *value)
{
  static __thread int rounds;
  if (rounds++ < 2) /* behind everybody else's destructors */
    pthread_setspecific(key, value);
  else
    sem_post(&gone);
}
static void *run(void *value)
{
  sem_wait(&made);
  pthread_setspecific(key, value);
  calls = 0;
  return NULL;
}

int main(void)
{
  pthread_attr_t detached;
  pthread_t thread;
  long counted[3];
  pthread_key_create(&key, again);
  sem_init(&made, 0, 0);
  sem_init(&gone, 0, 0);
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  for (int i = 0; i < 3; i++) {
    pthread_create(&thread, i ? &detached : NULL, run, &key);
    sem_post(&made);
    sem_wait(&gone);
    counted[i] = calls;
    if (i == 0)
      pthread_join(thread, NULL);
  }
  printf("%ld %ld %ld\n", counted[0], counted[1], counted[2]);
  return 0;
}
