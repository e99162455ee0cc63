/* SPDX-License-Identifier: MIT */
#include "held_list.h"
#include "bytes.h"
#include "how.h"
#include "valgrind.h"
#include <pthread.h>

/* Lists of holds, by lock. In values `tally` is the oldest hold, `since` the newest, `units` where the slot's key is.
 */
static SC_SHARED struct sc_table held_lists;

enum { SC_HELD_ROBUST = 16 /* of glibc's mutexes: in __kind */ };

/* Whether libc notes who has it, until that one gives it back. Of a robust mutex it says so no more when its owner died
   and the next one has it. */
static int held_noted(uint64_t identity, uint32_t how)
{
#ifdef __GLIBC__
  uint32_t resource_class = sc_event_class(how);

  if (!sc_event_of_libc(how))
    return 0;
  return (resource_class == SCALE_CLASS_MUTEX &&
          !(((const pthread_mutex_t *)(uintptr_t)identity)->__data.__kind & SC_HELD_ROBUST)) ||
         (resource_class == SCALE_CLASS_RWLOCK && !(sc_event_flags(how) & SCALE_SITE_SHARED));
#else
  return 0;
#endif
}

static uint64_t held_list_key(uint64_t identity, uint32_t how)
{
  return __scale_table_key(sc_event_class(how), identity);
}

void __scale_held_unlink(struct sc_table_at at, struct sc_hold *h)
{
  if (h->before)
    h->before->after = h->after;
  else
    at.value->tally = (uintptr_t)h->after;
  if (h->after)
    h->after->before = h->before;
  else
    at.value->since = (uintptr_t)h->before;
  SC_STORE(h->record, NULL);
}

static void held_leave(struct sc_table_at at, uint64_t key) { __scale_table_leave(at, sc_held_first(at) ? key : 0); }

void __scale_held_leave(struct sc_table_at at, uint64_t identity, uint32_t how)
{
  held_leave(at, held_list_key(identity, how));
}

struct sc_table_at __scale_held_listed(uint64_t identity, uint32_t how)
{
  return __scale_table_find(&held_lists, held_list_key(identity, how), NULL, NULL, 0);
}

void __scale_held_list(struct sc_hold *h, uint64_t identity, uint32_t how)
{
  uint64_t key = held_list_key(identity, how);
  struct sc_table_at at;

  if (held_noted(identity, how))
    return;
  at = __scale_table_find(&held_lists, key, NULL, NULL, 0);
  if (!at.value) {
    at = __scale_table_add(&held_lists, key);
    if (!at.value) /* others will not find it */
      return;
    at.value->tally = at.value->since = 0;
    SC_POKE(at.value->units, (uintptr_t)at.key); /* whose hold was just taken out of a list there may read it still */
  }
  h->after = NULL;
  h->before = (struct sc_hold *)(uintptr_t)at.value->since;
  if (h->before)
    h->before->after = h;
  else
    at.value->tally = (uintptr_t)h;
  at.value->since = (uintptr_t)h;
  SC_POKE(h->state, (uint16_t)(h->state | SC_HELD_LISTED));
  SC_STORE(h->record, at.value);
  __scale_table_leave(at, key);
}

int __scale_held_unlist(struct sc_hold *h)
{
  uint64_t key = held_list_key(h->identity, h->how);
  struct sc_table_at at = {NULL, SC_LOAD(h->record)};

  if (!at.value)
    return 1;
  at.key = (uint64_t *)(uintptr_t)SC_PEEK(at.value->units);
  if (!__scale_table_claim(at, key)) /* somebody took it out, and the list was given up? */
    return !SC_LOAD(h->record);
  if (SC_LOAD(h->record) == at.value)
    __scale_held_unlink(at, h);
  held_leave(at, key);
  return 1;
}

void __scale_held_list_fork(void) { __scale_table_clear(&held_lists, NULL, NULL); }
