/* SPDX-License-Identifier: MIT */
#include "fork_keep.h"
#include "bytes.h"
#include "fork_stack.h"
#include "names.h"
#include "os.h"
#include "owner.h"
#include "records.h"
#include "steps.h"

static struct sc_keep_chunk *keep_chunk(const struct sc_keep *keep, uint64_t address)
{
  if (address - keep->low >= keep->high - keep->low)
    return NULL;
  for (uint32_t i = 0; i < keep->count; i++)
    if (address - (uintptr_t)keep->at[i].chunk < keep->at[i].chunk->bytes)
      return &keep->at[i];
  return NULL;
}

static void keep_pin(struct sc_keep *keep, uint64_t address)
{
  struct sc_keep_chunk *at = keep_chunk(keep, address);
  uint64_t bit = at ? (address - (uintptr_t)at->chunk) / SCALE_BLOCK_ALIGN : 0;

  if (at)
    at->pins[bit / 64] |= UINT64_C(1) << (bit % 64);
}

static int keep_pinned(const struct sc_keep *keep, const void *address)
{
  const struct sc_keep_chunk *at = keep_chunk(keep, (uintptr_t)address);
  uint64_t bit = at ? ((uintptr_t)address - (uintptr_t)at->chunk) / SCALE_BLOCK_ALIGN : 0;

  return at && at->pins[bit / 64] >> (bit % 64) & 1;
}

/* Whether a block's creator leads to it: of several that were made at once one does. Entries are found by a list. */
static int keep_linked(const struct scale_node *block)
{
  return !block->function || *(const uint64_t *)(uintptr_t)block->creator == (uintptr_t)block;
}

/* What lies in no block: an address of one that is being made? */
static int keep_unmade(const struct scale_chunk *chunk, uint64_t address)
{
  uint64_t at = address - (uintptr_t)chunk;

  return at >= sizeof(*chunk) + chunk->bitmap_bytes && at < SC_LOAD(chunk->used);
}

/* Keeps the block that the address lies in, and those that lead to it. */
static void keep_block(struct sc_keep *keep, uint64_t address)
{
  struct sc_keep_chunk *at;

  while ((at = keep_chunk(keep, address))) {
    const struct scale_node *block = __scale_arena_block_at(at->chunk, (const void *)(uintptr_t)address);
    uint64_t bit = ((uintptr_t)block - (uintptr_t)at->chunk) / SCALE_BLOCK_ALIGN, one = UINT64_C(1) << (bit % 64);
    SC_STEP();
    if (!block) {
      keep->whole |= keep_unmade(at->chunk, address);
      return;
    }
    if (at->bits[bit / 64] & one || !keep_linked(block))
      return;
    at->bits[bit / 64] |= one;
    keep->nodes += block->function && block->function < SCALE_HOLDER;
    keep_pin(keep, block->creator);
    if (block->parent && block->creator - block->parent >= ((struct scale_node *)(uintptr_t)block->parent)->bytes)
      keep_block(keep, block->creator); /* in a list that goes on: of entries or tallies */
    address = block->parent;
  }
}

static void keep_word(void *context, uint64_t word)
{
  struct sc_keep *keep = context;

  if (word - keep->low >= keep->high - keep->low)
    return;
  keep_block(keep, word);
  keep_pin(keep, word);
}

typedef void keep_visit(struct sc_process *p, const struct sc_keep *keep, struct scale_node *block);

static void keep_each(struct sc_process *p, const struct sc_keep *keep, keep_visit *visit)
{
  for (uint32_t i = 0; i < keep->count; i++)
    for (uint64_t w = 0; w < keep->at[i].chunk->bitmap_bytes / 8; w++)
      for (uint64_t bits = keep->at[i].bits[w]; bits; bits &= bits - 1)
        visit(p, keep, sc_arena_block_of(keep->at[i].chunk, w, bits));
}

/* Whether all of the arena's nodes were first entered on this stack: else there may be frames on others. */
static int keep_alone(const struct sc_keep *keep, const struct sc_fork_stack *stack)
{
  for (uint32_t i = 0; i < keep->count; i++) {
    struct scale_chunk *c = keep->at[i].chunk;
    for (uint64_t w = 0; w <= SC_LOAD(c->used) / SCALE_BLOCK_ALIGN / 64 && w < c->bitmap_bytes / 8; w++)
      for (uint64_t bits = SC_LOAD(sc_arena_bitmap(c)[w]); bits; bits &= bits - 1) {
        const struct scale_node *node = sc_arena_block_of(c, w, bits);
        if (node->function && node->function < SCALE_HOLDER && node->stack_high - stack->low >= stack->top - stack->low)
          return 0;
      }
  }
  return 1;
}

