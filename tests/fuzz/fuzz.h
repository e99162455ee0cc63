/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* One input; returns 0. A crash, a sanitizer's report or abort() is a finding. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* For interfaces that want a file: a name under which `data` can be opened until the next call. With `real` it is a
 * file in a folder, for those that look at the name. */
static inline const char *fuzz_file(const void *data, size_t size, int real);

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* What is promised of any input. */
static inline void must(bool holds)
{
  if (!holds)
    abort();
}

static char fuzz_file_path[64];
static int fuzz_file_fd = -1;

static inline void fuzz_file_remove(void) { unlink(fuzz_file_path); }

static inline void fuzz_file_make(int real)
{
  if (real) {
    snprintf(fuzz_file_path, sizeof fuzz_file_path, "/tmp/scale-fuzz-XXXXXX");
    fuzz_file_fd = mkstemp(fuzz_file_path);
    atexit(fuzz_file_remove);
  } else {
    fuzz_file_fd = memfd_create("input", 0);
    snprintf(fuzz_file_path, sizeof fuzz_file_path, "/proc/self/fd/%d", fuzz_file_fd);
  }
  if (fuzz_file_fd < 0)
    abort();
}

static inline const char *fuzz_file(const void *data, size_t size, int real)
{
  if (fuzz_file_fd < 0)
    fuzz_file_make(real);
  if (ftruncate(fuzz_file_fd, 0) < 0)
    abort();
  for (size_t done = 0; done < size;) {
    ssize_t bytes = pwrite(fuzz_file_fd, (const char *)data + done, size - done, (off_t)done);
    if (bytes <= 0)
      abort();
    done += (size_t)bytes;
  }
  return fuzz_file_path;
}
