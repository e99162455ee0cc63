/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Leak: rounds of work for four threads each, which a std::latch counts down, and an order for each round that nobody
 * deletes. There are as many orders as a quarter of the threads that were ever started, and these have ended.
 * TWIN: it is deleted when its round is through. */
#include <latch>
#include <thread>
#include <vector>

#include "program.h"

struct order {
  std::latch left;
  long first, results[4] = {};
  explicit order(long round) : left(4), first(round) {}
};

static void work(order *o, long number)
{
  for (long i = 0; i < 1000; i++)
    o->results[number] += (o->first + i) % 7;
  o->left.count_down();
}

static long run(long round)
{
  std::vector<std::thread> threads;
  order *o = new order(round); // culprit
  for (long i = 0; i < 4; i++)
    threads.emplace_back(work, o, i);
  o->left.wait();
  for (std::thread &t : threads)
    t.join();
  long sum = o->results[0] + o->results[1] + o->results[2] + o->results[3];
#ifdef TWIN
  delete o;
#endif
  return sum;
}

int main(int count, char **arguments)
{
  long size = program_size(count, arguments), sum = 0;
  for (long round = 0; round < size; round++)
    sum += run(round);
  printf("%ld\n", sum);
}
