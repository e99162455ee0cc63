/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stddef.h>

/* Sorts items of `size` bytes by the uint32_t that stands `key` bytes into each; equal ones keep their order. Where
 * there are thousands it takes as long as going over them a few times, not once more for each doubling. By several
 * keys: by the least significant one first. */
void sc_sort_by(void *items, size_t count, size_t size, size_t key);
