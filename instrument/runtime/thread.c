/* SPDX-License-Identifier: MIT */
#include "thread.h"
#include "bytes.h"
#include "held.h"
#include "os.h"
#include "owner.h"
#include "steps.h"
#include "valgrind.h"
#include <pthread.h>

enum {
  /* glibc keeps the values of the first keys inside the thread: setting one allocates nothing */
  SC_THREAD_KEYS_INLINE = 32,
  /* threads that could not say that they end are looked for among this many arenas at a time */
  SC_THREAD_PROBES = 4,
  /* threads that said so, and may not be gone yet: this many are looked at */
  SC_THREAD_TRIES = 8,
  SC_THREAD_TAG = (1 << 28) - 1 /* bits that the address of a page leaves free: 12 below, 16 above */
};

static pthread_key_t thread_key;
static SC_SHARED uint32_t thread_has_key;
static SC_SHARED struct sc_arena *thread_probe; /* where the next search for the dead goes on */

/*
 * Arenas of threads that said that they end, the last one first: a stack without locks. A word is an address, and in
 * the bits that it leaves free a number that changes each time, so that nobody takes what was taken and put back
 * meanwhile.
 */
static SC_SHARED uint64_t thread_free;

static uint64_t thread_word(const struct sc_arena *arena, uint64_t before)
{
  return (uint64_t)(uintptr_t)arena << 16 | ((before + 1) & SC_THREAD_TAG);
}

static struct sc_arena *thread_at(uint64_t word)
{
  return (struct sc_arena *)(uintptr_t)((word & ~(uint64_t)SC_THREAD_TAG) >> 16);
}

static void thread_give(struct sc_arena *arena)
{
  uint64_t top;

  if (__atomic_exchange_n(&arena->listed, 1, __ATOMIC_SEQ_CST))
    return;
  top = SC_LOAD(thread_free);
  do {
    SC_STEP();
    SC_STORE(arena->free, thread_at(top));
  } while (!SC_SWAP(thread_free, &top, thread_word(arena, top)));
}

static struct sc_arena *thread_take(void)
{
  uint64_t top = SC_LOAD(thread_free);
  struct sc_arena *arena;

  do {
    SC_STEP();
    arena = thread_at(top);
    if (!arena)
      return NULL;
  } while (!SC_SWAP(thread_free, &top, thread_word(SC_LOAD(arena->free), top)));
  __atomic_exchange_n(&arena->listed, 0,
                      __ATOMIC_SEQ_CST); /* before its owner is looked at: who leaves it now lists it */
  return arena;
}

void __scale_thread_leave(struct sc_arena *arena)
{
  __atomic_fetch_or(&arena->owner, SC_ARENA_LEAVING, __ATOMIC_RELEASE);
  thread_give(arena);
}

void __scale_thread_start(void (*leaves)(void *arena))
{
  if (pthread_key_create(&thread_key, leaves) != 0)
    return;
  if (thread_key < SC_THREAD_KEYS_INLINE)
    SC_STORE(thread_has_key, 1);
  else
    pthread_key_delete(thread_key);
}

void __scale_thread_stop(void)
{
  if (SC_LOAD(thread_has_key)) {
    SC_STORE(thread_has_key, 0);
    pthread_key_delete(thread_key);
  }
}

/* Takes the arena over if its owner is gone. */
static int thread_adopt(struct sc_arena *arena, uint32_t pid, uint32_t tid)
{
  uint32_t owner = SC_LOAD(arena->owner);
  uint32_t old = owner & ~SC_ARENA_LEAVING;

  if (old && old != tid && !sc_os_thread_gone(pid, old))
    return 0;
  return SC_SWAP(arena->owner, &owner, tid);
}

/* Stack addresses in the nodes are compared with the new owner's: moves them by the distance of the stacks. */
static void thread_move_stack(struct sc_arena *arena, uint64_t stack)
{
  uint64_t by = stack - arena->stack;

  for (struct scale_chunk *c = by ? arena->current : NULL; c; c = sc_arena_older(c)) {
    uint64_t words = c->used / SCALE_BLOCK_ALIGN / 64 + 1;
    for (uint64_t w = 0; w < words && w < c->bitmap_bytes / 8; w++)
      for (uint64_t bits = sc_arena_bitmap(c)[w]; bits; bits &= bits - 1) {
        struct scale_node *node = sc_arena_block_of(c, w, bits);
        if (node->function && node->function < SCALE_HOLDER) {
          node->stack_high += by;
          if (node->stack_low != UINT64_MAX) /* nothing noted yet */
            node->stack_low += by;
        }
      }
  }
  arena->stack = stack;
}

