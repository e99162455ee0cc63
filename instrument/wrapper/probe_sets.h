/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Probe sets: what --scale-probes= and SCALE_PROBES name (files, separated by ':'). Errors are printed. */

/* Checks them and hands what they say to the pass (SCALE_EVENTS). 0 or -1. Without any, SCALE_EVENTS is unset. */
int sc_probe_sets_export(const char *name);
/* The answer to --scale-check-probes (a table) or --scale-print-events (SCALE_EVENTS): about `files`, a NULL-ended
   list. Returns an exit status. */
int sc_probe_sets_answer(const char *name, char *const *files, int table);
