/* SPDX-License-Identifier: MIT */
#include "enter.h"
#include "bytes.h"
#include "dormant.h"
#include "entries.h"
#include "event.h"
#include "fork.h"
#include "gates_cache.h"
#include "modules.h"
#include "owner.h"
#include "process.h"
#include "records.h"
#include "steps.h"
#include "thread.h"

/* Nothing else refers to start.o, and a linker takes only what is referred to out of an archive. */
extern const char __scale_runtime;
static __attribute__((used)) const char *const enter_pulls_start = &__scale_runtime;
/* A library before us in the link may have gates to offer, too. */
static __attribute__((used)) const char *const enter_pulls_gates = &__scale_gates;
static __attribute__((used)) const char *const enter_pulls_resize = &__scale_resize;

/* Entries looked at before the cache is asked. */
enum { SC_ENTER_NEAR = 2 };

static struct scale_entry *entry_next(const struct scale_entry *e)
{
  return (struct scale_entry *)(uintptr_t)SC_LOAD(e->next);
}

static inline struct scale_entry **enter_cache(struct sc_arena *arena, const struct scale_entry *slot,
                                               const struct scale_function *fn)
{
  return &arena->cache[sc_gates_hash((uintptr_t)slot, fn->code ? fn->code : SC_LOAD(fn->index))];
}

/* The hint, if it is this slot's entry for this function. */
static inline struct scale_entry *enter_cached(struct scale_entry *const *hint, const struct scale_entry *slot,
                                               uint32_t index)
{
  struct scale_entry *e = SC_LOAD(*hint);

  return e && e->key == index && sc_entries_block(e)->node.creator == (uintptr_t)slot ? e : NULL;
}

/* A slot that nothing went through yet is taken for the function. */
static int enter_claim(struct scale_entry *slot, uint32_t index)
{
  uint32_t before = 0;

  if (SC_LOAD(slot->key) || slot->count || slot->child)
    return 0;
  return SC_SWAP(slot->key, &before, index) || before == index;
}

/* The slot's last entry, or one not far before it. */
static struct scale_entry *enter_tail(struct scale_entry *slot)
{
  struct scale_entry *first = entry_next(slot);
  uint64_t tail = first ? SC_PEEK(sc_entries_block(first)->node.stack_low) : 0;

  return tail ? (struct scale_entry *)(uintptr_t)tail : slot;
}

/* Where a slot's next entry goes: behind `tail` or what came there meanwhile. */
struct enter_place {
  struct scale_entry *tail;
  uint32_t walked; /* entries passed on the way */
};

/* The slot's entry for the function, or NULL and the place for one. */
static struct scale_entry *enter_find(const struct sc_arena *arena, struct scale_entry *slot, uint32_t index,
                                      struct enter_place *place)
{
  struct scale_entry *e;

  *place = (struct enter_place){slot, 0};
  while ((e = entry_next(place->tail)) && e->key != index) {
    SC_STEP();
    place->tail = e;
    if (++place->walked > SC_ENTRIES_WALKED && !arena->entries_lossy) {
      place->tail = enter_tail(slot);
      return __scale_entries_find(arena, slot, index);
    }
  }
  return e;
}

/* Links an entry. What is there now: not `made` if somebody else's is for the same function. */
static struct scale_entry *enter_link(struct sc_arena *arena, struct scale_entry *slot, struct enter_place *place,
                                      struct scale_entry *made)
{
  uint64_t none = 0;

  while (!SC_SWAP(place->tail->next, &none, (uintptr_t)made)) {
    SC_STEP();
    place->tail = (struct scale_entry *)(uintptr_t)none;
    place->walked++;
    none = 0;
    if (place->tail->key == made->key) /* a signal handler or another thread made one; ours stays unused */
      return place->tail;
  }
  SC_POKE(sc_entries_block(entry_next(slot))->node.stack_low, (uintptr_t)made);
  if (place->walked >= SC_ENTRIES_WALKED)
    __scale_entries_add(arena, slot, made);
  return made;
}

