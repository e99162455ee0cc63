/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/exact/block.h"

/* Containers that grow and copy: capacities that double from a start that is no power of two (10 items, a table three
 * quarters full), and copies of all items whenever a block is full, which are quadratic in the blocks. Logarithms to
 * other bases than 2: decimal digits, trees of many children. Starts, blocks and bases are those that programs have;
 * `found` is called for each sum that holds at every size. Private to exact*.c. */
void sc_exact_scaled(const sc_points *points, sc_exact_found *found, void *context);
