/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The profile's file. No descriptor is kept: the file is opened by its absolute
 * name, grown, mapped and closed. So a program that closes every descriptor, or
 * counts them, sees none of ours.
 */
#include "state.h"

/* Makes "<folder>/<exe>.<pid>.<start>.scprof" with its header page mapped into p->header.
   p->path holds the folder (p->folder_bytes long). 0, or a negative errno with p unchanged. */
int __scale_file_create(struct sc_process *p, uint32_t forked);

/* Opens the process's file again (grown by nothing): a descriptor to close soon, or a negative errno. */
int __scale_file_open(const struct sc_process *p);
/* Notes why something could not be stored (a negative errno), unless that is known already. */
void __scale_file_lost(struct scale_header *header, int err);
/* Makes sure that the disk has room for these bytes of the file: 0 or a negative errno. */
int __scale_file_reserve(int fd, uint64_t offset, uint64_t bytes);

/* A chunk of `bytes` (a multiple of SCALE_CHUNK_ALIGN), its header filled in, all else zero. An ARENA
   chunk comes from private memory (counted in lost_bytes) when the file cannot grow; NULL if there is no
   memory either. A RECORDS chunk is in the file or NULL. */
struct scale_chunk *__scale_file_chunk(struct sc_process *p, uint16_t type, uint16_t flags, uint64_t bytes,
                                       uint32_t arena);

/* Says of a chunk where it is in the file (0: nowhere), and how long there. */
void __scale_file_chunk_place(struct scale_chunk *chunk, uint64_t bytes, uint64_t offset);

/* A chunk's offset in the file, or 0 if it is in private memory. */
static inline uint64_t sc_file_offset(const struct scale_chunk *chunk) { return chunk->reserved2; }
/* A RECORDS chunk's place among all records that the process knows, of its ancestors' profiles too: eight times the
   reference that a record at its start would have. */
static inline uint64_t sc_file_place(const struct scale_chunk *chunk)
{
  return (uint64_t)chunk->base * 8 + sc_file_offset(chunk);
}
