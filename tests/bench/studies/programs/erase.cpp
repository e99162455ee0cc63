// SPDX-License-Identifier: GPL-3.0-or-later
// erase N: a queue of n jobs in a vector, each taken from its front.
#include <cstdio>
#include <cstdlib>
#include <vector>

struct job {
  long number, priority;
};

int main(int argc, char **argv)
{
  long n = argc > 1 ? std::atol(argv[1]) : 0, sum = 0;
  std::vector<job> jobs;
  for (long i = 0; i < n; i++)
    jobs.push_back({i, i % 5});
  while (!jobs.empty()) {
    sum += jobs.front().number * jobs.front().priority;
    jobs.erase(jobs.begin());
  }
  std::printf("%ld\n", sum);
}
