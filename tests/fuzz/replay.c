/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a fuzzer without libFuzzer: replay FILE-OR-FOLDER... gives it every file as it is, and with simple mutations
 * that are the same in every run. */
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz.h"

enum { MUTATIONS = 300, MOST_BYTES = 1 << 24 };

static uint64_t random_state = 88172645463325252;

static uint64_t random_next(void)
{
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}

/* Of fuzzers that have one: mutations that keep the form. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) __attribute__((weak));

static void mutate(uint8_t *data, size_t *size)
{
  if (LLVMFuzzerCustomMutator && random_next() % 2) {
    *size = LLVMFuzzerCustomMutator(data, *size, MOST_BYTES, (unsigned)random_next());
    return;
  }
  static const uint8_t interesting[] = {0, 1, 4, 0x7f, 0x80, 0xff};
  for (uint64_t i = random_next() % 4 + 1; i-- && *size;) {
    size_t at = random_next() % *size;
    switch (random_next() % 4) {
    case 0:
      data[at] ^= (uint8_t)(1u << random_next() % 8);
      break;
    case 1:
      data[at] = interesting[random_next() % sizeof interesting];
      break;
    case 2:
      memmove(data + at, data + random_next() % *size, *size - at > 8 && at + 16 < *size ? 8 : 0);
      break;
    default:
      if (random_next() % 16 == 0)
        *size = at;
    }
  }
}

static int replay_file(const char *path)
{
  FILE *file = fopen(path, "rb");
  uint8_t *data = malloc(MOST_BYTES), *copy = malloc(MOST_BYTES);
  if (!file || !data || !copy) {
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    exit(2);
  }
  size_t size = fread(data, 1, MOST_BYTES, file);
  fclose(file);
  fprintf(stderr, "%s (%zu bytes)\n", path, size);
  LLVMFuzzerTestOneInput(data, size);
  for (int i = 0; i < MUTATIONS; i++) {
    size_t bytes = size;
    memcpy(copy, data, size);
    mutate(copy, &bytes);
    uint8_t *exact = malloc(bytes ? bytes : 1); /* so that a sanitizer sees the first byte behind it */
    if (!exact)
      abort();
    memcpy(exact, copy, bytes);
    LLVMFuzzerTestOneInput(exact, bytes);
    free(exact);
  }
  free(data);
  free(copy);
  return 1;
}

static int replay_folder(const char *path)
{
  struct dirent **list;
  int files = 0, count = scandir(path, &list, NULL, alphasort);
  for (int i = 0; i < count; i++) {
    char name[4096];
    snprintf(name, sizeof name, "%s/%s", path, list[i]->d_name);
    if (list[i]->d_name[0] != '.')
      files += replay_file(name);
    free(list[i]);
  }
  if (count >= 0)
    free(list);
  return files;
}

int main(int argc, char **argv)
{
  int files = 0;
  for (int i = 1; i < argc; i++) {
    struct stat status;
    if (stat(argv[i], &status) == 0)
      files += S_ISDIR(status.st_mode) ? replay_folder(argv[i]) : replay_file(argv[i]);
  }
  if (!files)
    fprintf(stderr, "no input: give files or folders\n");
  return files ? 0 : 2;
}
