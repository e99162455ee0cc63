/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/sampler/images.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/compare.h"
#include "runner/sampler/unwind.h"

/* A record of interest, put in the order of time: processors' buffers are drained one after another. */
typedef struct note {
  uint64_t time;
  size_t order;
  struct perf_event_header *record;
} note;

typedef struct epoch {
  uint32_t pid;
  uint64_t time; /* valid from */
  size_t image;
} epoch;

struct sc_sampler_images {
  sc_sampler_image **images;
  size_t image_count, image_room;
  epoch *epochs; /* by time while they are made, by pid and time afterwards */
  size_t epoch_count, epoch_room;
};

static int by_time(const void *left, const void *right)
{
  const note *a = left, *b = right;
  return SC_COMPARE(a->time, b->time) ?: SC_COMPARE(a->order, b->order);
}

static int by_pid_and_time(const void *left, const void *right)
{
  const epoch *a = left, *b = right;
  return SC_COMPARE(a->pid, b->pid) ?: SC_COMPARE(a->time, b->time);
}

static int add_map(sc_sampler_image *image, const sc_sampler_map *map)
{
  SC_TRY(sc_mem_grow(&image->maps, &image->map_room, image->map_count + 1, sizeof *image->maps));
  sc_sampler_map copy = *map;
  if (!(copy.path = sc_mem_copy_string(map->path)))
    return SC_E_NOMEM;
  image->maps[image->map_count++] = copy;
  return 0;
}

/* A new image for the process from `time` on, with the maps of `old` (may be NULL) that don't overlap `but`. */
static int begin_image(sc_sampler_images *all, uint32_t pid, uint64_t time, const sc_sampler_image *old,
                       const sc_sampler_map *but, sc_sampler_image **result)
{
  SC_TRY(sc_mem_grow(&all->images, &all->image_room, all->image_count + 1, sizeof *all->images));
  SC_TRY(sc_mem_grow(&all->epochs, &all->epoch_room, all->epoch_count + 1, sizeof *all->epochs));
  sc_sampler_image *image;
  SC_TRY(SC_NEW(image, 1));
  all->images[all->image_count] = image;
  all->epochs[all->epoch_count++] = (epoch){pid, time, all->image_count++};
  for (size_t i = 0; old && i < old->map_count; i++)
    if (!but || old->maps[i].end <= but->start || old->maps[i].start >= but->end)
      SC_TRY(add_map(image, &old->maps[i]));
  if (old && old->exe && !(image->exe = sc_mem_copy_string(old->exe)))
    return SC_E_NOMEM;
  *result = image;
  return 0;
}

/* The newest epoch of a process while they are made. */
static epoch *newest_epoch(const sc_sampler_images *all, uint32_t pid)
{
  for (size_t i = all->epoch_count; i-- > 0;)
    if (all->epochs[i].pid == pid)
      return &all->epochs[i];
  return NULL;
}

static bool shares_image(const sc_sampler_images *all, const epoch *which)
{
  for (size_t i = all->epoch_count; i-- > 0;)
    if (&all->epochs[i] != which && all->epochs[i].image == which->image)
      return true;
  return false;
}

static int note_fork(sc_sampler_images *all, uint32_t pid, uint32_t parent, uint64_t time)
{
  const epoch *from = newest_epoch(all, parent);
  if (pid == parent || !from)
    return 0;
  size_t image = from->image;
  SC_TRY(sc_mem_grow(&all->epochs, &all->epoch_room, all->epoch_count + 1, sizeof *all->epochs));
  all->epochs[all->epoch_count++] = (epoch){pid, time, image};
  return 0;
}

static int note_map(sc_sampler_images *all, uint32_t pid, uint64_t time, const sc_sampler_map *map)
{
  epoch *now = newest_epoch(all, pid);
  sc_sampler_image *image = now ? all->images[now->image] : NULL;
  if (!image)
    SC_TRY(begin_image(all, pid, time, NULL, NULL, &image));
  bool overlaps = false;
  for (size_t i = 0; i < image->map_count; i++) {
    const sc_sampler_map *old = &image->maps[i];
    if (old->start >= map->end || old->end <= map->start)
      continue;
    if (old->start == map->start && old->end == map->end && old->offset == map->offset && !strcmp(old->path, map->path))
      return 0;
    overlaps = true;
  }
  if (now && (overlaps || shares_image(all, now)))
    SC_TRY(begin_image(all, pid, time, image, map, &image));
  if (!image->exe && map->path[0] == '/' && !(image->exe = sc_mem_copy_string(map->path)))
    return SC_E_NOMEM;
  return add_map(image, map);
}

