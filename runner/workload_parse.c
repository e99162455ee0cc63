/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a valid tree to sc_workload. Values are checked here, where the line is known. */
#include <errno.h>
#include <libxml/tree.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/expand.h"
#include "runner/workload_internal.h"
#include "runner/workload_xml.h"

enum { FILE_LIMIT = 4 << 20 };

typedef struct source {
  const char *name;
  sc_workload *workload;
} source;

/* Prefixes the last error with file and line of the node; 0 passes through. */
static int at(const source *src, xmlNodePtr node, int err)
{
  if (err == 0)
    return 0;
  char hint[1024];
  snprintf(hint, sizeof hint, "%s", sc_err_hint_text());
  (void)sc_err_set(err, "%s:%ld: %s", src->name, xmlGetLineNo(node), sc_err_message());
  return sc_err_hint(err, "%s", hint);
}

static bool named(xmlNodePtr node, const char *name)
{
  return node->type == XML_ELEMENT_NODE && !strcmp((const char *)node->name, name);
}

static xmlNodePtr child(xmlNodePtr parent, const char *name)
{
  xmlNodePtr node = parent->children;
  while (node && !named(node, name))
    node = node->next;
  return node;
}

static size_t count_children(xmlNodePtr parent, const char *name)
{
  size_t count = 0;
  for (xmlNodePtr node = parent->children; node; node = node->next)
    count += named(node, name);
  return count;
}

static int own(xmlChar *text, char **out)
{
  *out = sc_mem_copy_string(text ? (const char *)text : "");
  xmlFree(text);
  return *out ? 0 : SC_E_NOMEM;
}

static int content(xmlNodePtr node, char **out) { return own(xmlNodeGetContent(node), out); }

/* NULL in *out if the attribute is absent. */
static int attribute(xmlNodePtr node, const char *name, char **out)
{
  xmlChar *text = xmlGetProp(node, BAD_CAST name);
  *out = NULL;
  return text ? own(text, out) : 0;
}

/* A text with placeholders: their names are checked now, so that a typing error does not show after hours. */
static int check_text(const source *src, xmlNodePtr node, const char *text, bool generator)
{
  const sc_expand_vars vars = {.parameter = src->workload->parameter, .n = 1, .generator = generator, .check = true};
  char *expanded;
  int err = text ? sc_expand_text(text, &vars, &expanded) : 0;
  if (text && err == 0)
    free(expanded);
  return at(src, node, err);
}

static int template_attribute(const source *src, xmlNodePtr node, const char *name, char **out)
{
  SC_TRY(attribute(node, name, out));
  return check_text(src, node, *out, false);
}

static int size_attribute(const source *src, xmlNodePtr node, const char *name, double *value)
{
  char *text;
  SC_TRY(attribute(node, name, &text));
  int err = text ? sc_workload_parse_size(text, value) : 0;
  free(text);
  return at(src, node, err);
}

static int time_attribute(const source *src, xmlNodePtr node, const char *name, double *value)
{
  char *text;
  SC_TRY(attribute(node, name, &text));
  int err = text ? sc_workload_parse_time(text, value) : 0;
  free(text);
  return at(src, node, err);
}

static int limited(const source *src, xmlNodePtr node, const char *text, unsigned low, unsigned high, unsigned *value)
{
  char *end;
  unsigned long parsed = strtoul(text, &end, 10);
  if (*text < '0' || *text > '9' || *end || parsed < low || parsed > high)
    return sc_err_hint(
        at(src, node, sc_err_set(SC_E_INPUT, "\"%.40s\" is not a number from %u to %u", text, low, high)),
        "look at <%s> in this line", (const char *)node->name);
  *value = (unsigned)parsed;
  return 0;
}

static int number_attribute(const source *src, xmlNodePtr node, const char *name, unsigned low, unsigned high,
                            int *value)
{
  char *text;
  unsigned number = 0;
  SC_TRY(attribute(node, name, &text));
  int err = text ? limited(src, node, text, low, high, &number) : 0;
  if (text && err == 0)
    *value = (int)number;
  free(text);
  return err;
}

