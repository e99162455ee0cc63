/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * n requests are read, answered and freed; of every seventh, whose header is wrong, the body is forgotten.
 * Twin: wrong requests are handed to another thread, which logs and frees them; at most four wait for it.
 */
#include "program.h"
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

struct request {
  struct request *next;
  long number;
  char *body;
};

static struct request *request_read(long number)
{
  struct request *request = calloc(1, sizeof *request);
  char *body = malloc(300); /* culprit */
  if (!request || !body)
    exit(1);
  snprintf(body, 300, "%s /%ld", number % 7 == 3 ? "?" : "GET", number);
  request->number = number;
  request->body = body;
  return request;
}

#ifdef TWIN
static struct wrong {
  pthread_mutex_t lock;
  pthread_cond_t filled, emptied;
  struct request *first;
  long count;
  bool closed;
} wrong = {.lock = PTHREAD_MUTEX_INITIALIZER, .filled = PTHREAD_COND_INITIALIZER, .emptied = PTHREAD_COND_INITIALIZER};

static void *log_wrong(void *logged)
{
  pthread_mutex_lock(&wrong.lock);
  while (wrong.first || !wrong.closed) {
    struct request *request = wrong.first;
    if (!request) {
      pthread_cond_wait(&wrong.filled, &wrong.lock);
      continue;
    }
    wrong.first = request->next;
    wrong.count--;
    pthread_cond_signal(&wrong.emptied);
    pthread_mutex_unlock(&wrong.lock);
    *(long *)logged += request->number;
    free(request->body);
    free(request);
    pthread_mutex_lock(&wrong.lock);
  }
  pthread_mutex_unlock(&wrong.lock);
  return NULL;
}

static void hand_over(struct request *request, bool closed)
{
  pthread_mutex_lock(&wrong.lock);
  while (wrong.count == 4)
    pthread_cond_wait(&wrong.emptied, &wrong.lock);
  if (request) {
    wrong.count++;
    request->next = wrong.first;
    wrong.first = request;
  }
  wrong.closed = closed;
  pthread_cond_signal(&wrong.filled);
  pthread_mutex_unlock(&wrong.lock);
}
#endif

static long handle(long number)
{
  struct request *request = request_read(number);
  if (request->body[0] == '?') {
#ifdef TWIN
    hand_over(request, false);
#else
    free(request);
#endif
    return 0;
  }
  char *answer = malloc(200);
  if (!answer)
    exit(1);
  snprintf(answer, 200, "%ld: %s", request->number, request->body);
  long length = (long)strlen(answer);
  free(answer);
  free(request->body);
  free(request);
  return length;
}

int main(int argc, char **argv)
{
  long n = program_size(argc, argv), sum = 0, logged = 0;
#ifdef TWIN
  pthread_t thread;
  pthread_create(&thread, NULL, log_wrong, &logged);
#endif
  for (long i = 0; i < n; i++)
    sum += handle(i);
#ifdef TWIN
  hand_over(NULL, true);
  pthread_join(thread, NULL);
#endif
  printf("%ld %ld\n", sum, logged);
  return 0;
}
