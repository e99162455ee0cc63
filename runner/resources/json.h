/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <cjson/cJSON.h>

#include "runner/judge/judge.h"
#include "runner/text/json_parts.h"

/* Resources by docs/report.schema.json. Out of memory shows in json->failed. */

/* `resources` of a report: everything there is to say, or null where the runs touched none. */
int sc_resource_json_report(sc_json *json, const sc_judge *judge, cJSON *document) SC_CHECK;
/* One finding, as it stands in a report and in a study. */
void sc_resource_json_finding(sc_json *json, const sc_judge *judge, const sc_resource_finding *finding, size_t rank,
                              cJSON *item);
/* `numbers`: every metric the resource or a spot of it has, measured and predicted. */
int sc_resource_json_numbers(sc_json *json, const sc_judge *judge, const sc_resource_spot *spot, cJSON *item) SC_CHECK;
/* name, class, unit, file, line, probe, global, idle, capacity. */
void sc_resource_json_resource(sc_json *json, const sc_resource *resource, cJSON *item);
