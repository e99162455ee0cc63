/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "paths.h"

/* Prints the answer to --scale-version, --scale-where, --scale-help or --scale-help=man; 0 for another `option`. */
int sc_info_answers(const char *option, const struct sc_paths *paths);
