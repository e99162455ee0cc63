/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/discover/discover.h"
#include "runner/discover/internal.h"
#include "runner/text/json_parts.h"

/* What was found, in words. */

/* "item: free list slabclass_t.slots" */
void sc_explain_resource(const sc_discovery *d, const sc_resource *resource, sc_buf *out);
const char *sc_explain_mechanism(enum sc_mechanism_kind kind); /* "free list" */
const char *sc_explain_class(enum sc_mechanism_kind kind);     /* of a probe set: "pool" */
const char *sc_explain_role(enum sc_role role);                /* "acquire" */
/* The reasons for an event, the strongest first, separated by "; "; and what speaks against it, or nothing. */
void sc_explain_event(const sc_discovery *d, const sc_event *event, sc_buf *out);
void sc_explain_against(const sc_discovery *d, const sc_event *event, sc_buf *out);
/* What speaks against the resource: "", or a sentence. */
void sc_explain_doubts(const sc_discovery *d, const sc_resource *resource, sc_buf *out);
void sc_explain_rejected(const sc_discovery *d, const sc_rejected *rejected, sc_buf *out);
/* "returned", "argument 1", ... */
void sc_explain_unit(int unit, sc_buf *out);
/* "unit": {"argument": 1} in the object, as probe sets and documents have it; null of SC_UNIT_NONE. */
void sc_explain_unit_json(sc_json *json, cJSON *object, int unit);
/* The file as the unit's folder makes it shortest: as the compiler was given it. */
void sc_explain_place(const sc_facts_function *function, sc_buf *out);
/* What runs showed; nothing where none were looked at. */
void sc_explain_ran(const sc_discovery *d, const sc_event *event, sc_buf *out); /* "ran 5 times at n = 100, ..." */
void sc_explain_balance(const sc_discovery *d, const sc_resource *resource, sc_buf *out); /* of acquires and releases */
void sc_explain_disproved(const sc_discovery *d, const sc_rejected *rejected, sc_buf *out);
double sc_explain_confidence(const sc_discovery *d, const sc_event *event); /* 0 to 1: by its score, and by runs */
const char *sc_explain_doubt(enum sc_run_doubt doubt);                      /* NULL of SC_DOUBT_NONE */
/* What a language model was asked, and what came of it: of a discovery that has one. */
void sc_explain_llm(const sc_discovery *d, sc_buf *out);
void sc_explain_verdict(const sc_discovery *d, sc_buf *out);
/* How many resources the view has. */
size_t sc_explain_shown(const sc_discovery *d, const sc_discover_view *view);
