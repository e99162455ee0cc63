/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Elements of a workload file as numbers, names and templates. The schema has seen to what may stand where; here is
 * what a schema cannot say, each error with its line. */
#include "runner/workload/node.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/number.h"
#include "runner/workload/expand.h"

/* Prefixes the last error with file and line of the node; 0 passes through. */
int sc_node_located(const sc_node_source *src, xmlNodePtr node, int err)
{
  if (err == 0)
    return 0;
  char hint[1024];
  snprintf(hint, sizeof hint, "%s", sc_err_hint_text());
  (void)sc_err_set(err, "%s:%ld: %s", src->name, xmlGetLineNo(node), sc_err_message());
  return sc_err_hint(err, "%s", hint);
}

bool sc_node_is(xmlNodePtr node, const char *name)
{
  return node->type == XML_ELEMENT_NODE && !strcmp((const char *)node->name, name);
}

xmlNodePtr sc_node_child(xmlNodePtr parent, const char *name)
{
  xmlNodePtr node = parent->children;
  while (node && !sc_node_is(node, name))
    node = node->next;
  return node;
}

size_t sc_node_count(xmlNodePtr parent, const char *name)
{
  size_t count = 0;
  for (xmlNodePtr node = parent->children; node; node = node->next)
    count += sc_node_is(node, name);
  return count;
}

/* Copied, as libxml2's memory has its own free: what a workload owns is all freed alike. */
static int node_own(xmlChar *text, char **out)
{
  *out = sc_mem_copy_string(text ? (const char *)text : "");
  xmlFree(text);
  return *out ? 0 : SC_E_NOMEM;
}

int sc_node_content(xmlNodePtr node, char **out) { return node_own(xmlNodeGetContent(node), out); }

/* NULL in *out if the attribute is absent. */
int sc_node_attribute(xmlNodePtr node, const char *name, char **out)
{
  xmlChar *text = xmlGetProp(node, BAD_CAST name);
  *out = NULL;
  return text ? node_own(text, out) : 0;
}

/* A text with placeholders: their names are checked now, so that a typing error does not show after hours. */
int sc_node_check_text(const sc_node_source *src, xmlNodePtr node, const char *text, bool generator)
{
  sc_expand_vars vars = sc_workload_vars(src->workload, 1, NULL);
  vars.generator = generator;
  vars.check = true;
  char *expanded;
  int err = text ? sc_expand_text(text, &vars, &expanded) : 0;
  if (text && err == 0)
    free(expanded);
  return sc_node_located(src, node, err);
}

int sc_node_template(const sc_node_source *src, xmlNodePtr node, const char *name, char **out)
{
  SC_TRY(sc_node_attribute(node, name, out));
  return sc_node_check_text(src, node, *out, false);
}

int sc_node_value(const sc_node_source *src, xmlNodePtr node, const char *name, sc_node_parse_fn parse, double *value)
{
  char *text;
  SC_TRY(sc_node_attribute(node, name, &text));
  int err = text ? parse(text, value) : 0;
  free(text);
  return sc_node_located(src, node, err);
}

int sc_node_limited(const sc_node_source *src, xmlNodePtr node, const char *text, unsigned low, unsigned high,
                    unsigned *value)
{
  uint64_t parsed;
  if (!sc_number_whole(text, &parsed) || parsed < low || parsed > high)
    return sc_err_hint(
        sc_node_located(src, node, sc_err_set(SC_E_INPUT, "\"%.40s\" is not a number from %u to %u", text, low, high)),
        "look at <%s> in this line", (const char *)node->name);
  *value = (unsigned)parsed;
  return 0;
}

int sc_node_number(const sc_node_source *src, xmlNodePtr node, const char *name, unsigned low, unsigned high,
                   int *value)
{
  char *text;
  unsigned number = 0;
  SC_TRY(sc_node_attribute(node, name, &text));
  int err = text ? sc_node_limited(src, node, text, low, high, &number) : 0;
  if (text && err == 0)
    *value = (int)number;
  free(text);
  return err;
}

/* A name that can stand in braces and on a command line. */
int sc_node_name(const sc_node_source *src, xmlNodePtr node, char **name)
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_", others[] = "0123456789.-";
  SC_TRY(sc_node_attribute(node, "name", name));
  const char *rest = *name;
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): the schema requires it */
  if (**name && strchr(letters, **name))
    while (*rest && (strchr(letters, *rest) || strchr(others, *rest)))
      rest++;
  if (**name && !*rest && strlen(*name) < 60)
    return 0;
  int err = sc_node_located(
      src, node, sc_err_set(SC_E_INPUT, "name=\"%.60s\" of <%s> is not a name", *name, (const char *)node->name));
  return sc_err_hint(err, "letters a to z, digits, _ . and -, beginning with a letter");
}

int sc_node_sizes(const sc_node_source *src, xmlNodePtr node, double **sizes, size_t *count)
{
  char *text;
  if (!node)
    return 0;
  SC_TRY(sc_node_content(node, &text));
  int err = sc_workload_parse_sizes(text, sizes, count);
  free(text);
  return sc_node_located(src, node, err);
}
