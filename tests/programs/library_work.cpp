// SPDX-License-Identifier: GPL-3.0-or-later
// What the C++ library's templates end in is counted where they call it. oracle: none flags: -D__NO_INLINE__
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

static std::size_t number(std::size_t value)
{
  __asm__ volatile("" : "+r"(value));
  return value;
}

static int compared;
static int by_value(const void *a, const void *b)
{
  if (++compared == 12)
    throw compared;
  return *static_cast<const int *>(a) - *static_cast<const int *>(b);
}

int main()
{
  std::vector<int> queue(number(100), 7), copy(number(30));
  long sum = 0;
  while (queue.size() > 1) { // 4 bytes for each one behind: 4 * (99 + 98 + ... + 1)
    sum += queue.front();
    queue.erase(queue.begin());
  }
  std::copy(copy.begin(), copy.begin() + number(20), copy.begin() + 5); // 80 bytes
  std::string text(number(10), 'x');
  for (std::size_t i = number(0); i < 10; i++)
    text.append(text.c_str(), number(10)); // 10 times 10 bytes
  for (std::size_t i = number(0); i < 110; i++)
    sum += static_cast<long>(text.find("y", number(0))) < 0; // 110 times 110
  sum += std::hash<std::string>()(text) != 0;                // 110 bytes
  const int values[] = {1, 3, 5, 7, 9, 11, 13}, key = 4;
  for (int i = 0; i < 5; i++) // 3 elements looked at, but in the fourth, which is left
    try {
      sum += std::bsearch(&key, values, number(7), sizeof key, by_value) == nullptr;
    } catch (int at) {
      sum += at;
    }
  std::printf("%ld\n", sum);
}
