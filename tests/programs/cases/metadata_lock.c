/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Metadata that is held too long (MariaDB's MDEV-34989): who reads a table takes a ticket for its definition, and keeps
 * it to the end of the transaction instead of the statement's. Inserts of other sessions want the table for themselves,
 * and whoever wants to read waits behind them. With -DFIXED the ticket is given back after the statement.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct table_share {
  pthread_mutex_t lock;
  pthread_cond_t released;
  int readers, writer, pending;
  unsigned long rows;
};

struct session {
  struct table_share *share;
  unsigned number;
  unsigned long seen;
};

static struct table_share share = {.lock = PTHREAD_MUTEX_INITIALIZER, .released = PTHREAD_COND_INITIALIZER};

static void spend(long microseconds) { nanosleep(&(struct timespec){.tv_nsec = microseconds * 1000}, NULL); }

static void mdl_acquire_shared(struct table_share *table)
{
  pthread_mutex_lock(&table->lock);
  while (table->writer || table->pending)
    pthread_cond_wait(&table->released, &table->lock);
  table->readers++;
  pthread_mutex_unlock(&table->lock);
}

static void mdl_release_shared(struct table_share *table)
{
  pthread_mutex_lock(&table->lock);
  table->readers--;
  pthread_cond_broadcast(&table->released);
  pthread_mutex_unlock(&table->lock);
}

static void mdl_acquire_exclusive(struct table_share *table)
{
  pthread_mutex_lock(&table->lock);
  table->pending++;
  while (table->writer || table->readers)
    pthread_cond_wait(&table->released, &table->lock);
  table->pending--;
  table->writer++;
  pthread_mutex_unlock(&table->lock);
}

static void mdl_release_exclusive(struct table_share *table)
{
  pthread_mutex_lock(&table->lock);
  table->writer--;
  pthread_cond_broadcast(&table->released);
  pthread_mutex_unlock(&table->lock);
}

static void *select_session(void *argument)
{
  struct session *session = argument;
  for (int i = 0; i < 10; i++) {
    mdl_acquire_shared(session->share);
    session->seen += session->share->rows;
    spend(50);
#ifdef FIXED
    mdl_release_shared(session->share);
    spend(1000);
#else
    spend(1000);
    mdl_release_shared(session->share);
#endif
    spend(1000);
  }
  return NULL;
}

static void *insert_session(void *argument)
{
  struct session *session = argument;
  for (int i = 0; i < 10; i++) {
    mdl_acquire_exclusive(session->share);
    session->share->rows++;
    spend(20);
    mdl_release_exclusive(session->share);
    spend(500);
  }
  return NULL;
}

int main(int argc, char **argv)
{
  unsigned readers = argc > 1 ? (unsigned)atoi(argv[1]) : 4, count = readers + 2;
  pthread_t *threads = calloc(count, sizeof *threads);
  struct session *sessions = calloc(count, sizeof *sessions);
  for (unsigned i = 0; i < count; i++) {
    sessions[i] = (struct session){.share = &share, .number = i};
    pthread_create(&threads[i], NULL, i < readers ? select_session : insert_session, &sessions[i]);
  }
  for (unsigned i = 0; i < count; i++)
    pthread_join(threads[i], NULL);
  printf("%lu\n", share.rows);
  free(threads);
  free(sessions);
  return 0;
}