/* The entry for the function behind `slot`, made if need be; NULL if there is no room. */
static struct scale_entry *enter_entry(struct sc_process *p, struct sc_arena *arena, struct scale_entry *slot,
                                       const struct scale_function *fn, int forced)
{
  uint32_t index = SC_LOAD(fn->index);
  struct scale_entry **hint = enter_cache(arena, slot, fn);
  struct scale_entry *e = enter_cached(hint, slot, index);
  struct enter_place place;
  struct sc_block block;
  struct sc_continuation *made;

  if (e)
    return e;
  if (enter_claim(slot, index) || SC_LOAD(slot->key) == index)
    return slot;
  e = enter_find(arena, slot, index, &place);
  if (e) {
    SC_STORE(*hint, e);
    return e;
  }
  block = __scale_arena_block(p, arena, sizeof(struct sc_continuation), forced);
  made = (struct sc_continuation *)block.node;
  if (!made)
    return NULL;
  made->node.parent = (uintptr_t)__scale_arena_owner(&arena, slot);
  made->node.creator = (uintptr_t)slot;
  made->entry.key = index;
  __scale_arena_publish(block);
  e = enter_link(arena, slot, &place, &made->entry);
  SC_STORE(*hint, e);
  return e;
}

/* Where a function counts when there is no memory at all: in the program's own, which the profile never sees. */
static struct scale_entry *enter_spare(struct sc_process *p, const struct scale_function *fn)
{
  struct scale_entry *e = sc_function_far(fn, fn->spare);
  uint32_t unused = 0;

  if (SC_SWAP(e->key, &unused, SC_LOAD(fn->index)) && p->wants_file)
    SC_ADD(p->header->lost_bytes, sizeof(*e) + fn->node_bytes);
  return e;
}

/* The entry that counts for a function in this arena (NULL: missing) when there is no room for a place of its
   own. */
static struct scale_entry *enter_truncated(struct sc_process *p, struct sc_arena *arena,
                                           const struct scale_function *fn)
{
  struct scale_entry *e = arena ? enter_entry(p, arena, &arena->root->truncated, fn, 1) : NULL;

  return e ? e : enter_spare(p, fn);
}

static struct scale_node *enter_make_node(struct sc_process *p, struct sc_arena *arena, struct scale_node *parent,
                                          struct scale_slot *slot, const struct scale_function *fn, uint64_t stack,
                                          int forced)
{
  struct sc_block block = __scale_arena_block(p, arena, fn->node_bytes, forced);
  struct scale_node *node = block.node;
  uint64_t none = 0;

  if (!node)
    return NULL;
  node->parent = (uintptr_t)parent;
  node->creator = (uintptr_t)slot;
  node->function = SC_LOAD(fn->index);
  node->stack_high = stack;
  node->stack_low = stack;
  __scale_arena_publish(block);
  if (!SC_SWAP(slot->child, &none, (uintptr_t)node))
    return (struct scale_node *)(uintptr_t)none;
  SC_ADD(p->header->nodes, 1);
  return node;
}

static struct scale_node *enter_parent(const struct scale_node *block)
{
  return (struct scale_node *)(uintptr_t)block->parent;
}

/* The ancestor (or the block itself) that the call of a function repeats, or NULL. What a system's header hands on to
   the program's own code (std::function) and that code calls again leads elsewhere: one node for both would mix what
   they do. If it comes back to the same code, that is the recursion. */
static struct scale_node *enter_ancestor(const struct sc_process *p, struct scale_node *block, uint32_t index)
{
  struct scale_node *above = block;

  while (above && above->function != index)
    above = enter_parent(above);
  if (!above || !__scale_records_system(p, index))
    return above;
  for (; block != above; block = enter_parent(block))
    if (block->function && !__scale_records_system(p, block->function))
      return NULL;
  return above;
}

