/* SPDX-License-Identifier: GPL-3.0-or-later */
/* n clients of three workers behind a condition for any lock; that is shared by those who read. TWIN: 40 workers. */
#include "program.h"
#include <condition_variable>
#include <deque>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

#ifdef TWIN
enum { WORKERS = 40 };
#else
enum { WORKERS = 3 };
#endif
enum { REQUESTS = 12, THINK = 20000, SERVICE = 6000 };

struct Job {
  bool done = false;
};
static std::shared_mutex m;
static std::condition_variable_any filled, answered; /* culprit */
static std::deque<Job *> jobs;
static bool closed;
static void serve()
{
  for (;;) {
    Job *j;
    {
      std::unique_lock<std::shared_mutex> lk(m);
      while (jobs.empty() && !closed)
        filled.wait(lk); /* culprit */
      if (jobs.empty())
        return;
      j = jobs.front();
      jobs.pop_front();
    }
    program_pause(SERVICE); /* culprit */
    {
      std::unique_lock<std::shared_mutex> lk(m);
      j->done = true;
    }
    answered.notify_all();
  }
}
static void client()
{
  for (int k = 0; k < REQUESTS; k++) {
    Job j;
    program_pause(THINK);
    {
      std::unique_lock<std::shared_mutex> lk(m);
      jobs.push_back(&j);
    }
    filled.notify_one(); /* culprit */
    std::shared_lock<std::shared_mutex> lk(m);
    answered.wait(lk, [&] { return j.done; }); /* culprit */
  }
}
int main(int c, char **v)
{
  long n = program_size(c, v);
  std::vector<std::thread> w, cl;
  for (int i = 0; i < WORKERS; i++)
    w.emplace_back(serve);
  for (long i = 0; i < n; i++)
    cl.emplace_back(client);
  for (auto &t : cl)
    t.join();
  {
    std::unique_lock<std::shared_mutex> lk(m);
    closed = true;
  }
  filled.notify_all();
  for (auto &t : w)
    t.join();
}
