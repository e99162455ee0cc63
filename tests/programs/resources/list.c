/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Benign: a list frees its items by a function it is given, free itself, when it is freed. */
#include "program.h"
#include <string.h>

struct item {
  struct item *next;
  void *value;
};
struct list {
  struct item *first;
  void (*free_value)(void *);
};

static struct list *list_new(void (*free_value)(void *))
{
  struct list *list = calloc(1, sizeof *list);
  if (list)
    list->free_value = free_value;
  return list;
}

static void list_add(struct list *list, void *value)
{
  struct item *item = malloc(sizeof *item);
  if (!item || !value)
    exit(1);
  item->next = list->first;
  item->value = value;
  list->first = item;
}

static void list_free(struct list *list)
{
  while (list->first) {
    struct item *next = list->first->next;
    list->free_value(list->first->value);
    free(list->first);
    list->first = next;
  }
  free(list);
}

int main(int argc, char **argv)
{
  long n = program_size(argc, argv), sum = 0;
  struct list *list = list_new(free);
  if (!list)
    return 1;
  for (long i = 0; i < n; i++)
    list_add(list, strdup("an item"));
  for (const struct item *item = list->first; item; item = item->next)
    sum += (long)strlen(item->value);
  list_free(list);
  printf("%ld\n", sum);
  return 0;
}
