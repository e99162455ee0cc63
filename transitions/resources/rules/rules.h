/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_TRANSITIONS_RESOURCES_RULES_RULES_H
#define SC_TRANSITIONS_RESOURCES_RULES_RULES_H
#include "transitions/resources/cells.h"

/* Asks every rule and appends the findings, not ranked yet. */
int sc_rules_judge(sc_resources *r) SC_CHECK;
#endif
