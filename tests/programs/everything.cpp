/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exceptions, longjmp, callbacks of qsort, virtual calls, mutual recursion and four threads, all through each other:
 * comparison functions that recurse, throw or jump out of qsort, called by virtual functions in every thread.
 * flags: -pthread */
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>
#define NOINLINE __attribute__((noinline))

enum How { Return, Throw, Jump };

static thread_local jmp_buf back;
static thread_local volatile long sink;

NOINLINE static long dig(int n, How how);

NOINLINE static long bottom(How how)
{
  sink++;
  if (how == Throw)
    throw 1;
  if (how == Jump)
    longjmp(back, 1);
  return 0;
}

NOINLINE static long delve(int n, How how)
{
  for (int i = 0; i < n; i++)
    sink += i;
  return n ? 1 + dig(n - 1, how) : bottom(how);
}

NOINLINE static long dig(int n, How how) { return n ? 1 + delve(n - 1, how) : bottom(how); }

static int compare_digs(const void *a, const void *b)
{
  sink += dig(4, Return);
  return *(const int *)a - *(const int *)b;
}

static int compare_throws(const void *a, const void *b) { return (int)dig(4, Throw); }
static int compare_jumps(const void *a, const void *b) { return (int)dig(4, Jump); }

static void sort_pair(int (*compare)(const void *, const void *))
{
  int pair[2] = {2, 1};
  qsort(pair, 2, sizeof *pair, compare);
  sink += pair[0];
}

struct Guard {
  Guard() { sink++; }
  ~Guard() { sink += 2; }
};

struct Task {
  virtual ~Task() { sink += 3; }
  virtual void run() = 0;
};

struct Sorter final : Task {
  void run() override
  {
    for (int i = 0; i < 5; i++)
      sort_pair(compare_digs);
  }
};

struct Thrower : Task {
  void run() override
  {
    for (int i = 0; i < 3; i++)
      try {
        Guard guard;
        if (i == 1)
          sort_pair(compare_throws);
        else
          dig(4, Throw);
      } catch (int thrown) {
        sink += thrown;
      }
  }
};

struct Jumper : Task {
  void run() override
  {
    for (volatile int i = 0; i < 3; i++)
      if (!setjmp(back)) {
        if (i == 1)
          sort_pair(compare_jumps);
        else
          dig(4, Jump);
      }
  }
};

static void work(long *result)
{
  std::unique_ptr<Task> tasks[] = {std::make_unique<Sorter>(), std::make_unique<Thrower>(), std::make_unique<Jumper>()};
  for (int round = 0; round < 50; round++)
    tasks[round % 3]->run();
  *result = sink;
}

int main()
{
  long results[4];
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++)
    threads.emplace_back(work, &results[i]);
  for (std::thread &thread : threads)
    thread.join();
  for (int i = 0; i < 4; i++)
    std::printf("%ld\n", results[i]);
  return 0;
}
