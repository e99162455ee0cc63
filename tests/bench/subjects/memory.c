// SPDX-License-Identifier: GPL-3.0-or-later
// memory THREADS ROUNDS: what a program that lives on the heap does with it, in each of THREADS threads: builds lines
// of words, counts the words in a hash table that grows, keeps them ordered in a tree, and frees it all. Blocks of 16
// bytes to 16 KiB, freed in another order than obtained. Prints a checksum.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16, LINES = 200, WORDS = 12, FIRST_BUCKETS = 16 };

struct entry {
  struct entry *next;
  char *word;
  unsigned count;
};
struct table {
  struct entry **buckets;
  size_t size, used;
};
struct tree {
  struct tree *left, *right;
  const char *word;
  unsigned count;
};
struct thread {
  pthread_t id;
  uint32_t random;
  int rounds;
  uint64_t sum;
};

static void *obtain(size_t bytes)
{
  void *memory = malloc(bytes);
  if (!memory)
    abort();
  return memory;
}

static uint32_t next(uint32_t *random)
{
  *random ^= *random << 13;
  *random ^= *random >> 17;
  return *random ^= *random << 5;
}

static char *make_line(uint32_t *random)
{
  size_t length = 0, room = 16;
  char *line = obtain(room);
  for (int i = 0; i < WORDS; i++) {
    char word[24];
    uint32_t number = next(random) % 2000 * (next(random) % 3);
    size_t bytes = (size_t)snprintf(word, sizeof(word), "%sword%u", i ? " " : "", number);
    while (length + bytes + 1 > room)
      if (!(line = realloc(line, room *= 2)))
        abort();
    memcpy(line + length, word, bytes + 1);
    length += bytes;
  }
  return line;
}

static uint32_t hash(const char *word)
{
  uint32_t value = 2166136261U;
  for (; *word; word++)
    value = (value ^ (unsigned char)*word) * 16777619U;
  return value;
}

static void grow(struct table *table)
{
  size_t size = table->size ? 2 * table->size : FIRST_BUCKETS;
  struct entry **buckets = calloc(size, sizeof(*buckets));
  if (!buckets)
    abort();
  for (size_t i = 0; i < table->size; i++)
    for (struct entry *entry = table->buckets[i], *after; entry; entry = after) {
      struct entry **place = &buckets[hash(entry->word) % size];
      after = entry->next;
      entry->next = *place;
      *place = entry;
    }
  free(table->buckets);
  table->buckets = buckets;
  table->size = size;
}

static void count(struct table *table, const char *word)
{
  if (table->used >= table->size)
    grow(table);
  struct entry **place = &table->buckets[hash(word) % table->size];
  for (struct entry *entry = *place; entry; entry = entry->next)
    if (strcmp(entry->word, word) == 0) {
      entry->count++;
      return;
    }
  struct entry *entry = obtain(sizeof(*entry));
  *entry = (struct entry){*place, strdup(word), 1};
  *place = entry;
  table->used++;
}

static void count_words(struct table *table, const char *line)
{
  char *copy = strdup(line), *place = NULL;
  for (char *word = strtok_r(copy, " ", &place); word; word = strtok_r(NULL, " ", &place))
    count(table, word);
  free(copy);
}

static struct tree *insert(struct tree *tree, const struct entry *entry)
{
  if (!tree) {
    tree = obtain(sizeof(*tree));
    *tree = (struct tree){NULL, NULL, entry->word, entry->count};
  } else if (strcmp(entry->word, tree->word) < 0) {
    tree->left = insert(tree->left, entry);
  } else {
    tree->right = insert(tree->right, entry);
  }
  return tree;
}

static uint64_t sum_up(struct tree *tree, uint64_t sum)
{
  if (!tree)
    return sum;
  sum = sum_up(tree->left, sum);
  sum = sum * 31 + hash(tree->word) + tree->count;
  sum = sum_up(tree->right, sum);
  free(tree);
  return sum;
}

static void empty(struct table *table)
{
  for (size_t i = 0; i < table->size; i++)
    for (struct entry *entry = table->buckets[i], *after; entry; entry = after) {
      after = entry->next;
      free(entry->word);
      free(entry);
    }
  free(table->buckets);
}

static void *work(void *argument)
{
  struct thread *thread = argument;
  for (int round = 0; round < thread->rounds; round++) {
    struct table table = {NULL, 0, 0};
    struct tree *tree = NULL;
    char *lines[LINES];
    for (int i = 0; i < LINES; i++)
      lines[i] = make_line(&thread->random);
    for (int i = 0; i < LINES; i++)
      count_words(&table, lines[i]);
    for (size_t i = 0; i < table.size; i++)
      for (struct entry *entry = table.buckets[i]; entry; entry = entry->next)
        tree = insert(tree, entry);
    thread->sum = sum_up(tree, thread->sum);
    empty(&table);
    for (int i = 0; i < LINES; i++)
      free(lines[i]);
  }
  return NULL;
}

int main(int argc, char **argv)
{
  struct thread threads[MOST];
  int count = argc > 2 ? atoi(argv[1]) : 0;
  uint64_t sum = 0;

  if (count < 1 || count > MOST)
    return 2;
  for (int i = 0; i < count; i++) {
    threads[i] = (struct thread){.random = 88172645U + (uint32_t)i, .rounds = atoi(argv[2])};
    if (pthread_create(&threads[i].id, NULL, work, &threads[i]))
      return 1;
  }
  for (int i = 0; i < count; i++) {
    pthread_join(threads[i].id, NULL);
    sum += threads[i].sum;
  }
  printf("%llu\n", (unsigned long long)sum);
  return 0;
}
