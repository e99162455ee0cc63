// SPDX-License-Identifier: GPL-3.0-or-later
// Locks of the C++ library through its guards, each a known number of times: events_test.sh knows the names.
#include <array>
#include <cstdio>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <vector>

namespace app
{

// Nothing but a lock: it has the name of what contains it.
class Mutex
{
public:
  void Lock() { Inner.lock(); }
  void Unlock() { Inner.unlock(); }

private:
  std::mutex Inner;
};

class Queue
{
public:
  void push(int V)
  {
    std::lock_guard<std::mutex> G(Items_);
    Items.push_back(V);
  }
  int size() const
  {
    std::shared_lock<std::shared_mutex> G(Table);
    return int(Items.size());
  }
  int pop()
  {
    std::unique_lock<std::mutex> G(Items_);
    int V = Items.back();
    Items.pop_back();
    G.unlock();
    G.lock();
    return V;
  }
  void both()
  {
    std::scoped_lock G(Table);
    Own.Lock();
    Own.Unlock();
  }
  void stripe(int I) { std::lock_guard<std::mutex> G(Stripes[I]); }
  int inside()
  {
    auto F = [this] {
      std::lock_guard<std::recursive_mutex> G(Again), H(Again);
      return Items.size();
    };
    return int(F());
  }

private:
  std::mutex Items_;
  std::vector<int> Items;
  mutable std::shared_mutex Table;
  Mutex Own;
  std::recursive_mutex Again;
  std::array<std::mutex, 4> Stripes;
};

std::mutex Global;

} // namespace app

struct Holder {
  std::unique_ptr<app::Queue> Queue = std::make_unique<app::Queue>();
};

int main(int Count, char **)
{
  Holder H;
  int Sum = 0;
  for (int I = 0; I < 10; I++)
    H.Queue->push(I);
  for (int I = 0; I < 5; I++)
    Sum += H.Queue->pop() + H.Queue->size();
  for (int I = 0; I < 3; I++)
    H.Queue->both();
  for (int I = 0; I < 4; I++)
    H.Queue->stripe(I & Count);
  Sum += H.Queue->inside();
  for (int I = 0; I < 6; I++) {
    std::lock_guard<std::mutex> G(app::Global);
    Sum++;
  }
  std::printf("%d\n", Sum);
}
