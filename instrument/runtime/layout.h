/* SPDX-License-Identifier: MIT */
#ifndef SCALE_RUNTIME_LAYOUT_H
#define SCALE_RUNTIME_LAYOUT_H
#include "profiles/layout.inc" /* IWYU pragma: export */
#endif
