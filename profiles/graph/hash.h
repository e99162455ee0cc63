/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_PROFILES_GRAPH_HASH_H
#define SC_PROFILES_GRAPH_HASH_H
#include <stddef.h>
#include <stdint.h>

/* Hash functions of the open-addressing tables of this folder. Not for keys an attacker profits from colliding. */
static inline uint64_t sc_hash_mix(uint64_t key)
{
  key ^= key >> 32;
  key *= UINT64_C(0xd6e8feb86659fd93);
  key ^= key >> 32;
  key *= UINT64_C(0xd6e8feb86659fd93);
  key ^= key >> 32;
  return key;
}

static inline uint64_t sc_hash_text(const char *text, size_t length)
{
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
  return sc_hash_mix(hash);
}
#endif
