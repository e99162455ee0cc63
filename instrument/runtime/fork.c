/* SPDX-License-Identifier: MIT */
#include "fork.h"
#include "bytes.h"
#include "entries.h"
#include "file.h"
#include "fork_copy.h"
#include "fork_keep.h"
#include "fork_prune.h"
#include "held.h"
#include "names.h"
#include "os.h"
#include "owner.h"
#include "pools.h"
#include "process.h"
#include "records.h"
#include "steps.h"
#include "thread.h"
#include "units.h"

/* Makes the child's file: 0 or a negative errno. */
static int fork_file(struct sc_process *p)
{
  int err = __scale_file_create(p, 1);

  if (err < 0)
    return err;
  if (__scale_records_inherit(p))
    return 0;
  sc_os_unlink(p->path);
  sc_os_unmap(p->header, SCALE_HEADER_BYTES);
  return -12; /* ENOMEM */
}

/* Begins the child's file. If there can be none, the parent's says so, which is still mapped here. */
static void fork_begin(struct sc_process *p, struct scale_header *before)
{
  int err = fork_file(p);

  p->full = err < 0;
  if (err < 0) {
    __scale_file_lost(before, err);
    SC_ADD(before->lost_children, 1);
    p->ancestor = before;
    p->base = 0;
    p->has_file = 0;
    p->header = &p->private_header;
  }
  p->header->arenas = before->arenas;
  p->header->nodes = before->nodes;
  p->header->threads = 1;
}

/* Other threads are not here, and in the parent they may be writing. Where their trees were there is memory that nobody
   reads: a fiber of theirs may be what forked. */
static void fork_forget_others(const struct sc_arena *own)
{
  struct scale_chunk *next;

  for (struct sc_arena *a = __scale_arenas; a; a = a->next)
    for (struct scale_chunk *c = a != own ? SC_LOAD(a->current) : NULL; c; c = next) {
      SC_STEP();
      next = sc_arena_older(c);
      __scale_fork_forget(c, c->bytes);
    }
  __scale_arenas = NULL;
  sc_zero(__scale_arenas_near, sizeof(__scale_arenas_near));
}

/* Puts copies in the place of what is kept of the tree. The chunks take no more: the file has no room in them. */
static void fork_keep(struct sc_process *p, const struct sc_keep *keep, struct sc_arena *own)
{
  int fd = p->has_file ? __scale_file_open(p) : -1;
  struct scale_chunk *newer = NULL;

  for (uint32_t i = 0; i < keep->count; i++) {
    struct scale_chunk *chunk = keep->at[i].chunk;
    SC_STEP();
    if (!__scale_fork_copy(p, fd, keep, &keep->at[i]))
      continue;
    if (newer)
      newer->next = (uintptr_t)chunk;
    else
      own->current = chunk;
    newer = chunk;
    newer->next = 0;
  }
  if (fd >= 0)
    sc_os_close(fd);
  own->next = NULL;
  own->shut = own->current;
  own->trace = NULL;
  __scale_arena_link(own);
}

/* What was found in the tree before may not be there any more. */
static void fork_keep_some(struct sc_process *p, const struct sc_keep *keep, struct sc_arena *own)
{
  p->header->nodes = keep->nodes;
  sc_zero(own->cache, sizeof(own->cache));
  sc_zero(own->instances, sizeof(own->instances));
  __scale_entries_forget(own);
  __scale_keep_link(p, keep);
}

static void fork_profile(struct sc_process *p)
{
  struct scale_header *before = p->header;
  struct sc_arena *own = __scale_thread_own;
  struct sc_keep keep;

  __scale_keep_find(&keep, own);
  fork_begin(p, before);
  if (own && !keep.at) /* no memory */
    *(struct sc_arena *volatile *)&__scale_thread_own = own = NULL;
  fork_forget_others(own);
  p->arena_bytes = 0;
  p->tallies_full = 0;
  if (own) {
    fork_keep(p, &keep, own);
    __scale_fork_prune(p, own);
    if (!keep.whole)
      fork_keep_some(p, &keep, own);
    __scale_keep_need(p, &keep);
  }
  __scale_keep_free(&keep);
  if (p->has_file)
    sc_os_unmap(before, SCALE_HEADER_BYTES);
}

/* What the child has of its parent was acquired by nobody here. The locks of the forking thread stay held. */
static void fork_resources(void)
{
  __scale_held_fork(__scale_thread_own);
  __scale_units_fork();
  __scale_pool_fork();
  __scale_names_fork();
}

void __scale_fork_child(void)
{
  struct sc_process *p = __scale_process_state;
  uint64_t signals;

  if (!p)
    return;
  signals = sc_os_block_signals();
  __scale_process_own();
  if (!p->control) { /* else it counts where its parent does */
    if (p->has_file)
      fork_profile(p);
    else if (p->ancestor)
      SC_ADD(p->ancestor->lost_children, 1);
    fork_resources();
  }
  __scale_thread_only(__scale_thread_own);
  sc_os_restore_signals(signals);
}
