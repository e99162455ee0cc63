/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The entries of slots that lead to many callees, found by slot and key. A slot's first entries are walked; those
 * behind them are in a hash table of the arena, which only grows. It has no locks: a signal handler or a fiber that
 * came from another thread may look something up, or add to it, at any step.
 */
#include "arena.h"

enum { SC_ENTRIES_WALKED = 8 /* of a slot: found by walking, so that few callees need no table */ };

/* The entry behind `slot` for a function, or NULL: not in the table. */
struct scale_entry *__scale_entries_find(const struct sc_arena *arena, const struct scale_entry *slot, uint32_t key);
/* Adds an entry that is linked behind `slot` already. */
void __scale_entries_add(struct sc_arena *arena, const struct scale_entry *slot, struct scale_entry *e);
/* In a child of fork whose arena lost its entries: forgets them. */
void __scale_entries_forget(struct sc_arena *arena);

/* The block that an entry behind a slot stands in. */
static inline struct sc_continuation *sc_entries_block(const struct scale_entry *e)
{
  return (struct sc_continuation *)((uintptr_t)e - offsetof(struct sc_continuation, entry));
}
