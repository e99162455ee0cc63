/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
/* Programs of named cases, each with a twin: "PROGRAM CASE N" runs one of them and prints what it added up. In C and
 * C++. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long sum;

struct named_case {
  const char *name;
  void (*run)(int);
};
#define CASE(name) \
  {#name, name}, { #name "_twin", name##_twin }

static int run_case(const struct named_case *cases, size_t count, int argc, char **argv)
{
  for (size_t i = 0; i < count; i++)
    if (argc == 3 && !strcmp(argv[1], cases[i].name)) {
      cases[i].run(atoi(argv[2]));
      printf("%ld\n", sum);
      return 0;
    }
  return 2;
}
