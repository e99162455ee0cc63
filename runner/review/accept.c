/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/review/build.h"
int sc_notices_accept(sc_notices *notices, const char *path, bool named) { return 0; }
int sc_notices_place(sc_notices *notices, const char *diff_path) { return 0; }
