/* SPDX-License-Identifier: MIT */
#include "trim.h"
#include "arena.h"
#include "bytes.h"
#include "file.h"
#include "os.h"
#include "owner.h"
#include "thread.h"

/* Nobody may write to the room from here on, or it would have to be found again, on a disk that may be full. */
static void trim_room(const struct sc_process *p, const struct scale_chunk *chunk, uint64_t used)
{
  uint64_t kept = sc_round_up(used, SCALE_CHUNK_ALIGN);
  int fd = sc_file_offset(chunk) && kept < chunk->bytes ? __scale_file_open(p) : -1;

  if (fd < 0)
    return;
  sc_os_punch(fd, sc_file_offset(chunk) + kept, chunk->bytes - kept);
  sc_os_close(fd);
}

/* Other threads and signal handlers take blocks from a chunk by raising `used`: so does this, up to the end. */
static void trim_arena(const struct sc_process *p, struct sc_arena *arena)
{
  struct scale_chunk *chunk = SC_LOAD(arena->current);
  uint64_t used = SC_LOAD(chunk->used);

  SC_STORE(arena->shut, chunk);
  while (!SC_SWAP(chunk->used, &used, chunk->bytes))
    ;
  trim_room(p, chunk, used);
}

/* Whether another thread may be in the middle of writing a record. */
static int trim_alone(void)
{
  for (const struct sc_arena *a = SC_LOAD(__scale_arenas); a; a = a->next)
    if (a != __scale_thread_own && !(SC_LOAD(a->owner) & SC_ARENA_LEAVING))
      return 0;
  return 1;
}

void __scale_trim(struct sc_process *p)
{
  struct scale_chunk *records = SC_LOAD(p->records);

  if (!p->has_file)
    return;
  if (records && records != SC_LOAD(p->shut) && trim_alone()) {
    SC_STORE(p->shut, records);
    trim_room(p, records, SC_LOAD(records->used));
  }
  for (struct sc_arena *a = SC_LOAD(__scale_arenas); a; a = a->next)
    if (SC_LOAD(a->current) != SC_LOAD(a->shut))
      trim_arena(p, a);
}
