/* SPDX-License-Identifier: GPL-3.0-or-later */
/* n threads that look things up in a table behind a lock of the program's own. They sleep rather than compute, so that
 * they wait for each other on one processor too. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS = 16, ROUNDS = 40, STEPS = 1000 };

static struct table {
  long entries;
  atomic_int guard;
} table;
static atomic_long lookups;

static void look_up(struct table *t)
{
  while (atomic_exchange(&t->guard, 1))
    usleep(300);
  for (int i = 0; i < STEPS; i++)
    t->entries++;
  usleep(1500);
  atomic_store(&t->guard, 0);
}

static void count_one(void)
{
  long old = atomic_load(&lookups);
  while (!atomic_compare_exchange_weak(&lookups, &old, old + 1))
    ;
}

static void *client(void *unused)
{
  for (int i = 0; i < ROUNDS; i++) {
    look_up(&table);
    count_one();
    usleep(5000);
  }
  return unused;
}

int main(int argc, char **argv)
{
  pthread_t threads[THREADS];
  int n = argc > 1 ? atoi(argv[1]) : 1;
  for (int i = 0; i < n && i < THREADS; i++)
    pthread_create(&threads[i], NULL, client, NULL);
  for (int i = 0; i < n && i < THREADS; i++)
    pthread_join(threads[i], NULL);
  return table.entries != lookups * STEPS;
}
