/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probing N: an open table with linear probing that doubles at three quarters; counts n random numbers. */
#include <stdio.h>
#include <stdlib.h>

#include "random.h"

struct slot {
  uint64_t key;
  long count;
};

static struct slot *slots;
static size_t room, used;

static struct slot *find(uint64_t key)
{
  size_t i = (key * 0x9e3779b97f4a7c15u) >> 24;
  while (slots[i & (room - 1)].count && slots[i & (room - 1)].key != key)
    i++;
  return &slots[i & (room - 1)];
}

static void grow(void)
{
  struct slot *old = slots;
  size_t before = room;
  room = room ? 2 * room : 64;
  slots = calloc(room, sizeof *slots);
  for (size_t i = 0; i < before; i++)
    if (old[i].count)
      *find(old[i].key) = old[i];
  free(old);
}

int main(int argc, char **argv)
{
  size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
  long most = 0;
  for (size_t i = 0; i < n; i++) {
    if (4 * used >= 3 * room)
      grow();
    uint64_t key = random_next() % (n / 2 + 1);
    struct slot *slot = find(key);
    used += !slot->count;
    slot->key = key;
    if (++slot->count > most)
      most = slot->count;
  }
  printf("%zu %ld\n", used, most);
  free(slots);
}
