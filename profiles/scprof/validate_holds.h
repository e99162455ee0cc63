/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* Who holds which unit how often. A unit's holds are a list that begins with the number its owner keeps: 0: empty. */
typedef struct sc_validate_holds {
  struct sc_validate_hold {
    uint32_t task, next; /* next: number, or 0 */
    uint64_t depth;
  } * list; /* number - 1 */
  size_t count, capacity;
  uint32_t unused; /* a list */
} sc_validate_holds;

enum { SC_VALIDATE_NOBODY = UINT32_MAX };

/* Whether `task`, or any other, holds the unit whose list begins with `first`; and `task` takes it `depth` times more,
 * which may change *first. SC_E_NOMEM. */
bool sc_validate_holds_by(const sc_validate_holds *holds, uint32_t first, uint32_t task);
bool sc_validate_holds_by_others(const sc_validate_holds *holds, uint32_t first, uint32_t task);
int sc_validate_holds_take(sc_validate_holds *holds, uint32_t *first, uint32_t task, uint64_t depth) SC_CHECK;
/* Gives back `depth` of what the task has or, if it has none, one other has: units are handed over. Returns how many
 * are left to give back where that was too little. */
uint64_t sc_validate_holds_give(sc_validate_holds *holds, uint32_t *first, uint32_t task, uint64_t depth);
/* The same, of whoever has any. */
void sc_validate_holds_give_all(sc_validate_holds *holds, uint32_t *first, uint32_t task, uint64_t depth);
void sc_validate_holds_free(sc_validate_holds *holds);
