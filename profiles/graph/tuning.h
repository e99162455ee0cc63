/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#define SC_TUNING_ROWS "profiles/tuning.def"
#include "base/tuning.inc"
