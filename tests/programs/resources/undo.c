/* SPDX-License-Identifier: GPL-3.0-or-later */
/* n transactions write undo records, which are purged when all are through. Twin: every 32 transactions. */
#include "program.h"

struct undo {
  struct undo *next;
  long row, before[8];
};
static struct undo *undo_log;
static long rows[1000];

static void transact(long row, long value)
{
  struct undo *undo = malloc(sizeof *undo); /* culprit */
  if (!undo)
    exit(1);
  undo->row = row;
  undo->before[0] = rows[row];
  undo->next = undo_log;
  undo_log = undo;
  rows[row] = value;
}

static void purge(void)
{
  while (undo_log) {
    struct undo *next = undo_log->next;
    free(undo_log);
    undo_log = next;
  }
}

int main(int argc, char **argv)
{
  long n = program_size(argc, argv), sum = 0;
  unsigned long state = 1;
  for (long i = 0; i < n; i++) {
    transact(program_draw(&state, 1000), i);
#ifdef TWIN
    if (i % 32 == 31)
      purge();
#endif
  }
  purge();
  for (int row = 0; row < 1000; row++)
    sum += rows[row];
  printf("%ld\n", sum);
  return 0;
}
