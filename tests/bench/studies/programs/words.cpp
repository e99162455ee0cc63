// SPDX-License-Identifier: GPL-3.0-or-later
// words N: how often each word is in a text of n words, by unordered_map, and the ten most frequent.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

#include "random.h"

int main(int argc, char **argv)
{
  size_t n = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 0;
  std::string text;
  for (size_t i = 0; i < n; i++) {
    double share = static_cast<double>(random_next() % 1000000 + 1) / 1e6;
    text += "word" + std::to_string(static_cast<long>(1 / share)) + ' ';
  }
  std::istringstream in(text);
  std::unordered_map<std::string, long> counts;
  for (std::string word; in >> word;)
    counts[word]++;
  std::vector<std::pair<std::string, long>> all(counts.begin(), counts.end());
  std::partial_sort(all.begin(), all.begin() + static_cast<long>(std::min<size_t>(10, all.size())), all.end(),
                    [](const auto &a, const auto &b) { return a.second > b.second; });
  std::printf("%zu %ld\n", all.size(), all.empty() ? 0 : all[0].second);
}
