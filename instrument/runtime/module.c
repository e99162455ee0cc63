/* SPDX-License-Identifier: MIT */
/* One per link unit: the archive puts this object into every executable and library. */
#include "layout.h"

extern const char __ehdr_start[] __attribute__((weak, visibility("hidden")));

struct scale_module_ref __scale_module = {(uint64_t)__ehdr_start, SCALE_UNWRITTEN, 0};
