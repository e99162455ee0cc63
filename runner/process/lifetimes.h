/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/* Which processes of a run were alive at a time. The kernel tells: a process makes its profile when it begins, and its
 * mappings of it are closed before whoever waits for the process learns of its end. Only the order of these events
 * counts, no clock, and no privilege is needed. */
typedef struct sc_lifetimes sc_lifetimes;

/* Watches the directory that profiles will be written into, which is empty yet. *lifetimes is NULL where the machine
 * refuses: then nothing is known. SC_E_NOMEM. */
int sc_lifetimes_watch(const char *directory, sc_lifetimes **lifetimes) SC_CHECK;
/* Takes what the kernel has to tell; the kernel keeps some 16,000 events. NULL is allowed. */
int sc_lifetimes_drain(sc_lifetimes *lifetimes) SC_CHECK;
/* Of the process that wrote this profile (a file's name, without directory): the numbers of the events with which it
 * began and ended, UINT64_MAX if it lives. False if they are not known. NULL is allowed. */
bool sc_lifetimes_of(const sc_lifetimes *lifetimes, const char *profile, uint64_t *began, uint64_t *ended);
void sc_lifetimes_free(sc_lifetimes *lifetimes);
