/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One thread makes n messages, another one sends them, which takes longer: the queue between them grows.
 * Twin: the queue has room for sixteen; who makes more waits.
 */
#include "program.h"
#include <pthread.h>
#include <stdbool.h>

enum { MAKE = 50, SEND = 400, ROOM = 16 };

struct message {
  struct message *next;
  char text[120];
};
static struct queue {
  pthread_mutex_t lock;
  pthread_cond_t filled, emptied;
  struct message *first, **last;
  long count;
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER,
           .filled = PTHREAD_COND_INITIALIZER,
           .emptied = PTHREAD_COND_INITIALIZER,
           .last = &queue.first};

static void put(long number)
{
  struct message *message = calloc(1, sizeof *message); /* culprit */
  if (!message)
    exit(1);
  snprintf(message->text, sizeof message->text, "message %ld", number);
  pthread_mutex_lock(&queue.lock);
#ifdef TWIN
  while (queue.count == ROOM)
    pthread_cond_wait(&queue.emptied, &queue.lock);
#endif
  *queue.last = message;
  queue.last = &message->next;
  queue.count++;
  pthread_cond_signal(&queue.filled);
  pthread_mutex_unlock(&queue.lock);
}

static struct message *take(void)
{
  pthread_mutex_lock(&queue.lock);
  while (!queue.first)
    pthread_cond_wait(&queue.filled, &queue.lock);
  struct message *message = queue.first;
  queue.first = message->next;
  if (!queue.first)
    queue.last = &queue.first;
  queue.count--;
  pthread_cond_signal(&queue.emptied);
  pthread_mutex_unlock(&queue.lock);
  return message;
}

static void *producer(void *count)
{
  for (long i = 0; i < *(long *)count; i++) {
    put(i);
    program_pause(MAKE);
  }
  return NULL;
}

int main(int argc, char **argv)
{
  long n = program_size(argc, argv), sum = 0;
  pthread_t thread;
  pthread_create(&thread, NULL, producer, &n);
  for (long i = 0; i < n; i++) {
    struct message *message = take();
    program_pause(SEND);
    sum += message->text[8] - '0';
    free(message);
  }
  pthread_join(thread, NULL);
  printf("%ld\n", sum);
  return 0;
}
