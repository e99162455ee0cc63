// SPDX-License-Identifier: GPL-3.0-or-later
// n clients send commands to a device with room for eight, a std::counting_semaphore; every four milliseconds it gives
// back at once the room of all that are through. TWIN: room for 200.
#include "program.h"
#include <mutex>
#include <semaphore>
#include <thread>
#include <vector>

#ifdef TWIN
enum { ROOM = 200 };
#else
enum { ROOM = 8 };
#endif
enum { COMMANDS = 24, TAKES = 4000, BETWEEN = 12000 };

static std::counting_semaphore<200> room(ROOM); // culprit
static std::mutex lock;
static long under_way, left;

static void send_command()
{
  room.acquire(); // culprit
  std::lock_guard<std::mutex> guard(lock);
  under_way++;
}

static void client(unsigned long drawn)
{
  for (int i = 0; i < COMMANDS; i++) {
    program_pause(BETWEEN / 2 + program_draw(&drawn, BETWEEN));
    send_command();
  }
}

static long through()
{
  std::lock_guard<std::mutex> guard(lock);
  long all = under_way;
  under_way = 0;
  left -= all;
  return all;
}

static void device()
{
  while (left > 0) {
    program_pause(TAKES);
    room.release(through());
  }
}

int main(int argc, char **argv)
{
  long n = program_size(argc, argv);
  std::vector<std::thread> clients;
  left = n * COMMANDS;
  std::thread one(device);
  for (long i = 0; i < n; i++)
    clients.emplace_back(client, (unsigned long)i + 1);
  for (auto &each : clients)
    each.join();
  one.join();
}
