/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/rules/rule.h"

/* Of a lock whose readers are other threads than its writers: whether those that write wait until no reader is left. */
int sc_kept_out_judge(sc_resources *r, const sc_resource_cell *cell);
