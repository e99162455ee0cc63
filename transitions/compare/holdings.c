/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/compare/compare_internal.h"

int sc_holdings_compare(sc_compared *c) { return 0; }
