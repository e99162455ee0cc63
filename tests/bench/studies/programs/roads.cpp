// SPDX-License-Identifier: GPL-3.0-or-later
// roads N: shortest ways (Dijkstra) over a grid of n x n crossings with random lengths.
#include <cstdio>
#include <cstdlib>
#include <queue>
#include <vector>

#include "random.h"

using way = std::pair<long, size_t>;

int main(int argc, char **argv)
{
  size_t n = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1;
  std::vector<long> cost(n * n), best(n * n, -1);
  for (long &each : cost)
    each = static_cast<long>(random_next() % 100) + 1;
  std::priority_queue<way, std::vector<way>, std::greater<way>> open;
  open.push({0, 0});
  while (!open.empty()) {
    auto [length, at] = open.top();
    open.pop();
    if (best[at] >= 0)
      continue;
    best[at] = length;
    size_t x = at % n, y = at / n;
    if (x > 0)
      open.push({length + cost[at - 1], at - 1});
    if (x + 1 < n)
      open.push({length + cost[at + 1], at + 1});
    if (y > 0)
      open.push({length + cost[at - n], at - n});
    if (y + 1 < n)
      open.push({length + cost[at + n], at + n});
  }
  std::printf("%ld\n", best[n * n - 1]);
}
