/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "instrument/attach/happened.h"

/* How a function is handed its arguments, and what it returns, as its debug information tells. */

enum { SC_VALUES_UNKNOWN = 255 };

typedef struct sc_value {
  uint8_t place; /* which of the registers for whole numbers and pointers, from 0; SC_VALUES_UNKNOWN: in none */
  uint8_t bytes; /* of the number: what stands above them says nothing */
} sc_value;

typedef struct sc_values {
  bool known;
  uint8_t result_bytes; /* 0: nothing, or no number */
  uint8_t count;        /* of the arguments; no more than SCALE_ARGUMENTS are kept */
  sc_value arguments[SCALE_ARGUMENTS];
} sc_values;

/* Of the description of a function. */
void sc_values_read(Dwarf_Die *function, sc_values *values);
