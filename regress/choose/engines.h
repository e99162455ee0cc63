/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/forms/engine.h"

/* Both fill a model whose points, n_min and n_max are set and whose points are at least one. */
int sc_select_fit(sc_engine *engine, sc_model *model) SC_CHECK; /* the default one, select.c */
int sc_delta_fit(sc_engine *engine, sc_model *model) SC_CHECK;  /* the paper's, delta.c */
