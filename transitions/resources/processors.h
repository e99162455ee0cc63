/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_TRANSITIONS_RESOURCES_PROCESSORS_H
#define SC_TRANSITIONS_RESOURCES_PROCESSORS_H
#include "transitions/resources/cells.h"

/* Finds the processor time of all resources of known demand. */
int sc_rprocessors_find(sc_resources *r) SC_CHECK;
#endif
