// SPDX-License-Identifier: GPL-3.0-or-later
// Waits by way of the C++ library, and a loop that works.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>

struct barrier {
  std::atomic<int> phase{1};
  std::atomic<bool> open{true};
  __attribute__((noinline)) void wait_load()
  {
    while (phase.load(std::memory_order_acquire) != 1)
      std::this_thread::yield();
  }
  __attribute__((noinline)) void wait_operator()
  {
    while (!open) {
    }
  }
};

static std::atomic<long> total;
__attribute__((noinline)) static void work(long n)
{
  for (long i = 0; i < n && total < 1000000; i++)
    total += i;
}

int main(int argc, char **argv)
{
  barrier b;
  b.wait_load();
  b.wait_operator();
  work(argc > 1 ? std::atol(argv[1]) : 5);
  std::printf("%ld\n", total.load());
}
