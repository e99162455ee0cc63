// SPDX-License-Identifier: GPL-3.0-or-later
// Two threads lock two mutexes at once, 40 times each: the library tries and waits by way of an array of its own.
#include <mutex>
#include <thread>

static std::mutex source, target;
static long left = 80, moved;

static void move()
{
  for (int i = 0; i < 40; i++) {
    std::scoped_lock both(source, target);
    left--;
    moved++;
  }
}

int main()
{
  std::thread other(move);
  move();
  other.join();
  return moved == 80 ? 0 : 1;
}
