/* SPDX-License-Identifier: MIT */
#include <stddef.h>

/* How many different customers there are; sorts the list. */
size_t count_distinct(int *customers, size_t count);
