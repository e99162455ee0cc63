/* SPDX-License-Identifier: GPL-3.0-or-later */
/* n clients read a ledger and, every tenth time, book something, under a lock of readers and writers that is made of a mutex,
 * a condition and counters. What is booked is written to storage while all others are kept out. TWIN: behind that. */
#include "program.h"
#include <pthread.h>

enum { REQUESTS = 60, THINK = 2000, BOOK = 3000 };

static struct ledger {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  int readers, booking;
  long entries;
} ledger = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void begin_reading(struct ledger *l)
{
  pthread_mutex_lock(&l->mutex);
  while (l->booking)
    pthread_cond_wait(&l->changed, &l->mutex);
  l->readers++;
  pthread_mutex_unlock(&l->mutex);
}

static void end_reading(struct ledger *l)
{
  pthread_mutex_lock(&l->mutex);
  if (--l->readers == 0)
    pthread_cond_broadcast(&l->changed);
  pthread_mutex_unlock(&l->mutex);
}

static void begin_booking(struct ledger *l)
{
  pthread_mutex_lock(&l->mutex);
  while (l->booking || l->readers > 0)
    pthread_cond_wait(&l->changed, &l->mutex);
  l->booking = 1; /* culprit */
  pthread_mutex_unlock(&l->mutex);
}

static void end_booking(struct ledger *l)
{
  pthread_mutex_lock(&l->mutex);
  l->booking = 0;
  pthread_cond_broadcast(&l->changed);
  pthread_mutex_unlock(&l->mutex);
}

static void *be_client(void *nothing)
{
  long seen = 0;
  for (int i = 1; i <= REQUESTS; i++) {
    program_pause(THINK);
    if (i % 10) {
      begin_reading(&ledger);
      seen += ledger.entries;
      end_reading(&ledger);
      continue;
    }
    begin_booking(&ledger);
    ledger.entries++;
#ifndef TWIN
    program_pause(BOOK);
#endif
    end_booking(&ledger);
#ifdef TWIN
    program_pause(BOOK);
#endif
  }
  return seen < 0 ? nothing : NULL;
}

int main(int count, char **arguments)
{
  long n = program_size(count, arguments);
  pthread_t *threads = calloc(n, sizeof *threads);
  for (long i = 0; i < n; i++)
    pthread_create(&threads[i], NULL, be_client, NULL);
  for (long i = 0; i < n; i++)
    pthread_join(threads[i], NULL);
  free(threads);
  return 0;
}
