/* SPDX-License-Identifier: GPL-3.0-or-later */
/* n threads count hits in sixteen shards, by keys that are multiples of 64: the remainder puts them all into the first.
 * TWIN: a hash spreads them. */
#include "program.h"
#include <array>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

enum { KEYS = 100000, STEP = 64, REQUESTS = 40, THINK = 15000, WRITE = 1000 };

struct Shard {
  std::mutex guard; /* culprit */
  long hits = 0;
};
static std::array<Shard, 16> shards;

static Shard &shard_of(uint64_t key)
{
#ifdef TWIN
  return shards[(key * 0x9E3779B97F4A7C15u) >> 60];
#else
  return shards[key % shards.size()];
#endif
}

static void hit(uint64_t key)
{
  Shard &shard = shard_of(key);
  std::lock_guard<std::mutex> hold(shard.guard); /* culprit */
  shard.hits++;
  program_pause(WRITE);
}

static void serve(unsigned long state)
{
  for (int i = 0; i < REQUESTS; i++) {
    program_pause(THINK);
    hit(STEP * uint64_t(program_draw(&state, KEYS)));
  }
}

int main(int count, char **arguments)
{
  std::vector<std::thread> threads;
  for (long i = program_size(count, arguments); i > 0; i--)
    threads.emplace_back(serve, i);
  for (auto &thread : threads)
    thread.join();
}
