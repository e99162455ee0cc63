// SPDX-License-Identifier: GPL-3.0-or-later
// names N: sorts n strings, takes out the doubles and finds each again.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "random.h"

int main(int argc, char **argv)
{
  size_t n = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 0;
  std::vector<std::string> names;
  for (size_t i = 0; i < n; i++)
    names.push_back("customer/" + std::to_string(random_next() % (2 * n)));
  std::vector<std::string> sorted(names);
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  size_t sum = 0;
  for (const std::string &name : names)
    sum += static_cast<size_t>(std::lower_bound(sorted.begin(), sorted.end(), name) - sorted.begin());
  std::printf("%zu %zu\n", sorted.size(), sum);
}
