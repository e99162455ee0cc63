// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes that facts tell of, in C++.
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>

namespace ns
{
struct Ref {
  std::atomic<int> refs{1};
  void retain() { refs.fetch_add(1, std::memory_order_relaxed); }
  void release()
  {
    if (refs.fetch_sub(1) == 1)
      delete this;
  }
  virtual ~Ref() {}
};

struct Node : Ref {
  Node *next = nullptr;
};

template <class T> class Pool
{
public:
  T *get()
  {
    std::lock_guard<std::mutex> hold(lock_);
    T *t = free_;
    if (!t)
      return new T;
    free_ = static_cast<T *>(t->next);
    --spare_;
    return t;
  }
  void put(T *t)
  {
    std::lock_guard<std::mutex> hold(lock_);
    t->next = free_;
    free_ = t;
    ++spare_;
  }

private:
  std::mutex lock_;
  T *free_ = nullptr;
  unsigned spare_ = 0;
};

class Queue
{
public:
  void push(Node *n)
  {
    std::unique_lock<std::mutex> hold(lock_);
    items_.push_back(n);
    waiting++;
    ready_.notify_one();
  }
  Node *pop()
  {
    std::unique_lock<std::mutex> hold(lock_);
    while (items_.empty())
      ready_.wait(hold);
    Node *n = items_.front();
    items_.pop_front();
    waiting--;
    return n;
  }
  static int waiting;

private:
  std::deque<Node *> items_;
  std::mutex lock_;
  std::condition_variable ready_;
};

int Queue::waiting = 0;
namespace
{
Pool<Node> pool;
}
} // namespace ns

ns::Queue queue;
ns::Node *take()
{
  ns::Node *n = ns::pool.get();
  n->retain();
  return n;
}
void give(ns::Node *n)
{
  n->release();
  ns::pool.put(n);
}
int main()
{
  queue.push(take());
  auto finish = [](ns::Node *n) { give(n); };
  finish(queue.pop());
}
