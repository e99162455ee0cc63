/* SPDX-License-Identifier: MIT */
#include "thread.h"
#include "bytes.h"
#include "event.h"
#include "os.h"
#include <pthread.h>

enum {
  /* glibc keeps the values of the first keys inside the thread: setting one allocates nothing */
  SC_THREAD_KEYS_INLINE = 32,
  /* threads that could not say that they end are looked for among this many arenas at a time */
  SC_THREAD_PROBES = 4
};

/* What __scale_slot starts as: a slot nobody counts in. */
static struct scale_entry thread_no_context = {.key = SCALE_NO_CONTEXT};

__attribute__((visibility("default"))) _Thread_local void *__scale_slot = &thread_no_context;

_Thread_local struct sc_arena *__scale_thread_own;
static pthread_key_t thread_key;
static uint32_t thread_has_key;
static struct sc_arena *thread_probe; /* where the next search for the dead goes on */

/* The thread may still run instrumented code (other keys' destructors), so it keeps its arena until the kernel
   says that it is gone. */
static void thread_leaves(void *value)
{
  struct sc_arena *arena = value;
  __scale_event_thread_ends(arena);
  __atomic_fetch_or(&arena->owner, SC_ARENA_LEAVING, __ATOMIC_RELEASE);
}

void __scale_thread_start(void)
{
  if (pthread_key_create(&thread_key, thread_leaves) != 0)
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
        uint64_t block = w * 64 + (uint64_t)__builtin_ctzll(bits);
        struct scale_node *node = (struct scale_node *)((char *)c + block * SCALE_BLOCK_ALIGN);
        if (node->function && node->function < SCALE_HOLDER) {
          node->stack_high += by;
          if (node->stack_low != UINT64_MAX) /* nothing noted yet */
            node->stack_low += by;
        }
      }
  }
  arena->stack = stack;
}

static struct sc_arena *thread_find_free(uint32_t tid)
{
  uint32_t pid = sc_os_pid();
  struct sc_arena *probe;

  for (struct sc_arena *a = SC_LOAD(__scale_arenas); a; a = a->next)
    if ((SC_LOAD(a->owner) & SC_ARENA_LEAVING || SC_LOAD(a->owner) == tid) && thread_adopt(a, pid, tid))
      return a;
  probe = SC_LOAD(thread_probe);
  for (int i = 0; i < SC_THREAD_PROBES; i++) {
    probe = probe ? probe->next : SC_LOAD(__scale_arenas);
    if (probe && thread_adopt(probe, pid, tid))
      break;
  }
  SC_STORE(thread_probe, probe);
  return probe && SC_LOAD(probe->owner) == tid ? probe : NULL;
}

struct sc_arena *__scale_thread_arena(struct sc_process *p, uint64_t stack)
{
  struct sc_arena *arena = __scale_thread_own;
  uint32_t tid;

  if (arena)
    return arena;
  tid = sc_os_tid();
  arena = thread_find_free(tid);
  if (arena) {
    thread_move_stack(arena, stack);
    __scale_held_settle(arena);
    __scale_held_reset(&arena->held);
  } else {
    arena = __scale_arena_new(p);
    if (!arena)
      return NULL;
    arena->stack = stack;
    arena->owner = tid;
    __scale_arena_link(arena);
  }
  if (__scale_thread_own) { /* a signal handler was here meanwhile */
    SC_STORE(arena->owner, SC_ARENA_LEAVING);
    return __scale_thread_own;
  }
  *(struct sc_arena *volatile *)&__scale_thread_own = arena;
  SC_ADD(p->header->threads, 1);
  if (SC_LOAD(thread_has_key))
    pthread_setspecific(thread_key, arena);
  return arena;
}

void __scale_thread_only(struct sc_arena *own)
{
  for (struct sc_arena *a = __scale_arenas; a; a = a->next)
    a->owner = a == own ? sc_os_tid() : SC_ARENA_LEAVING;
}
