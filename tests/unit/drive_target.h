/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scprof_builder.h"

/*
 * A program under test that needs no compiler pass: the test program itself, started as `PROGRAM --target MODE N
 * [TIMES]`. It writes the profile that an instrumented program with a quadratic loop would write, and then misbehaves
 * as MODE says.
 */
enum { TARGET_LOOP = 3 }; /* the loop's line */

static inline void target_set_build(struct builder *b, const char build[2])
{
  struct scale_record *record = builder_at(b, (uint64_t)b->module * 8);
  struct scale_module *module = (struct scale_module *)(record + 1);
  memcpy((char *)(module + 1) + module->path_bytes, build, 2);
  builder_seal_record(b, (uint64_t)b->module * 8);
}

/* main { loop, `iterations` times } */
static inline void target_profile(uint64_t iterations, const char *build, const char *name, size_t cut)
{
  struct builder b;
  char path[4096];
  const char *directory = getenv("SCALE_PROFILE_DIR");
  const struct builder_loc locs[] = {
      {0, SCALE_LOC_FUNCTION, 1, 0, 0, 0, "main", "demo.c", {BUILDER_ENTRIES}},
      {0, SCALE_LOC_LOOP, TARGET_LOOP, 5, 0, 0, "main", "demo.c", {1}},
  };
  if (!directory)
    _exit(99);
  builder_begin(&b, "/usr/bin/demo", "demo", 5);
  target_set_build(&b, build);
  uint32_t function = builder_function(&b, locs, 2, NULL, 0, 1);
  uint64_t root = builder_arena(&b);
  builder_count(&b, builder_root(&b, root, function, 1), function, 0, iterations);
  builder_seal(&b);
  if (cut)
    b.size = cut;
  snprintf(path, sizeof path, "%s/%s.scprof", directory, name);
  builder_write(&b, path);
  builder_free(&b);
}

static inline int target_misbehave(const char *mode, uint64_t n)
{
  if (!strcmp(mode, "status"))
    return fprintf(stderr, "first words\ncannot open the database\n"), 3;
  if (!strcmp(mode, "crash"))
    abort();
  if (!strcmp(mode, "sleep") || (!strcmp(mode, "sleep-large") && n > 500))
    sleep(60);
  if (!strcmp(mode, "sleep-again") && n > 500) {
    const char *mark = getenv("SC_TEST_MARK");
    if (!mark || access(mark, F_OK) == 0)
      sleep(60);
    FILE *made = mark ? fopen(mark, "w") : NULL;
    if (made)
      fclose(made);
  }
  if (!strcmp(mode, "large") && n > 150)
    return 4;
  return 0;
}

/* `times`: a further parameter, by which the count is multiplied; NULL: none. */
static inline int target_main(const char *mode, const char *size, const char *times)
{
  uint64_t n = strtoull(size, NULL, 10), count = n * (n - 1) / 2;
  if (!strcmp(mode, "none"))
    return 0;
  if (times)
    count *= strtoull(times, NULL, 10);
  if (!strcmp(mode, "steep"))
    count = UINT64_C(1) << (n < 530 ? n / 10 : 53);
  if (!strcmp(mode, "rough")) /* a square that is up to 1% more or less, alike in every run of a size */
    count = (uint64_t)((double)(n * n) * (0.99 + 0.02 * (double)(n * 2654435761U % 1000) / 1000));
  if (!strcmp(mode, "unsteady"))
    count *= 1 + (uint64_t)getpid() % 50;
  if (!strcmp(mode, "nearly")) /* up to 0.4% of the smallest size's */
    count += (uint64_t)getpid() % 20;
  if (!strcmp(mode, "damaged")) {
    target_profile(count, "\xab\xcd", "good", 0);
    target_profile(count, "\xab\xcd", "cut", 6000);
  } else if (!strcmp(mode, "unbegun")) {
    target_profile(count, "\xab\xcd", "good", 0);
    target_profile(count, "\xab\xcd", "cut", 2000);
  } else if (!strcmp(mode, "fork")) {
    target_profile(count, "\xab\xcd", "parent", 0);
    if (fork() == 0) {
      target_profile(n, "\xab\xcd", "child", 0);
      _exit(0);
    }
    wait(NULL);
  } else
    target_profile(count, getenv("SC_TEST_BUILD") ? getenv("SC_TEST_BUILD") : "\xab\xcd", "one", 0);
  return target_misbehave(mode, n);
}
