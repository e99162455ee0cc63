/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_TRANSITIONS_RESOURCES_FINISH_H
#define SC_TRANSITIONS_RESOURCES_FINISH_H
#include "transitions/resources/internal.h"

void sc_resource_finding_clear(sc_resource_finding *finding);
/* As sc_resources_predict, for a resource in a context too; *derived: by operational analysis, not from a model. */
int sc_resources_predict_cell(const sc_resources *r, const sc_rcell *cell, enum sc_resource_metric metric, double n,
                              sc_interval *out, bool *derived) SC_CHECK;
/* As sc_resources_basis. */
int sc_resources_basis_of(const sc_resources *r, const sc_rcell *cell, enum sc_resource_metric metric,
                          const sc_model **model, sc_resource_correction *correction) SC_CHECK;
/* Sorts the findings, worst first. */
int sc_findings_rank(sc_resources *r) SC_CHECK;
/* Makes weaker ones lines of stronger ones that name the same line for the same reason; behind sc_findings_rank. */
int sc_findings_fold(sc_resources *r) SC_CHECK;
#endif
