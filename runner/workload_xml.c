/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From XML to a tree that conforms to the schema, with errors a person can act on: file, line, what is allowed. */
#include "runner/workload_xml.h"

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/relaxng.h>
#include <string.h>

#include "base/buf.h"
#include "runner/workload_internal.h"

/* The first error libxml2 reported; the later ones are its consequences. */
typedef struct report {
  char text[512];
  int line;
  bool doctype;
} report;

static void record(void *user, xmlErrorPtr error)
{
  report *first = user;
  if (first->line || !error->message)
    return;
  snprintf(first->text, sizeof first->text, "%s", error->message);
  first->text[strcspn(first->text, "\n")] = '\0';
  first->line = error->line > 0 ? error->line : 1;
}

static void silent(void *user, const char *format, ...) {}

/* A document type could hold entities, whose expansion has no place in a workload. */
static void refuse_doctype(void *user, const xmlChar *name, const xmlChar *external, const xmlChar *system)
{
  xmlParserCtxtPtr context = user;
  report *first = context->_private;
  first->doctype = true;
  first->line = xmlSAX2GetLineNumber(context);
  xmlStopParser(context);
}

static int parse(const char *text, const char *name, xmlDocPtr *doc)
{
  report first = {0};
  xmlParserCtxtPtr context = xmlNewParserCtxt();
  if (!context)
    return sc_err_set(SC_E_NOMEM, "out of memory");
  context->_private = &first;
  context->sax->internalSubset = refuse_doctype;
  xmlSetStructuredErrorFunc(&first, record);
  *doc = xmlCtxtReadMemory(context, text, (int)strlen(text), NULL, NULL, XML_PARSE_NONET | XML_PARSE_NOCDATA);
  xmlSetStructuredErrorFunc(NULL, NULL);
  if (first.doctype || !*doc || !context->wellFormed) {
    if (context->myDoc && !*doc)
      xmlFreeDoc(context->myDoc);
    xmlFreeDoc(*doc);
    *doc = NULL;
    xmlFreeParserCtxt(context);
    if (first.doctype) {
      (void)sc_err_set(SC_E_INPUT, "%s:%d: a workload has no document type", name, first.line);
      return sc_err_hint(SC_E_INPUT, "remove <!DOCTYPE ...>; entities are not expanded");
    }
    (void)sc_err_set(SC_E_INPUT, "%s:%d: not well-formed XML: %s", name, first.line ? first.line : 1,
                     first.text[0] ? first.text : "empty or cut off");
    return sc_err_hint(SC_E_INPUT, "docs/workload.md has examples; & and < are written &amp; and &lt;");
  }
  xmlFreeParserCtxt(context);
  return 0;
}

/* ---- what the schema allows in an element, for hints --------------------------------------------------------- */

typedef struct allowed {
  sc_buf elements, attributes;
  const char *wanted; /* a name to look for */
  bool element_found, attribute_found;
} allowed;

static xmlNodePtr find_define(xmlDocPtr schema, const xmlChar *name)
{
  for (xmlNodePtr node = xmlDocGetRootElement(schema)->children; node; node = node->next) {
    xmlChar *has = node->type == XML_ELEMENT_NODE ? xmlGetProp(node, BAD_CAST "name") : NULL;
    bool same = has && xmlStrEqual(node->name, BAD_CAST "define") && xmlStrEqual(has, name);
    xmlFree(has);
    if (same)
      return node;
  }
  return NULL;
}

static void note(sc_buf *list, const char *format, const char *name)
{
  sc_buf_puts(list, list->length ? ", " : "");
  sc_buf_printf(list, format, name);
}

/* Walks the patterns below `pattern` down to, not into, elements and attributes. */
static void collect(xmlDocPtr schema, xmlNodePtr pattern, allowed *out)
{
  for (xmlNodePtr node = pattern->children; node; node = node->next) {
    if (node->type != XML_ELEMENT_NODE)
      continue;
    xmlChar *name = xmlGetProp(node, BAD_CAST "name");
    if (xmlStrEqual(node->name, BAD_CAST "element")) {
      note(&out->elements, "<%s>", (const char *)name);
      out->element_found |= !strcmp((const char *)name, out->wanted);
    } else if (xmlStrEqual(node->name, BAD_CAST "attribute")) {
      note(&out->attributes, "%s", (const char *)name);
      out->attribute_found |= !strcmp((const char *)name, out->wanted);
    } else if (xmlStrEqual(node->name, BAD_CAST "ref")) {
      xmlNodePtr define = find_define(schema, name);
      if (define)
        collect(schema, define, out);
    } else
      collect(schema, node, out);
    xmlFree(name);
  }
}

