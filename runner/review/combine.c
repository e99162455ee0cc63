/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/review/combine.h"

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdlib.h>
#include <string.h>

#include "runner/report/json.h"

static bool is_format(const char *format, const char *name) { return strcmp(format ? format : "text", name) == 0; }

/* Whether documents of the format follow each other as they are. */
static bool combined_streams(const char *format)
{
  return is_format(format, "text") || is_format(format, "lines") || is_format(format, "github") ||
         is_format(format, "markdown");
}

static int no_memory(void) { return sc_err_set(SC_E_NOMEM, "out of memory while composing a document"); }

/* Between texts a blank line; lines of findings follow each other. */
static int write_texts(FILE *out, const char *format, char *const *texts, size_t count)
{
  bool lines = is_format(format, "lines") || is_format(format, "github");
  for (size_t i = 0; i < count; i++)
    fprintf(out, "%s%s", i && !lines ? "\n" : "", texts[i]);
  return 0;
}

/* {"document": "combinations", "combinations": [...]}; of SARIF the runs, of GitLab's lists what is in them. */
static int write_json(FILE *out, const char *format, char *const *texts, size_t count)
{
  bool sarif = is_format(format, "sarif"), gitlab = is_format(format, "gitlab");
  cJSON *all = sarif ? NULL : gitlab ? cJSON_CreateArray() : cJSON_CreateObject(), *list = all;
  if (!sarif && !gitlab) {
    cJSON_AddNumberToObject(all, "schema_version", SC_REPORT_JSON_VERSION);
    cJSON_AddStringToObject(all, "document", "combinations");
    list = cJSON_AddArrayToObject(all, "combinations");
  }
  for (size_t i = 0; i < count; i++) {
    cJSON *one = cJSON_Parse(texts[i]), *items = sarif ? cJSON_GetObjectItem(one, "runs") : gitlab ? one : NULL;
    if (!one) {
      cJSON_Delete(all);
      return no_memory();
    }
    if (sarif && !all) {
      all = one;
      list = items;
      continue;
    }
    if (!items) {
      cJSON_AddItemToArray(list, one);
      continue;
    }
    while (cJSON_GetArraySize(items))
      cJSON_AddItemToArray(list, cJSON_DetachItemFromArray(items, 0));
    cJSON_Delete(one);
  }
  return sc_json_write(out, all, &(sc_json){0}, 0);
}

static size_t combined_attribute(xmlNodePtr node, const char *name)
{
  xmlChar *value = xmlGetProp(node, BAD_CAST name);
  size_t number = value ? strtoul((const char *)value, NULL, 10) : 0;
  xmlFree(value);
  return number;
}

static void add_combined_attribute(xmlNodePtr to, xmlNodePtr from, const char *name)
{
  char text[32];
  snprintf(text, sizeof text, "%zu", combined_attribute(to, name) + combined_attribute(from, name));
  (void)xmlSetProp(to, BAD_CAST name, BAD_CAST text);
}

/* The test suites of all, whose names say where they are of. */
static int write_junit(FILE *out, char *const *texts, size_t count)
{
  xmlDocPtr all = NULL;
  int err = 0;
  for (size_t i = 0; i < count && err == 0; i++) {
    xmlDocPtr one = xmlReadMemory(texts[i], (int)strlen(texts[i]), NULL, NULL, XML_PARSE_NONET | XML_PARSE_NOBLANKS);
    if (!one) {
      err = no_memory();
    } else if (!all) {
      all = one;
      continue;
    } else {
      xmlNodePtr root = xmlDocGetRootElement(all), from = xmlDocGetRootElement(one);
      for (xmlNodePtr suite = from->children; suite; suite = suite->next)
        (void)xmlAddChild(root, xmlDocCopyNode(suite, all, 1));
      add_combined_attribute(root, from, "tests");
      add_combined_attribute(root, from, "failures");
      xmlFreeDoc(one);
    }
  }
  xmlChar *text = NULL;
  int length = 0;
  if (err == 0)
    xmlDocDumpFormatMemoryEnc(all, &text, &length, "UTF-8", 1);
  if (err == 0 && !text)
    err = no_memory();
  if (err == 0)
    fputs((const char *)text, out);
  xmlFree(text);
  xmlFreeDoc(all);
  return err;
}

static size_t line_length(const char *at)
{
  size_t length = strcspn(at, "\n");
  return length + (at[length] == '\n');
}

/* The name of the family that a "# TYPE" line begins. */
static bool begins_family(const char *line, const char **name, size_t *length)
{
  static const char type[] = "# TYPE ";
  if (strncmp(line, type, sizeof type - 1) != 0)
    return false;
  *name = line + sizeof type - 1;
  *length = strcspn(*name, " \n");
  return true;
}

/* Samples of the family in a document, without its head. */
static void write_samples(FILE *out, const char *text, const char *family, size_t family_length)
{
  const char *name;
  size_t length;
  bool inside = false;
  for (; *text; text += line_length(text)) {
    if (begins_family(text, &name, &length))
      inside = length == family_length && strncmp(name, family, length) == 0;
    else if (inside && *text != '#')
      (void)fwrite(text, 1, line_length(text), out);
  }
}

/* A family's samples have to stand together. Every document has the same families, in the same order. */
static int write_metrics(FILE *out, char *const *texts, size_t count)
{
  const char *name = NULL;
  size_t length = 0;
  for (const char *at = texts[0]; *at; at += line_length(at)) {
    bool begins = *at == '#' && strncmp(at, "# HELP ", 7) != 0;
    for (size_t i = 1; begins && name && i < count; i++)
      write_samples(out, texts[i], name, length);
    if (begins && !begins_family(at, &name, &length))
      name = NULL; /* the end */
    (void)fwrite(at, 1, line_length(at), out);
  }
  return 0;
}

/* Clusters in one graph. */
static int write_dot(FILE *out, char *const *texts, size_t count)
{
  fputs("digraph blame {\nrankdir=LR;\nnode [shape=box];\n", out);
  for (size_t i = 0; i < count; i++)
    fputs(texts[i], out);
  fputs("}\n", out);
  return 0;
}

int sc_combine_write(FILE *out, const char *format, char *const *texts, size_t count)
{
  if (combined_streams(format))
    return write_texts(out, format, texts, count);
  if (is_format(format, "junit"))
    return write_junit(out, texts, count);
  if (is_format(format, "openmetrics"))
    return write_metrics(out, texts, count);
  if (is_format(format, "dot"))
    return write_dot(out, texts, count);
  return write_json(out, format, texts, count);
}
