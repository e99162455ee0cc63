// SPDX-License-Identifier: GPL-3.0-or-later
// stable N: std::stable_sort of n orders by customer, then the sum of every third.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "random.h"

struct order {
  unsigned customer;
  long amount;
};

int main(int argc, char **argv)
{
  size_t n = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 0;
  std::vector<order> orders;
  for (size_t i = 0; i < n; i++)
    orders.push_back({static_cast<unsigned>(random_next() % (n / 4 + 1)), static_cast<long>(i)});
  std::stable_sort(orders.begin(), orders.end(), [](const order &a, const order &b) { return a.customer < b.customer; });
  long sum = 0;
  for (size_t i = 0; i < orders.size(); i += 3)
    sum += orders[i].amount;
  std::printf("%ld\n", sum);
}
