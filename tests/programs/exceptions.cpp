/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exceptions through instrumented frames, destructors on the way, counters in loops that are left by a throw. */
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>
#define NOINLINE __attribute__((noinline))

static volatile long sink;

struct Guard {
  explicit Guard(int value) : v(value) {}
  NOINLINE ~Guard() { sink += v; }
  int v;
};

NOINLINE static void leaf(int i) { sink += i; }

NOINLINE static void thrower(int i)
{
  Guard guard(i);
  if (i % 3 == 0)
    throw std::runtime_error("third");
  leaf(i);
}

NOINLINE static void catcher(int n)
{
  for (int i = 0; i < n; i++) {
    try {
      thrower(i);
    } catch (const std::exception &) {
      leaf(-i);
    }
  }
}

NOINLINE static void loop_left_by_throw(int n)
{
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < 7; j++)
      sink += j;
    if (i == 9)
      throw i;
  }
}

static inline int inlined_thrower(int i)
{
  if (i > 90)
    throw std::string("big");
  return i * 2;
}

NOINLINE static int rethrows(int n)
{
  int s = 0;
  for (int i = 0; i < n; i++) {
    try {
      try {
        s += inlined_thrower(i);
      } catch (const std::string &) {
        leaf(1);
        throw;
      }
    } catch (...) {
      s--;
    }
  }
  return s;
}

struct Thrown {
  int v;
  NOINLINE ~Thrown() { leaf(v); }
};

NOINLINE static void destroys_in_catch(int n)
{
  for (int i = 0; i < n; i++) {
    try {
      throw Thrown{i};
    } catch (Thrown &t) {
      sink += t.v;
    }
  }
}

int main()
{
  catcher(300);
  for (int i = 0; i < 20; i++) {
    try {
      loop_left_by_throw(i);
    } catch (int) {
      sink++;
    }
  }
  int r = rethrows(100);
  destroys_in_catch(25);
  std::vector<int> v;
  for (int i = 0; i < 10; i++)
    v.push_back(i);
  try {
    r += v.at(11);
  } catch (const std::out_of_range &) {
    r++;
  }
  std::printf("%d %ld\n", r, (long)sink);
}
