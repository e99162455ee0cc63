/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "buffers.h"

int main(int count, char **arguments)
{
  long n = count == 2 ? atol(arguments[1]) : 0;
  for (long i = 0; i < n; i++) {
    serve_first(i);
    serve_second(i);
    serve_third(i);
  }
  return n < 1;
}
