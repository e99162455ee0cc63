/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "instrument/attach/consumed.h"
#include "instrument/attach/happened.h"

/*
 * Uprobes that count calls of functions by the processes of a run, one run after another (docs/attach.md). The kernel
 * holds them by descriptors of this process, so that nothing is left when it ends, however it does.
 */
typedef struct sc_catch sc_catch;

/* The first instruction of a function. Texts live as long as the catch. */
typedef struct sc_catch_place {
  const char *file, *name;
  uint64_t offset;   /* in the file */
  uint32_t function; /* whose calls are counted there, below the number of functions */
} sc_catch_place;

/* What happened, in its order. It is called by a thread of the catch, one call at a time, and may set no error. */
typedef void (*sc_catch_happened_fn)(void *user, const struct scale_happened *what);

enum sc_catch_how {
  SC_CATCH_SINGLE = 1, /* one by one, as kernels before 6.6 need it; they get it anyway */
  SC_CATCH_APART = 2,  /* each function by itself, so that sc_catch_drop can let go of it */
  SC_CATCH_RUNNING = 4 /* the run is of processes that are there before it: sc_catch_join */
};

/* Attaches a counter to every place; places of a file follow each other, with SC_CATCH_APART those of a function.
 * `captures`: [functions] what their calls report; NULL: they are only counted. `how`: of enum sc_catch_how.
 * SC_E_UNSUPPORTED with a hint: built without libbpf, no right to, or the machine has not what it takes;
 * SC_E_INPUT: a place that cannot be counted. */
int sc_catch_open(const sc_catch_place *places, size_t count, size_t functions, const struct scale_capture *captures,
                  unsigned how, sc_catch **out) SC_CHECK;
/* A new run begins with the next exec of this process, which waits for it; 0: with sc_catch_join. All counts are 0
 * again. `happened` (NULL: nobody asks) is called until sc_catch_end, sc_catch_take or sc_catch_close returns. */
int sc_catch_begin(sc_catch *self, pid_t process, sc_catch_happened_fn happened, void *user) SC_CHECK;

/* A process that is there before the run. */
typedef struct sc_catch_running {
  pid_t process;
  unsigned threads;
  const char *image; /* name of its executable, without the folder */
} sc_catch_running;
/* These are of the run from now on, and what they fork. Between sc_catch_begin and the first such call nothing is
 * counted; images that no earlier call had are to be in the first one. */
int sc_catch_join(sc_catch *self, const sc_catch_running *processes, size_t count) SC_CHECK;
/* Calls of the run so far, [functions]. */
int sc_catch_calls(const sc_catch *self, uint64_t *calls) SC_CHECK;
/* Detaches from those functions, [functions], whose calls are counted no more. It takes up to some 100 ms. */
void sc_catch_drop(sc_catch *self, const bool *functions);

typedef struct sc_catch_totals {
  uint64_t processes, threads; /* of the run */
  uint64_t lost;               /* processes that were not counted */
  uint64_t untold;             /* what happened and was not told */
} sc_catch_totals;
/* A function's calls in processes that run an executable of this name (its file's, without the folder). */
typedef int (*sc_catch_fn)(void *user, const char *image, uint32_t function, uint64_t calls);
/* Stops counting and reporting the run. All that happened so far was reported when it returns. */
void sc_catch_end(sc_catch *self);
/* The run is over: all that happened was told. Visits all its counts that are not 0. What `visit` returns below 0 ends
 * it, and is returned. */
int sc_catch_take(sc_catch *self, sc_catch_totals *totals, sc_catch_fn visit, void *user) SC_CHECK;
typedef int (*sc_catch_image_fn)(void *user, uint32_t number, const char *name);
/* Visits the names of executables, as happenings number them. */
int sc_catch_images(sc_catch *self, sc_catch_image_fn visit, void *user) SC_CHECK;
/* Of threads of the run so far that ended, in all their lives. */
typedef int (*sc_catch_ended_fn)(void *user, const char *image, const struct scale_consumed *spent);
int sc_catch_ended(sc_catch *self, sc_catch_ended_fn visit, void *user) SC_CHECK;
/* Detaches. NULL is allowed. */
void sc_catch_close(sc_catch *self);
