// SPDX-License-Identifier: GPL-3.0-or-later
// n threads look answers up in a memo behind a std::shared_mutex. Every fourth is missing, and is asked for under the
// exclusive lock. TWIN: asked for without a lock, and put in under it.
#include "program.h"
#include <map>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

enum { ANSWERS = 40, TAKES = 900, BETWEEN = 4000 };

static std::shared_mutex guard; // culprit
static std::map<long, long> memo;

static long ask(long key)
{
  program_pause(TAKES);
  return key * 2;
}

static bool is_known(long key)
{
  std::shared_lock<std::shared_mutex> reading(guard);
  return memo.count(key);
}

static void answer(long key)
{
  if (is_known(key))
    return;
#ifdef TWIN
  long value = ask(key);
  std::unique_lock<std::shared_mutex> writing(guard);
#else
  std::unique_lock<std::shared_mutex> writing(guard); // culprit
  long value = ask(key);
#endif
  memo[key] = value;
}

static void work(long me)
{
  unsigned long drawn = (unsigned long)me + 1;
  for (long i = 0; i < ANSWERS; i++) {
    program_pause(BETWEEN / 2 + program_draw(&drawn, BETWEEN));
    answer(i % 4 ? 0 : (me + 1) * ANSWERS + i);
  }
}

int main(int argc, char **argv)
{
  long n = program_size(argc, argv);
  std::vector<std::thread> threads;
  for (long i = 0; i < n; i++)
    threads.emplace_back(work, i);
  for (auto &each : threads)
    each.join();
}
