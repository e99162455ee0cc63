// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

int main(int argc, char **argv)
{
  std::vector<std::function<size_t(const char *)>> list{std::strlen};
  std::string text(argc > 1 ? std::stoul(argv[1]) : 0, 'x');
  std::cout << list[0](text.c_str()) << '\n';
}
