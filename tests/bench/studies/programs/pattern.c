/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pattern N: n lines of a log, each matched by regexec. */
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>

#include "random.h"

int main(int argc, char **argv)
{
  long n = argc > 1 ? atol(argv[1]) : 0, found = 0;
  regex_t pattern;
  char line[128];
  if (regcomp(&pattern, "^([0-9]+)\\.[0-9]+ (GET|POST) /([a-z]+)/[0-9]+$", REG_EXTENDED))
    return 3;
  for (long i = 0; i < n; i++) {
    regmatch_t parts[4];
    snprintf(line, sizeof line, "%ld.%d %s /items/%d", i, (int)(random_next() % 1000), i % 3 ? "GET" : "HEAD",
             (int)(random_next() % 100000));
    found += !regexec(&pattern, line, 4, parts, 0);
  }
  printf("%ld\n", found);
  regfree(&pattern);
}
