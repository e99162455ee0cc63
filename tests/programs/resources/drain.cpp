// SPDX-License-Identifier: GPL-3.0-or-later
// Two searches deliver n results each every 70 ms; a writer waits for results and writes them, with the queue locked.
// Twin: the writer takes all results out of the queue, and writes them with the queue unlocked. It waits as long for
// the next ones, which is idling and no contention.
#include "program.h"
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace
{
constexpr int rounds = 9;

class ResultQueue
{
public:
  void deliver(const std::vector<long> &found)
  {
    std::lock_guard<std::mutex> guard(mutex);
    results.insert(results.end(), found.begin(), found.end());
    ready.notify_one();
  }
  void finish()
  {
    std::lock_guard<std::mutex> guard(mutex);
    finished = true;
    ready.notify_one();
  }
  long drain()
  {
    long sum = 0;
    std::vector<long> taken;
    std::unique_lock<std::mutex> guard(mutex); // culprit
    for (;;) {
      while (results.empty() && !finished)
        ready.wait(guard);
      if (results.empty())
        return sum;
#ifdef TWIN
      taken.swap(results);
      guard.unlock();
      sum += write(taken);
      taken.clear();
      guard.lock();
#else
      sum += write(results);
      results.clear();
#endif
    }
  }

private:
  // A result is written within 100 microseconds.
  static long write(const std::vector<long> &written)
  {
    long sum = 0;
    for (long result : written)
      sum += result;
    program_pause(100 * static_cast<long>(written.size()));
    return sum;
  }
  std::mutex mutex; // culprit
  std::condition_variable ready;
  std::vector<long> results;
  bool finished = false;
};

void search(ResultQueue &queue, long count)
{
  std::vector<long> found(static_cast<std::size_t>(count), 1);
  for (int round = 0; round < rounds; round++) {
    program_pause(70000);
    queue.deliver(found);
  }
}
} // namespace

int main(int argc, char **argv)
{
  long n = program_size(argc, argv), sum = 0;
  ResultQueue queue;
  std::thread writer([&] { sum = queue.drain(); });
  std::thread first([&] { search(queue, n); }), second([&] { search(queue, n); });
  first.join();
  second.join();
  queue.finish();
  writer.join();
  std::printf("%ld\n", sum);
}
