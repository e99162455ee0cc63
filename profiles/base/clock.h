/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
/* Seconds of a clock that only goes forward. */
double sc_clock_now(void);
/* Seconds of processor time that this thread has had. */
double sc_clock_thread(void);
