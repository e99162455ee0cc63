/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports of n rows: each opens a snapshot of the database, reads the rows out of it at once, and keeps it open while
 * the rows are formatted and sent. A probe set, snapshot.json, describes snapshots. Twin 1: every hundred rows
 * are read out of the snapshot when they are sent. Twin 2: a snapshot for every hundred rows.
 */
#include "program.h"

enum { REPORTS = 4, SOME = 100 };

struct snapshot {
  long version, reads;
};
static long version;

__attribute__((noinline)) struct snapshot *snapshot_open(void)
{
  struct snapshot *snapshot = malloc(sizeof *snapshot);
  if (snapshot)
    *snapshot = (struct snapshot){.version = ++version};
  return snapshot;
}

__attribute__((noinline)) long snapshot_read(struct snapshot *snapshot, long rows)
{
  snapshot->reads++;
  return snapshot->version + rows;
}

__attribute__((noinline)) void snapshot_close(struct snapshot *snapshot) { free(snapshot); }

/* A row is formatted and sent within thirty microseconds. */
static void send(long rows) { program_pause(30 * rows); }

static long report(long rows)
{
  struct snapshot *snapshot = snapshot_open(); /* culprit */
  if (!snapshot)
    return 0;
#if TWIN == 1
  long sum = 0;
  for (long row = 0; row < rows; row += SOME) {
    sum += snapshot_read(snapshot, SOME);
    send(SOME);
  }
#else
  long sum = snapshot_read(snapshot, rows);
  send(rows);
#endif
  snapshot_close(snapshot);
  return sum;
}

int main(int argc, char **argv)
{
  long n = program_size(argc, argv), sum = 0;
  for (int i = 0; i < REPORTS; i++)
#if TWIN == 2
    for (long row = 0; row < n; row += SOME)
      sum += report(SOME);
#else
    sum += report(n);
#endif
  printf("%ld\n", sum);
  return 0;
}
