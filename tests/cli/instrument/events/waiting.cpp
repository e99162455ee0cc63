// SPDX-License-Identifier: GPL-3.0-or-later
// What C++20 has to wait with, in inline functions: units, rounds of a barrier, signals.
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdlib>
#include <latch>
#include <semaphore>
#include <thread>
#include <vector>
using namespace std::chrono_literals;

static std::counting_semaphore<8> slots(2);
static std::binary_semaphore single(1);
static std::atomic<int> turn;
static std::atomic_flag flag;
static std::atomic<long> wide;

static void round_of(std::barrier<> &meet)
{
  for (int i = 0; i < 20; i++) {
    slots.acquire();
    std::this_thread::sleep_for(200us);
    slots.release();
    meet.arrive_and_wait();
  }
}

/* Nobody waits for what is there. */
static bool alone()
{
  bool first = single.try_acquire(), second = single.try_acquire(), third = single.try_acquire_for(1ms);
  single.release();
  bool fourth = single.try_acquire_until(std::chrono::steady_clock::now() + 1s);
  single.release();
  std::latch gone(1);
  gone.count_down();
  for (int i = 0; i < 5; i++)
    gone.wait();
  turn.wait(1);
  return first && !second && !third && fourth;
}

int main()
{
  if (!alone())
    return EXIT_FAILURE;
  std::latch done(4);
  std::barrier<> meet(4);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++)
    threads.emplace_back([&] {
      round_of(meet);
      done.arrive_and_wait();
    });
  done.wait();
  std::thread waiter([] {
    turn.wait(0);
    flag.wait(false);
    wide.wait(0);
  });
  std::this_thread::sleep_for(20ms);
  turn = 1;
  turn.notify_one();
  std::this_thread::sleep_for(20ms);
  flag.test_and_set();
  flag.notify_all();
  std::this_thread::sleep_for(20ms);
  wide = 1;
  wide.notify_one();
  waiter.join();
  for (std::thread &each : threads)
    each.join();
  slots.acquire();
  slots.acquire();
  slots.release(2);
  return slots.try_acquire() ? EXIT_SUCCESS : EXIT_FAILURE;
}
