/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_TRANSITIONS_MODEL_TUNING_H
#define SC_TRANSITIONS_MODEL_TUNING_H

#define SC_TUNING_ROWS "transitions/tuning.def"
#include "base/tuning.inc"
#endif
