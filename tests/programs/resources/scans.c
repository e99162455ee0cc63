/* SPDX-License-Identifier: GPL-3.0-or-later */
/* n threads scan an index, and keep it for as long as that takes; one thread inserts. It waits until no scan is left, and
 * one more always is: the C library lets further readers in. TWIN: a scan takes a copy. */
#include "program.h"
#include <pthread.h>
#include <stdatomic.h>

enum { SCANS = 40, THINK = 6000, SCAN = 3000, INSERT = 2000 };

static pthread_rwlock_t tree = PTHREAD_RWLOCK_INITIALIZER;
static atomic_bool over;
static long entries;

static void *insert(void *nothing)
{
  while (!over) {
    program_pause(INSERT);
    pthread_rwlock_wrlock(&tree);
    entries++;
    pthread_rwlock_unlock(&tree);
  }
  return nothing;
}

static void *scan(void *nothing)
{
  long seen = 0;
  for (int i = 0; i < SCANS; i++) {
    program_pause(THINK);
    pthread_rwlock_rdlock(&tree); /* culprit */
    seen += entries;
#ifndef TWIN
    program_pause(SCAN);
#endif
    pthread_rwlock_unlock(&tree);
#ifdef TWIN
    program_pause(SCAN);
#endif
  }
  return seen < 0 ? nothing : NULL;
}

int main(int count, char **arguments)
{
  long n = program_size(count, arguments);
  pthread_t *threads = calloc(n, sizeof *threads), inserting;
  pthread_create(&inserting, NULL, insert, NULL);
  for (long i = 0; i < n; i++)
    pthread_create(&threads[i], NULL, scan, NULL);
  for (long i = 0; i < n; i++)
    pthread_join(threads[i], NULL);
  over = 1;
  pthread_join(inserting, NULL);
  free(threads);
  return 0;
}
