/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#define SC_TUNING_ROWS "runner/tuning.def"
#include "base/tuning.inc"