static int keep_begin(struct sc_keep *keep, const struct sc_arena *own)
{
  uint64_t *bits;

  keep->low = UINT64_MAX;
  for (struct scale_chunk *c = own->current; c; c = sc_arena_older(c)) {
    keep->count++;
    keep->bytes += sizeof(*keep->at) + 2 * (uint64_t)c->bitmap_bytes;
    keep->low = (uintptr_t)c < keep->low ? (uintptr_t)c : keep->low;
    keep->high = (uintptr_t)c + c->bytes > keep->high ? (uintptr_t)c + c->bytes : keep->high;
  }
  keep->bytes = sc_round_up(keep->bytes, 4096);
  keep->at = sc_os_map(NULL, keep->bytes, -1, 0);
  if (!keep->at)
    return 0;
  bits = (uint64_t *)(keep->at + keep->count);
  keep->count = 0;
  for (struct scale_chunk *c = own->current; c; c = sc_arena_older(c)) {
    keep->at[keep->count++] = (struct sc_keep_chunk){c, bits, bits + c->bitmap_bytes / 8};
    bits += c->bitmap_bytes / 8 * 2;
  }
  return 1;
}

/* All blocks that there are. */
static void keep_whole(struct sc_keep *keep)
{
  for (uint32_t i = 0; i < keep->count; i++)
    for (uint64_t w = 0; w < keep->at[i].chunk->bitmap_bytes / 8; w++)
      keep->at[i].bits[w] = SC_LOAD(sc_arena_bitmap(keep->at[i].chunk)[w]);
}

void __scale_keep_find(struct sc_keep *keep, const struct sc_arena *own)
{
  struct sc_fork_stack stack;

  *keep = (struct sc_keep){0};
  if (!own || !keep_begin(keep, own))
    return;
  keep->whole = !__scale_fork_stack(&stack) || !keep_alone(keep, &stack);
  if (!keep->whole) {
    keep_block(keep, (uintptr_t)own->root);
    keep_word(keep, (uintptr_t)__scale_slot);
    __scale_names_visit(keep_word, keep);
    __scale_fork_words(&stack, keep_word, keep);
  }
  if (keep->whole)
    keep_whole(keep);
}

void __scale_keep_free(struct sc_keep *keep)
{
  if (keep->at)
    sc_os_unmap(keep->at, keep->bytes);
}

/* An entry that no frame knows, and that leads to nothing, is anybody's. */
static void keep_cut_entry(const struct sc_keep *keep, struct scale_entry *e)
{
  if (e->child || keep_pinned(keep, e))
    e->next = 0;
  else
    sc_zero(e, sizeof(*e));
}

static void keep_cut(struct sc_process *p, const struct sc_keep *keep, struct scale_node *block)
{
  struct sc_places places;

  if (!block->function && block->parent) {
    ((struct sc_continuation *)block)->entry.next = block->stack_low = 0;
  } else if (!block->function) {
    keep_cut_entry(keep, &((struct sc_root *)block)->root);
    keep_cut_entry(keep, &((struct sc_root *)block)->truncated);
  } else if (block->function < SCALE_HOLDER && __scale_records_places(p, block->function, &places)) {
    for (uint32_t i = 0; i < places.slot_count; i++)
      if (sc_places_slot(&places, i) & SCALE_PLACE_OPEN)
        keep_cut_entry(keep, (struct scale_entry *)((char *)block + sc_places_slot(&places, i) - SCALE_PLACE_OPEN));
  }
}

/* The lists of entries that are left. */
static void keep_lead(struct sc_process *p, const struct sc_keep *keep, struct scale_node *block)
{
  struct scale_entry *slot = (struct scale_entry *)(uintptr_t)block->creator;
  struct scale_entry *e = &((struct sc_continuation *)block)->entry;

  if (block->function || !block->parent)
    return;
  e->next = slot->next;
  slot->next = (uintptr_t)e;
}

void __scale_keep_link(struct sc_process *p, const struct sc_keep *keep)
{
  keep_each(p, keep, keep_cut);
  keep_each(p, keep, keep_lead);
}

static void keep_need_entry(struct sc_process *p, const struct scale_entry *e)
{
  if (e->key != SCALE_NO_CONTEXT)
    __scale_records_need(p, e->key);
}

static void keep_need(struct sc_process *p, const struct sc_keep *keep, struct scale_node *block)
{
  struct sc_places places;

  if (!block->function && block->parent)
    keep_need_entry(p, &((struct sc_continuation *)block)->entry);
  if (!block->function || block->function >= SCALE_HOLDER || !__scale_records_places(p, block->function, &places))
    return;
  __scale_records_need(p, block->function);
  for (uint32_t i = 0; i < places.slot_count; i++)
    if (sc_places_slot(&places, i) & SCALE_PLACE_OPEN)
      keep_need_entry(p, (struct scale_entry *)((char *)block + sc_places_slot(&places, i) - SCALE_PLACE_OPEN));
}

void __scale_keep_need(struct sc_process *p, const struct sc_keep *keep) { keep_each(p, keep, keep_need); }
