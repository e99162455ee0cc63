/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/findings/findings.h"

struct cJSON;

/* Version of docs/report.schema.json; docs/report-format.md says when it changes. */
#define SC_FINDINGS_JSON_VERSION 1

/* Adds "suppressed" and "negligible" to a document. SC_E_NOMEM. */
int sc_findings_json_negligible(const sc_analysis *analysis, const sc_findings *findings,
                                struct cJSON *document) SC_CHECK;

/* Which sites of findings a tree has. */
enum sc_json_sites {
  SC_JSON_SITES_ALL,
  SC_JSON_SITES_WORTH, /* of more than SC_JSON_SITES the worst of them, and those that are not negligible; how many are
                          left out stands beside them */
  SC_JSON_SITES_APART  /* raw items whose valueint is the finding's number: for printing a million one by one */
};
/* The findings by that schema; to be released with cJSON_Delete. NULL when out of memory or if a prediction fails, with
 * the last error set. Bytes that are not UTF-8 are replaced when it is printed. */
struct cJSON *sc_findings_json_tree(const sc_analysis *analysis, const sc_findings *findings, enum sc_json_sites sites);
/* One site of a finding. */
struct cJSON *sc_findings_json_site(const sc_analysis *analysis, const sc_finding *finding, size_t site);
/* One model by the schema's definition "model". */
struct cJSON *sc_findings_json_model(const sc_model *model, const char *variable);
