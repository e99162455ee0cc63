/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/core/model.h"
#include "regress/core/series.h"

/* Fits and selects a model. Invalid numbers give SC_E_INPUT naming the index; too little data is not an error but a
 * model with verdict CANNOT_TELL. */
int sc_fit_select(const sc_series *series, const sc_fit_options *options, sc_model *model) SC_CHECK;

/*
 * The same for many series: keeps its buffers and, while the sizes stay the same, the design computed for them.
 * One thread at a time may use a context; any number of contexts may be used at once.
 */
typedef struct sc_fit sc_fit;
/* Options are copied. SC_E_NOMEM; sc_fit_run also as sc_fit_select. Freeing NULL does nothing. */
int sc_fit_new(const sc_fit_options *options, sc_fit **fit) SC_CHECK;
int sc_fit_run(sc_fit *fit, const sc_series *series, sc_model *model) SC_CHECK;
void sc_fit_free(sc_fit *fit);
