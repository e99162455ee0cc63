/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Identifiers, titles and help of all rules (rules.def). */
#include "transitions/findings/findings.h"

static const struct rule {
  const char *id, *title, *help;
} rules[] = {
#define RULE(code, id, title, help) {id, title, help},
#include "transitions/findings/rules.def"
#undef RULE
};

static const struct rule *rule_row(enum sc_rule rule)
{
  static const struct rule unknown = {"unknown", "Unknown rule", ""};
  return (unsigned)rule < SC_RULE_COUNT ? &rules[rule] : &unknown;
}

const char *sc_rule_id(enum sc_rule rule) { return rule_row(rule)->id; }
const char *sc_rule_title(enum sc_rule rule) { return rule_row(rule)->title; }
const char *sc_rule_help(enum sc_rule rule) { return rule_row(rule)->help; }

const char *sc_severity_name(enum sc_severity severity)
{
  switch (severity) {
  case SC_SEVERITY_NOTE:
    return "note";
  case SC_SEVERITY_WARNING:
    return "warning";
  case SC_SEVERITY_ERROR:
    return "error";
  }
  return "note";
}

const char *sc_finding_kind_name(enum sc_finding_kind kind)
{
  switch (kind) {
  case SC_FINDING_LOOP:
    return "loop";
  case SC_FINDING_IMPLICIT:
    return "implicit";
  case SC_FINDING_RECURSION:
    return "recursion";
  case SC_FINDING_SPREAD:
    return "spread";
  case SC_FINDING_WORK:
    return "work";
  }
  return "loop";
}
