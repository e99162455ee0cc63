// SPDX-License-Identifier: GPL-3.0-or-later
// n clients hand tasks to a pool of three threads and wait for their futures. TWIN: tasks are short.
#include "program.h"
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

#ifdef TWIN
static const long TASK = 300;
#else
static const long TASK = 6000;
#endif

class Pool
{
public:
  explicit Pool(int threads)
  {
    for (int i = 0; i < threads; i++)
      workers.emplace_back([this] { run(); });
  }

  ~Pool()
  {
    {
      std::lock_guard<std::mutex> guard(lock);
      closed = true;
    }
    more.notify_all();
    for (std::thread &worker : workers)
      worker.join();
  }

  std::future<int> submit(std::function<int()> task)
  {
    std::packaged_task<int()> packaged(std::move(task));
    std::future<int> result = packaged.get_future();
    {
      std::lock_guard<std::mutex> guard(lock);
      tasks.push_back(std::move(packaged));
    }
    more.notify_one();
    return result;
  }

private:
  void run()
  {
    for (;;) {
      std::packaged_task<int()> task;
      {
        std::unique_lock<std::mutex> guard(lock);
        more.wait(guard, [this] { return closed || !tasks.empty(); }); // culprit
        if (tasks.empty())
          return;
        task = std::move(tasks.front());
        tasks.pop_front();
      }
      task(); // culprit
    }
  }

  std::mutex lock;
  std::condition_variable more;
  std::deque<std::packaged_task<int()>> tasks;
  std::vector<std::thread> workers;
  bool closed = false;
};

static void client(Pool *pool)
{
  for (int i = 0; i < 12; i++) {
    program_pause(18000);
    pool->submit([i] {
          program_pause(TASK); // culprit
          return i;
        })
        .get();
  }
}

int main(int argc, char **argv)
{
  long n = program_size(argc, argv);
  Pool pool(3);
  std::vector<std::thread> clients;
  for (long i = 0; i < n; i++)
    clients.emplace_back(client, &pool);
  for (std::thread &one : clients)
    one.join();
  return 0;
}
