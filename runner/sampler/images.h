/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/sampler/internal.h"

/* What was mapped where in which process and when, from the kernel's mmap, fork and exec records. */

typedef struct sc_sampler_map {
  uint64_t start, end, offset; /* addresses; offset in the file */
  char *path;
} sc_sampler_map;

/* One address space from an exec (or fork, or a library taking another's place) on. */
typedef struct sc_sampler_image {
  sc_sampler_map *maps;
  size_t map_count, map_room;
  char *exe;      /* path of the first file mapped after the exec: the executable; NULL before any exec */
  void *unwinder; /* sc_sampler_unwinder of unwind.c, made when the first sample needs it */
} sc_sampler_image;

typedef struct sc_sampler_images sc_sampler_images;

/* Reads all records of the spool but the samples. */
int sc_sampler_images_new(sc_sampler *sampler, sc_sampler_images **images) SC_CHECK;
void sc_sampler_images_free(sc_sampler_images *images);
/* The address space of a process at a time; NULL if unknown. */
sc_sampler_image *sc_sampler_images_find(const sc_sampler_images *images, uint32_t pid, uint64_t time);
