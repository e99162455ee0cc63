/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* Bytes that are written once, one behind the other, and read again at any place: in memory, and beyond `limit` bytes
 * in a temporary file without a name, which nothing can leave behind. */
typedef struct sc_spool {
  size_t limit; /* bytes in memory; 0: SC_SPOOL_LIMIT */
  char *tail;   /* bytes [flushed .. flushed + used) */
  size_t used, capacity;
  uint64_t flushed; /* bytes in the file */
  int fd;           /* > 0 once there is a file */
  char *window;     /* bytes of the file last read */
  uint64_t window_at;
  size_t window_used, window_capacity;
} sc_spool;

enum { SC_SPOOL_LIMIT = 32 << 20 };

/* Bytes in memory and in the file together. */
uint64_t sc_spool_length(const sc_spool *spool);
/* Room for `length` bytes at the end, to be filled by the caller; valid until the next call. NULL: out of memory. */
void *sc_spool_reserve(sc_spool *spool, size_t length);
/* A part of the tail that may still be changed: what was reserved since sc_spool_settle. */
void *sc_spool_change(sc_spool *spool, uint64_t at);
/* All that was reserved is final: what does not fit into memory goes to the file. SC_E_IO, SC_E_NOSPACE. */
int sc_spool_settle(sc_spool *spool) SC_CHECK;
/* `length` bytes at `at`, until the next call of anything. What is being filled may be read as well. */
int sc_spool_read(sc_spool *spool, uint64_t at, size_t length, const void **bytes) SC_CHECK;
void sc_spool_free(sc_spool *spool);