static int note_record(sc_sampler_images *all, const note *entry)
{
  const struct perf_event_header *record = entry->record;
  const char *bytes = (const char *)record;
  uint32_t pid, parent;
  sc_sampler_image *image;
  memcpy(&pid, bytes + 8, sizeof pid);
  if (record->type == PERF_RECORD_FORK) {
    memcpy(&parent, bytes + 12, sizeof parent);
    return note_fork(all, pid, parent, entry->time);
  }
  if (record->type == PERF_RECORD_COMM)
    return record->misc & PERF_RECORD_MISC_COMM_EXEC ? begin_image(all, pid, entry->time, NULL, NULL, &image) : 0;
  enum { PATH_AT = 72, MAP_PATH_AT = 40, TRAILER = 16 };
  size_t path_at = record->type == PERF_RECORD_MMAP2 ? PATH_AT : MAP_PATH_AT;
  if (record->size <= path_at + TRAILER)
    return 0;
  uint64_t range[3]; /* address, length, offset */
  memcpy(range, bytes + 16, sizeof range);
  char path[4097];
  size_t length = record->size - path_at - TRAILER;
  length = length < sizeof path ? length : sizeof path - 1;
  memcpy(path, bytes + path_at, length);
  path[length] = '\0';
  return note_map(all, pid, entry->time, &(sc_sampler_map){range[0], range[0] + range[1], range[2], path});
}

static int collect_notes(sc_sampler *sampler, note **notes, size_t *count)
{
  size_t room = 0;
  const struct perf_event_header *record;
  int more;
  SC_TRY(sc_sampler_spool_rewind(sampler));
  while ((more = sc_sampler_spool_next(sampler, &record)) > 0) {
    if (record->type == PERF_RECORD_SAMPLE || record->size < 32)
      continue;
    SC_TRY(sc_mem_grow(notes, &room, *count + 1, sizeof **notes));
    struct perf_event_header *copy = sc_mem_new(1, record->size);
    if (!copy)
      return SC_E_NOMEM;
    memcpy(copy, record, record->size);
    (*notes)[*count] = (note){sc_sampler_record_time(record), *count, copy};
    ++*count;
  }
  return more;
}

int sc_sampler_images_new(sc_sampler *sampler, sc_sampler_images **result)
{
  note *notes = NULL;
  size_t count = 0;
  int err;
  sc_sampler_images *all;
  SC_TRY(SC_NEW(all, 1));
  SC_GOTO(collect_notes(sampler, &notes, &count));
  if (count)
    qsort(notes, count, sizeof *notes, by_time);
  for (size_t i = 0; i < count; i++)
    SC_GOTO(note_record(all, &notes[i]));
  if (all->epoch_count)
    qsort(all->epochs, all->epoch_count, sizeof *all->epochs, by_pid_and_time);
  *result = all;
  all = NULL;
out:
  for (size_t i = 0; i < count; i++)
    free(notes[i].record);
  free(notes);
  sc_sampler_images_free(all);
  return err;
}

void sc_sampler_images_free(sc_sampler_images *all)
{
  if (!all)
    return;
  for (size_t i = 0; i < all->image_count; i++) {
    sc_sampler_image *image = all->images[i];
    sc_sampler_unwind_free(image->unwinder);
    for (size_t j = 0; j < image->map_count; j++)
      free(image->maps[j].path);
    free(image->maps);
    free(image->exe);
    free(image);
  }
  free(all->images);
  free(all->epochs);
  free(all);
}

sc_sampler_image *sc_sampler_images_find(const sc_sampler_images *all, uint32_t pid, uint64_t time)
{
  size_t low = 0, high = all->epoch_count;
  while (low < high) { /* the last epoch with (pid, time) at or before the wanted */
    size_t middle = low + (high - low) / 2;
    const epoch *at = &all->epochs[middle];
    if (at->pid < pid || (at->pid == pid && at->time <= time))
      low = middle + 1;
    else
      high = middle;
  }
  if (low > 0 && all->epochs[low - 1].pid == pid)
    return all->images[all->epochs[low - 1].image];
  return NULL;
}