static struct scale_node *enter_recurse(struct scale_slot *slot, struct scale_node *ancestor, uint64_t stack)
{
  uint64_t none = 0;

  if (!ancestor->stack_step && stack < ancestor->stack_high)
    SC_STORE(ancestor->stack_step, ancestor->stack_high - stack);
  SC_SWAP(slot->child, &none, (uintptr_t)ancestor);
  return (struct scale_node *)(uintptr_t)SC_LOAD(slot->child);
}

static struct scale_node *enter_truncated_node(struct sc_process *p, struct sc_arena *arena, struct scale_slot *slot,
                                               const struct scale_function *fn, uint64_t stack)
{
  struct scale_entry *e = enter_truncated(p, arena, fn);
  struct scale_node *node = (struct scale_node *)(uintptr_t)SC_LOAD(e->child);
  struct scale_node *owner = node ? NULL : __scale_arena_owner(&arena, e);
  uint64_t none = 0;

  if (owner)
    node = enter_make_node(p, arena, owner, (struct scale_slot *)e, fn, stack, 1);
  if (!node)
    node = (struct scale_node *)(enter_spare(p, fn) + 1);
  SC_SWAP(slot->child, &none, (uintptr_t)node);
  SC_ADD(p->header->truncated_nodes, 1);
  return (struct scale_node *)(uintptr_t)SC_LOAD(slot->child);
}

static int enter_same_module(const struct sc_process *p, uint32_t a, uint32_t b)
{
  const struct scale_record *one = a ? __scale_records_find(p, a) : NULL;
  const struct scale_record *other = one ? __scale_records_find(p, b) : NULL;

  return other && one->module == other->module;
}

/*
 * From now on a call through a pointer from this slot may go to the function's body at once, if both are of one module:
 * nodes outlive the libraries that made them, and another one's code may come to lie at the same address.
 */
static void enter_shorten(struct sc_process *p, struct scale_entry *e, struct scale_entry *slot,
                          const struct scale_function *fn, uint32_t index)
{
  struct sc_arena *arena = __scale_thread_own;
  struct scale_node *owner = fn->code && fn->body && !e->code ? __scale_arena_owner(&arena, slot) : NULL;

  if (!owner ||
      !(p->dormant ? owner->creator == sc_function_unit(fn)->module : enter_same_module(p, owner->function, index)))
    return;
  SC_STORE(e->body, fn->body);
  SC_STORE(e->code, fn->code);
}

/* One of many callees of a place, which the thread called lately or not. */
static struct scale_entry *enter_known(struct scale_entry *slot, const struct scale_function *fn)
{
  struct sc_arena *own = __scale_thread_own;
  struct scale_entry *e = own ? __scale_entries_find(own, slot, SC_LOAD(fn->index)) : NULL;

  if (e)
    SC_STORE(*enter_cache(own, slot, fn), e);
  return e;
}

static __attribute__((noinline)) void *enter_slow(struct scale_entry *slot, struct scale_function *fn, uint64_t stack)
{
  struct sc_process *p = sc_process_now();
  struct sc_arena *arena = __scale_thread_own;
  struct scale_entry *e;
  uint32_t index;

  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a slot is never NULL */
  e = enter_known(slot->key == SCALE_NO_CONTEXT && arena ? &arena->root->root : slot, fn);
  if (e)
    return e;
  if (__scale_process_forked())
    __scale_fork_child();
  index = __scale_modules_function(p, fn);
  arena = __scale_thread_own;
  if (slot->key == SCALE_NO_CONTEXT || !__scale_arena_owner(&arena, slot)) {
    arena = __scale_thread_arena(p, stack);
    if (!arena)
      return enter_spare(p, fn);
    slot = &arena->root->root;
  }
  e = enter_entry(p, arena, slot, fn, 0);
  if (!e)
    return enter_truncated(p, arena, fn);
  enter_shorten(p, e, slot, fn, index);
  return e;
}

