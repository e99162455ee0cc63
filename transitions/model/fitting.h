/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/model/data.h"

/* Fits a model to every distinct series of counts that has none yet, but SC_SERIES_ONE, in as many threads as there are
 * processors for the process: analysis->models become as many as the series. They don't depend on how many threads. */
int sc_fitting_run(sc_analysis *analysis) SC_CHECK;
/* What fitting a series returned: numbers that cannot be fitted give a model that cannot tell, not an error. */
int sc_fitting_take(int err, sc_model *model) SC_CHECK;
