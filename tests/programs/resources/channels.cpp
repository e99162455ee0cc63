/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two queues of one class: 24 threads serve the first, two threads the second, which is too few. TWIN: 24 each. */
#include "program.h"
#include <condition_variable>
#include <future>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

enum { REQUESTS = 12 };

struct Work {
  std::promise<void> done;
};
template <class T> class Channel
{
  std::mutex m;
  std::condition_variable c;
  std::queue<T> q;

public:
  void send(T t)
  {
    std::lock_guard<std::mutex> l(m);
    q.push(t);
    c.notify_one();
  }
  T receive()
  {
    std::unique_lock<std::mutex> l(m);
    c.wait(l, [&] { return !q.empty(); });
    T t = q.front();
    q.pop();
    return t;
  }
};
static Channel<Work *> cpu, disk;
#ifdef TWIN
enum { CPU = 24, DISK = 24 };
#else
enum { CPU = 24, DISK = 2 };
#endif
static void on_cpu()
{
  while (Work *w = cpu.receive()) {
    program_pause(1000);
    w->done.set_value();
  }
}
static void on_disk()
{
  while (Work *w = disk.receive()) {
    program_pause(5000); /* culprit */
    w->done.set_value();
  }
}
static void ask(Channel<Work *> &at)
{
  Work w;
  auto f = w.done.get_future();
  at.send(&w);
  f.get();
}
int main(int c, char **v)
{
  long n = program_size(c, v);
  std::vector<std::thread> w, cl;
  for (int i = 0; i < CPU; i++)
    w.emplace_back(on_cpu);
  for (int i = 0; i < DISK; i++)
    w.emplace_back(on_disk);
  for (long i = 0; i < n; i++)
    cl.emplace_back([] {
      for (int k = 0; k < REQUESTS; k++) {
        program_pause(15000);
        ask(cpu);
        ask(disk);
      }
    });
  for (auto &t : cl)
    t.join();
  for (int i = 0; i < CPU; i++)
    cpu.send(nullptr);
  for (int i = 0; i < DISK; i++)
    disk.send(nullptr);
  for (auto &t : w)
    t.join();
}
