/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/workload/amount.h"
#include "transitions/resources/resources.h"

/* "utilisation", "mean-wait-time", "peak": a metric, or the beginning of only one, with - for blanks. SC_E_USAGE with
 * the candidates for anything else. */
int sc_resource_metric_parse(const char *text, enum sc_resource_metric *metric) SC_CHECK;
/* What it is measured in. */
enum sc_amount_kind sc_resource_metric_kind(enum sc_resource_metric metric, const sc_resource *resource);
