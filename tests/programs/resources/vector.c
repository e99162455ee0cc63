/* SPDX-License-Identifier: GPL-3.0-or-later */
/* n items are appended to a vector that grows by 16 places when it is full. Twin: it doubles. */
#include "program.h"

struct vector {
  long *items;
  size_t count, room;
};

static void append(struct vector *vector, long item)
{
  if (vector->count == vector->room) {
#ifdef TWIN
    vector->room = vector->room ? 2 * vector->room : 16;
#else
    vector->room += 16;
#endif
    long *larger = realloc(vector->items, vector->room * sizeof(long)); /* culprit */
    if (!larger)
      exit(1);
    vector->items = larger;
  }
  vector->items[vector->count++] = item;
}

int main(int argc, char **argv)
{
  long n = program_size(argc, argv), sum = 0;
  struct vector vector = {0};
  for (long i = 0; i < n; i++)
    append(&vector, i);
  for (size_t i = 0; i < vector.count; i++)
    sum += vector.items[i];
  printf("%ld\n", sum);
  free(vector.items);
  return 0;
}
