/* SPDX-License-Identifier: GPL-3.0-or-later */
/* n clients send requests by sockets; one thread reads them all and hands them to three workers, which answer. TWIN: to
 * as many workers as there are clients. */
#include "program.h"
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <unistd.h>

#ifdef TWIN
#define WORKERS(n) (n)
#else
#define WORKERS(n) 3
#endif
enum { REQUESTS = 12, MOST = 1024 };

static struct {
  pthread_mutex_t lock;
  pthread_cond_t ready; /* culprit */
  int sockets[MOST];
  long first, count;
  bool closed;
} jobs = {.lock = PTHREAD_MUTEX_INITIALIZER, .ready = PTHREAD_COND_INITIALIZER};

static int take(void)
{
  pthread_mutex_lock(&jobs.lock);
  while (!jobs.count && !jobs.closed)
    pthread_cond_wait(&jobs.ready, &jobs.lock); /* culprit */
  int socket = -1;
  if (jobs.count) {
    socket = jobs.sockets[jobs.first];
    jobs.first = (jobs.first + 1) % MOST;
    jobs.count--;
  }
  pthread_mutex_unlock(&jobs.lock);
  return socket;
}

static void *work(void *unused)
{
  for (int socket; (socket = take()) >= 0;) {
    program_pause(5000); /* culprit */
    if (write(socket, "", 1) != 1)
      exit(1);
  }
  return unused;
}

static void *client(void *socket)
{
  char byte = 0;
  for (int i = 0; i < REQUESTS; i++) {
    program_pause(20000);
    if (write((int)(long)socket, &byte, 1) != 1 || read((int)(long)socket, &byte, 1) != 1)
      exit(1);
  }
  close((int)(long)socket);
  return NULL;
}

static void hand_over(int socket)
{
  pthread_mutex_lock(&jobs.lock);
  jobs.sockets[(jobs.first + jobs.count++) % MOST] = socket;
  pthread_cond_signal(&jobs.ready); /* culprit */
  pthread_mutex_unlock(&jobs.lock);
}

/* Until all clients have closed theirs. */
static void listen_to(struct pollfd *all, long count)
{
  for (long open = count; open;) {
    char byte;
    if (poll(all, (nfds_t)count, -1) < 0)
      exit(1);
    for (long i = 0; i < count; i++) {
      if (!(all[i].revents & (POLLIN | POLLHUP)))
        continue;
      if (read(all[i].fd, &byte, 1) == 1) {
        hand_over(all[i].fd);
      } else {
        all[i].fd = -all[i].fd - 1;
        open--;
      }
    }
  }
}

int main(int argc, char **argv)
{
  long n = program_size(argc, argv), workers = WORKERS(n);
  pthread_t *threads = calloc((size_t)(n + workers), sizeof *threads);
  struct pollfd *all = calloc((size_t)n, sizeof *all);
  if (!threads || !all || n > MOST)
    return 1;
  for (long i = 0; i < workers; i++)
    pthread_create(&threads[n + i], NULL, work, NULL);
  for (long i = 0; i < n; i++) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
      return 1;
    all[i] = (struct pollfd){.fd = ends[0], .events = POLLIN};
    pthread_create(&threads[i], NULL, client, (void *)(long)ends[1]);
  }
  listen_to(all, n);
  pthread_mutex_lock(&jobs.lock);
  jobs.closed = true;
  pthread_cond_broadcast(&jobs.ready);
  pthread_mutex_unlock(&jobs.lock);
  for (long i = 0; i < n + workers; i++)
    pthread_join(threads[i], NULL);
  for (long i = 0; i < n; i++)
    close(-all[i].fd - 1);
  free(threads);
  free(all);
  return 0;
}
