// SPDX-License-Identifier: GPL-3.0-or-later
// twins CASE N: programs that are pathological at larger sizes, and benign twins that look like them and are not.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <list>
#include <map>
#include <numeric>
#include <queue>
#include <string>
#include <unordered_map>
#include <vector>

static unsigned long state = 88172645463325252ul;
static unsigned draw()
{
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return static_cast<unsigned>(state >> 33);
}

// --- finding duplicates: compare all pairs, or sort first
static long duplicates_pairs(int n)
{
  std::vector<unsigned> v(n);
  for (auto &x : v)
    x = draw();
  long found = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      found += v[i] == v[j];
  return found;
}
static long duplicates_sorted(int n)
{
  std::vector<unsigned> v(n);
  for (auto &x : v)
    x = draw();
  std::sort(v.begin(), v.end());
  long found = 0;
  for (int i = 1; i < n; i++)
    found += v[i] == v[i - 1];
  return found;
}

// --- counting words: a list that is searched, or a map, or a hash table that grows
static long words_list(int n)
{
  std::list<std::pair<unsigned, int>> seen;
  for (int i = 0; i < n; i++) {
    unsigned word = draw();
    auto at = seen.begin();
    for (; at != seen.end(); ++at)
      if (at->first == word)
        break;
    if (at == seen.end())
      seen.emplace_back(word, 1);
  }
  return static_cast<long>(seen.size());
}
static long words_map(int n)
{
  std::map<unsigned, int> seen;
  for (int i = 0; i < n; i++)
    seen[draw()]++;
  return static_cast<long>(seen.size());
}
static long words_hash(int n)
{
  std::vector<unsigned> table(16, 0);
  std::size_t used = 0;
  for (int i = 0; i < n; i++) {
    if (used * 2 >= table.size()) {
      std::vector<unsigned> larger(table.size() * 2, 0);
      for (unsigned key : table)
        if (key) {
          std::size_t h = key * 2654435761u % larger.size();
          while (larger[h])
            h = (h + 1) % larger.size();
          larger[h] = key;
        }
      table.swap(larger);
    }
    unsigned key = draw() | 1;
    std::size_t h = key * 2654435761u % table.size();
    while (table[h] && table[h] != key)
      h = (h + 1) % table.size();
    used += !table[h];
    table[h] = key;
  }
  return static_cast<long>(used);
}

// --- a queue: shifting an array by one each time, or a ring
static long queue_shift(int n)
{
  std::vector<int> q(n);
  std::iota(q.begin(), q.end(), 0);
  long sum = 0;
  while (!q.empty()) {
    sum += q[0];
    for (std::size_t i = 1; i < q.size(); i++)
      q[i - 1] = q[i];
    q.pop_back();
  }
  return sum;
}
static long queue_heap(int n)
{
  std::priority_queue<unsigned> q;
  for (int i = 0; i < n; i++)
    q.push(draw());
  long sum = 0;
  for (; !q.empty(); q.pop())
    sum += q.top() & 1;
  return sum;
}

// --- trees: a degenerate one, and connected components by union and find
struct Node {
  unsigned key;
  Node *left, *right;
};
static long tree_degenerate(int n)
{
  std::vector<Node> pool(n);
  Node *root = nullptr;
  for (int i = 0; i < n; i++) {
    pool[i] = {static_cast<unsigned>(i), nullptr, nullptr};
    Node **at = &root;
    while (*at)
      at = pool[i].key < (*at)->key ? &(*at)->left : &(*at)->right;
    *at = &pool[i];
  }
  return root ? static_cast<long>(root->key) : 0;
}
static long components(int n)
{
  std::vector<int> parent(n);
  std::iota(parent.begin(), parent.end(), 0);
  auto find = [&](int x) {
    while (parent[x] != x)
      x = parent[x] = parent[parent[x]];
    return x;
  };
  for (int i = 0; i < 2 * n; i++)
    parent[find(static_cast<int>(draw() % n))] = find(static_cast<int>(draw() % n));
  long count = 0;
  for (int i = 0; i < n; i++)
    count += find(i) == i;
  return count;
}

// --- selecting the median, and a constant amount of work per item
static long median(int n)
{
  std::vector<unsigned> v(n);
  for (auto &x : v)
    x = draw();
  std::nth_element(v.begin(), v.begin() + n / 2, v.end());
  return v[n / 2];
}
static long windows(int n)
{
  long sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 100; j++)
      sum += (i ^ j) & 7;
  return sum;
}

static const struct {
  const char *name;
  long (*run)(int);
} cases[] = {
    {"duplicates_pairs", duplicates_pairs}, {"duplicates_sorted", duplicates_sorted}, {"words_list", words_list},
    {"words_map", words_map},               {"words_hash", words_hash},               {"queue_shift", queue_shift},
    {"queue_heap", queue_heap},             {"tree_degenerate", tree_degenerate},     {"components", components},
    {"median", median},                     {"windows", windows},
};

int main(int argc, char **argv)
{
  if (argc == 3)
    for (const auto &c : cases)
      if (!std::strcmp(c.name, argv[1])) {
        std::printf("%ld\n", c.run(std::atoi(argv[2])));
        return 0;
      }
  std::fprintf(stderr, "usage: twins CASE N\n");
  return 2;
}
