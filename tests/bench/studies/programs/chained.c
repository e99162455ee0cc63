/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chained N: a hash table of lists that doubles; n random keys are inserted and looked up twice. */
#include <stdio.h>
#include <stdlib.h>

#include "random.h"

struct entry {
  struct entry *next;
  uint64_t key;
  long value;
};

static struct entry **buckets;
static size_t room, used;

static size_t place(uint64_t key) { return (key * 0x9e3779b97f4a7c15u) >> 20 & (room - 1); }

static void grow(void)
{
  struct entry **old = buckets;
  size_t before = room;
  room = room ? 2 * room : 16;
  buckets = calloc(room, sizeof *buckets);
  for (size_t i = 0; i < before; i++)
    for (struct entry *e = old[i], *next; e; e = next) {
      next = e->next;
      e->next = buckets[place(e->key)];
      buckets[place(e->key)] = e;
    }
  free(old);
}

static struct entry *find(uint64_t key)
{
  struct entry *e = buckets[place(key)];
  while (e && e->key != key)
    e = e->next;
  return e;
}

static void insert(uint64_t key, long value)
{
  if (used == room)
    grow();
  struct entry *e = malloc(sizeof *e);
  *e = (struct entry){buckets[place(key)], key, value};
  buckets[place(key)] = e;
  used++;
}

int main(int argc, char **argv)
{
  size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
  long sum = 0;
  for (size_t i = 0; i < n; i++)
    insert(random_next(), (long)i);
  for (int round = 0; round < 2; round++) {
    random_state = 88172645463325252u;
    for (size_t i = 0; i < n; i++)
      sum += find(random_next())->value;
  }
  printf("%ld\n", sum);
}
