/* SPDX-License-Identifier: GPL-3.0-or-later */
/* listen N: N clients ask three threads, which wait for all of them in epoll_wait. A client rests for three times as
 * long as its request takes: twelve keep the threads busy. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SERVERS = 3, REQUESTS = 30, MOST = 64, SERVICE = 4000 /* microseconds */ };

static int all;

static void add(int operation, int fd)
{
  struct epoll_event event = {.events = EPOLLIN | EPOLLONESHOT, .data.fd = fd};
  if (epoll_ctl(all, operation, fd, &event))
    abort();
}

static void *serve(void *nothing)
{
  struct epoll_event event;
  char what;
  for (;;) {
    if (epoll_wait(all, &event, 1, -1) != 1 || read(event.data.fd, &what, 1) != 1)
      continue;
    if (what == 'e')
      return nothing;
    usleep(SERVICE);
    if (write(event.data.fd, &what, 1) != 1)
      abort();
    add(EPOLL_CTL_MOD, event.data.fd);
  }
}

static void *ask(void *end)
{
  char what = 'a';
  for (int i = 0; i < REQUESTS; i++) {
    if (write(*(const int *)end, &what, 1) != 1 || read(*(const int *)end, &what, 1) != 1)
      abort();
    usleep(3 * SERVICE);
  }
  return NULL;
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 1, ends[MOST + SERVERS][2];
  pthread_t clients[MOST], servers[SERVERS];
  all = epoll_create1(0);
  for (int i = 0; i < n + SERVERS; i++) {
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends[i]))
      return 1;
    add(EPOLL_CTL_ADD, ends[i][1]);
  }
  for (int i = 0; i < SERVERS; i++)
    pthread_create(&servers[i], NULL, serve, NULL);
  for (int i = 0; i < n; i++)
    pthread_create(&clients[i], NULL, ask, &ends[i][0]);
  for (int i = 0; i < n; i++)
    pthread_join(clients[i], NULL);
  for (int i = n; i < n + SERVERS; i++)
    if (write(ends[i][0], "e", 1) != 1)
      return 1;
  for (int i = 0; i < SERVERS; i++)
    pthread_join(servers[i], NULL);
  for (int i = 0; i < n + SERVERS; i++) {
    close(ends[i][0]);
    close(ends[i][1]);
  }
  close(all);
  return 0;
}
