/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_PROFILES_GRAPH_TUNING_H
#define SC_PROFILES_GRAPH_TUNING_H

#define SC_TUNING_ROWS "profiles/tuning.def"
#include "base/tuning.inc"
#endif
