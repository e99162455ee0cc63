/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Eight sessions take turns. A transaction reads n rows, one a turn, without locks. It may change a row at its end if
 * none of those it read has been changed since; else it starts again, and is let through when it has failed ten times.
 * Twin: transactions of ten rows, as many as n rows make. More of them fail, but always the same share.
 */
#include "program.h"
#include <scale/annotate.h>
#include <stdbool.h>

enum { SESSIONS = 8, TRANSACTIONS = 400, BATCH = 10, PATIENCE = 10 };
#ifdef TWIN
enum { ROWS = 1024 };
#else
enum { ROWS = 8192 };
#endif

static struct {
  long version, value;
} rows[ROWS];
static unsigned long state = 1;

struct session {
  long read, attempts;
  long *row, *version;
};

static bool commit(struct session *session, long reads)
{
  for (long i = 0; i < reads && session->attempts < PATIENCE; i++)
    if (rows[session->row[i]].version != session->version[i]) {
      SCALE_ACQUIRE_FAILED("write permission", 0); /* culprit */
      session->attempts++;
      return false;
    }
  SCALE_ACQUIRE("write permission", session, 1);
  long changed = session->row[reads - 1];
  rows[changed].version++;
  rows[changed].value++;
  SCALE_RELEASE("write permission", session, 1);
  session->attempts = 0;
  return true;
}

/* Whether a transaction ended. */
static bool take_turn(struct session *session, long reads)
{
  if (session->read < reads) {
    long row = program_draw(&state, ROWS);
    session->row[session->read] = row;
    session->version[session->read++] = rows[row].version;
    return false;
  }
  session->read = 0;
  return commit(session, reads); /* culprit */
}

int main(int argc, char **argv)
{
  long n = program_size(argc, argv), sum = 0;
#ifdef TWIN
  long reads = BATCH, wanted = TRANSACTIONS * n / BATCH / 4;
#else
  long reads = n, wanted = TRANSACTIONS;
#endif
  struct session sessions[SESSIONS] = {0};
  for (int i = 0; i < SESSIONS; i++) {
    sessions[i].read = i * reads / SESSIONS; /* out of phase: as if each had begun earlier than the one before */
    sessions[i].row = calloc((size_t)reads, sizeof(long));
    sessions[i].version = calloc((size_t)reads, sizeof(long));
    if (!sessions[i].row || !sessions[i].version)
      return 1;
  }
  for (long turn = 0, ended = 0; ended < wanted; turn++)
    ended += take_turn(&sessions[turn % SESSIONS], reads);
  for (int i = 0; i < ROWS; i++)
    sum += rows[i].value;
  for (int i = 0; i < SESSIONS; i++) {
    free(sessions[i].row);
    free(sessions[i].version);
  }
  printf("%ld\n", sum);
  return 0;
}
