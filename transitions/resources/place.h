/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/cells.h"

/* The runs of a study, seen from other values of further parameters. */

/* How far a run's values of further parameters are from the place's, by the logarithms of the factors. */
double sc_rplace_distance(const sc_resources_place *place, size_t i);
/* The run of the study nearest to the place, and of these nearest to the size of `run`: its position among all. */
size_t sc_rplace_run(const sc_resources *r, size_t run);
/* Whether a run was made at the place, and at the size n. */
bool sc_rplace_ran(const sc_resources *r, size_t run, double n);
/* Whether no run of the study has a larger value of the metric `part` than of `all`. */
bool sc_rplace_never_above(const sc_resources *r, const sc_resource_cell *cell, int part, int all);
