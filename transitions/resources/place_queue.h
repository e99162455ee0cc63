/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/cells.h"

/* Whether a queue whose threads share the processors is nearer to the utilisation measured in the run nearest to the
 * place than one that knows of no processors. `exposed`: as in sc_queue. */
bool sc_rplace_shares_processors(const sc_resources *r, const sc_resource_cell *cell, double exposed);
