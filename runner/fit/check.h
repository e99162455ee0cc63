/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdint.h>

#include "base/number.h"
#include "runner/fit/store.h"

/* What may be measured. Messages name the series. */

/* The limits of what can be fitted: squares of values and fifth powers of sizes stay finite. */
#define SC_CHECK_SIZE_MOST   1e18
#define SC_CHECK_VALUE_MOST  1e100
#define SC_CHECK_VALUE_LEAST 1e-100 /* of those that are not 0: squares of smaller ones are none */

/* "sort->merge, calls", without control characters and not too long, for messages and tables. */
typedef struct sc_check_name {
  char text[256];
} sc_check_name;
/* Each of the two is cut where it is too long. */
sc_check_name sc_check_series(sc_view callpath, sc_view metric);
/* Copies at most `size` - 1 bytes: control characters become blanks, others that are not printable escapes,
 * characters stay whole. */
void sc_check_plain(sc_view from, char *to, size_t size);

/* All digits of a number, "nan" or "-inf". */
typedef struct sc_check_digits {
  char text[SC_NUMBER_BYTES];
} sc_check_digits;
/* For messages: as many digits as tell it from its neighbours. */
sc_check_digits sc_check_number(double value);

/* Sizes and values: finite, sizes above 0, values not negative. SC_E_INPUT. */
int sc_check_measurement(const sc_measurement *measurement) SC_CHECK;
/* That a measurement has the parameters of its series; puts its sizes in their order. SC_E_INPUT. */
int sc_check_parameters(const sc_measurement *measurement, const sc_store_set *set, double *at) SC_CHECK;
/* Finds or makes the set of a measurement's parameters, in their order. SC_E_INPUT for a name that is there twice. */
int sc_check_set(const sc_measurement *measurement, sc_store_set ***sets, size_t *count, size_t *capacity,
                 uint32_t *index) SC_CHECK;
