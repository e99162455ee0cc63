/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/process/lifetimes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/hash.h"
#include "profiles/graph/index.h"

struct lifetime {
  char *profile;
  uint64_t began, ended;
};

struct sc_lifetimes {
  int fd;
  bool incomplete; /* the kernel had no room for all */
  uint64_t events;
  struct lifetime *list;
  size_t count, capacity;
  sc_index by_name; /* number + 1 */
};

int sc_lifetimes_watch(const char *directory, sc_lifetimes **out)
{
  *out = NULL;
  sc_lifetimes *l;
  SC_TRY(SC_NEW(l, 1));
  l->fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (l->fd < 0 || inotify_add_watch(l->fd, directory, IN_CREATE | IN_CLOSE_WRITE | IN_ONLYDIR) < 0)
    sc_lifetimes_free(l);
  else
    *out = l;
  return 0;
}

static uint32_t hash_of(const char *profile) { return (uint32_t)sc_hash_string(SC_HASH_START, profile); }

/* Where the number of this profile is, or is to be. */
static sc_index_slot *find_lifetime_profile(const sc_lifetimes *l, const char *profile)
{
  sc_index_slot *slot = sc_index_first(&l->by_name, hash_of(profile));
  while (slot->number && strcmp(l->list[slot->number - 1].profile, profile) != 0)
    slot = sc_index_next(&l->by_name, slot);
  return slot;
}

static int take_event(sc_lifetimes *l, const struct inotify_event *event)
{
  l->incomplete |= event->mask & IN_Q_OVERFLOW;
  if (!event->len)
    return 0;
  l->events++;
  SC_TRY(sc_index_reserve(&l->by_name, l->count + 1));
  sc_index_slot *slot = find_lifetime_profile(l, event->name);
  if (slot->number) { /* a profile that grew is mapped several times: the last one to be closed counts */
    l->list[slot->number - 1].ended = event->mask & IN_CLOSE_WRITE ? l->events : UINT64_MAX;
    return 0;
  }
  SC_TRY(sc_mem_grow(&l->list, &l->capacity, l->count + 1, sizeof *l->list));
  struct lifetime own = {sc_mem_copy_string(event->name), l->events, UINT64_MAX};
  if (!own.profile)
    return SC_E_NOMEM;
  l->list[l->count++] = own;
  sc_index_take(&l->by_name, slot, hash_of(own.profile), (uint32_t)l->count);
  return 0;
}

int sc_lifetimes_drain(sc_lifetimes *l)
{
  _Alignas(struct inotify_event) char block[1 << 14];
  ssize_t got;
  if (!l)
    return 0;
  while ((got = read(l->fd, block, sizeof block)) > 0 || (got < 0 && errno == EINTR))
    for (const char *at = block; at < block + got;) {
      const struct inotify_event *event = (const struct inotify_event *)at;
      SC_TRY(take_event(l, event));
      at += sizeof *event + event->len;
    }
  return 0;
}

bool sc_lifetimes_of(const sc_lifetimes *l, const char *profile, uint64_t *began, uint64_t *ended)
{
  if (!l || l->incomplete || !l->count)
    return false;
  const sc_index_slot *slot = find_lifetime_profile(l, profile);
  if (!slot->number)
    return false;
  *began = l->list[slot->number - 1].began;
  *ended = l->list[slot->number - 1].ended;
  return true;
}

void sc_lifetimes_free(sc_lifetimes *l)
{
  if (!l)
    return;
  if (l->fd >= 0)
    close(l->fd);
  for (size_t i = 0; i < l->count; i++)
    free(l->list[i].profile);
  free(l->list);
  sc_index_free(&l->by_name);
  free(l);
}
