/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From XML to a tree that conforms to the schema, with errors a person can act on: file, line, what is allowed. */
#include "runner/workload/xml.h"

#include <libxml/parser.h>
#include <libxml/relaxng.h>
#include <string.h>

#include "runner/workload/internal.h"

/* The first error libxml2 reported; the later ones are its consequences. */
typedef struct report {
  char text[512];
  int line;
  bool doctype;
} report;

static void xml_record(void *user, xmlErrorPtr error)
{
  report *first = user;
  if (first->line || !error->message)
    return;
  snprintf(first->text, sizeof first->text, "%s", error->message);
  first->text[strcspn(first->text, "\n")] = '\0';
  first->line = error->line > 0 ? error->line : 1;
}

/* libxml2 prints to stderr by itself unless it is given somewhere else to. */
static void xml_silent(void *user, const char *format, ...) {}
static void xml_ignore(void *user, xmlErrorPtr error) {}

/* A document type could hold entities, whose expansion has no place in a workload. */
static void refuse_doctype(void *user, const xmlChar *name, const xmlChar *external, const xmlChar *system)
{
  xmlParserCtxtPtr context = user;
  report *first = context->_private;
  first->doctype = true;
  first->line = xmlSAX2GetLineNumber(context);
  xmlStopParser(context);
}

static int parse_xml(const char *text, const char *name, xmlDocPtr *doc)
{
  report first = {0};
  xmlSetStructuredErrorFunc(&first, xml_record);
  xmlParserCtxtPtr context = xmlNewParserCtxt();
  if (!context)
    return sc_err_set(SC_E_NOMEM, "out of memory");
  context->_private = &first;
  context->sax->internalSubset = refuse_doctype;
  *doc = xmlCtxtReadMemory(context, text, (int)strlen(text), NULL, NULL, XML_PARSE_NONET | XML_PARSE_NOCDATA);
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

/* Ours first, libxml2's own words only for what is left, a value that is wrong. */
static int xml_invalid(xmlDocPtr doc, const report *first, const char *file)
{
  xmlNodePtr root = xmlDocGetRootElement(doc);
  if (!xmlStrEqual(root->name, BAD_CAST "workload")) {
    (void)sc_err_set(SC_E_INPUT, "%s:%ld: not a workload: the outermost element is <%.60s>", file, xmlGetLineNo(root),
                     (const char *)root->name);
    return sc_err_hint(SC_E_INPUT, "a workload file begins with <workload name=\"...\">; see docs/workload.md");
  }
  xmlDocPtr schema = xmlReadMemory((const char *)sc_workload_schema, (int)sc_workload_schema_bytes, NULL, NULL, 0);
  int err = schema ? sc_workload_explain(schema, root, file) : 0;
  xmlFreeDoc(schema);
  if (err < 0)
    return err;
  (void)sc_err_set(SC_E_INPUT, "%s:%d: not a valid workload: %s", file, first->line, first->text);
  return sc_err_hint(SC_E_INPUT, "docs/workload.md describes every element");
}

/* The schema is built for one reading and freed: a command reads one workload. */
static int validate_xml(xmlDocPtr doc, const char *file)
{
  report first = {0};
  int err = 0;
  xmlRelaxNGPtr schema = NULL;
  xmlRelaxNGValidCtxtPtr valid = NULL;
  xmlRelaxNGParserCtxtPtr parser =
      xmlRelaxNGNewMemParserCtxt((const char *)sc_workload_schema, (int)sc_workload_schema_bytes);
  if (parser) {
    xmlRelaxNGSetParserErrors(parser, xml_silent, xml_silent, NULL);
    schema = xmlRelaxNGParse(parser);
  }
  if (schema)
    valid = xmlRelaxNGNewValidCtxt(schema);
  if (!valid)
    err = sc_err_set(SC_E_INTERNAL, "the built-in schema of workloads cannot be used");
  else {
    xmlRelaxNGSetValidStructuredErrors(valid, xml_record, &first);
    if (xmlRelaxNGValidateDoc(valid, doc) != 0)
      err = xml_invalid(doc, &first, file);
  }
  xmlRelaxNGFreeValidCtxt(valid);
  xmlRelaxNGFree(schema);
  xmlRelaxNGFreeParserCtxt(parser);
  return err;
}

/* libxml2 reports errors through functions that are global: set for this reading, and taken back. */
int sc_workload_xml_read(const char *text, const char *name, xmlDocPtr *doc)
{
  int err = parse_xml(text, name, doc);
  xmlSetStructuredErrorFunc(NULL, xml_ignore);
  err = err ?: validate_xml(*doc, name);
  xmlSetStructuredErrorFunc(NULL, NULL);
  if (err < 0) {
    xmlFreeDoc(*doc);
    *doc = NULL;
  }
  return err;
}
