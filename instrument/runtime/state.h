/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the runtime knows of its process, for files that use it and have no part in making it: clock, file and records
 * stand below process.c, which calls them before there is a state.
 */
#include "layout.h"

enum { SC_PATH_MAX = 4096, SC_SCRATCH_BYTES = 65536 };

struct sc_process {
  struct scale_header *header; /* of the file, or private */
  struct scale_chunk *records; /* newest RECORDS chunk, or NULL */
  struct scale_chunk *shut;    /* one of them that takes no more: the file has no room behind what is in it */
  uint64_t budget;             /* bytes for arenas */
  uint64_t arena_bytes;        /* given to arenas so far */
  uint64_t device, inode;      /* of the file: it is opened again by name to grow */
  uint32_t wants_file;         /* a folder was named */
  uint32_t has_file;
  uint32_t dormant;              /* there was no profile from the start: nobody will read what is counted */
  uint32_t full;                 /* the file could not grow: private memory from now on */
  struct scale_header *ancestor; /* a child without a file: that of the nearest process above it that has one */
  uint32_t lost_index;
  uint32_t base;                 /* of the file's RECORDS chunks: references below it are of an ancestor's records */
  uint32_t info;                 /* reference of the INFO record, or 0 */
  uint64_t *copied;              /* (atomic) a bit for each reference below `base` whose record is in the file, too */
  uint32_t tallies_full;         /* the budget is used up: no more tallies */
  uint32_t trace;                /* entries of a thread's ring */
  struct scale_control *control; /* it is a server, or a child of one; or NULL */
  struct scale_header private_header;
  uint32_t folder_bytes, name_bytes; /* of the path: the folder's, and with the executable's name behind it */
  char path[SC_PATH_MAX + 512];      /* absolute */
};

/* NULL until process.c has made it: whoever needs it asks sc_process_now (process.h). */
extern struct sc_process *__scale_process_state;
/* 1: somebody wants a profile. */
__attribute__((visibility("hidden"))) extern uint32_t __scale_event_on;

/* The note with this number in a profile that is read while it is written. */
static inline struct scale_noted *sc_process_noted(struct scale_control *control, uint32_t number)
{
  return (struct scale_noted *)((char *)control + SCALE_CONTROL_NOTES) + number;
}
