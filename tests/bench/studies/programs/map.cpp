// SPDX-License-Identifier: GPL-3.0-or-later
// map N: n random keys into a std::map, looked up again, then summed in order.
#include <cstdio>
#include <cstdlib>
#include <map>

#include "random.h"

int main(int argc, char **argv)
{
  size_t n = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 0;
  std::map<uint64_t, long> all;
  for (size_t i = 0; i < n; i++)
    all[random_next()] = static_cast<long>(i);
  long sum = 0;
  random_state = 88172645463325252u;
  for (size_t i = 0; i < n; i++)
    sum += all.find(random_next())->second;
  for (const auto &each : all)
    sum ^= each.second;
  std::printf("%ld\n", sum);
}
