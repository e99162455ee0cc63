// SPDX-License-Identifier: GPL-3.0-or-later
// Locks made of std::atomic, each taken a known number of times, and lookalikes that are not locks. Without arguments
// in one thread, so that every count is exact; with a number, the locks are contended by as many threads.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace
{

/* ---- locks ------------------------------------------------------------------- */

class Spin
{
public:
  void lock()
  {
    while (flag.test_and_set(std::memory_order_acquire))
      std::this_thread::yield();
  }
  bool try_lock() { return !flag.test_and_set(std::memory_order_acquire); }
  void unlock() { flag.clear(std::memory_order_release); }

private:
  std::atomic_flag flag = ATOMIC_FLAG_INIT;
};

template <class Word> class Exchange
{
public:
  void lock()
  {
    for (;;) {
      if (!word.exchange(1))
        return;
      while (word.load(std::memory_order_relaxed))
        std::this_thread::yield();
    }
  }
  void unlock() { word = 0; }

private:
  std::atomic<Word> word{0};
};

struct Compare {
  long uses = 0;
  std::atomic<bool> busy{false};
  bool try_lock()
  {
    bool expected = false;
    return busy.compare_exchange_strong(expected, true, std::memory_order_acquire);
  }
  void lock()
  {
    while (!try_lock())
      std::this_thread::yield();
    uses++;
  }
  void unlock() { busy.store(false, std::memory_order_release); }
};

/* An owner's name; given back by a compare-exchange, as locks do that mark who waits. */
class Owned
{
public:
  void lock(void *by)
  {
    void *nobody = nullptr;
    while (!owner.compare_exchange_weak(nobody, by, std::memory_order_acquire)) {
      nobody = nullptr;
      std::this_thread::yield();
    }
  }
  bool unlock(void *by) { return owner.compare_exchange_strong(by, nullptr, std::memory_order_release); }

private:
  std::atomic<void *> owner{nullptr};
};

/* A plain byte that functions make an atomic variable of, which throw for all that is declared (folly's MicroSpinLock).
 */
struct Micro {
  static inline std::atomic<long> entered{0};
  unsigned char byte;
  std::atomic<unsigned char> *payload() { return reinterpret_cast<std::atomic<unsigned char> *>(&byte); }
  bool try_lock() { return payload()->exchange(1, std::memory_order_acquire) == 0; }
  void lock()
  {
    struct Counted { // where exceptions pass
      ~Counted() { entered++; }
    } counted;
    while (!try_lock())
      do
        std::this_thread::yield();
      while (payload()->load(std::memory_order_relaxed) != 0);
  }
  void unlock() { payload()->store(0, std::memory_order_release); }
};

/* The slow path of a futex: known to be contended, or about to be. */
class Marked
{
public:
  void lock()
  {
    int found = 0;
    if (word.compare_exchange_strong(found, 1))
      return;
    if (found != 2)
      found = word.exchange(2);
    while (found != 0) {
      std::this_thread::yield();
      found = word.exchange(2);
    }
  }
  void unlock() { word.exchange(0); }

private:
  std::atomic<int> word{0};
};

Spin spin;
Exchange<int> exchange;
Compare compare_one, *compare = &compare_one;
Owned owned;
Micro micro;
Marked marked;
long spun, exchanged, compared, possessed, minute, noticed;

void by_spin(int n)
{
  for (int i = 0; i < n; i++) {
    std::lock_guard<Spin> guard(spin);
    spun++;
  }
}

void by_exchange(int n)
{
  for (int i = 0; i < n; i++) {
    std::unique_lock<Exchange<int>> guard(exchange);
    exchanged++;
  }
}

int by_compare(int n)
{
  int failed = 0;
  for (int i = 0; i < n; i++) {
    compare->lock();
    compared++;
    if (i % 2 == 0)
      failed += !compare->try_lock();
    compare->unlock();
  }
  return failed;
}

void by_owner(int n)
{
  for (int i = 0; i < n; i++) {
    int self;
    owned.lock(&self);
    possessed++;
    if (owned.unlock(nullptr) || !owned.unlock(&self))
      std::abort();
  }
}

void by_micro(int n)
{
  for (int i = 0; i < n; i++) {
    std::lock_guard<Micro> guard(micro);
    minute++;
  }
}

void by_marked(int n)
{
  for (int i = 0; i < n; i++) {
    std::lock_guard<Marked> guard(marked);
    noticed++;
  }
}

/* ---- not locks ------------------------------------------------------------------ */

struct Item {
  Item *next = nullptr;
};

std::atomic<double> total{0};
std::atomic<long> highest{0};
std::atomic<Item *> top{nullptr};
std::atomic<bool> ready{false};
std::atomic<int> state{0};
std::once_flag once;

void add(double value)
{
  double old = total.load();
  while (!total.compare_exchange_weak(old, old + value))
    ;
}

void raise(long value)
{
  long old = highest;
  while (old < value && !highest.compare_exchange_weak(old, value))
    ;
}

void push(Item *item)
{
  item->next = top.load();
  while (!top.compare_exchange_weak(item->next, item))
    ;
}

Item *pop_all() { return top.exchange(nullptr); }

int start()
{
  int none = 0;
  while (!state.compare_exchange_weak(none, 1)) {
    if (none == 2)
      return 0;
    none = 0;
  }
  state.store(2);
  return 1;
}

/* A flag that one thread raises, and another takes down, each by a compare-exchange. */
std::atomic<int> token{0};
void hand_over()
{
  int none = 0;
  while (!token.compare_exchange_weak(none, 1))
    none = 0;
}
void take_over()
{
  int some = 1;
  while (!token.compare_exchange_weak(some, 0))
    some = 1;
}

void no_locks(int n)
{
  std::vector<Item> items(n);
  std::shared_ptr<int> shared = std::make_shared<int>(n);
  for (int i = 0; i < n; i++) {
    std::shared_ptr<int> other = shared;
    add(*other);
    raise(i);
    push(&items[i]);
    std::call_once(once, [] { total = total + 1; });
    start();
  }
  pop_all();
  std::thread producer([] { ready.store(true); });
  producer.join();
  while (!ready.exchange(false))
    std::this_thread::yield();
  hand_over();
  take_over();
}

int each = 100;

void work()
{
  by_spin(each);
  by_exchange(2 * each);
  by_compare(3 * each);
  by_owner(4 * each);
  by_micro(5 * each);
  by_marked(6 * each);
}

} // namespace

int main(int argc, char **argv)
{
  int threads = argc > 1 ? std::atoi(argv[1]) : 0;
  if (argc > 2)
    each = std::atoi(argv[2]);
  if (!threads) {
    work();
    no_locks(10);
  }
  std::vector<std::thread> others;
  for (int i = 0; i < threads; i++)
    others.emplace_back(work);
  for (std::thread &other : others)
    other.join();
  std::printf("%ld %ld %ld %ld %ld %ld %ld %ld\n", spun, exchanged, compared, compare->uses, highest.load(), possessed,
              minute, noticed);
  return 0;
}
