/* SPDX-License-Identifier: MIT */
/* What a parent did after its fork is no part of the child: takes it out of the child's copy of the tree. */
#include "fork_prune.h"
#include "heap.h"
#include "owner.h"
#include "records.h"
#include "thread.h"

static int prune_knows(const struct sc_process *p, uint32_t index)
{
  return index & SC_RECORDS_LOST || __scale_records_find(p, index);
}

/* A link into a block, `into` bytes behind its start. */
static void prune_link(uint64_t *link, uint64_t into)
{
  if (*link && !__scale_arena_begins(*link - into))
    *link = 0;
}

static void prune_entry(const struct sc_process *p, struct scale_entry *e)
{
  if (e->key && e->key != SCALE_NO_CONTEXT && !prune_knows(p, e->key))
    e->key = 0;
  prune_link(&e->child, 0);
  prune_link(&e->next, offsetof(struct sc_continuation, entry));
}

static void prune_node(const struct sc_process *p, struct scale_node *node)
{
  struct sc_places places;

  if (!__scale_records_places(p, node->function, &places))
    return;
  for (uint32_t i = 0; i < places.slot_count; i++) {
    uint32_t slot = sc_places_slot(&places, i);
    void *at = (char *)node + (slot & ~(uint32_t)SCALE_PLACE_OPEN);
    if (slot & SCALE_PLACE_OPEN)
      prune_entry(p, at);
    else
      prune_link(&((struct scale_slot *)at)->child, 0);
  }
  for (uint32_t i = 0; i < places.event_count; i++)
    prune_link((uint64_t *)((char *)node + sc_places_event(&places, i)), 0);
}

static void prune_block(const struct sc_process *p, struct scale_node *block)
{
  if (block->function == SCALE_TALLY) {
    struct scale_tally *tally = (struct scale_tally *)block;
    prune_link(&tally->next, 0);
    prune_link(&tally->named, 0);
    prune_link(&tally->holders, 0);
    __scale_heap_fork(tally, __scale_thread_own);
  } else if (block->function == SCALE_HOLDER) {
    prune_link(&((struct scale_holder *)block)->next, 0);
    prune_link(&((struct scale_holder *)block)->tally, 0);
  } else if (block->function) {
    prune_node(p, block);
  } else if (block->parent) {
    prune_entry(p, &((struct sc_continuation *)block)->entry);
    prune_link(&block->stack_low, offsetof(struct sc_continuation, entry));
  } else {
    prune_entry(p, &((struct sc_root *)block)->root);
    prune_entry(p, &((struct sc_root *)block)->truncated);
  }
}

/* Whether the child's records say what the block is. */
static int prune_readable(const struct sc_process *p, const struct scale_node *block)
{
  if (block->function)
    return block->function == SCALE_TALLY || block->function == SCALE_HOLDER || prune_knows(p, block->function);
  return !block->parent || prune_knows(p, ((const struct sc_continuation *)block)->entry.key);
}

typedef void prune_visit(const struct sc_process *p, struct scale_node *block, uint64_t *word, uint64_t bit);

static void prune_unpublish(const struct sc_process *p, struct scale_node *block, uint64_t *word, uint64_t bit)
{
  if (!prune_readable(p, block))
    *word &= ~bit;
}

static void prune_links(const struct sc_process *p, struct scale_node *block, uint64_t *word, uint64_t bit)
{
  prune_block(p, block);
}

static void prune_each(const struct sc_process *p, struct sc_arena *arena, prune_visit *visit)
{
  for (struct scale_chunk *c = arena->current; c; c = sc_arena_older(c))
    for (uint64_t w = 0; w < c->bitmap_bytes / 8; w++)
      for (uint64_t bits = sc_arena_bitmap(c)[w]; bits; bits &= bits - 1)
        visit(p, sc_arena_block_of(c, w, bits), &sc_arena_bitmap(c)[w], bits & -bits);
}

void __scale_fork_prune(const struct sc_process *p, struct sc_arena *arena)
{
  prune_each(p, arena, prune_unpublish);
  prune_each(p, arena, prune_links);
}
