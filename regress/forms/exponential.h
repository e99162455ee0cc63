/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/forms/engine.h"

/* Replaces the model by c * n^a * base^n plus a lower term where the points follow that much better than any power of
 * the size; else leaves it as it is. docs/models.md, "Exponential growth". */
int sc_exponential_prefer(sc_engine *engine, sc_model *model) SC_CHECK;
