// SPDX-License-Identifier: GPL-3.0-or-later
// As units_lookalikes.c, with predicates: what they look at decides whether a unit was taken.
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

enum { Threads = 4, Times = 25, Units = 3 };

class SharedLock
{
public:
  void lock_shared()
  {
    std::unique_lock<std::mutex> hold(mutex);
    released.wait(hold, [this] { return !writer; });
    ++readers;
  }
  void unlock_shared()
  {
    std::lock_guard<std::mutex> hold(mutex);
    --readers;
    released.notify_all();
  }
  void lock()
  {
    std::unique_lock<std::mutex> hold(mutex);
    released.wait(hold, [this] { return !writer && readers == 0; });
    writer = true;
  }
  void unlock()
  {
    {
      std::lock_guard<std::mutex> hold(mutex);
      writer = false;
    }
    released.notify_all();
  }

private:
  std::mutex mutex;
  std::condition_variable released;
  bool writer = false;
  int readers = 0;
};

struct Meeting {
  std::mutex mutex;
  std::condition_variable all;
  int here = 0;
  bool complete() const { return here >= Threads; }

  void arrive()
  {
    std::unique_lock<std::mutex> hold(mutex);
    ++here;
    while (!complete())
      all.wait(hold);
    all.notify_all();
  }
};

class Idle
{
public:
  Idle() : units{1, 2, 3} {}
  int take()
  {
    std::unique_lock<std::mutex> hold(mutex);
    idle.wait(hold, [&] { return !units.empty(); });
    int unit = units.front();
    units.pop_front();
    return unit;
  }
  void give(int unit)
  {
    std::unique_lock<std::mutex> hold(mutex);
    units.push_back(unit);
    hold.unlock();
    idle.notify_one();
  }

private:
  std::mutex mutex;
  std::condition_variable idle;
  std::deque<int> units;
};

struct Permits {
  std::mutex mutex;
  std::condition_variable free;
  int left = Units;

  void take()
  {
    std::unique_lock<std::mutex> hold(mutex);
    free.wait(hold, [this] { return left > 0; });
    --left;
  }
  void give()
  {
    std::unique_lock<std::mutex> hold(mutex);
    ++left;
    free.notify_one();
  }
};

struct Tries {
  std::mutex mutex;
  std::condition_variable tried;
  int left = Units;

  bool attempt() { return left > 0 && left-- > 0; }
  void take()
  {
    std::unique_lock<std::mutex> hold(mutex);
    tried.wait(hold, [this] { return attempt(); });
  }
  void give()
  {
    std::unique_lock<std::mutex> hold(mutex);
    ++left;
    tried.notify_one();
  }
};

struct Turns {
  std::mutex mutex;
  std::condition_variable turn;
  int next = 0, serving = 0;

  void take()
  {
    std::unique_lock<std::mutex> hold(mutex);
    int mine = next++;
    turn.wait(hold, [&] { return serving == mine; });
  }
  void give()
  {
    std::unique_lock<std::mutex> hold(mutex);
    ++serving;
    turn.notify_all();
  }
};

static SharedLock table;
static Meeting meeting;
static Idle idle;
static Permits permits;
static Tries tries;
static Turns turns;

int main()
{
  std::vector<std::thread> threads;
  for (int number = 0; number < Threads; number++)
    threads.emplace_back([number] {
      meeting.arrive();
      for (int i = 0; i < Times; i++) {
        if (number % 2)
          table.lock(), std::this_thread::yield(), table.unlock();
        else
          table.lock_shared(), std::this_thread::yield(), table.unlock_shared();
        int unit = idle.take();
        std::this_thread::yield();
        idle.give(unit);
        permits.take();
        std::this_thread::yield();
        permits.give();
        tries.take();
        std::this_thread::yield();
        tries.give();
        turns.take();
        std::this_thread::yield();
        turns.give();
      }
    });
  for (auto &each : threads)
    each.join();
}
