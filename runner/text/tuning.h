/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_RUNNER_TEXT_TUNING_H
#define SC_RUNNER_TEXT_TUNING_H

#define SC_TUNING_ROWS "runner/tuning.def"
#include "base/tuning.inc"
#endif
