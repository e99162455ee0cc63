// SPDX-License-Identifier: GPL-3.0-or-later
// n clients look names up and, every tenth time, store one, under a lock that those who look up share. Whoever stores
// writes to storage while it holds the lock: all others wait for that. TWIN: it is written behind the lock.
#include "program.h"
#include <map>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

constexpr int requests = 50, think = 2000, stored = 4000;

class Directory
{
public:
  long find(long name) const
  {
    std::shared_lock<std::shared_mutex> look(guard);
    auto at = entries.find(name);
    return at == entries.end() ? 0 : at->second;
  }
  void store(long name, long value)
  {
    {
      std::unique_lock<std::shared_mutex> change(guard); // culprit
      entries[name] = value;
#ifndef TWIN
      program_pause(stored);
#endif
    }
#ifdef TWIN
    program_pause(stored);
#endif
  }

private:
  mutable std::shared_mutex guard;
  std::map<long, long> entries;
};

static void serve(Directory &directory, long client)
{
  long seen = 0;
  for (int i = 1; i <= requests; i++) {
    program_pause(think);
    if (i % 10)
      seen += directory.find(client * requests + i);
    else
      directory.store(client * requests + i, seen + i);
  }
}

int main(int count, char **arguments)
{
  long n = program_size(count, arguments);
  Directory directory;
  std::vector<std::thread> clients;
  for (long i = 0; i < n; i++)
    clients.emplace_back([&directory, i] { serve(directory, i); });
  for (std::thread &client : clients)
    client.join();
}
