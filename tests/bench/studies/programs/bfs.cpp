// SPDX-License-Identifier: GPL-3.0-or-later
// bfs N: breadth-first search in a random graph of n nodes with five edges each.
#include <cstdio>
#include <cstdlib>
#include <queue>
#include <vector>

#include "random.h"

int main(int argc, char **argv)
{
  size_t n = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1;
  std::vector<std::vector<size_t>> edges(n);
  for (size_t i = 0; i < n; i++)
    for (int k = 0; k < 5; k++)
      edges[i].push_back(random_next() % n);
  std::vector<int> depth(n, -1);
  std::queue<size_t> open;
  depth[0] = 0;
  open.push(0);
  long sum = 0;
  while (!open.empty()) {
    size_t at = open.front();
    open.pop();
    sum += depth[at];
    for (size_t next : edges[at])
      if (depth[next] < 0) {
        depth[next] = depth[at] + 1;
        open.push(next);
      }
  }
  std::printf("%ld\n", sum);
}
