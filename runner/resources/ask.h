/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/judge/judge.h"
#include "runner/text/text_options.h"

/* Every metric of a resource or a spot of it, as measured at the largest size and predicted at the targets; `title`
 * goes above. */
int sc_resource_ask_text(FILE *out, const sc_judge *judge, const sc_resource_spot *spot, const char *title,
                         const sc_text_options *options) SC_CHECK;
