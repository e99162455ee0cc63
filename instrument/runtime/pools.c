/* SPDX-License-Identifier: MIT */
#include "pools.h"
#include "arena.h"
#include "held.h"
#include "held_others.h"
#include "tally.h"
#include "valgrind.h"

enum { SC_POOLS = 64 }; /* conditions whose units are counted; of others nobody knows how many there are */

/* All that threads have out of each. */
static SC_SHARED struct sc_pool {
  uint64_t condition; /* 0: unused */
  uint64_t out;
} pools_known[SC_POOLS];

static __attribute__((noinline)) struct sc_pool *pools_find(uint64_t condition)
{
  for (uint64_t i = 0; i < SC_POOLS; i++) {
    struct sc_pool *pool = &pools_known[i];
    uint64_t known = SC_LOAD(pool->condition);
    if (known == condition || (!known && SC_SWAP(pool->condition, &known, condition)) || known == condition)
      return pool;
  }
  return NULL;
}

void __scale_pool_waits(struct sc_arena *own, uint64_t condition, uint64_t now)
{
  const struct sc_pool *pool;

  if (own->pool.condition == condition) /* woken in vain */
    return;
  pool = pools_find(condition);
  own->pool.condition = condition;
  own->pool.since = now;
  own->pool.out = pool ? SC_LOAD(pool->out) : 0;
  own->pool.by = __scale_held_by(own, condition, SCALE_CLASS_SEMAPHORE | SCALE_SITE_INFERRED << 8);
}

/* That there are `all`, out and left together. The number that most observations agree on is found so: as
   many votes for it as are left when each other one has taken one away. */
static void pools_vote(struct scale_tally *tally, uint64_t all)
{
  if (!SC_PEEK(tally->writes))
    SC_POKE(tally->reads, all);
  SC_BUMP(tally->writes, SC_PEEK(tally->reads) == all ? 1 : -1);
  SC_BUMP(tally->strangers, 1);
}

void __scale_pool_waited(struct sc_arena *own, struct scale_tally *tally, uint64_t condition)
{
  uint64_t ticks;

  if (own->pool.condition != condition)
    return;
  ticks = sc_ticks_between(own->pool.since, sc_ticks());
  own->pool.condition = 0;
  SC_BUMP(tally->waits, 1);
  SC_BUMP(tally->wait_ticks, ticks);
  __scale_tally_waited(tally, own->pool.by, ticks);
  __scale_held_inside(own, tally, ticks, own->pool.since);
}

void __scale_pool_took(struct sc_arena *own, struct scale_tally *tally, uint64_t condition, uint64_t count)
{
  struct sc_pool *pool = pools_find(condition);

  if (pool) {
    if (count)
      count += SC_LOAD(pool->out);
    else if (own->pool.condition == condition)
      count = own->pool.out;
    if ((uint32_t)count == count && count)
      pools_vote(tally, count);
    own->pool.has++;
    SC_ADD(pool->out, 1);
  }
  __scale_pool_waited(own, tally, condition);
}

void __scale_pool_gave(struct sc_arena *own, uint64_t condition)
{
  struct sc_pool *pool = pools_find(condition);

  own->pool.has -= own->pool.has > 0;
  if (pool && SC_LOAD(pool->out))
    SC_ADD(pool->out, -1);
}

void __scale_pool_fork(void)
{
  for (uint64_t i = 0; i < SC_POOLS; i++)
    SC_STORE(pools_known[i].out, 0);
}
