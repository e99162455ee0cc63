/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/cells.h"

/* As sc_resources_predict, for a resource in a context too; *derived: by operational analysis, not from a model. */
int sc_resources_predict_cell(const sc_resources *r, const sc_resource_cell *cell, enum sc_resource_metric metric,
                              double n, sc_interval *out, bool *derived) SC_CHECK;
/* As sc_resources_basis. */
int sc_resources_basis_of(const sc_resources *r, const sc_resource_cell *cell, enum sc_resource_metric metric,
                          const sc_model **model, sc_resource_correction *correction) SC_CHECK;
