/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_RUNNER_REVIEW_JSON_H
#define SC_RUNNER_REVIEW_JSON_H
#include <cjson/cJSON.h>

/* What formats made of JSON share. Numbers that are not finite, and texts that are NULL, are null. */
void sc_notice_json_number(cJSON *object, const char *name, double value);
void sc_notice_json_text(cJSON *object, const char *name, const char *text);
#endif
