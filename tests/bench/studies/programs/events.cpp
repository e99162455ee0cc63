// SPDX-License-Identifier: GPL-3.0-or-later
// events N: a simulation of n tasks; the next event comes from a priority queue, 8 events a task.
#include <cstdio>
#include <cstdlib>
#include <queue>
#include <vector>

#include "random.h"

struct event {
  uint64_t time;
  size_t task;
  bool operator<(const event &other) const { return time > other.time; }
};

int main(int argc, char **argv)
{
  size_t n = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 0;
  std::priority_queue<event> queue;
  std::vector<int> done(n, 0);
  for (size_t i = 0; i < n; i++)
    queue.push({random_next() % 1000, i});
  uint64_t now = 0;
  while (!queue.empty()) {
    event next = queue.top();
    queue.pop();
    now = next.time;
    if (++done[next.task] < 8)
      queue.push({now + random_next() % 1000, next.task});
  }
  std::printf("%lu\n", static_cast<unsigned long>(now));
}
