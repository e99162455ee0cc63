/* SPDX-License-Identifier: GPL-3.0-or-later */
/* crowd N: work in proportion to N on everything that the runtime keeps lists of: locks that one thread holds at a
   time, units of a semaphore that many threads have and another one gives back, many callees of one call, threads that
   come and go. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_THREADS = 400 };
static sem_t go, done, stay;

static void *take(void *unused)
{
  sem_wait(&go);
  sem_post(&done);
  sem_wait(&stay);
  return unused;
}

/* Locks held at a time. */
static void hold(int n)
{
  pthread_mutex_t *locks = calloc((size_t)n, sizeof *locks);
  for (int i = 0; i < n; i++)
    pthread_mutex_lock(&locks[i]);
  for (int i = 0; i < n; i++)
    pthread_mutex_unlock(&locks[i]);
  free(locks);
}

/* Each thread takes a unit that this one posts, while all others hold one. */
static void post(int threads)
{
  pthread_t thread[MOST_THREADS];
  for (int i = 0; i < threads; i++)
    pthread_create(&thread[i], NULL, take, NULL);
  for (int i = 0; i < threads; i++)
    sem_post(&go);
  for (int i = 0; i < threads; i++)
    sem_wait(&done);
  for (int i = 0; i < threads; i++)
    sem_post(&stay);
  for (int i = 0; i < threads; i++)
    pthread_join(thread[i], NULL);
}

#define F(n) \
  static __attribute__((noinline)) int f##n(int x) { return x * 3 + n; }
#define F10(n)  F(n##0) F(n##1) F(n##2) F(n##3) F(n##4) F(n##5) F(n##6) F(n##7) F(n##8) F(n##9)
#define F100(n) F10(n##0) F10(n##1) F10(n##2) F10(n##3) F10(n##4) F10(n##5) F10(n##6) F10(n##7) F10(n##8) F10(n##9)
#define F1000(n) \
  F100(n##0) F100(n##1) F100(n##2) F100(n##3) F100(n##4) F100(n##5) F100(n##6) F100(n##7) F100(n##8) F100(n##9)
F1000(1)
F1000(2)
#define R(n)    f##n,
#define R10(n)  R(n##0) R(n##1) R(n##2) R(n##3) R(n##4) R(n##5) R(n##6) R(n##7) R(n##8) R(n##9)
#define R100(n) R10(n##0) R10(n##1) R10(n##2) R10(n##3) R10(n##4) R10(n##5) R10(n##6) R10(n##7) R10(n##8) R10(n##9)
#define R1000(n) \
  R100(n##0) R100(n##1) R100(n##2) R100(n##3) R100(n##4) R100(n##5) R100(n##6) R100(n##7) R100(n##8) R100(n##9)
static int (*const callees[])(int) = {R1000(1) R1000(2)};

/* n / 4 different functions, eight calls of each, at random. */
static int dispatch(int n)
{
  unsigned random = 1, count = (unsigned)n / 4;
  int x = 0;
  for (int i = 0; i < 2 * n; i++) {
    random = random * 1664525 + 1013904223;
    x = callees[(unsigned long)random * count >> 32](x);
  }
  return x;
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 0;
  if (n < 4 || n > 8000)
    return 2;
  sem_init(&go, 0, 0);
  sem_init(&done, 0, 0);
  sem_init(&stay, 0, 0);
  hold(4 * n);
  post(n / 20);
  printf("%d\n", dispatch(n));
  return 0;
}
