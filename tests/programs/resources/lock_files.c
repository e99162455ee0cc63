/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * n jobs work on 1,024 parts of something, and each has a lock file while a job works on it. A job that finds one
 * locked takes the next part. Every eighth job fails and leaves its lock file: more and more parts are locked by
 * nobody. Twin: a job that fails removes its lock file. Somebody else works on eight of the parts in both.
 */
#include "program.h"
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

enum { PARTS = 1024, ELSEWHERE = 8 };

static int lock(long part)
{
  char name[32];
  snprintf(name, sizeof name, "part.%ld", part);
  return open(name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600); /* culprit */
}

static void unlock(long part)
{
  char name[32];
  snprintf(name, sizeof name, "part.%ld", part);
  unlink(name);
}

static long job(long number, long part)
{
  for (long tried = 0; tried < PARTS; tried++, part = (part + 1) % PARTS) {
    int file = lock(part); /* culprit */
    if (file < 0 && errno == EEXIST)
      continue;
    if (file < 0)
      exit(1);
    close(file);
    bool failed = number % 8 == 5;
#ifndef TWIN
    if (failed)
      return 0;
#endif
    unlock(part);
    return !failed;
  }
  return 0;
}

int main(int argc, char **argv)
{
  long n = program_size(argc, argv), done = 0;
  char directory[] = "/tmp/lock_files.XXXXXX";
  if (!mkdtemp(directory) || chdir(directory))
    return 1;
  for (long i = 0; i < ELSEWHERE; i++) {
    int file = lock(i * (PARTS / ELSEWHERE));
    if (file < 0)
      return 1;
    close(file);
  }
  unsigned long state = 1;
  for (long i = 0; i < n; i++)
    done += job(i, program_draw(&state, PARTS));
  for (long part = 0; part < PARTS; part++)
    unlock(part);
  rmdir(directory);
  printf("%ld\n", done);
  return 0;
}
