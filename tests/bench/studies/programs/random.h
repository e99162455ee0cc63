/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
/* Numbers that look random and are the same in every run (xorshift64). */
#include <stdint.h>

static uint64_t random_state = 88172645463325252u;

static inline uint64_t random_next(void)
{
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}
