// SPDX-License-Identifier: GPL-3.0-or-later
// A queue that erases its front (quadratic, inside the library), a map with string keys, a sort with a comparator of
// the program's own, and a deep chain of templates around a loop.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

struct Item {
  std::string name;
};

class Queue
{
public:
  void push(int number) { items.push_back({"item " + std::to_string(number)}); }
  std::string pop();
  bool empty() const { return items.empty(); }

private:
  std::vector<Item> items;
};

std::string Queue::pop()
{
  std::string name = items.front().name;
  items.erase(items.begin()); // line 29
  return name;
}

static long compared;

static void sort_names(std::vector<std::string> &names)
{
  std::sort(names.begin(), names.end(), [](const std::string &a, const std::string &b) {
    compared++;
    return a > b;
  });
}

template <int Level> struct Nested {
  static long run(int n) { return Nested<Level - 1>::run(n) + 1; }
};
template <> struct Nested<0> {
  static long run(int n)
  {
    long sum = 0;
    for (volatile int i = 0; i < n; i = i + 1)
      for (volatile int j = 0; j < n; j = j + 1) // line 51
        sum += i ^ j;
    return sum;
  }
};

int main(int, char **argv)
{
  int n = atoi(argv[1]);
  Queue queue;
  std::map<std::string, int> seen;
  std::vector<std::string> names;
  for (int i = 0; i < n; i++)
    queue.push(i);
  while (!queue.empty()) {
    std::string name = queue.pop(); // line 66
    seen[name]++;
    names.push_back(name);
  }
  sort_names(names);
  printf("%zu %ld %d\n", seen.size(), Nested<40>::run(n), compared > 0);
  return 0;
}
