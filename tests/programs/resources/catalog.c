/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sessions look tables up in a catalog, under a shared lock. Statistics are renewed every 60 ms by a scan of a table of
 * n rows, with the catalog locked exclusively.
 * Twin: the scan, as long, is made under a shared lock; only its result is stored under the exclusive one.
 */
#include "program.h"
#include <pthread.h>

enum { SESSIONS = 3, QUERIES = 80, RENEWALS = 10 };

static struct catalog {
  pthread_rwlock_t metadata; /* culprit */
  long rows, tables, average;
} catalog = {.metadata = PTHREAD_RWLOCK_INITIALIZER, .tables = 100};

/* A row is read within four microseconds. */
static long scan(long rows)
{
  unsigned long state = 5;
  long sum = 0;
  for (long row = 0; row < rows; row++)
    sum += program_draw(&state, 100);
  program_pause(4 * rows);
  return sum / rows;
}

static void renew(void)
{
#ifdef TWIN
  pthread_rwlock_rdlock(&catalog.metadata);
  long average = scan(catalog.rows);
  pthread_rwlock_unlock(&catalog.metadata);
  pthread_rwlock_wrlock(&catalog.metadata);
  catalog.average = average;
  pthread_rwlock_unlock(&catalog.metadata);
#else
  pthread_rwlock_wrlock(&catalog.metadata); /* culprit */
  catalog.average = scan(catalog.rows);
  pthread_rwlock_unlock(&catalog.metadata);
#endif
}

static long look_up(long name)
{
  pthread_rwlock_rdlock(&catalog.metadata);
  long table = name % catalog.tables;
  pthread_rwlock_unlock(&catalog.metadata);
  return table;
}

static void *session(void *result)
{
  for (long query = 0; query < QUERIES; query++) {
    *(long *)result += look_up(query);
    program_pause(8000);
  }
  return NULL;
}

static void *statistics(void *unused)
{
  for (int i = 0; i < RENEWALS; i++) {
    renew();
    program_pause(60000);
  }
  return unused;
}

int main(int argc, char **argv)
{
  catalog.rows = program_size(argc, argv);
  pthread_t sessions[SESSIONS], background;
  long results[SESSIONS] = {0}, sum = 0;
  for (int i = 0; i < SESSIONS; i++)
    pthread_create(&sessions[i], NULL, session, &results[i]);
  pthread_create(&background, NULL, statistics, NULL);
  for (int i = 0; i < SESSIONS; i++) {
    pthread_join(sessions[i], NULL);
    sum += results[i];
  }
  pthread_join(background, NULL);
  printf("%ld %ld\n", sum, catalog.average);
  return 0;
}
