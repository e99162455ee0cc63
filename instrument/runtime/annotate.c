/* SPDX-License-Identifier: MIT */
/*
 * What <scale/annotate.h> calls where the pass did not replace the call: in
 * functions that a filter excludes, and in code compiled without the pass.
 */
#define __SCALE__ 1
#include "instrument/include/scale/annotate.h"

void __scale_annotate_acquire(const char *resource, uint64_t id, uint64_t units) {}
void __scale_annotate_failed(const char *resource, uint64_t id) {}
void __scale_annotate_release(const char *resource, uint64_t id, uint64_t units) {}
void __scale_annotate_read(const char *resource, uint64_t id) {}
void __scale_annotate_write(const char *resource, uint64_t id) {}
uint64_t __scale_annotate_wait_begin(const char *resource, uint64_t id) { return 0; }
void __scale_annotate_wait_end(const char *resource, uint64_t id, uint64_t token) {}
void __scale_annotate_capacity(const char *resource, uint64_t units) {}

/* The same of locks that the pass found, which makes these calls. */
void __scale_annotate_lock_acquire(const char *unused, const void *lock);
void __scale_annotate_lock_failed(const char *unused, const void *lock);
void __scale_annotate_lock_release(const char *unused, const void *lock);
uint64_t __scale_annotate_lock_wait_begin(const char *unused, const void *lock);
void __scale_annotate_lock_wait_end(const char *unused, const void *lock, uint64_t token);
void __scale_annotate_lock_seen(const char *unused);

void __scale_annotate_lock_acquire(const char *unused, const void *lock) {}
void __scale_annotate_lock_failed(const char *unused, const void *lock) {}
void __scale_annotate_lock_release(const char *unused, const void *lock) {}
uint64_t __scale_annotate_lock_wait_begin(const char *unused, const void *lock) { return 0; }
void __scale_annotate_lock_wait_end(const char *unused, const void *lock, uint64_t token) {}
void __scale_annotate_lock_seen(const char *unused) {}

/* And of units behind conditions. */
void __scale_annotate_pool_take(const char *unused, const void *condition, uint64_t count);
void __scale_annotate_pool_fail(const char *unused, const void *condition);
void __scale_annotate_pool_give(const char *unused, const void *condition);

void __scale_annotate_pool_take(const char *unused, const void *condition, uint64_t count) {}
void __scale_annotate_pool_fail(const char *unused, const void *condition) {}
void __scale_annotate_pool_give(const char *unused, const void *condition) {}

/* And of locks of readers and writers that a program makes of counters. */
void __scale_annotate_counted_acquire(const char *unused, const void *lock);
uint64_t __scale_annotate_counted_wait_begin(const char *unused, const void *lock);
void __scale_annotate_counted_wait_end(const char *unused, const void *lock, uint64_t token);
void __scale_annotate_counted_release(const char *unused, const void *lock);
void __scale_annotate_shared_acquire(const char *unused, const void *lock);
uint64_t __scale_annotate_shared_wait_begin(const char *unused, const void *lock);
void __scale_annotate_shared_wait_end(const char *unused, const void *lock, uint64_t token);
void __scale_annotate_shared_release(const char *unused, const void *lock);

void __scale_annotate_counted_acquire(const char *unused, const void *lock) {}
uint64_t __scale_annotate_counted_wait_begin(const char *unused, const void *lock) { return 0; }
void __scale_annotate_counted_wait_end(const char *unused, const void *lock, uint64_t token) {}
void __scale_annotate_counted_release(const char *unused, const void *lock) {}
void __scale_annotate_shared_acquire(const char *unused, const void *lock) {}
uint64_t __scale_annotate_shared_wait_begin(const char *unused, const void *lock) { return 0; }
void __scale_annotate_shared_wait_end(const char *unused, const void *lock, uint64_t token) {}
void __scale_annotate_shared_release(const char *unused, const void *lock) {}
