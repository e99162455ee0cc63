// SPDX-License-Identifier: GPL-3.0-or-later
// Quadratic work behind templates, lambdas, std::function, operators and destructors: a ring of two types that erases
// its front, a table that is walked for every key, handlers that call each other, objects that look themselves up.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace store
{
template <typename T> class Ring
{
public:
  void push(T value) { items.push_back(std::move(value)); }
  T pop()
  {
    T front = items.front();
    items.erase(items.begin()); // erases
    return front;
  }
  bool empty() const { return items.empty(); }

private:
  std::vector<T> items;
};

template <typename Key, typename Value> class Table
{
public:
  Value &operator[](const Key &key)
  {
    for (auto &entry : entries) // walks
      if (entry.first == key)
        return entry.second;
    entries.emplace_back(key, Value{});
    return entries.back().second;
  }

private:
  std::vector<std::pair<Key, Value>> entries;
};
} // namespace store

namespace
{
struct Registered {
  static std::vector<Registered *> all;
  Registered() { all.push_back(this); }
  ~Registered() { all.erase(std::find(all.begin(), all.end(), this)); } // finds
};
std::vector<Registered *> Registered::all;

template <typename F> void repeat(long n, F f)
{
  for (long i = 0; i < n; i++)
    f(i);
}
} // namespace

int main(int, char **argv)
{
  const long n = std::atol(argv[1]);
  store::Ring<std::pair<long, std::string>> named;
  store::Ring<long> plain;
  repeat(n, [&](long i) { named.push({i, "item"}); });
  repeat(n, [&](long i) { plain.push(i); });
  long sum = 0;
  while (!named.empty())
    sum += named.pop().first;
  while (!plain.empty())
    sum += plain.pop();

  store::Table<std::string, long> by_name;
  repeat(n, [&](long i) { by_name["name" + std::to_string(i)] = i; });

  std::vector<std::function<long(long)>> handlers;
  for (long i = 0; i < n; i++)
    handlers.push_back([i](long x) { return x + i; });
  std::function<long(long)> all = [&](long x) {
    for (const auto &handler : handlers) // calls
      x = handler(x);
    return x;
  };
  for (long i = 0; i < n; i++)
    sum += all(i) & 1;

  std::vector<std::unique_ptr<Registered>> objects;
  for (long i = 0; i < n; i++)
    objects.push_back(std::make_unique<Registered>());
  while (!objects.empty())
    objects.pop_back(); // pops
  std::printf("%ld\n", sum);
  return 0;
}
