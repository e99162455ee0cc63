/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/cells.h"

/* Asks every rule and appends the findings, not ranked yet. */
int sc_rules_judge(sc_resources *r) SC_CHECK;