/* An arena whose thread said that it ends, and is gone. Those that are not gone yet are given back. */
static struct sc_arena *thread_find_left(uint32_t pid, uint32_t tid)
{
  struct sc_arena *seen[SC_THREAD_TRIES], *found = NULL;
  int count = 0;

  while (!found && count < SC_THREAD_TRIES && (seen[count] = thread_take())) {
    struct sc_arena *a = seen[count];
    if (!(SC_LOAD(a->owner) & SC_ARENA_LEAVING)) /* another one found it by its number */
      continue;
    if (thread_adopt(a, pid, tid))
      found = a;
    else
      count++;
  }
  while (count-- > 0)
    thread_give(seen[count]);
  return found;
}

static struct sc_arena *thread_find_free(uint32_t tid)
{
  uint32_t pid = sc_os_pid();
  struct sc_arena *probe =
      __scale_owner_of(tid); /* its thread was gone unheard, and the kernel gave its number again */

  if (probe && thread_adopt(probe, pid, tid))
    return probe;
  probe = thread_find_left(pid, tid);
  if (probe)
    return probe;
  probe = SC_LOAD(thread_probe);
  for (int i = 0; i < SC_THREAD_PROBES; i++) {
    SC_STEP();
    probe = probe ? probe->next : SC_LOAD(__scale_arenas);
    if (probe && !(SC_LOAD(probe->owner) & SC_ARENA_LEAVING) && thread_adopt(probe, pid, tid))
      break;
  }
  SC_STORE(thread_probe, probe);
  return probe && SC_LOAD(probe->owner) == tid ? probe : NULL;
}

/* A server's child has no more arenas than are there: behind threads that still end, there may be one. */
static struct sc_arena *thread_find_any(uint32_t tid)
{
  uint32_t pid = sc_os_pid();
  struct sc_arena *a = SC_LOAD(__scale_arenas);

  while (a && !thread_adopt(a, pid, tid))
    a = a->next;
  return a;
}

struct sc_arena *__scale_thread_arena(struct sc_process *p, uint64_t stack)
{
  struct sc_arena *arena = __scale_thread_own;
  uint32_t tid;

  if (arena)
    return arena;
  tid = sc_os_tid();
  arena = thread_find_free(tid);
  if (!arena && p->control)
    arena = thread_find_any(tid);
  if (arena) {
    thread_move_stack(arena, stack);
    __scale_held_settle(arena);
    __scale_held_reset(arena);
    arena->waited = 0;
  } else {
    arena = __scale_arena_new(p);
    if (!arena)
      return NULL;
    arena->stack = stack;
    arena->owner = tid;
    __scale_arena_link(arena);
  }
  if (__scale_thread_own) { /* a signal handler was here meanwhile, and may have found the same one */
    if (__scale_thread_own != arena) {
      SC_STORE(arena->owner, SC_ARENA_LEAVING);
      thread_give(arena);
    }
    return __scale_thread_own;
  }
  *(struct sc_arena *volatile *)&__scale_thread_own = arena;
  __scale_owner_note(arena, tid);
  SC_ADD(p->header->threads, 1);
  if (SC_LOAD(thread_has_key))
    pthread_setspecific(thread_key, arena);
  return arena;
}

void __scale_thread_only(struct sc_arena *own)
{
  __scale_owner_clear();
  SC_STORE(thread_free, 0);
  SC_STORE(thread_probe, NULL);
  for (struct sc_arena *a = __scale_arenas; a; a = a->next) {
    a->owner = SC_ARENA_LEAVING;
    a->listed = a->noted = 0;
    if (a != own)
      thread_give(a);
  }
  if (own) {
    own->owner = sc_os_tid();
    __scale_owner_note(own, own->owner);
  }
}
