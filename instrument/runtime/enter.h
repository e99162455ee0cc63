/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What compiled code calls. Both keep all general registers but the result's
 * and r11 (preserve_most); vector registers are the caller's to keep. They must
 * be called without lazy binding (nonlazybind): the loader's resolver would not
 * keep r10, in which the slot travels.
 */
#include "layout.h"

#define SC_EXPORT __attribute__((visibility("default"), preserve_most, noinline))

/* Entering `fn` through a slot from __scale_slot whose key is not fn's: the entry for fn behind that slot, in
   which the caller then counts. */
SC_EXPORT void *__scale_enter(void *slot, struct scale_function *fn);
/* The node of `fn` behind the slot through which it was entered; stays in slot->child. */
SC_EXPORT void *__scale_node(void *slot, struct scale_function *fn);

/*
 * The same for code that keeps its registers (x86-64): called from inline assembly, in functions without a red zone, so
 * that a function that calls nothing else stays a leaf. Every general register but r11 keeps its value where nothing
 * else is said; vector registers may change.
 */
#ifdef __x86_64__
/* r10: slot, r11: fn; returns the node in r11. */
__attribute__((visibility("default"))) void __scale_node_gate(void);
/* r10: what was in __scale_slot, r11: fn, rax: the stack address at which fn was entered, or 0; returns the entry in
   r10, and in r11 whether fn was jumped to (see place). */
__attribute__((visibility("default"))) void __scale_enter_gate(void);
/* r10: an open slot, rax: the function to call, which is not the slot's code. Returns in rax what to call and in r10
   with which slot: of the next entries the one with that code, else the same again, left in __scale_slot too. Changes
   no vector register. */
__attribute__((visibility("default"))) void __scale_call_gate(void);
/* Where a wrapper jumps to: r11: fn, which has a body and no parameters on the stack; the rest as the function was
 * called. */
__attribute__((visibility("default"))) void __scale_wrap_gate(void);
#endif

/* Whoever refers to it has the gates of this copy of the runtime (gates.c). */
__attribute__((visibility("hidden"))) extern const char __scale_gates;
/* Added to the result of __scale_enter_at. */
#define SC_GATES_JUMPED 1

/* For the gates, which know where the stack was: __scale_node, the caller's stack pointer given. */
__attribute__((visibility("hidden"), preserve_most)) void *__scale_node_at(void *slot, struct scale_function *fn,
                                                                           uintptr_t stack);
/* __scale_enter for a function entered at the stack address `entered` (0: none that matters). The result has
   SC_GATES_JUMPED added if a tail call through that slot jumped there. */
__attribute__((visibility("hidden"), preserve_most)) uintptr_t __scale_enter_at(void *from, struct scale_function *fn,
                                                                                uintptr_t entered);
