/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_BASE_CLOCK_H
#define SC_BASE_CLOCK_H
/* Seconds of a clock that only goes forward. */
double sc_clock_now(void);
#endif
