/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_REGRESS_CORE_TUNING_H
#define SC_REGRESS_CORE_TUNING_H

#define SC_TUNING_ROWS "regress/tuning.def"
#include "base/tuning.inc"
#endif
