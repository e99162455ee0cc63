/* SPDX-License-Identifier: GPL-3.0-or-later */
/* n sessions are served, and kept in a cache with room for 10,000 that gives the oldest one back for a new one;
 * EMPTIED: and all at the end. With LOST every second session is lost. */
#include <stdlib.h>
#include <string.h>

enum { ROOM = 10000 };

struct session {
  struct session *next;
  char data[200];
};

static struct session *first, *last;
static long count;

__attribute__((noinline)) static struct session *make_session(void) { return calloc(1, sizeof(struct session)); }

__attribute__((noinline)) static void evict(void)
{
  struct session *oldest = first;
  first = oldest->next;
  count--;
  free(oldest);
}

__attribute__((noinline)) static void keep(struct session *session)
{
  if (count == ROOM)
    evict();
  if (count++)
    last->next = session;
  else
    first = session;
  last = session;
}

static void serve(long i)
{
  char *request = malloc(1000);
  memset(request, (int)i, 1000);
  struct session *session = make_session();
  session->data[0] = request[i % 1000];
#ifndef LOST
  keep(session);
#else
  if (i % 2)
    free(session);
  else
    last = session;
#endif
  free(request);
}

int main(int argc, char **argv)
{
  long n = argc > 1 ? atol(argv[1]) : 1;
  for (long i = 0; i < n; i++)
    serve(i);
#ifdef EMPTIED
  while (count)
    evict();
#endif
  return 0;
}