/* The schema's pattern of an element; names are unique enough in this schema. */
static xmlNodePtr find_element(xmlNodePtr node, const xmlChar *wanted)
{
  for (; node; node = node->next) {
    if (node->type != XML_ELEMENT_NODE)
      continue;
    if (xmlStrEqual(node->name, BAD_CAST "element")) {
      xmlChar *name = xmlGetProp(node, BAD_CAST "name");
      bool same = xmlStrEqual(name, wanted);
      xmlFree(name);
      if (same)
        return node;
    }
    xmlNodePtr found = find_element(node->children, wanted);
    if (found)
      return found;
  }
  return NULL;
}

static int not_allowed(xmlDocPtr schema, xmlNodePtr parent, const char *kind, const char *wanted, int line,
                       const char *file)
{
  allowed out = {.wanted = wanted};
  xmlNodePtr pattern = find_element(xmlDocGetRootElement(schema), parent->name);
  if (!pattern)
    return 0;
  collect(schema, pattern, &out);
  bool element = *kind == '<';
  int err = 0;
  if (element ? !out.element_found : !out.attribute_found) {
    const char *list = element ? out.elements.text : out.attributes.text;
    err = sc_err_set(SC_E_INPUT,
                     element ? "%s:%d: unknown element <%.60s> in <%s>" : "%s:%d: unknown attribute %.60s of <%s>",
                     file, line, wanted, (const char *)parent->name);
    (void)sc_err_hint(err, "allowed there: %s", list ? list : element ? "no elements" : "no attributes");
  }
  sc_buf_free(&out.elements);
  sc_buf_free(&out.attributes);
  return err;
}

/* Names the first element or attribute that the schema does not know, which libxml2's own message rarely does. */
static int explain(xmlDocPtr schema, xmlNodePtr node, const char *file)
{
  for (xmlAttrPtr attribute = node->properties; attribute; attribute = attribute->next)
    SC_TRY(not_allowed(schema, node, "@", (const char *)attribute->name, (int)xmlGetLineNo(node), file));
  for (xmlNodePtr child = node->children; child; child = child->next) {
    if (child->type != XML_ELEMENT_NODE)
      continue;
    SC_TRY(not_allowed(schema, node, "<", (const char *)child->name, (int)xmlGetLineNo(child), file));
    SC_TRY(explain(schema, child, file));
  }
  return 0;
}

static int invalid(xmlDocPtr doc, const report *first, const char *file)
{
  xmlNodePtr root = xmlDocGetRootElement(doc);
  if (!xmlStrEqual(root->name, BAD_CAST "workload")) {
    (void)sc_err_set(SC_E_INPUT, "%s:%ld: not a workload: the outermost element is <%.60s>", file, xmlGetLineNo(root),
                     (const char *)root->name);
    return sc_err_hint(SC_E_INPUT, "a workload file begins with <workload name=\"...\">; see docs/workload.md");
  }
  xmlDocPtr schema = xmlReadMemory((const char *)sc_workload_schema, (int)sc_workload_schema_bytes, NULL, NULL, 0);
  int err = schema ? explain(schema, root, file) : 0;
  xmlFreeDoc(schema);
  if (err < 0)
    return err;
  (void)sc_err_set(SC_E_INPUT, "%s:%d: not a valid workload: %s", file, first->line, first->text);
  return sc_err_hint(SC_E_INPUT, "docs/workload.md describes every element");
}

static int validate(xmlDocPtr doc, const char *file)
{
  report first = {0};
  int err = 0;
  xmlRelaxNGPtr schema = NULL;
  xmlRelaxNGValidCtxtPtr valid = NULL;
  xmlRelaxNGParserCtxtPtr parser =
      xmlRelaxNGNewMemParserCtxt((const char *)sc_workload_schema, (int)sc_workload_schema_bytes);
  if (parser) {
    xmlRelaxNGSetParserErrors(parser, silent, silent, NULL);
    schema = xmlRelaxNGParse(parser);
  }
  if (schema)
    valid = xmlRelaxNGNewValidCtxt(schema);
  if (!valid)
    err = sc_err_set(SC_E_INTERNAL, "the built-in schema of workloads cannot be used");
  else {
    xmlRelaxNGSetValidStructuredErrors(valid, record, &first);
    if (xmlRelaxNGValidateDoc(valid, doc) != 0)
      err = invalid(doc, &first, file);
  }
  xmlRelaxNGFreeValidCtxt(valid);
  xmlRelaxNGFree(schema);
  xmlRelaxNGFreeParserCtxt(parser);
  return err;
}

int sc_workload_xml_read(const char *text, const char *name, xmlDocPtr *doc)
{
  SC_TRY(parse(text, name, doc));
  int err = validate(*doc, name);
  if (err < 0) {
    xmlFreeDoc(*doc);
    *doc = NULL;
  }
  return err;
}
