/* SPDX-License-Identifier: GPL-3.0-or-later */
/* n clients send items through two stages: three threads of the first, one of the second. The second has too few. TWIN:
 * both have enough. */
#include "program.h"
#include <pthread.h>
#include <stdbool.h>

enum { ITEMS = 12, FIRST = 3 };
#ifdef TWIN
enum { PARSE = 300, STORE = 200 };
#else
enum { PARSE = 1000, STORE = 4000 };
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t to_parse = PTHREAD_COND_INITIALIZER;
static pthread_cond_t to_store = PTHREAD_COND_INITIALIZER; /* culprit */
static pthread_cond_t stored = PTHREAD_COND_INITIALIZER;
static long parsing, storing, through;
static bool closed;

static void put(long *items, pthread_cond_t *more)
{
  pthread_mutex_lock(&lock);
  ++*items;
  pthread_cond_signal(more);
  pthread_mutex_unlock(&lock);
}

static bool get(long *items, pthread_cond_t *more)
{
  pthread_mutex_lock(&lock);
  while (!*items && !closed)
    pthread_cond_wait(more, &lock);
  bool any = *items > 0;
  *items -= any;
  pthread_mutex_unlock(&lock);
  return any;
}

static void *parse(void *unused)
{
  while (get(&parsing, &to_parse)) {
    program_pause(PARSE);
    put(&storing, &to_store);
  }
  return unused;
}

static void *store(void *unused)
{
  while (get(&storing, &to_store)) {
    program_pause(STORE); /* culprit */
    put(&through, &stored);
  }
  return unused;
}

static void *client(void *unused)
{
  for (int i = 0; i < ITEMS; i++) {
    program_pause(40000);
    put(&parsing, &to_parse);
    get(&through, &stored);
  }
  return unused;
}

int main(int argc, char **argv)
{
  long n = program_size(argc, argv);
  pthread_t stages[FIRST + 1], *clients = calloc((size_t)n, sizeof *clients);
  if (!clients)
    return 1;
  for (int i = 0; i <= FIRST; i++)
    pthread_create(&stages[i], NULL, i < FIRST ? parse : store, NULL);
  for (long i = 0; i < n; i++)
    pthread_create(&clients[i], NULL, client, NULL);
  for (long i = 0; i < n; i++)
    pthread_join(clients[i], NULL);
  pthread_mutex_lock(&lock);
  closed = true;
  pthread_cond_broadcast(&to_parse);
  pthread_cond_broadcast(&to_store);
  pthread_mutex_unlock(&lock);
  for (int i = 0; i <= FIRST; i++)
    pthread_join(stages[i], NULL);
  free(clients);
  return 0;
}
