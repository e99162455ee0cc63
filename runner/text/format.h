/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdio.h>

#include "base/buf.h"
#include "regress/core/model.h"

/* Numbers, durations and sizes for people, the same in every locale. The text comes by value, so that
 * printf("%s", sc_format_count(x).s) needs no buffer. Not-a-number is "?", infinity "never" or "unbounded". */
typedef struct sc_text {
  char s[64];
} sc_text;

/* All digits of a whole number below 2^53, by thousands: "499,999,500,000"; else four significant digits. */
sc_text sc_format_number(double value);
/* The same of two digits: "400,000". */
sc_text sc_format_round_number(double value);
/* Short: "12,345", "1.28 million", "3.7 billion", "2.5e+21". */
sc_text sc_format_count(double value);
/* "85 us", "12 ms", "3.2 s", "12 min", "3.4 h", "2.1 days", "14 years". */
sc_text sc_format_seconds(double seconds);
/* A cost in its unit: "s" is a duration; else "1.28 million UNIT". */
sc_text sc_format_cost(double value, const char *unit);
/* "<0.1%", "3.1%", "37%", "100%"; never "100%" for less than all. */
sc_text sc_format_percent(double ratio);
/* What a figure is known to, as half of an interval relative to it: "+-12%", "under +-0.1%", "over +-99.9%", "exactly".
 */
sc_text sc_format_margin(double ratio);
/* "1.5 GiB". */
sc_text sc_format_bytes(double bytes);
/* Whether the upper end alone is known: no sample fell on it, or it is a time of next to nothing beside that end
 * ("0.01 ns, 0 to 163 us"). */
bool sc_format_bounds(const sc_interval *interval, const char *unit);
/* The value, or "under 1.5 ms" for one whose upper end alone is known. */
sc_text sc_format_estimate(const sc_interval *interval, const char *unit);
/* Whether a predicted time is known to any degree: its interval does not end beyond 1,000 times the value. One without
 * an upper end is, as its lower end is all that is claimed. */
bool sc_format_tells(const sc_interval *interval, const char *unit);
/* For a time that is not: "not known", and "579 us or more" for its interval, "" where that begins at 0. */
sc_text sc_format_unknown(void);
sc_text sc_format_least(const sc_interval *interval, const char *unit);
/* A cost and its share: "21 ms, 12% of all"; "under 1.5 ms, not sampled"; "not sampled". A unit NULL: without the cost.
 */
sc_text sc_format_cost_share(const sc_interval *cost, const char *unit, double share, const char *whole);
/* "3.1 to 3.4 s", "9.8 to 12 million", "exactly" when both ends are the value (of seconds "about", or "none measured"),
 * "within 0.001%" near it, to its own power of ten. */
sc_text sc_format_interval(const sc_interval *interval, const char *unit);
/* Whether a value is in it, as both are printed with the unit: without one, whole numbers. Of library work a part of an
 * execution counts. */
bool sc_format_within(const sc_interval *interval, const char *unit, double value);
/* "1 to 2 GiB" of the texts of two ends; the upper one may be infinite. */
sc_text sc_format_ends(sc_text low, sc_text high, double upper);
/* "1 run", "2 runs". */
sc_text sc_format_plural(size_t count, const char *noun);
/* Relative error of a prediction, signed: "+3.1%", "-0.02%", "exact". */
sc_text sc_format_error(double predicted, double actual);

/* Prints text wrapped at blanks to `width` columns: the first line starts at the column `at`, further ones at
 * `indent`. Bytes that continue a UTF-8 character take no column. Ends with a newline. */
void sc_format_wrap(FILE *out, const char *text, int at, int indent, int width);
/* A shell command, with what stands in front of it: as it is where it fits into the width; else in lines that end with
 * a backslash, so that they can be copied all the same. Words in quotes stay whole. Without a newline at the end. */
void sc_format_command(const char *text, int width, sc_buf *out);
/* Columns a UTF-8 text takes. */
int sc_format_columns(const char *text);
