// SPDX-License-Identifier: MIT
#include "panel.hpp"

#include <cstdio>
#include <cstdlib>

// file-manager N: a folder of N files, all selected; then the user clicks the first one.
int main(int argc, char **argv)
{
  const long files = argc == 2 ? std::strtol(argv[1], nullptr, 10) : 0;
  if (files <= 0) {
    std::fprintf(stderr, "usage: file-manager FILES\n");
    return 2;
  }
  Panel panel(static_cast<std::size_t>(files));
  panel.selectAll();
  panel.click(0);
  std::printf("painted %08x\n", panel.painted());
  return 0;
}
