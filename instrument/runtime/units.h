/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Who acquired which descriptor, stream, thread, mapping or unit of the
 * application's own. An instance is held once, and comes back as a whole:
 * acquired again, it was given back unseen. The application's own units without
 * identity, or with SCALE_SITE_SHARED, are counted: as many come back as a
 * release says.
 */
#include "arena.h"

/* 0: there is no room to remember it. */
int __scale_units_acquired(const struct sc_arena *own, uint64_t identity, uint64_t units, struct scale_tally *tally,
                           uint64_t now, uint32_t how);
/* Accounts for the instance, given back by the thread of `own`; with `since` != 0 only if it was acquired then. Returns
   how many units came back, 0 if nobody is known to have acquired it. */
uint64_t __scale_units_released(const struct sc_arena *own, uint64_t identity, uint64_t units, uint64_t now,
                                uint32_t how, uint64_t since);
/* When the instance was acquired; 0 if nobody knows. */
uint64_t __scale_units_since(uint64_t identity, uint32_t how);
/* In a child of fork: nothing was acquired by it. */
void __scale_units_fork(void);