/* A name that can stand in braces and on a command line. */
static int name_attribute(const source *src, xmlNodePtr node, char **name)
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_", others[] = "0123456789.-";
  SC_TRY(attribute(node, "name", name));
  const char *rest = *name;
  if (**name && strchr(letters, **name))
    while (*rest && (strchr(letters, *rest) || strchr(others, *rest)))
      rest++;
  if (**name && !*rest && strlen(*name) < 60)
    return 0;
  int err =
      at(src, node, sc_err_set(SC_E_INPUT, "name=\"%.60s\" of <%s> is not a name", *name, (const char *)node->name));
  return sc_err_hint(err, "letters, digits, _ . and -, beginning with a letter");
}

static int sizes_of(const source *src, xmlNodePtr node, double **sizes, size_t *count)
{
  char *text;
  if (!node)
    return 0;
  SC_TRY(content(node, &text));
  int err = sc_workload_parse_sizes(text, sizes, count);
  free(text);
  return at(src, node, err);
}

static int parse_parameter(const source *src, xmlNodePtr root)
{
  sc_workload *workload = src->workload;
  xmlNodePtr node = child(root, "parameter"), range = child(node, "range"), validation = child(node, "validation");
  SC_TRY(name_attribute(src, node, &workload->parameter));
  SC_TRY(attribute(node, "unit", &workload->unit));
  SC_TRY(size_attribute(src, range, "low", &workload->range_low));
  SC_TRY(size_attribute(src, range, "high", &workload->range_high));
  if (validation) {
    int count = 0;
    SC_TRY(size_attribute(src, validation, "low", &workload->validation_low));
    SC_TRY(size_attribute(src, validation, "high", &workload->validation_high));
    SC_TRY(number_attribute(src, validation, "count", 1, 100, &count));
    workload->validation_count = (unsigned)count;
  }
  SC_TRY(sizes_of(src, child(node, "first"), &workload->first, &workload->first_count));
  SC_TRY(sizes_of(src, child(node, "targets"), &workload->targets, &workload->target_count));
  return at(src, node, sc_workload_complete(workload));
}

static int parse_environment(const source *src, xmlNodePtr node, sc_command *command)
{
  char *name = NULL, *value = NULL;
  sc_buf pair = {0};
  int err;
  SC_GOTO(attribute(node, "name", &name));
  SC_GOTO(content(node, &value));
  SC_GOTO(check_text(src, node, value, false));
  if (!*name || strchr(name, '=') || strchr(name, '{')) {
    err = at(src, node, sc_err_set(SC_E_INPUT, "\"%.60s\" is no name of an environment variable", name));
    goto out;
  }
  sc_buf_printf(&pair, "%s=%s", name, value);
  SC_GOTO(sc_buf_finish(&pair));
  err = sc_workload_append(&command->environment, pair.text);
out:
  free(name);
  free(value);
  sc_buf_free(&pair);
  return err;
}

static int parse_argument(const source *src, xmlNodePtr node, sc_command *command)
{
  char *text;
  SC_TRY(content(node, &text));
  int err = check_text(src, node, text, false);
  if (err == 0 && !*text && !command->argv) {
    err = at(src, node, sc_err_set(SC_E_INPUT, "the program's name is empty"));
    (void)sc_err_hint(err, "the first <arg> is the program to run");
  }
  if (err == 0)
    err = sc_workload_append(&command->argv, text);
  free(text);
  return err;
}

static int parse_command(const source *src, xmlNodePtr node, sc_command *command)
{
  char *output = NULL;
  SC_TRY(template_attribute(src, node, "stdin", &command->stdin_file));
  SC_TRY(template_attribute(src, node, "stdout", &command->stdout_file));
  SC_TRY(template_attribute(src, node, "directory", &command->directory));
  SC_TRY(time_attribute(src, node, "timeout", &command->timeout));
  SC_TRY(number_attribute(src, node, "status", 0, 255, &command->expect_status));
  SC_TRY(attribute(node, "output", &output));
  command->output_required = output != NULL;
  free(output);
  for (xmlNodePtr part = node->children; part; part = part->next) {
    if (named(part, "arg"))
      SC_TRY(parse_argument(src, part, command));
    else if (named(part, "env"))
      SC_TRY(parse_environment(src, part, command));
  }
  return 0;
}

