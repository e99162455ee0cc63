/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The focused parameter, which grows, and further ones, from a valid tree. */
#include <stdlib.h>

#include "runner/workload/internal.h"
#include "runner/workload/node.h"

/* What every parameter has. */
static int parse_naming(const sc_node_source *src, xmlNodePtr node, char **name, char **unit,
                        enum sc_parameter_kind *means)
{
  char *kind;
  SC_TRY(sc_node_name(src, node, name));
  SC_TRY(sc_node_attribute(node, "unit", unit));
  SC_TRY(sc_node_attribute(node, "kind", &kind));
  *means = kind ? sc_workload_kind(kind) : sc_workload_kind_by_name(*name);
  free(kind);
  return 0;
}

static int parse_values(const sc_node_source *src, xmlNodePtr node, sc_workload_other *other)
{
  char *text;
  SC_TRY(sc_node_content(node, &text));
  int err = sc_workload_parse_values(text, other->name, other->base, &other->values, &other->count);
  free(text);
  return sc_node_located(src, node, err);
}

/* After each one all that are known are checked, while its line is at hand. */
static int parse_other(const sc_node_source *src, xmlNodePtr node)
{
  sc_workload *workload = src->workload;
  if (workload->other_count == SC_RUN_OTHERS) {
    (void)sc_err_set(SC_E_INPUT, "more than %d parameters beside the one with a <range>", SC_RUN_OTHERS);
    return sc_node_located(src, node, sc_err_hint(SC_E_INPUT, "models have up to %d parameters", SC_RUN_OTHERS + 1));
  }
  sc_workload_other *other = &workload->others[workload->other_count++];
  SC_TRY(parse_naming(src, node, &other->name, &other->unit, &other->kind));
  SC_TRY(sc_node_value(src, node, "base", sc_workload_parse_size, &other->base));
  SC_TRY(parse_values(src, sc_node_child(node, "sizes"), other));
  SC_TRY(sc_node_sizes(src, sc_node_child(node, "targets"), &other->targets, &other->target_count));
  return sc_node_located(src, node, sc_workload_complete_others(workload));
}

/* The one with a range is the focused one, whatever the order. */
static int find_focused(const sc_node_source *src, xmlNodePtr root, xmlNodePtr *focused)
{
  *focused = NULL;
  for (xmlNodePtr node = root->children; node; node = node->next) {
    xmlNodePtr range = sc_node_is(node, "parameter") ? sc_node_child(node, "range") : NULL;
    if (range && *focused) {
      (void)sc_err_set(SC_E_INPUT, "a second <parameter> with a <range>");
      return sc_node_located(
          src, node, sc_err_hint(SC_E_INPUT, "further parameters have <sizes>1 2 4 8</sizes> or <sizes>1..64</sizes>"));
    }
    if (range)
      *focused = node;
  }
  if (*focused)
    return 0;
  (void)sc_err_set(SC_E_INPUT, "<parameter> holds no <range>");
  return sc_node_located(src, sc_node_child(root, "parameter"),
                         sc_err_hint(SC_E_INPUT, "the parameter that grows has <range low=\"100\" high=\"6400\"/>"));
}

/* The schema has one element for both kinds of parameter, as it cannot tell them apart by what is inside. */
static int check_content(const sc_node_source *src, xmlNodePtr node, bool focused)
{
  static const char *const parts[] = {"validation", "first"};
  if (focused && (sc_node_child(node, "sizes") || xmlHasProp(node, BAD_CAST "base"))) {
    (void)sc_err_set(SC_E_INPUT, "a parameter with a <range> has no <sizes> and no base");
    return sc_node_located(src, node, sc_err_hint(SC_E_INPUT, "its sizes are <first>; those of further ones <sizes>"));
  }
  for (size_t i = 0; !focused && i < 2; i++)
    if (sc_node_child(node, parts[i])) {
      (void)sc_err_set(SC_E_INPUT, "a further parameter has no <%s>", parts[i]);
      return sc_node_located(src, node, sc_err_hint(SC_E_INPUT, "it has <sizes> and <targets> only"));
    }
  if (focused || sc_node_child(node, "sizes"))
    return 0;
  (void)sc_err_set(SC_E_INPUT, "a further <parameter> holds no <sizes>");
  return sc_node_located(src, node, sc_err_hint(SC_E_INPUT, "<sizes>1 2 4 8</sizes>"));
}

/* What is absent stays 0, and sc_workload_complete puts the default there. */
static int parse_focused(const sc_node_source *src, xmlNodePtr node)
{
  sc_workload *workload = src->workload;
  xmlNodePtr range = sc_node_child(node, "range"), validation = sc_node_child(node, "validation");
  SC_TRY(check_content(src, node, true));
  SC_TRY(parse_naming(src, node, &workload->parameter, &workload->unit, &workload->kind));
  SC_TRY(sc_node_value(src, range, "low", sc_workload_parse_size, &workload->range_low));
  SC_TRY(sc_node_value(src, range, "high", sc_workload_parse_size, &workload->range_high));
  if (validation) {
    int count = 0;
    SC_TRY(sc_node_value(src, validation, "low", sc_workload_parse_size, &workload->validation_low));
    SC_TRY(sc_node_value(src, validation, "high", sc_workload_parse_size, &workload->validation_high));
    SC_TRY(sc_node_number(src, validation, "count", 1, 100, &count));
    workload->validation_count = (unsigned)count;
  }
  SC_TRY(sc_node_sizes(src, sc_node_child(node, "first"), &workload->first, &workload->first_count));
  SC_TRY(sc_node_sizes(src, sc_node_child(node, "targets"), &workload->targets, &workload->target_count));
  return sc_node_located(src, node, sc_workload_complete(workload));
}

int sc_workload_parse_parameters(const sc_node_source *src, xmlNodePtr root)
{
  xmlNodePtr focused;
  SC_TRY(find_focused(src, root, &focused));
  SC_TRY(parse_focused(src, focused));
  for (xmlNodePtr node = root->children; node; node = node->next)
    if (sc_node_is(node, "parameter") && node != focused) {
      SC_TRY(check_content(src, node, false));
      SC_TRY(parse_other(src, node));
    }
  return 0;
}
