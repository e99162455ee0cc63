/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Numbers as programs write and read them. */
enum { SC_NUMBER_BYTES = 32, SC_NUMBER_SAME = 0 };

/* Reads the decimal number that `text` begins with: "-12", "1.5e3", ".5". Returns its bytes, 0 without one (nor
 * are "inf" and "nan" numbers). What is too large is infinite, what is too small 0. */
size_t sc_number_read(const char *text, size_t length, double *value);

/* All of `text` [length] as a finite number: what sc_number_read takes. */
bool sc_number_all(const char *text, size_t length, double *value);
/* All of `text` as a number of digits alone, up to 2^64 - 1. */
bool sc_number_whole(const char *text, uint64_t *value);

/* All of `text` as a number above 0; where `share`, also "80%" for 0.8. */
bool sc_number_positive(const char *text, bool share, double *value);

/* Writes `digits` significant digits, at most 17, without zeros at the end; SC_NUMBER_SAME: the fewest that are read as
 * the same number again. Whole numbers up to 2^63 have all their digits and no exponent. `text` has SC_NUMBER_BYTES and
 * is terminated; returns the length. The value is finite. */
size_t sc_number_write(double value, int digits, char *text);
/* The byte that two hexadecimal digits are; -1 if they are something else. What follows a NUL is not looked at. */
int sc_number_hex(const char *two);
