/* SPDX-License-Identifier: MIT */
#pragma once
/* Memory and text without libc: the program may bring (and instrument) its own memcpy. */
#include <stddef.h>
#include <stdint.h>

#define SC_LOAD(from)       __atomic_load_n(&(from), __ATOMIC_ACQUIRE)
#define SC_STORE(to, value) __atomic_store_n(&(to), (value), __ATOMIC_RELEASE)
#define SC_ADD(to, value)   __atomic_fetch_add(&(to), (value), __ATOMIC_ACQ_REL)
/* 1 if `to` was `*expected` and is `value` now; else *expected is what it was. */
#define SC_SWAP(to, expected, value) \
  __atomic_compare_exchange_n(&(to), (expected), (value), 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)

/* For what other threads may look at, or change, meanwhile: no order, no more than a plain access. */
#define SC_PEEK(from)      __atomic_load_n(&(from), __ATOMIC_RELAXED)
#define SC_POKE(to, value) __atomic_store_n(&(to), (value), __ATOMIC_RELAXED)
/* A count that one thread only writes. */
#define SC_BUMP(to, by) SC_POKE(to, SC_PEEK(to) + (by))

/* `to`: a power of two. */
static inline uint64_t sc_round_up(uint64_t value, uint64_t to) { return (value + to - 1) & ~(to - 1); }

/* Not memcpy and the like: the program may replace these, and its own may be instrumented; nor loops that a compiler
 * turns into calls of them. */
static inline void sc_copy(void *to, const void *from, size_t bytes)
{
#if defined(__x86_64__)
  size_t words = bytes / 8;
  __asm__ volatile("rep movsq" : "+D"(to), "+S"(from), "+c"(words) : : "memory");
  bytes %= 8;
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
#else
  volatile uint8_t *out = to;
  for (size_t i = 0; i < bytes; i++)
    out[i] = ((const uint8_t *)from)[i];
#endif
}

/* See sc_copy. */
static inline void sc_zero(void *to, size_t bytes)
{
#if defined(__x86_64__)
  __asm__ volatile("rep stosb" : "+D"(to), "+c"(bytes) : "a"(0) : "memory");
#else
  volatile uint8_t *out = to;
  for (size_t i = 0; i < bytes; i++)
    out[i] = 0;
#endif
}

/* 1 if the bytes are the same. */
static inline int sc_same(const void *a, const void *b, size_t bytes)
{
  for (size_t i = 0; i < bytes; i++)
    if (((const volatile uint8_t *)a)[i] != ((const volatile uint8_t *)b)[i])
      return 0;
  return 1;
}

/* Bytes before the NUL. */
static inline size_t sc_length(const char *text)
{
  size_t bytes = 0;
  while (((const volatile char *)text)[bytes])
    bytes++;
  return bytes;
}

/* CRC-32 with zlib's polynomial; `crc` is 0 for the first piece. */
uint32_t __scale_bytes_crc(uint32_t crc, const void *from, size_t bytes);
/* Writes `value` in decimal at `to` (20 bytes at most); returns the end. */
char *__scale_bytes_decimal(char *to, uint64_t value);
/* Bytes meant by "64M", "1g", "4096"; `otherwise` if the text is no such number. */
uint64_t __scale_bytes_size(const char *text, uint64_t otherwise);