static int parse_commands(const source *src, xmlNodePtr root, const char *name, sc_command **commands, size_t *count)
{
  xmlNodePtr list = child(root, name);
  if (!list)
    return 0;
  *commands = sc_mem_new(count_children(list, "command"), sizeof **commands);
  if (!*commands)
    return SC_E_NOMEM;
  for (xmlNodePtr node = list->children; node; node = node->next)
    if (named(node, "command"))
      SC_TRY(parse_command(src, node, &(*commands)[(*count)++]));
  return 0;
}

static int parse_part(const source *src, xmlNodePtr node, sc_generator_part *part)
{
  SC_TRY(content(node, &part->text));
  if (named(node, "line")) {
    size_t length = strlen(part->text);
    char *line = realloc(part->text, length + 2);
    if (!line)
      return sc_err_set(SC_E_NOMEM, "out of memory");
    memcpy(line + length, "\n", 2);
    part->text = line;
  }
  SC_TRY(check_text(src, node, part->text, true));
  SC_TRY(attribute(node, "repeat", &part->repeat));
  if (!part->repeat)
    return (part->repeat = sc_mem_copy_string("1")) ? 0 : SC_E_NOMEM;
  const sc_expand_vars vars = {.parameter = src->workload->parameter, .n = src->workload->range_low};
  uint64_t times;
  return at(src, node, sc_expand_repeat(part->repeat, &vars, &times));
}

static int parse_generators(const source *src, xmlNodePtr root)
{
  sc_workload *workload = src->workload;
  workload->generators = sc_mem_new(count_children(root, "generate"), sizeof *workload->generators);
  if (!workload->generators)
    return SC_E_NOMEM;
  for (xmlNodePtr node = root->children; node; node = node->next) {
    if (!named(node, "generate"))
      continue;
    sc_generator *generator = &workload->generators[workload->generator_count++];
    SC_TRY(template_attribute(src, node, "file", &generator->file));
    generator->parts =
        sc_mem_new(count_children(node, "text") + count_children(node, "line"), sizeof *generator->parts);
    if (!generator->parts)
      return SC_E_NOMEM;
    for (xmlNodePtr part = node->children; part; part = part->next)
      if (part->type == XML_ELEMENT_NODE)
        SC_TRY(parse_part(src, part, &generator->parts[generator->part_count++]));
  }
  return 0;
}

static int signal_number(const char *name)
{
  static const struct {
    const char *name;
    int number;
  } signals[] = {{"TERM", SIGTERM}, {"INT", SIGINT},   {"QUIT", SIGQUIT}, {"HUP", SIGHUP},
                 {"USR1", SIGUSR1}, {"USR2", SIGUSR2}, {"KILL", SIGKILL}};
  for (size_t i = 0; name && i < sizeof signals / sizeof *signals; i++)
    if (!strcmp(signals[i].name, name))
      return signals[i].number;
  return SIGTERM;
}

static int parse_service(const source *src, xmlNodePtr root)
{
  xmlNodePtr node = child(root, "service");
  if (!node)
    return 0;
  sc_service *service = src->workload->service = sc_mem_new(1, sizeof *service);
  if (!service)
    return SC_E_NOMEM;
  char *stop;
  SC_TRY(attribute(node, "stop", &stop));
  service->stop_signal = signal_number(stop);
  free(stop);
  xmlNodePtr ready = child(node, "ready");
  service->wait_seconds = 30;
  SC_TRY(time_attribute(src, ready, "timeout", &service->wait_seconds));
  SC_TRY(number_attribute(src, ready, "port", 1, 65535, &service->wait_port));
  SC_TRY(template_attribute(src, ready, "file", &service->wait_file));
  SC_TRY(template_attribute(src, ready, "output", &service->wait_output));
  return parse_command(src, child(node, "command"), &service->command);
}

static int parse_roots(const source *src, xmlNodePtr root)
{
  xmlNodePtr list = child(root, "roots");
  sc_workload *workload = src->workload;
  if (!list)
    return 0;
  workload->roots =
      sc_mem_new(count_children(list, "function") + count_children(list, "thread"), sizeof *workload->roots);
  if (!workload->roots)
    return SC_E_NOMEM;
  for (xmlNodePtr node = list->children; node; node = node->next)
    if (node->type == XML_ELEMENT_NODE)
      SC_TRY(attribute(node, named(node, "thread") ? "start" : "name", &workload->roots[workload->root_count++]));
  return 0;
}

