/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads of C11: n clients hand records to the one thread that writes them, and wait until theirs is written. TWIN: it
 * writes all that are there at once, so that it is always busy when there are many, but keeps nobody waiting for more
 * than two of its writes. */
#include "program.h"
#include <stdbool.h>
#include <threads.h>

enum { RECORDS = 12 };

static struct {
  mtx_t lock;
  cnd_t handed, written; /* culprit */
  long waiting, taken, through;
  bool closed;
} journal;

static int write_records(void *unused)
{
  (void)unused;
  for (;;) {
    mtx_lock(&journal.lock);
    while (!journal.waiting && !journal.closed)
      cnd_wait(&journal.handed, &journal.lock); /* culprit */
#ifdef TWIN
    long batch = journal.waiting;
#else
    long batch = journal.waiting > 0;
#endif
    journal.waiting -= batch;
    mtx_unlock(&journal.lock);
    if (!batch)
      return 0;
    program_pause(4000); /* culprit */
    mtx_lock(&journal.lock);
    journal.through += batch;
    cnd_broadcast(&journal.written);
    mtx_unlock(&journal.lock);
  }
}

static void hand_over(void)
{
  mtx_lock(&journal.lock);
  long own = ++journal.taken;
  journal.waiting++;
  cnd_signal(&journal.handed); /* culprit */
  while (journal.through < own)
    cnd_wait(&journal.written, &journal.lock); /* culprit */
  mtx_unlock(&journal.lock);
}

static int client(void *unused)
{
  (void)unused;
  for (int i = 0; i < RECORDS; i++) {
    program_pause(40000);
    hand_over();
  }
  return 0;
}

int main(int argc, char **argv)
{
  long n = program_size(argc, argv);
  thrd_t writer, *clients = calloc((size_t)n, sizeof *clients);
  mtx_init(&journal.lock, mtx_plain);
  cnd_init(&journal.handed);
  cnd_init(&journal.written);
  if (!clients || thrd_create(&writer, write_records, NULL) != thrd_success)
    return 1;
  for (long i = 0; i < n; i++)
    thrd_create(&clients[i], client, NULL);
  for (long i = 0; i < n; i++)
    thrd_join(clients[i], NULL);
  mtx_lock(&journal.lock);
  journal.closed = true;
  cnd_broadcast(&journal.handed);
  mtx_unlock(&journal.lock);
  thrd_join(writer, NULL);
  free(clients);
  return 0;
}
