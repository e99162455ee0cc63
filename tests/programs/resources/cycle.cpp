/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each of n connections holds a function that holds the connection, so that neither is ever freed. TWIN: the function
 * holds it weakly. */
#include "program.h"
#include <functional>
#include <memory>
#include <string>
#include <vector>

struct Connection {
  std::string peer;
  std::vector<std::function<void()>> closing;
  long bytes = 0;
};

static long handle(long number) /* culprit */
{
  auto connection = std::make_shared<Connection>();
  connection->peer = "a peer with a long name, number " + std::to_string(number);
#ifdef TWIN
  std::weak_ptr<Connection> self = connection;
  connection->closing.push_back([self] {
    if (auto open = self.lock())
      open->bytes = 0;
  });
#else
  connection->closing.push_back([connection] { connection->bytes = 0; });
#endif
  std::vector<long> received(50, number);
  for (long each : received)
    connection->bytes += each;
  for (auto &close : connection->closing)
    close();
  return connection->bytes;
}

int main(int count, char **arguments)
{
  long left = 0;
  for (long i = program_size(count, arguments); i > 0; i--)
    left += handle(i);
  return left != 0;
}
