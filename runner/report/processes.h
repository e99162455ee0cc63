/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/report/text.h"
#include "runner/text/json_parts.h"

/* What the kernel told of the processes that were attached to (docs/attach.md, "Kernel metrics"), measured and
 * predicted at the first target; nothing of other studies. SC_E_NOMEM, or what fitting fails with. */
int sc_report_processes_print(FILE *out, const sc_judge *judge, const sc_text_options *options) SC_CHECK;
/* The same as a list "processes" of a study by attaching, with all targets. Fails as above. */
int sc_report_processes_json(sc_json *json, const sc_judge *judge, cJSON *document) SC_CHECK;
