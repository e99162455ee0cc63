/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Transactions change n rows each and lock the pages of four rows, until they end. The table of all locks has 1,024
 * places, and few are used at the sizes measured.
 * Twin: sixteen locks of pages are exchanged for one of the whole table.
 */
#include "program.h"
#include <scale/annotate.h>
#include <stdbool.h>

enum { PLACES = 1024, ROWS_IN_PAGE = 4, ESCALATE = 16, TRANSACTIONS = 5 };

static struct {
  bool taken[PLACES];
  long refused;
} locks;

struct transaction {
  long count;
  long held[PLACES];
};

static bool lock(struct transaction *transaction)
{
  for (long place = 0; place < PLACES; place++)
    if (!locks.taken[place]) {
      locks.taken[place] = true;
      transaction->held[transaction->count++] = place;
      SCALE_ACQUIRE("lock table", place, 1); /* culprit */
      return true;
    }
  SCALE_ACQUIRE_FAILED("lock table", 0);
  locks.refused++;
  return false;
}

static void unlock_all(struct transaction *transaction)
{
  while (transaction->count) {
    long place = transaction->held[--transaction->count];
    SCALE_RELEASE("lock table", place, 1);
    locks.taken[place] = false;
  }
}

static long change(long rows)
{
  struct transaction transaction = {0};
  long changed = 0;
  bool whole = false;
  for (long row = 0; row < rows; row++) {
#ifdef TWIN
    if (!whole && transaction.count == ESCALATE) {
      unlock_all(&transaction);
      whole = lock(&transaction);
    }
#endif
    if (!whole && row % ROWS_IN_PAGE == 0 && !lock(&transaction)) /* culprit */
      break;
    changed++;
  }
  unlock_all(&transaction);
  return changed;
}

int main(int argc, char **argv)
{
  SCALE_CAPACITY("lock table", PLACES);
  long n = program_size(argc, argv), sum = 0;
  for (int i = 0; i < TRANSACTIONS; i++)
    sum += change(n);
  printf("%ld %ld\n", sum, locks.refused);
  return 0;
}
