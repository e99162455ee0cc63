/* SPDX-License-Identifier: MIT */
#ifndef SCALE_RUNTIME_ENTER_H
#define SCALE_RUNTIME_ENTER_H
/*
 * What compiled code calls. Both keep all general registers but the result's
 * and r11 (preserve_most); vector registers are the caller's to keep. They must
 * be called without lazy binding (nonlazybind): the loader's resolver would not
 * keep r10, in which the slot travels.
 */
#include "layout.h"

#define SC_EXPORT __attribute__((visibility("default"), preserve_most, noinline))

/* The slot that the calling thread's code hands to what it calls next. */
extern _Thread_local void *__scale_slot;

/* Entering `fn` through a slot from __scale_slot whose key is not fn's: the entry for fn behind that slot, in
   which the caller then counts. */
SC_EXPORT void *__scale_enter(void *slot, struct scale_function *fn);
/* The node of `fn` behind the slot through which it was entered; stays in slot->child. */
SC_EXPORT void *__scale_node(void *slot, struct scale_function *fn);
#endif
