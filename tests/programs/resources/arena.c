/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * n requests take their memory from an arena of mapped blocks, which is given back at the end.
 * Twin: the arena is empty again after each request, and its blocks are used again.
 */
#include "program.h"
#include <string.h>
#include <sys/mman.h>

enum { BLOCK = 65536 };

struct block {
  struct block *next;
  size_t used;
};
static struct block *arena;

static void *arena_take(size_t bytes)
{
  if (!arena || arena->used + bytes > BLOCK) {
    struct block *block = mmap(NULL, BLOCK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); /* culprit */
    if (block == MAP_FAILED)
      exit(1);
    block->next = arena;
    block->used = sizeof *block;
    arena = block;
  }
  void *taken = (char *)arena + arena->used;
  arena->used += bytes;
  return taken;
}

#ifdef TWIN
static void arena_reset(void) { arena->used = sizeof *arena; }
#endif

static void arena_free(void)
{
  while (arena) {
    struct block *next = arena->next;
    munmap(arena, BLOCK);
    arena = next;
  }
}

static long request(long number)
{
  char *text = arena_take(6000);
  memset(text, 'a' + (int)(number % 26), 6000);
  long *numbers = arena_take(2000);
  numbers[0] = number;
  return text[5999] + numbers[0];
}

int main(int argc, char **argv)
{
  long n = program_size(argc, argv), sum = 0;
  for (long i = 0; i < n; i++) {
    sum += request(i);
#ifdef TWIN
    arena_reset();
#endif
  }
  arena_free();
  printf("%ld\n", sum);
  return 0;
}
