/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Benign: n files are looked for in three directories and are in the last: two of three attempts fail, however many. */
#include "program.h"
#include <fcntl.h>
#include <unistd.h>

static int find(const char *name)
{
  static const char *const directories[] = {"/proc/self/exe/local", "/proc/self/exe", "/dev"};
  for (size_t i = 0; i < sizeof directories / sizeof *directories; i++) {
    char path[64];
    snprintf(path, sizeof path, "%s/%s", directories[i], name);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0)
      return file;
  }
  return -1;
}

int main(int argc, char **argv)
{
  long n = program_size(argc, argv), found = 0;
  for (long i = 0; i < n; i++) {
    int file = find("null");
    if (file >= 0) {
      found++;
      close(file);
    }
  }
  printf("%ld\n", found);
  return 0;
}
