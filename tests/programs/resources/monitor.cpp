/* SPDX-License-Identifier: GPL-3.0-or-later */
/* n clients take one of three numbers behind a monitor of the program's own. TWIN: 40 numbers. */
#include "program.h"
#include <list>
#include <pthread.h>
#include <vector>

#ifdef TWIN
enum { WORKERS = 40 };
#else
enum { WORKERS = 3 };
#endif
enum { REQUESTS = 12, THINK = 20000, SERVICE = 6000 };

class Monitor
{
  pthread_mutex_t m;
  pthread_cond_t c; /* culprit */
public:
  Monitor()
  {
    pthread_mutex_init(&m, 0);
    pthread_cond_init(&c, 0);
  }
  void enter() { pthread_mutex_lock(&m); }
  void leave() { pthread_mutex_unlock(&m); }
  void wait() { pthread_cond_wait(&c, &m); } /* culprit */
  void signal() { pthread_cond_signal(&c); }
};
static Monitor monitor; /* culprit */
static std::list<int> unused;
static int take()
{
  monitor.enter();
  while (unused.empty())
    monitor.wait(); /* culprit */
  int x = unused.front();
  unused.pop_front();
  monitor.leave();
  return x;
}
static void give(int x)
{
  monitor.enter();
  unused.push_front(x);
  monitor.signal();
  monitor.leave();
}
static void *client(void *nothing)
{
  for (int i = 0; i < REQUESTS; i++) {
    program_pause(THINK);
    int x = take();         /* culprit */
    program_pause(SERVICE); /* culprit */
    give(x);
  }
  return nothing;
}
int main(int c, char **v)
{
  long n = program_size(c, v);
  std::vector<pthread_t> t(n);
  for (int i = 0; i < WORKERS; i++)
    unused.push_back(i);
  for (long i = 0; i < n; i++)
    pthread_create(&t[i], NULL, client, NULL);
  for (long i = 0; i < n; i++)
    pthread_join(t[i], NULL);
}
