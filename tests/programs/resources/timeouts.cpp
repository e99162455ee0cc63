// SPDX-License-Identifier: GPL-3.0-or-later
// Three threads answer n requests. Each has a time-out in a shared map, where it stays until the end though the answer
// came. TWIN: it is taken out with the answer.
#include "program.h"
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

struct timeout {
  long request;
  char data[160];
};

static std::mutex lock;
static std::map<long, std::unique_ptr<timeout>> pending;
static std::atomic<long> next;

static void start(long request) // culprit
{
  auto entry = std::make_unique<timeout>(); // culprit
  entry->request = request;
  std::lock_guard<std::mutex> guard(lock);
  pending.emplace(request, std::move(entry)); // culprit
}

static void answered(long request)
{
#ifdef TWIN
  std::lock_guard<std::mutex> guard(lock);
  pending.erase(request);
#else
  (void)request;
#endif
}

static void work(long all)
{
  for (long request; (request = next++) < all;) {
    start(request);
    answered(request);
  }
}

int main(int argc, char **argv)
{
  long all = program_size(argc, argv);
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++)
    threads.emplace_back(work, all);
  for (auto &each : threads)
    each.join();
  pending.clear();
}
