/* SPDX-License-Identifier: MIT */
#pragma once
/* Lists of the holds of a lock, by which others find those of further threads (held_others.h). */
#include "arena.h"
#include "table.h"

/* Puts a hold that begins, of a further thread, into its lock's list, if others find it by that only; and takes it out.
 */
void __scale_held_list(struct sc_hold *h, uint64_t identity, uint32_t how);
/* 0: it is still there, for the list is claimed by what a signal handler interrupted. */
int __scale_held_unlist(struct sc_hold *h);
/* In a child of fork: there are no lists. */
void __scale_held_list_fork(void);

/* The lock's list, claimed; without one its value is NULL. */
struct sc_table_at __scale_held_listed(uint64_t identity, uint32_t how);
/* Takes a hold out of the claimed list. */
void __scale_held_unlink(struct sc_table_at at, struct sc_hold *h);
/* Gives the claimed list back. */
void __scale_held_leave(struct sc_table_at at, uint64_t identity, uint32_t how);
/* The oldest hold of a claimed list. */
static inline struct sc_hold *sc_held_first(struct sc_table_at at)
{
  return (struct sc_hold *)(uintptr_t)at.value->tally;
}
