/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_RUNNER_RESOURCES_TABLE_H
#define SC_RUNNER_RESOURCES_TABLE_H
#include "runner/judge/judge.h"
#include "runner/text/text_options.h"

/* The resources that matter, one a line, measured at the largest size and predicted at the largest target; with
 * options->resources all of them. */
int sc_resource_table_print(FILE *out, const sc_judge *judge, const sc_text_options *options) SC_CHECK;
#endif
