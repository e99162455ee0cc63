/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A server of four threads. A listener waits until one of them is idle before it accepts a connection, as Apache's
 * worker MPM does; both conditions are members of one name, waited for and signalled in functions of their own. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

struct gate {
  pthread_mutex_t mutex;
  pthread_cond_t cond;
};
static struct gate idle = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};
static struct gate queue = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};
static int idlers, connections[256], first, last, stop, listening;
static struct sockaddr_un address = {AF_UNIX, "socket"};

static void __attribute__((noinline)) gate_wait(struct gate *g) { pthread_cond_wait(&g->cond, &g->mutex); }
static void __attribute__((noinline)) gate_signal(struct gate *g) { pthread_cond_signal(&g->cond); }

static void set_idle(void)
{
  pthread_mutex_lock(&idle.mutex);
  idlers++;
  gate_signal(&idle);
  pthread_mutex_unlock(&idle.mutex);
}

static void wait_for_idler(void)
{
  pthread_mutex_lock(&idle.mutex);
  while (!idlers)
    gate_wait(&idle);
  idlers--;
  pthread_mutex_unlock(&idle.mutex);
}

static void push(int connection)
{
  pthread_mutex_lock(&queue.mutex);
  connections[last++ % 256] = connection;
  gate_signal(&queue);
  pthread_mutex_unlock(&queue.mutex);
}

static int pop(void)
{
  int connection = -1;
  pthread_mutex_lock(&queue.mutex);
  while (first == last && !stop)
    gate_wait(&queue);
  if (first != last)
    connection = connections[first++ % 256];
  pthread_mutex_unlock(&queue.mutex);
  return connection;
}

static void *serve(void *unused)
{
  for (int connection; set_idle(), (connection = pop()) >= 0;) {
    char request;
    if (read(connection, &request, 1) == 1) {
      usleep(2000);
      (void)!write(connection, &request, 1);
    }
    close(connection);
  }
  return unused;
}

static void *listener(void *unused)
{
  for (;;) {
    wait_for_idler();
    int connection = accept(listening, NULL, NULL);
    if (connection < 0)
      return unused;
    push(connection);
  }
}

static void *client(void *unused)
{
  for (int i = 0; i < 20; i++) {
    char answer = 'x';
    int connection = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(connection, (struct sockaddr *)&address, sizeof address) == 0 && write(connection, &answer, 1) == 1)
      (void)!read(connection, &answer, 1);
    close(connection);
    usleep(8000);
  }
  return unused;
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 4;
  pthread_t clients[200], servers[4], l;
  unlink(address.sun_path);
  listening = socket(AF_UNIX, SOCK_STREAM, 0);
  if (bind(listening, (struct sockaddr *)&address, sizeof address) < 0 || listen(listening, 256) < 0)
    return 1;
  for (int i = 0; i < 4; i++)
    pthread_create(&servers[i], NULL, serve, NULL);
  pthread_create(&l, NULL, listener, NULL);
  for (int i = 0; i < n; i++)
    pthread_create(&clients[i], NULL, client, NULL);
  for (int i = 0; i < n; i++)
    pthread_join(clients[i], NULL);
  shutdown(listening, SHUT_RDWR);
  pthread_join(l, NULL);
  pthread_mutex_lock(&queue.mutex);
  stop = 1;
  pthread_cond_broadcast(&queue.cond);
  pthread_mutex_unlock(&queue.mutex);
  for (int i = 0; i < 4; i++)
    pthread_join(servers[i], NULL);
  return 0;
}
