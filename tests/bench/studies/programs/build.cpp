// SPDX-License-Identifier: GPL-3.0-or-later
// build N: a table of n rows as text, by string streams and to_string.
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>

static std::string row(long i)
{
  std::ostringstream out;
  out << "<tr><td>" << i << "</td><td>" << std::to_string(i * 17 % 1000) << "</td></tr>\n";
  return out.str();
}

int main(int argc, char **argv)
{
  long n = argc > 1 ? std::atol(argv[1]) : 0;
  std::string all;
  for (long i = 0; i < n; i++)
    all += row(i);
  std::printf("%zu\n", all.size());
}
