/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Says what is wrong with a workload that the schema refuses. libxml2's own messages for interleaved elements are of
 * little help ("Extra element setup in interleave"), so the schema itself is read: what an element may and must hold.
 */
#include <string.h>

#include "base/buf.h"
#include "runner/workload/xml.h"

enum { ENTRY_LIMIT = 32 };

typedef struct entry {
  xmlChar *name;
  bool attribute, required, once;
} entry;

typedef struct content {
  entry entries[ENTRY_LIMIT];
  size_t count;
} content;

typedef struct schema {
  xmlNodePtr root;
  const char *file; /* of the workload, for messages */
} schema;

static bool is_element(xmlNodePtr node, const char *name)
{
  return node->type == XML_ELEMENT_NODE && xmlStrEqual(node->name, BAD_CAST name);
}

static xmlNodePtr find_define(const schema *in, const xmlChar *name)
{
  for (xmlNodePtr node = in->root->children; node; node = node->next) {
    xmlChar *has = is_element(node, "define") ? xmlGetProp(node, BAD_CAST "name") : NULL;
    bool same = has && xmlStrEqual(has, name);
    xmlFree(has);
    if (same)
      return node;
  }
  return NULL;
}

/* Walks the patterns below `pattern` down to, not into, elements and attributes. */
static void collect_content(const schema *in, xmlNodePtr pattern, bool required, bool once, content *out)
{
  for (xmlNodePtr node = pattern->children; node; node = node->next) {
    if (node->type != XML_ELEMENT_NODE)
      continue;
    bool must =
        required && !is_element(node, "optional") && !is_element(node, "zeroOrMore") && !is_element(node, "choice");
    bool single = once && !is_element(node, "zeroOrMore") && !is_element(node, "oneOrMore");
    xmlChar *name = xmlGetProp(node, BAD_CAST "name");
    xmlNodePtr define = is_element(node, "ref") ? find_define(in, name) : NULL;
    bool attribute = is_element(node, "attribute");
    if ((attribute || is_element(node, "element")) && out->count < ENTRY_LIMIT) {
      out->entries[out->count++] = (entry){name, attribute, must, single};
      continue;
    }
    collect_content(in, define ? define : node, must, single, out);
    xmlFree(name);
  }
}

/* The schema's pattern of an element; in this schema a name always means the same. */
static xmlNodePtr find_element(xmlNodePtr node, const xmlChar *wanted)
{
  for (; node; node = node->next) {
    if (is_element(node, "element")) {
      xmlChar *name = xmlGetProp(node, BAD_CAST "name");
      bool same = xmlStrEqual(name, wanted);
      xmlFree(name);
      if (same)
        return node;
    }
    xmlNodePtr found = node->type == XML_ELEMENT_NODE ? find_element(node->children, wanted) : NULL;
    if (found)
      return found;
  }
  return NULL;
}

static const entry *find_entry(const content *allowed, const xmlChar *name, bool attribute)
{
  for (size_t i = 0; i < allowed->count; i++)
    if (allowed->entries[i].attribute == attribute && xmlStrEqual(allowed->entries[i].name, name))
      return &allowed->entries[i];
  return NULL;
}

static int hint_allowed(const content *allowed, bool attributes, int err)
{
  sc_buf list = {0};
  for (size_t i = 0; i < allowed->count; i++)
    if (allowed->entries[i].attribute == attributes)
      sc_buf_printf(&list, attributes ? "%s%s" : "%s<%s>", list.length ? ", " : "",
                    (const char *)allowed->entries[i].name);
  if (!list.length)
    sc_buf_puts(&list, attributes ? "no attributes" : "no elements");
  if (sc_buf_finish(&list) == 0)
    (void)sc_err_hint(err, "allowed there: %s", list.text);
  sc_buf_free(&list);
  return err;
}

static int check_attributes(const schema *in, xmlNodePtr node, const content *allowed)
{
  for (xmlAttrPtr attribute = node->properties; attribute; attribute = attribute->next)
    if (!find_entry(allowed, attribute->name, true))
      return hint_allowed(allowed, true,
                          sc_err_set(SC_E_INPUT, "%s:%ld: unknown attribute %.60s of <%s>", in->file,
                                     xmlGetLineNo(node), (const char *)attribute->name, (const char *)node->name));
  return 0;
}

/* The first error of a node is reported, before what is inside of it: an unknown element's content says nothing. */
static int check_children(const schema *in, xmlNodePtr node, const content *allowed)
{
  for (xmlNodePtr child = node->children; child; child = child->next) {
    if (child->type != XML_ELEMENT_NODE)
      continue;
    const entry *known = find_entry(allowed, child->name, false);
    if (!known)
      return hint_allowed(allowed, false,
                          sc_err_set(SC_E_INPUT, "%s:%ld: unknown element <%.60s> in <%s>", in->file,
                                     xmlGetLineNo(child), (const char *)child->name, (const char *)node->name));
    xmlNodePtr other = child->prev;
    while (other && !(other->type == XML_ELEMENT_NODE && xmlStrEqual(other->name, child->name)))
      other = other->prev;
    if (known->once && other) {
      (void)sc_err_set(SC_E_INPUT, "%s:%ld: a second <%s> in <%s>", in->file, xmlGetLineNo(child),
                       (const char *)child->name, (const char *)node->name);
      return sc_err_hint(SC_E_INPUT, "the first one is in line %ld", xmlGetLineNo(other));
    }
  }
  return 0;
}

static bool has_child(xmlNodePtr node, const xmlChar *name)
{
  for (xmlNodePtr child = node->children; child; child = child->next)
    if (child->type == XML_ELEMENT_NODE && xmlStrEqual(child->name, name))
      return true;
  return false;
}

static int check_required(const schema *in, xmlNodePtr node, const content *allowed)
{
  for (size_t i = 0; i < allowed->count; i++) {
    const entry *wanted = &allowed->entries[i];
    if (!wanted->required ||
        (wanted->attribute ? xmlHasProp(node, wanted->name) != NULL : has_child(node, wanted->name)))
      continue;
    (void)sc_err_set(SC_E_INPUT, wanted->attribute ? "%s:%ld: <%s> has no attribute %s" : "%s:%ld: <%s> holds no <%s>",
                     in->file, xmlGetLineNo(node), (const char *)node->name, (const char *)wanted->name);
    return sc_err_hint(SC_E_INPUT, "docs/workload.md describes every element");
  }
  return 0;
}

/* From the outside in, each element before what is in it: the first error is the cause, later ones its consequences. */
static int explain_node(const schema *in, xmlNodePtr node)
{
  content allowed = {.count = 0};
  xmlNodePtr pattern = find_element(in->root, node->name);
  int err = 0;
  if (pattern)
    collect_content(in, pattern, true, true, &allowed);
  SC_GOTO(check_attributes(in, node, &allowed));
  SC_GOTO(check_children(in, node, &allowed));
  SC_GOTO(check_required(in, node, &allowed));
  for (xmlNodePtr child = node->children; child; child = child->next)
    if (child->type == XML_ELEMENT_NODE)
      SC_GOTO(explain_node(in, child));
out:
  for (size_t i = 0; i < allowed.count; i++)
    xmlFree(allowed.entries[i].name);
  return err;
}

int sc_workload_explain(xmlDocPtr schema_doc, xmlNodePtr root, const char *file)
{
  const schema in = {xmlDocGetRootElement(schema_doc), file};
  return explain_node(&in, root);
}
