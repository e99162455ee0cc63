// SPDX-License-Identifier: GPL-3.0-or-later
// As units.c, with std::condition_variable: four threads, 25 times each, three units.
#include <chrono>
#include <condition_variable>
#include <list>
#include <mutex>
#include <shared_mutex>
#include <stack>
#include <stdexcept>
#include <thread>
#include <vector>

enum { THREADS = 4, TIMES = 25, UNITS = 3 };

class List
{
public:
  List() : units(UNITS) {}
  int take()
  {
    std::unique_lock<std::mutex> lock(mutex);
    given.wait(lock, [this] { return !units.empty(); });
    int unit = units.front();
    units.pop_front();
    return unit;
  }
  void give(int unit)
  {
    {
      std::lock_guard<std::mutex> lock(mutex);
      units.push_back(unit);
    }
    given.notify_one();
  }

private:
  std::mutex mutex;
  std::condition_variable given;
  std::list<int> units;
};

template <typename T> class Stack
{
public:
  void give(T unit)
  {
    std::lock_guard<std::mutex> lock(mutex);
    units.push(unit);
    back.notify_one();
  }
  T take()
  {
    std::unique_lock<std::mutex> lock(mutex);
    while (units.empty())
      if (back.wait_for(lock, std::chrono::minutes(1)) == std::cv_status::timeout)
        throw std::runtime_error("none");
    T unit = units.top();
    units.pop();
    return unit;
  }

private:
  std::mutex mutex;
  std::condition_variable back;
  std::stack<T> units;
};

class Sized
{
public:
  Sized() : units(UNITS) {}
  bool take(std::chrono::seconds most)
  {
    std::unique_lock<std::mutex> lock(mutex);
    if (!ready.wait_for(lock, most, [&] { return units.size() > 0; }))
      return false;
    units.pop_back();
    return true;
  }
  void give()
  {
    std::lock_guard<std::mutex> lock(mutex);
    units.push_back(0);
    ready.notify_one();
  }

private:
  std::mutex mutex;
  std::condition_variable ready;
  std::vector<int> units;
};

/* A condition for any lock, and a lock that is shared. */
class Shared
{
public:
  void take()
  {
    std::unique_lock<std::shared_mutex> lock(mutex);
    while (left == 0)
      again.wait(lock);
    left--;
  }
  void give()
  {
    {
      std::unique_lock<std::shared_mutex> lock(mutex);
      left++;
    }
    again.notify_one();
  }

private:
  std::shared_mutex mutex;
  std::condition_variable_any again;
  int left = UNITS;
};

/* The same with what it waits for, and a guard of the program's own. */
class Guard
{
public:
  explicit Guard(std::timed_mutex &mutex) : mutex(mutex) { mutex.lock(); }
  ~Guard() { mutex.unlock(); }

private:
  std::timed_mutex &mutex;
};

class Boxed
{
public:
  void take()
  {
    std::unique_lock<std::timed_mutex> lock(mutex);
    box.wait(lock, [this] { return left > 0; });
    left--;
  }
  void give()
  {
    Guard guard(mutex);
    left++;
    box.notify_one();
  }

private:
  std::timed_mutex mutex;
  std::condition_variable_any box;
  int left = UNITS;
};

template <typename F> static void run(F each)
{
  std::vector<std::thread> threads;
  for (int i = 0; i < THREADS; i++)
    threads.emplace_back([&each] {
      for (int k = 0; k < TIMES; k++)
        each();
    });
  for (auto &thread : threads)
    thread.join();
}

int main()
{
  List list;
  run([&] {
    int unit = list.take();
    std::this_thread::yield();
    list.give(unit);
  });
  Stack<int> stack;
  for (int i = 0; i < UNITS; i++)
    stack.give(i);
  run([&] {
    int unit = stack.take();
    std::this_thread::yield();
    stack.give(unit);
  });
  Shared shared;
  run([&] {
    shared.take();
    std::this_thread::yield();
    shared.give();
  });
  Boxed boxed;
  run([&] {
    boxed.take();
    std::this_thread::yield();
    boxed.give();
  });
  Sized sized;
  run([&] {
    sized.take(std::chrono::seconds(60));
    std::this_thread::yield();
    sized.give();
  });
  for (int i = 0; i < UNITS; i++)
    sized.take(std::chrono::seconds(60));
  return sized.take(std::chrono::seconds(-1)) ? 1 : 0;
}