static int parse_budgets(const source *src, xmlNodePtr root)
{
  xmlNodePtr list = child(root, "budgets");
  sc_workload *workload = src->workload;
  if (!list)
    return 0;
  workload->budgets = sc_mem_new(count_children(list, "budget"), sizeof *workload->budgets);
  if (!workload->budgets)
    return SC_E_NOMEM;
  for (xmlNodePtr node = list->children; node; node = node->next) {
    if (!named(node, "budget"))
      continue;
    sc_budget *budget = &workload->budgets[workload->budget_count++];
    SC_TRY(attribute(node, "metric", &budget->metric));
    SC_TRY(size_attribute(src, node, "n", &budget->n));
    SC_TRY(time_attribute(src, node, "limit", &budget->limit));
  }
  return 0;
}

static int parse_workload(const source *src, xmlNodePtr root)
{
  sc_workload *workload = src->workload;
  SC_TRY(name_attribute(src, root, &workload->name));
  xmlNodePtr title = child(root, "title"), repeats = child(root, "repeats");
  if (title)
    SC_TRY(content(title, &workload->title));
  SC_TRY(parse_parameter(src, root));
  if (repeats) {
    char *text;
    SC_TRY(content(repeats, &text));
    int err = limited(src, repeats, text, 1, 1000, &workload->repeats);
    free(text);
    SC_TRY(err);
  }
  SC_TRY(parse_commands(src, root, "setup", &workload->setup, &workload->setup_count));
  SC_TRY(parse_generators(src, root));
  SC_TRY(parse_commands(src, root, "prepare", &workload->prepare, &workload->prepare_count));
  SC_TRY(parse_service(src, root));
  SC_TRY(parse_command(src, child(root, "command"), &workload->command));
  SC_TRY(parse_commands(src, root, "cleanup", &workload->cleanup, &workload->cleanup_count));
  SC_TRY(parse_commands(src, root, "teardown", &workload->teardown, &workload->teardown_count));
  SC_TRY(parse_roots(src, root));
  return parse_budgets(src, root);
}

int sc_workload_parse(const char *text, const char *name, sc_workload **workload)
{
  source src = {name, sc_workload_new()};
  xmlDocPtr doc = NULL;
  int err;
  *workload = NULL;
  if (!src.workload)
    return SC_E_NOMEM;
  SC_GOTO(sc_workload_xml_read(text, name, &doc));
  SC_GOTO(parse_workload(&src, xmlDocGetRootElement(doc)));
  src.workload->source = sc_mem_copy_string(text);
  if (!src.workload->source) {
    err = SC_E_NOMEM;
    goto out;
  }
  *workload = src.workload;
  src.workload = NULL;
out:
  xmlFreeDoc(doc);
  sc_workload_free(src.workload);
  return err;
}

int sc_workload_load(const char *path, sc_workload **workload)
{
  sc_buf text = {0};
  char block[8192];
  size_t got;
  int err = 0;
  *workload = NULL;
  FILE *file = fopen(path, "re");
  if (!file) {
    err = sc_err_system(SC_E_INPUT, errno, "cannot open the workload %s", path);
    return sc_err_hint(err,
                       "give the path of a workload file, or a command: scale-run run -P n=100..6400 -- ./prog {n}");
  }
  while (text.length <= FILE_LIMIT && (got = fread(block, 1, sizeof block, file)) > 0)
    sc_buf_add(&text, block, got);
  if (ferror(file))
    err = sc_err_system(SC_E_IO, errno, "cannot read the workload %s", path);
  else if (text.length > FILE_LIMIT)
    err = sc_err_set(SC_E_INPUT, "%s: larger than %d MiB, so not a workload", path, FILE_LIMIT >> 20);
  else if (text.length && memchr(text.text, '\0', text.length))
    err = sc_err_set(SC_E_INPUT, "%s: a binary file, not a workload", path);
  if (err < 0)
    (void)sc_err_hint(err, "a workload is an XML file (docs/workload.md); a program is given behind --");
  fclose(file);
  if (err == 0)
    err = sc_buf_finish(&text);
  if (err == 0)
    err = sc_workload_parse(text.text, path, workload);
  sc_buf_free(&text);
  return err;
}
