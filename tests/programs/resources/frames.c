/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A join reads all n pages of one table for each four pages of another, through a buffer pool of eight frames: a page
 * is gone from it when it is needed again. Twin 1: as many frames as pages. Twin 2: eight frames, and each page is read
 * once.
 */
#include "program.h"
#include <scale/annotate.h>
#include <stdbool.h>

struct frame {
  long page, reads;
};
static struct pool {
  struct frame *frames;
  long count, hand, loads;
  struct frame **where; /* of each page, or NULL */
} pool;

static struct frame *load(long page)
{
  struct frame *frame = &pool.frames[pool.hand];
  pool.hand = (pool.hand + 1) % pool.count;
  if (frame->page >= 0) {
    SCALE_RELEASE("frames", frame, 1);
    pool.where[frame->page] = NULL;
  }
  frame->page = page;
  pool.where[page] = frame;
  pool.loads++;
  SCALE_ACQUIRE("frames", frame, 1); /* culprit */
  return frame;
}

static void read_page(long page)
{
  struct frame *frame = pool.where[page] ? pool.where[page] : load(page); /* culprit */
  for (int row = 0; row < 8; row++) {
    SCALE_READ("frames", frame);
    frame->reads++;
  }
}

static void join(long pages)
{
#if TWIN == 2
  long outer = 1;
#else
  long outer = (pages + 3) / 4;
#endif
  for (long i = 0; i < outer; i++)
    for (long page = 0; page < pages; page++)
      read_page(page);
}

int main(int argc, char **argv)
{
  long n = program_size(argc, argv), reads = 0;
#if TWIN == 1
  pool.count = n;
#else
  pool.count = 8;
#endif
  pool.frames = calloc((size_t)pool.count, sizeof *pool.frames);
  pool.where = calloc((size_t)n, sizeof(struct frame *));
  if (!pool.frames || !pool.where)
    return 1;
  for (long i = 0; i < pool.count; i++)
    pool.frames[i].page = -1;
  join(n);
  for (long i = 0; i < pool.count; i++) {
    reads += pool.frames[i].reads;
    if (pool.frames[i].page >= 0)
      SCALE_RELEASE("frames", &pool.frames[i], 1);
  }
  printf("%ld %ld\n", reads, pool.loads);
  free(pool.frames);
  free(pool.where);
  return 0;
}
