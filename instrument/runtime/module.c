/* SPDX-License-Identifier: MIT */
/* One per link unit: the archive puts this object into every executable and library. */
#include "module.h"
#include "layout.h"
#include "valgrind.h"

extern const char __ehdr_start[] __attribute__((weak, visibility("hidden")));
/*
 * The section of what is not counted (instrument/pass/uncounted.cpp), by the linker's names. Most link units have no
 * such records; the empty part of it here makes the linker define the names all the same. Undefined weak ones do not
 * link with GNU ld where two shared libraries have the section.
 */
static const char no_record[0] __attribute__((section("scale_uncounted"), used));
extern const char __start_scale_uncounted[] __attribute__((weak, visibility("hidden")));
extern const char __stop_scale_uncounted[] __attribute__((weak, visibility("hidden")));

struct scale_module_ref SCALE_MODULE = {(uint64_t)__ehdr_start, SCALE_UNWRITTEN, 0, (uint64_t)__start_scale_uncounted,
                                        (uint64_t)__stop_scale_uncounted};

SC_SHARED uint32_t __scale_idle;
