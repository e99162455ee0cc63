/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/cells.h"

/* Makes everything but cells and findings. Released with sc_resources_free. */
int sc_resources_prepare(const sc_analysis *analysis, const sc_resource_options *options,
                         sc_resources **resources) SC_CHECK;
