/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_TRANSITIONS_RESOURCES_ELSEWHERE_H
#define SC_TRANSITIONS_RESOURCES_ELSEWHERE_H
#include "transitions/resources/internal.h"

/*
 * Resources at other values of further parameters than those of the base: each metric has a model of all parameters,
 * fitted to all runs of the study and cut at these values. What is computed from metrics, the waits of a lock for
 * instance, is computed from them there. docs/resources.md, "Other values of further parameters".
 */
void sc_rplace_free(sc_resources *r);
/* Of a series that no model describes: from a power law in all parameters. */
void sc_rplane_predict(const struct sc_rplane *plane, double n, sc_interval *out);
/* As make_series in models.c. */
int sc_rplace_series(const sc_resources *r, const sc_rcell *cell, int metric, sc_rseries **series) SC_CHECK;
/* As sc_rmetric_value, of the size of the run. */
bool sc_rplace_value(const sc_resources *r, const sc_rcell *cell, size_t run, int metric, double *value);
#endif
