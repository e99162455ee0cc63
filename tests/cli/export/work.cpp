// SPDX-License-Identifier: GPL-3.0-or-later
// A callback, a loop of quadratic work, an operator with an awkward name, and two local functions called alike (the
// other one in more.cpp).
#include <algorithm>
#include <cstdlib>
#include <vector>

struct item {
  int value;
  item *operator->() { return this; }
};

static volatile long sink;
__attribute__((noinline)) static void help(int n) { sink += n; }
void more(int n);

__attribute__((noinline)) static void pairs(std::vector<item> &items)
{
  for (auto &a : items)
    for (auto &b : items)
      sink += a->value < b->value;
}

static int compare(const void *a, const void *b) { return ((const item *)a)->value - ((const item *)b)->value; }

int main(int, char **argv)
{
  std::vector<item> items((size_t)atoi(argv[1]));
  for (size_t i = 0; i < items.size(); i++) {
    items[i].value = (int)(i * 7919 % 1000);
    help(1);
    more(2);
  }
  qsort(items.data(), items.size(), sizeof(item), compare);
  pairs(items);
}
