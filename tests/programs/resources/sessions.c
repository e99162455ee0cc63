/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each of n clients has a thread and a session, which is freed when the client says goodbye. Every fifth just goes.
 * Twin: the session is freed when its thread ends, by the C library.
 */
#include "program.h"
#include <pthread.h>

enum { AT_A_TIME = 4 };

struct session {
  long client, statements;
  char buffer[400];
};
static pthread_key_t current;

static struct session *session_new(long client)
{
  struct session *session = calloc(1, sizeof *session); /* culprit */
  if (!session)
    exit(1);
  session->client = client;
  return session;
}

static void *serve(void *client)
{
  struct session *session = session_new((long)client);
#ifdef TWIN
  pthread_setspecific(current, session);
#endif
  for (int i = 0; i < 10; i++) {
    session->statements++;
    snprintf(session->buffer, sizeof session->buffer, "%ld", session->statements);
  }
#ifndef TWIN
  if ((long)client % 5)
    free(session);
#endif
  return NULL;
}

int main(int argc, char **argv)
{
  long n = program_size(argc, argv);
  pthread_key_create(&current, free);
  pthread_t threads[AT_A_TIME];
  for (long served = 0; served < n; served += AT_A_TIME) {
    for (long i = 0; i < AT_A_TIME; i++)
      pthread_create(&threads[i], NULL, serve, (void *)(served + i));
    for (long i = 0; i < AT_A_TIME; i++)
      pthread_join(threads[i], NULL);
  }
  pthread_key_delete(current);
  printf("%ld\n", n);
  return 0;
}
