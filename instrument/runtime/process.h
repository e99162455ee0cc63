/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the runtime knows of its process: where the profile goes and how large
 * it may become. Read once, from the environment:
 *   SCALE_PROFILE_DIR  the folder for profiles; without it nothing is written
 *   SCALE_PROFILE_MAX  most bytes for nodes (1G by default)
 *   SCALE_TRACE        events that each thread's trace keeps (none by default)
 *   SCALE_FUZZ         the folder of who starts it for many inputs (serve.h), in place of SCALE_PROFILE_DIR
 * All are ignored in set-user-id programs.
 */
#include "bytes.h"
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

/* The process's state, made at the first call; never NULL. Safe in signal handlers. */
struct sc_process *__scale_process(void);
/* After fork without handlers (the bare system call): 1 until the child has been set up. */
int __scale_process_forked(void);
/* Marks this process as the one that owns the state. */
void __scale_process_own(void);

/* state.c */
extern struct sc_process *__scale_process_state;
/* 1: somebody wants a profile. */
__attribute__((visibility("hidden"))) extern uint32_t __scale_event_on;

/* The note with this number in a profile that is read while it is written. */
static inline struct scale_noted *sc_process_noted(struct scale_control *control, uint32_t number)
{
  return (struct scale_noted *)((char *)control + SCALE_CONTROL_NOTES) + number;
}

/* __scale_process, where each new context asks. */
static inline struct sc_process *sc_process_now(void)
{
  struct sc_process *p = SC_LOAD(__scale_process_state);
  return __builtin_expect(p != NULL, 1) ? p : __scale_process();
}
