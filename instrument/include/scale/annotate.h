/* SPDX-License-Identifier: MIT */
/*
 * annotate.h - tells scale-run about a program's own resources: pools, queues,
 * caches, locks of its own make.
 *
 *   SCALE_ACQUIRE("connection pool", connection, 1);
 *   ...
 *   SCALE_RELEASE("connection pool", connection, 1);
 *
 * In a program built with scale-cc these are counted in their calling context.
 * In any other build they vanish: no code, no data, no reference, and the
 * arguments are checked but not evaluated, so they must have no effect of their
 * own. Needs nothing but the compiler; C99 or C++11 and later.
 *
 *   resource  a string literal: what reports call it
 *   id        which one: a pointer or an integer. What was acquired under an id comes back as a whole; under 0, units
 *             are only counted, and as many come back as a release says
 *   units     how many: an integer
 */
#ifndef SCALE_ANNOTATE_H
#define SCALE_ANNOTATE_H
#include <stdint.h>

/* The arguments as the functions below take them. The quotes around `resource` refuse all but literals; a conversion in
   this notation is one that C++ does not call old. */
#ifdef __cplusplus
typedef uintptr_t scale_annotate_id;
typedef uint64_t scale_annotate_units;
#define SCALE_ANNOTATE_ID(id)       scale_annotate_id(id)
#define SCALE_ANNOTATE_UNITS(units) scale_annotate_units(units)
#else
#define SCALE_ANNOTATE_ID(id)       ((uintptr_t)(id))
#define SCALE_ANNOTATE_UNITS(units) ((uint64_t)(units))
#endif

#ifdef __SCALE__

#ifdef __cplusplus
extern "C" {
#endif
/* Calls of these are replaced by the compiler pass. Where it does not run, they are functions of the runtime's that do
   nothing. */
#define SCALE_ANNOTATE_FUNCTION __attribute__((nothrow, visibility("hidden")))
SCALE_ANNOTATE_FUNCTION void __scale_annotate_acquire(const char *resource, uint64_t id, uint64_t units);
SCALE_ANNOTATE_FUNCTION void __scale_annotate_failed(const char *resource, uint64_t id);
SCALE_ANNOTATE_FUNCTION void __scale_annotate_release(const char *resource, uint64_t id, uint64_t units);
SCALE_ANNOTATE_FUNCTION void __scale_annotate_read(const char *resource, uint64_t id);
SCALE_ANNOTATE_FUNCTION void __scale_annotate_write(const char *resource, uint64_t id);
SCALE_ANNOTATE_FUNCTION uint64_t __scale_annotate_wait_begin(const char *resource, uint64_t id);
SCALE_ANNOTATE_FUNCTION void __scale_annotate_wait_end(const char *resource, uint64_t id, uint64_t token);
SCALE_ANNOTATE_FUNCTION void __scale_annotate_capacity(const char *resource, uint64_t units);
#undef SCALE_ANNOTATE_FUNCTION
#ifdef __cplusplus
}
#endif

#define SCALE_ANNOTATE_2(what, resource, id) __scale_annotate_##what("" resource "", SCALE_ANNOTATE_ID(id))
#define SCALE_ANNOTATE_3(what, resource, id, units) \
  __scale_annotate_##what("" resource "", SCALE_ANNOTATE_ID(id), SCALE_ANNOTATE_UNITS(units))
#define SCALE_ANNOTATE_CAPACITY(resource, units) __scale_annotate_capacity("" resource "", SCALE_ANNOTATE_UNITS(units))
#define SCALE_ANNOTATE_BEGIN(resource, id)       uint64_t scale_annotate_token = SCALE_ANNOTATE_2(wait_begin, resource, id)
#define SCALE_ANNOTATE_END(resource, id) \
  __scale_annotate_wait_end("" resource "", SCALE_ANNOTATE_ID(id), scale_annotate_token)

#else

#define SCALE_ANNOTATE_2(what, resource, id) ((void)sizeof("" resource ""), (void)sizeof(SCALE_ANNOTATE_ID(id)))
#define SCALE_ANNOTATE_3(what, resource, id, units) \
  (SCALE_ANNOTATE_2(what, resource, id), (void)sizeof(SCALE_ANNOTATE_UNITS(units)))
#define SCALE_ANNOTATE_CAPACITY(resource, units) \
  ((void)sizeof("" resource ""), (void)sizeof(SCALE_ANNOTATE_UNITS(units)))
#define SCALE_ANNOTATE_BEGIN(resource, id) SCALE_ANNOTATE_2(begin, resource, id)
#define SCALE_ANNOTATE_END(resource, id)   SCALE_ANNOTATE_2(end, resource, id)

#endif

/* `units` of the resource were obtained. Say it before another thread can give them back (before an item is put into a
   queue). */
#define SCALE_ACQUIRE(resource, id, units) SCALE_ANNOTATE_3(acquire, resource, id, units)
/* They were asked for and not to be had. */
#define SCALE_ACQUIRE_FAILED(resource, id) SCALE_ANNOTATE_2(failed, resource, id)
/* Gives `units` back: before they can be obtained by somebody else. */
#define SCALE_RELEASE(resource, id, units) SCALE_ANNOTATE_3(release, resource, id, units)
/* Uses what was acquired. */
#define SCALE_READ(resource, id)  SCALE_ANNOTATE_2(read, resource, id)
#define SCALE_WRITE(resource, id) SCALE_ANNOTATE_2(write, resource, id)
/* What stands between the two waits for the resource. They are the braces of a block, and so come in pairs: in one
   function, nested if need be. A block that is left by another way (return, break, goto) counts as no wait. */
#define SCALE_WAIT_BEGIN(resource, id) \
  {                                    \
    SCALE_ANNOTATE_BEGIN(resource, id)
#define SCALE_WAIT_END(resource, id) \
  SCALE_ANNOTATE_END(resource, id);  \
  }
/* How many units there are, all in all: a constant. */
#define SCALE_CAPACITY(resource, units) SCALE_ANNOTATE_CAPACITY(resource, units)
#endif
