/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Virtual calls, constructors and destructors, templates, lambdas, range-based loops, static initialisers. */
#include <algorithm>
#include <cstdio>
#include <memory>
#include <numeric>
#include <vector>
#define NOINLINE __attribute__((noinline))

static volatile long sink;
NOINLINE static void leaf(int i) { sink += i; }

struct Shape {
  virtual ~Shape() { leaf(1); }
  virtual int area(int i) const
  {
    leaf(i);
    return i;
  }
};

struct Box final : Shape {
  ~Box() override { leaf(2); }
  int area(int i) const override
  {
    int s = 0;
    for (int j = 0; j < 3; j++)
      s += Shape::area(j);
    return s + i;
  }
};

struct Early {
  Early()
  {
    for (int i = 0; i < 4; i++)
      leaf(i);
  }
};
static Early early;

template <class T> NOINLINE T total(const std::vector<T> &values)
{
  T s = 0;
  for (T value : values)
    s += value;
  return s;
}

struct Walker {
  int at;
  bool operator!=(const Walker &other) const { return at != other.at; }
  Walker &operator++()
  {
    at++;
    return *this;
  }
  int operator*() const { return at; }
};
struct Range {
  int n;
  Walker begin() const { return {0}; }
  Walker end() const { return {n}; }
};

int main()
{
  std::vector<std::unique_ptr<Shape>> shapes;
  for (int i = 0; i < 10; i++)
    shapes.push_back(i % 2 ? std::make_unique<Shape>() : std::unique_ptr<Shape>(new Box));
  long r = 0;
  for (int round = 0; round < 20; round++)
    for (const auto &shape : shapes)
      r += shape->area(round);
  std::vector<int> ints(50);
  std::iota(ints.begin(), ints.end(), 0);
  std::vector<long> longs(ints.begin(), ints.end());
  r += total(ints) + total(longs) + total(longs);
  int seen = 0;
  std::for_each(ints.begin(), ints.end(), [&](int i) {
    while (i > 10)
      i -= 10;
    seen += i;
  });
  for (int i : Range{12})
    seen += i;
  for (int i : {3, 1, 2})
    seen += i;
  std::sort(ints.begin(), ints.end(), [](int a, int b) { return a > b; });
  std::printf("%ld %d %d %ld\n", r, seen, ints[0], (long)sink);
}
