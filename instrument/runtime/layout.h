/* SPDX-License-Identifier: MIT */
#pragma once
#include "profiles/layout.inc" /* IWYU pragma: export */

/*
 * Before the definition of what all code of a process must find in one copy of the runtime, and libraries therefore
 * export: weak, as C++ exports what several libraries have, so that lists of a library's own symbols leave it out. The
 * loader binds weak and other symbols alike. Not before declarations: a weak reference takes nothing out of an archive.
 */
#define SC_WEAK __attribute__((weak))

/* What is meant by a field of `fn` that says how far it is. */
static inline void *sc_function_far(const struct scale_function *fn, uint64_t far)
{
  return (char *)(uintptr_t)fn + far;
}
static inline struct scale_unit_ref *sc_function_unit(const struct scale_function *fn)
{
  return sc_function_far(fn, fn->unit);
}