SC_WEAK void *__scale_enter(void *from, struct scale_function *fn)
{
  struct scale_entry *handed = (struct scale_entry *)((uintptr_t)from & ~(uintptr_t)SCALE_JUMP);
  struct scale_entry *slot = handed, *e = slot;
  uint32_t index = SC_LOAD(fn->index);

  for (int i = 0; i < SC_ENTER_NEAR && e; i++, e = entry_next(e))
    if (SC_PEEK(e->key) == index)
      return e;
  if (__scale_thread_own) {
    if (SC_PEEK(slot->key) == SCALE_NO_CONTEXT)
      slot = &__scale_thread_own->root->root;
    if (SC_PEEK(slot->key) == index)
      return slot;
    e = enter_cached(enter_cache(__scale_thread_own, slot, fn), slot, index);
    if (e)
      return e;
  }
  return enter_slow(handed, fn, (uintptr_t)__builtin_frame_address(0));
}

/* This copy's own, whatever the name above is bound to at run time. To be called where registers must be kept: the name
   above may be reached through a library's procedure linkage table, whose lazy resolver keeps none but parameters'. */
__attribute__((visibility("hidden"), preserve_most, alias("__scale_enter"))) void *
__scale_enter_here(void *slot, struct scale_function *fn);

static struct scale_node *enter_dormant_node(struct sc_process *p, struct scale_slot *slot,
                                             const struct scale_function *fn, uint64_t stack)
{
  struct sc_arena *arena = __scale_thread_arena(p, stack);
  struct scale_node *node = arena ? __scale_dormant_node(p, arena, fn) : NULL;
  uint64_t none = 0;

  if (!node)
    node = (struct scale_node *)(enter_spare(p, fn) + 1);
  SC_SWAP(slot->child, &none, (uintptr_t)node);
  return (struct scale_node *)(uintptr_t)SC_LOAD(slot->child);
}

static __attribute__((noinline)) void *enter_node_slow(struct scale_slot *slot, struct scale_function *fn,
                                                       uint64_t stack)
{
  struct sc_process *p = sc_process_now();
  struct sc_arena *arena = __scale_thread_own;
  struct scale_node *owner, *node;
  uint32_t index;

  if (__scale_process_forked())
    __scale_fork_child();
  index = __scale_modules_function(p, fn);
  if (p->dormant)
    return enter_dormant_node(p, slot, fn, stack);
  owner = __scale_arena_owner(&arena, slot);
  if (!owner)
    return enter_truncated_node(p, __scale_thread_arena(p, stack), slot, fn, stack);
  node = enter_ancestor(p, owner, index);
  if (node)
    return enter_recurse(slot, node, stack);
  node = enter_make_node(p, arena, owner, slot, fn, stack, 0);
  return node ? node : enter_truncated_node(p, arena, slot, fn, stack);
}

uintptr_t __scale_enter_at(void *from, struct scale_function *fn, uintptr_t entered)
{
  struct scale_entry *jumped = (struct scale_entry *)((char *)from - SCALE_JUMP);
  uint32_t place = ((uint32_t)(entered >> 3) & SCALE_PLACE_BITS) | SCALE_PLACE;

  if (!entered || ((struct scale_entry *)from)->key != place)
    return (uintptr_t)__scale_enter_here(from, fn);
  return (uintptr_t)(jumped->key == SC_LOAD(fn->index) ? jumped : __scale_enter_here(jumped, fn)) + SC_GATES_JUMPED;
}

void *__scale_node_at(void *slot, struct scale_function *fn, uintptr_t stack)
{
  uint64_t child = SC_LOAD(((struct scale_slot *)slot)->child);

  return child ? (void *)(uintptr_t)child : enter_node_slow(slot, fn, stack);
}

SC_WEAK void *__scale_node(void *slot, struct scale_function *fn)
{
  /* the caller's stack pointer at the call: above the saved frame pointer and the return address */
  return __scale_node_at(slot, fn, (uintptr_t)__builtin_frame_address(0) + 2 * sizeof(void *));
}
