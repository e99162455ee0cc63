/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A writer appends lines to a buffer if it is not locked, and tries again a little later if it is. Every 40 ms the
 * buffer, of n lines, is written out, with the buffer locked. Twin: the buffer is locked as long as it takes to
 * exchange it for an empty one, and written out then.
 */
#include "program.h"
#include <pthread.h>
#include <stdbool.h>

enum { FLUSHES = 15, LATER = 1000, EVERY = 40000 };

static struct spool {
  pthread_mutex_t lock; /* culprit */
  long lines;
  bool closed;
} spool = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* A line is written out within four microseconds. */
static void write_out(long lines) { program_pause(4 * lines); }

static void flush(long lines, bool last)
{
  pthread_mutex_lock(&spool.lock);
#ifdef TWIN
  program_pause(1000);
#else
  write_out(lines);
#endif
  spool.closed = last;
  pthread_mutex_unlock(&spool.lock);
#ifdef TWIN
  write_out(lines);
#endif
}

static bool append(void)
{
  while (pthread_mutex_trylock(&spool.lock)) /* culprit */
    program_pause(LATER);
  bool appended = !spool.closed;
  spool.lines += appended;
  pthread_mutex_unlock(&spool.lock);
  return appended;
}

static void *writer(void *unused)
{
  while (append())
    program_pause(3000);
  return unused;
}

int main(int argc, char **argv)
{
  long n = program_size(argc, argv);
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  for (int i = 1; i <= FLUSHES; i++) {
    program_pause(EVERY);
    flush(n, i == FLUSHES);
  }
  pthread_join(thread, NULL);
  printf("%d\n", spool.lines > 0);
  return 0;
}
