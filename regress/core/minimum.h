/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Where the function is least between low and high, to within `close`, by Brent's method (GSL); `best` lies between
 * them and is below both. NAN if it is not, or without memory. */
double sc_minimum_find(double (*function)(double, void *), void *data, double low, double best, double high,
                       double close);
