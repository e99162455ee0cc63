/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls of one function in one loop, some sick and some well: each must be told by its own line. places_test.sh reads
 * the comments "culprit" and "well" of the lines. With -DTWIN all are well. */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef TWIN
enum { LEAKS = 0 };
#else
enum { LEAKS = 1 };
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long size;
static volatile char sink;

static void *nothing(void *unused) { return unused; }

static void serve(long requests)
{
  for (long i = 0; i < requests; i++) {
    char *head = malloc(64);               /* well: memory */
    char *body = malloc(256);              /* culprit: memory */
    int in = open("/dev/null", O_RDONLY);  /* well: descriptor */
    int out = open("/dev/null", O_WRONLY); /* culprit: descriptor */
    memset(head, (int)i, 64);
    memset(body, (int)i, 256);
    sink = head[i % 64] + body[i % 256];
    free(head);
    close(in);
    if (!LEAKS) {
      free(body);
      close(out);
    }
  }
}

static void spawn(long requests)
{
  for (long i = 0; i < requests; i++) {
    pthread_t one, other;
    pthread_create(&one, NULL, nothing, NULL);   /* well: thread */
    pthread_create(&other, NULL, nothing, NULL); /* culprit: thread */
    pthread_join(one, NULL);
    if (!LEAKS)
      pthread_join(other, NULL);
  }
}

static void *client(void *unused)
{
  for (int i = 0; i < 20; i++) {
    pthread_mutex_lock(&lock); /* well: lock */
    usleep(10);
    pthread_mutex_unlock(&lock);
    usleep(4000);
    pthread_mutex_lock(&lock); /* culprit: lock */
    usleep(LEAKS ? size : 10);
    pthread_mutex_unlock(&lock);
    usleep(4000);
  }
  return unused;
}

static void share(void)
{
  pthread_t clients[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&clients[i], NULL, client, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(clients[i], NULL);
}

int main(int argc, char **argv)
{
  if (argc < 3)
    return 2;
  size = atol(argv[2]);
  if (strcmp(argv[1], "serve") == 0)
    serve(size);
  else if (strcmp(argv[1], "spawn") == 0)
    spawn(size);
  else
    share();
  return 0;
}
