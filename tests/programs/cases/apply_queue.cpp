// SPDX-License-Identifier: GPL-3.0-or-later
// The queue of a replica (MariaDB's case 7 of gigiprofiler): n clients commit write sets, which one applier takes from a
// queue of 4 places. With -DFIXED there are enough places and appliers.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace replica {

struct WriteSet {
  unsigned long seqno;
  std::string rows;
};

class ApplyQueue {
public:
  explicit ApplyQueue(size_t places) : slots_(places) {}

  void enqueue(WriteSet *set)
  {
    std::unique_lock<std::mutex> lock(mutex_);
    while (used_ == slots_.size())
      not_full_.wait(lock);
    slots_[tail_] = set;
    tail_ = (tail_ + 1) % slots_.size();
    used_++;
    not_empty_.notify_one();
  }

  WriteSet *dequeue()
  {
    std::unique_lock<std::mutex> lock(mutex_);
    while (used_ == 0) {
      if (closed_)
        return nullptr;
      not_empty_.wait(lock);
    }
    WriteSet *set = slots_[head_];
    head_ = (head_ + 1) % slots_.size();
    used_--;
    not_full_.notify_one();
    return set;
  }

  void close()
  {
    std::lock_guard<std::mutex> lock(mutex_);
    closed_ = true;
    not_empty_.notify_all();
  }

private:
  std::mutex mutex_;
  std::condition_variable not_full_, not_empty_;
  std::vector<WriteSet *> slots_;
  size_t head_ = 0, tail_ = 0, used_ = 0;
  bool closed_ = false;
};

class Applier {
public:
  explicit Applier(ApplyQueue &queue) : queue_(queue), thread_([this] { run(); }) {}
  void join() { thread_.join(); }

private:
  void run()
  {
    while (WriteSet *set = queue_.dequeue()) {
      std::this_thread::sleep_for(std::chrono::microseconds(200)); // the disk
      applied_ += set->rows.size();
      delete set;
    }
  }
  ApplyQueue &queue_;
  size_t applied_ = 0;
  std::thread thread_;
};

void client(ApplyQueue &queue, unsigned number)
{
  for (unsigned i = 0; i < 30; i++) {
    std::this_thread::sleep_for(std::chrono::microseconds(600)); // the statements of a transaction
    queue.enqueue(new WriteSet{number * 1000ul + i, std::string(100, 'x')});
  }
}

} // namespace replica

int main(int argc, char **argv)
{
#ifdef FIXED
  const size_t places = 1024, appliers = 32;
#else
  const size_t places = 4, appliers = 1;
#endif
  unsigned clients = argc > 1 ? unsigned(std::atoi(argv[1])) : 4;
  replica::ApplyQueue queue(places);
  std::vector<replica::Applier *> pool;
  for (size_t i = 0; i < appliers; i++)
    pool.push_back(new replica::Applier(queue));
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < clients; i++)
    threads.emplace_back([&queue, i] { replica::client(queue, i); });
  for (auto &thread : threads)
    thread.join();
  queue.close();
  for (auto *applier : pool) {
    applier->join();
    delete applier;
  }
  std::puts("done");
}
