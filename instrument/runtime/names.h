/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Which instance bears whose name: the newest tally with a name (known when its
 * code was compiled) that saw it. Events that only have a pointer look here.
 */
#include "arena.h"

/* Notes the tally as the newest of its name; without memory it is not noted. */
void __scale_names_set(uint64_t identity, uint32_t how, const struct scale_tally *tally);
/* The address of the tally, or 0. */
uint64_t __scale_names_find(uint64_t identity, uint32_t how);
/* Visits the tally of each name, in a process of one thread. */
void __scale_names_visit(void (*visit)(void *context, uint64_t tally), void *context);
/* In a child of fork: forgets names of tallies that are not there. */
void __scale_names_fork(void);
