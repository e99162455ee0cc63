/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places of calls: a line and column each, however often the optimiser copies or merges the calls. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define PAIR(a, b) ((a) = malloc(16), (b) = malloc(32))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *volatile kept[64];

static void *make(size_t bytes) { return malloc(bytes); } /* inlined or not: its callers obtain */

/* An allocator that is called by a pointer. */
static void *plain(size_t bytes) { return malloc(bytes); }
static void *(*volatile allocator)(size_t bytes) = plain;
__attribute__((noinline)) static void *allocate(size_t bytes) { return allocator(bytes); }

static void unrolled(void)
{
  for (int i = 0; i < 4; i++)
    kept[i] = malloc(8);
  for (int i = 0; i < 4; i++)
    free(kept[i]);
}

/* Calls that are alike in both branches. */
__attribute__((noinline)) static void *either(int which, size_t bytes)
{
  void *block;
  if (which)
    block = malloc(bytes);
  else
    block = malloc(bytes);
  return block;
}

__attribute__((noinline)) static void locked(int which)
{
  if (which) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
  } else {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
  }
}

int main(void)
{
  void *volatile a, *volatile b;
  unrolled();
  for (int i = 0; i < 10; i++) {
    void *volatile head = malloc(64), *volatile body = malloc(256);
    PAIR(a, b);
    free(head), free(body);
    free(a);
    free(b);
    free(either(i % 5 == 0, 24));
    locked(i % 5 == 0);
  }
  a = make(40);
  b = make(48);
  free(a);
  free(b);
  a = allocate(56);
  b = allocate(72);
  free(a);
  free(b);
  free(allocator(80));
  puts("done");
  return 0;
}
