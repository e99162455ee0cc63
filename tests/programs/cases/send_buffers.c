/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Send buffers as a web server keeps them (Apache's case 13 of gigiprofiler): a response is copied into buffers of a pool,
 * which are given back when the client has read them. Every fourth client stops reading; its buffers are out until it is
 * given up, and the others wait for some. With -DFIXED nothing more is copied for a client that does not read.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BUFFERS = 16, RESPONSES = 10, PARTS = 4, SIZE = 1024 };

typedef struct send_buffer {
  struct send_buffer *link;
  size_t filled;
  char bytes[SIZE];
} send_buffer;

typedef struct client {
  int number, reads;
  size_t sent;
} client;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t some_free = PTHREAD_COND_INITIALIZER;
static send_buffer *spare;
static send_buffer buffers[BUFFERS];

static send_buffer *alloc_send_buffer(void)
{
  send_buffer *got;
  pthread_mutex_lock(&lock);
  while ((got = spare) == NULL)
    pthread_cond_wait(&some_free, &lock);
  spare = got->link;
  pthread_mutex_unlock(&lock);
  got->filled = 0;
  return got;
}

static void free_send_buffer(send_buffer *buffer)
{
  pthread_mutex_lock(&lock);
  buffer->link = spare;
  spare = buffer;
  pthread_cond_signal(&some_free);
  pthread_mutex_unlock(&lock);
}

static void pause_for(long microseconds) { nanosleep(&(struct timespec){.tv_nsec = microseconds * 1000}, NULL); }

static void respond(client *to)
{
  send_buffer *parts[PARTS];
  int count = PARTS;
#ifdef FIXED
  if (!to->reads)
    count = 1;
#endif
  if (count > 1 && to->reads)
    count = 1; /* it is read as it is written */
  for (int i = 0; i < count; i++) {
    parts[i] = alloc_send_buffer();
    memset(parts[i]->bytes, 'x', SIZE);
    parts[i]->filled = SIZE;
  }
#ifdef FIXED
  pause_for(100);
#else
  pause_for(to->reads ? 100 : 3000);
#endif
  for (int i = 0; i < count; i++) {
    to->sent += parts[i]->filled;
    free_send_buffer(parts[i]);
  }
}

static void *serve(void *argument)
{
  client *to = argument;
  for (int i = 0; i < RESPONSES; i++) {
    respond(to);
    pause_for(500);
  }
  return NULL;
}

int main(int argc, char **argv)
{
  int count = argc > 1 ? atoi(argv[1]) : 4;
  pthread_t *threads = calloc((size_t)count, sizeof *threads);
  client *clients = calloc((size_t)count, sizeof *clients);
  for (int i = 0; i < BUFFERS; i++)
    free_send_buffer(&buffers[i]);
  for (int i = 0; i < count; i++) {
    clients[i] = (client){.number = i, .reads = i % 4 != 3};
    pthread_create(&threads[i], NULL, serve, &clients[i]);
  }
  for (int i = 0; i < count; i++)
    pthread_join(threads[i], NULL);
  puts("done");
  free(threads);
  free(clients);
  return 0;
}
