/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* FNV-1a, 64 bit: tells builds and workloads apart by accident, not by attack, so it need not be cryptographic. */
#define SC_HASH_START UINT64_C(0xcbf29ce484222325)

/* Goes on from `hash`, at first SC_HASH_START. */
static inline uint64_t sc_hash_bytes(uint64_t hash, const void *data, size_t size)
{
  const unsigned char *bytes = data;
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
  return hash;
}

/* The terminating NUL is hashed too, so that "ab","c" and "a","bc" differ. NULL differs from "". */
static inline uint64_t sc_hash_string(uint64_t hash, const char *text)
{
  return text ? sc_hash_bytes(hash, text, strlen(text) + 1) : sc_hash_bytes(hash, "\1\2", 2);
}

/* Spreads a key over all bits, for tables with open addressing. Not for keys an attacker profits from colliding. */
static inline uint64_t sc_hash_mix(uint64_t key)
{
  key ^= key >> 32;
  key *= UINT64_C(0xd6e8feb86659fd93);
  key ^= key >> 32;
  key *= UINT64_C(0xd6e8feb86659fd93);
  key ^= key >> 32;
  return key;
}

/* Of a key of any bytes, for sc_index. */
static inline uint32_t sc_hash_key(const void *data, size_t size)
{
  return (uint32_t)sc_hash_mix(sc_hash_bytes(SC_HASH_START, data, size));
}

/* As 16 hexadecimal digits. */
static inline void sc_hash_format(uint64_t hash, char text[17])
{
  snprintf(text, 17, "%016llx", (unsigned long long)hash);
}
