/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
/*
 * Drives the runtime's hooks by hand, in a process that is the "instrumented program" itself: each test function asks
 * for a node of its own, with cells, as compiled code has them, and reads the tallies in memory.
 */
#include "unit.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include <malloc.h>

#include "instrument/runtime/do.h"
#include "instrument/runtime/enter.h"
#include "instrument/runtime/held.h"
#include "instrument/runtime/held_others.h"
#include "instrument/runtime/held_store.h"
#include "instrument/runtime/process.h"
#include "instrument/runtime/refs.h"
#include "instrument/runtime/steps.h"
#include "instrument/runtime/tally.h"
#include "instrument/runtime/thread.h"

enum { DRIVE_CELLS = 24, DRIVE_TEXT = 16, DRIVE_FUNCTIONS = 32 };

struct drive_node {
  struct scale_node node;
  struct scale_entry slot;
  uint64_t cell[DRIVE_CELLS];
};
struct drive_record {
  struct scale_record record;
  struct scale_sites sites;
  struct scale_site_slot slot;
  struct scale_site_event event[DRIVE_CELLS];
  struct scale_loc loc;
  struct scale_ref ref;
  char text[DRIVE_TEXT];
};
struct drive_function {
  struct drive_record record;
  struct scale_function function;
  char spare[sizeof(struct scale_entry) + sizeof(struct drive_node)] __attribute__((aligned(16)));
};

uint64_t __scale_steps; /* of the runtime's loops */

static __attribute__((unused)) struct scale_module_ref drive_module = {0, SCALE_UNWRITTEN, 0};
static __attribute__((unused)) struct scale_unit_ref drive_unit = {SCALE_UNWRITTEN, 0, 0, (uintptr_t)&drive_module};

/* Makes a function with DRIVE_CELLS cells; which of them are used for what is up to the test. */
static inline void drive_make(struct drive_function *f, const char *name)
{
  struct drive_record *r = &f->record;

  r->record =
      (struct scale_record){SCALE_RECORD_MAGIC, SCALE_RECORD_FUNCTION, SCALE_FORMAT_VERSION, sizeof *r, 0, 0, 0};
  r->sites = (struct scale_sites){sizeof(struct drive_node), 1, 1, 1, DRIVE_TEXT, DRIVE_CELLS, 0};
  r->loc = (struct scale_loc){0, SCALE_LOC_FUNCTION, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  r->slot = (struct scale_site_slot){
      offsetof(struct drive_node, slot), SCALE_SLOT_OPEN, 0, 0, SCALE_NO_STRING, SCALE_NO_STRING, 0, 1, 1};
  for (uint32_t i = 0; i < DRIVE_CELLS; i++)
    r->event[i].offset = (uint32_t)(offsetof(struct drive_node, cell) + i * sizeof(uint64_t));
  snprintf(r->text, sizeof r->text, "%s", name);
  r->record.crc = (uint32_t)crc32(0, (const unsigned char *)&r->sites, sizeof *r - sizeof r->record);
  uintptr_t from = (uintptr_t)&f->function;
  f->function = (struct scale_function){.index = SCALE_UNWRITTEN,
                                        .node_bytes = sizeof(struct drive_node),
                                        .sites = (uintptr_t)r - from,
                                        .unit = (uintptr_t)&drive_unit - from,
                                        .spare = (uintptr_t)f->spare - from};
}

/* One of few. */
static inline struct drive_function *drive_function(const char *name)
{
  static struct drive_function functions[DRIVE_FUNCTIONS];
  static int made;

  assert_true(made < DRIVE_FUNCTIONS);
  drive_make(&functions[made], name);
  return &functions[made++];
}

/* The calling thread's node of the function, entered from nowhere. */
static inline uint64_t *drive_cells(struct drive_function *f)
{
  struct scale_entry *entry = __scale_enter(__scale_slot, &f->function);
  entry->count++;
  return ((struct drive_node *)__scale_node(entry, &f->function))->cell;
}

static inline struct scale_tally *drive_tally(const uint64_t *cell) { return sc_tally_at(*cell); }

#define DRIVE_HOW(resource_class, event, flags) \
  ((uint32_t)(SCALE_CLASS_##resource_class) | (uint32_t)(flags) << 8 | (uint32_t)(SCALE_EVENT_##event) << 16)

static inline uint64_t drive_buckets(const struct scale_tally *t)
{
  uint64_t all = 0;
  for (int i = 0; i < SCALE_HOLD_BUCKETS; i++)
    all += ((const struct sc_timed_tally *)t)->buckets[i];
  return all;
}

static inline uint64_t drive_holders(const struct scale_tally *t)
{
  uint64_t all = 0;
  for (const struct scale_holder *h = (void *)(uintptr_t)t->holders; h; h = (void *)(uintptr_t)h->next)
    all++;
  return all;
}

/* Runs the program again with a folder for profiles, which the second one removes. */
static inline void drive_begin(char **argv, const char *trace)
{
  char folder[] = "/tmp/runtime_test.XXXXXX";

  if (getenv("SCALE_PROFILE_DIR"))
    return;
  if (!mkdtemp(folder) || setenv("SCALE_PROFILE_DIR", folder, 1) || (trace && setenv("SCALE_TRACE", trace, 1)))
    abort();
  execv("/proc/self/exe", argv);
  abort();
}

static inline int drive_end(int status)
{
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%.100s'", getenv("SCALE_PROFILE_DIR"));
  return system(command) ? 1 : status;
}
