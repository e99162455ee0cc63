/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What is known of instances (class, identity), for all threads: a hash table
 * without locks, of levels that are mapped when the one before is full where
 * somebody wants to go. A slot is changed by who has claimed it; that lasts a few
 * instructions, and who meets a claimed slot tries again for a while.
 */
#include <stdint.h>

enum { SC_TABLE_LEVELS = 4, SC_TABLE_WINDOW = 16 };

struct sc_table_value {
  uint64_t tally; /* address */
  uint64_t since; /* ticks; of several units the sum */
  uint64_t units;
  uint32_t arena; /* number of the acquiring thread's arena */
  uint32_t count;
};

struct sc_table {
  struct sc_table_level *level[SC_TABLE_LEVELS];
};

struct sc_table_at { /* a claimed slot; `value` NULL: none */
  uint64_t *key;
  struct sc_table_value *value;
};

/* The key of an instance; neither 0 nor 1. */
uint64_t __scale_table_key(uint32_t resource_class, uint64_t identity);
/* Which of several slots of one key is wanted; the first if NULL, or if there is no better. */
typedef int sc_table_wish(const struct sc_table_value *value, const void *context);

/* Claims the slot of a key. With `only`, none but one that is wished for. */
struct sc_table_at __scale_table_find(struct sc_table *table, uint64_t key, sc_table_wish *wish, const void *context,
                                      int only);
/* Claims an empty slot for the key (there may be others of it). None if there is no memory, or too many of it. */
struct sc_table_at __scale_table_add(struct sc_table *table, uint64_t key);
/* Ends a claim: the slot holds `key` from now on, or is empty if that is 0. */
void __scale_table_leave(struct sc_table_at at, uint64_t key);
/* Claims a slot found before, if it still holds the key: 1; 0: it does not, or stays claimed. */
int __scale_table_claim(struct sc_table_at at, uint64_t key);
/* The first slot of the key whose value is wished for, without claiming it: for values that nobody else changes, or
   that are looked at only. */
struct sc_table_at __scale_table_seek(const struct sc_table *table, uint64_t key, sc_table_wish *wish,
                                      const void *context);
/* Copies the value of the key's first slot without claiming it: 1 if there is one. */
int __scale_table_look(struct sc_table *table, uint64_t key, struct sc_table_value *to);
/* Empties the table, in a process of one thread. With `keep`, not of values that it takes. */
void __scale_table_clear(struct sc_table *table, sc_table_wish *keep, const void *context);
