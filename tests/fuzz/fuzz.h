/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_TESTS_FUZZ_H
#define SC_TESTS_FUZZ_H
#include <stddef.h>
#include <stdint.h>

/* One input; returns 0. A crash, a sanitizer's report or abort() is a finding. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* For interfaces that want a file: a name under which `data` can be opened until fuzz_file_close. */
static inline const char *fuzz_file_open(const void *data, size_t size);
static inline void fuzz_file_close(void);

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static int fuzz_file_fd = -1;

static inline const char *fuzz_file_open(const void *data, size_t size)
{
  static char path[64];
  fuzz_file_fd = memfd_create("input", 0);
  if (fuzz_file_fd < 0)
    abort();
  for (size_t done = 0; done < size;) {
    ssize_t bytes = write(fuzz_file_fd, (const char *)data + done, size - done);
    if (bytes <= 0)
      abort();
    done += (size_t)bytes;
  }
  snprintf(path, sizeof path, "/proc/self/fd/%d", fuzz_file_fd);
  return path;
}

static inline void fuzz_file_close(void) { close(fuzz_file_fd); }
#endif
