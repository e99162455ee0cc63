/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* From here on, memory that libraries cannot get is remembered like the program's own (sc_err_kept): cJSON leaves out
 * what it can't add, and SQLite returns NULL for a text. libxml2 and GSL use what they couldn't get, so there `give_up`
 * is called, which must not return. To be called first in main, before any of them is used. */
void sc_memory_watch(void (*give_up)(void));
