/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a valid tree to sc_workload. Values are checked here, where the line is known. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/infile.h"
#include "runner/family/family.h"
#include "runner/workload/expression.h"
#include "runner/workload/internal.h"
#include "runner/workload/node.h"
#include "runner/workload/xml.h"

enum { FILE_LIMIT = 4 << 20 };

/* "{" is refused in names, as only values are expanded: it would be taken literally where somebody meant a
 * placeholder. */
static int parse_environment(const sc_node_source *src, xmlNodePtr node, sc_command *command)
{
  char *name = NULL, *value = NULL;
  sc_buf pair = {0};
  int err;
  SC_GOTO(sc_node_attribute(node, "name", &name));
  SC_GOTO(sc_node_content(node, &value));
  SC_GOTO(sc_node_check_text(src, node, value, false));
  if (!*name || strchr(name, '=') || strchr(name, '{')) {
    err = sc_node_located(src, node,
                          sc_err_set(SC_E_INPUT, "\"%.60s\" is not a valid name of an environment variable", name));
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

/* Arguments may be empty, as programs take such; only the first one, the program, may not. */
static int parse_argument(const sc_node_source *src, xmlNodePtr node, sc_command *command)
{
  char *text;
  SC_TRY(sc_node_content(node, &text));
  int err = sc_node_check_text(src, node, text, false);
  if (err == 0 && !*text && !command->argv) {
    err = sc_node_located(src, node, sc_err_set(SC_E_INPUT, "the program's name is empty"));
    (void)sc_err_hint(err, "the first <arg> is the program to run");
  }
  err = err ?: sc_workload_append(&command->argv, text);
  free(text);
  return err;
}

/* Only that `output` is there matters; its values are the schema's. */
static int parse_command(const sc_node_source *src, xmlNodePtr node, sc_command *command)
{
  char *output = NULL;
  SC_TRY(sc_node_template(src, node, "stdin", &command->stdin_file));
  SC_TRY(sc_node_template(src, node, "stdout", &command->stdout_file));
  SC_TRY(sc_node_template(src, node, "directory", &command->directory));
  SC_TRY(sc_node_value(src, node, "timeout", sc_workload_parse_time, &command->timeout));
  SC_TRY(sc_node_number(src, node, "status", 0, 255, &command->expect_status));
  SC_TRY(sc_node_attribute(node, "output", &output));
  command->output_required = output != NULL;
  free(output);
  for (xmlNodePtr part = node->children; part; part = part->next) {
    if (sc_node_is(part, "arg"))
      SC_TRY(parse_argument(src, part, command));
    else if (sc_node_is(part, "env"))
      SC_TRY(parse_environment(src, part, command));
  }
  return 0;
}

static int parse_commands(const sc_node_source *src, xmlNodePtr root, const char *name, sc_command **commands,
                          size_t *count)
{
  xmlNodePtr list = sc_node_child(root, name);
  if (!list)
    return 0;
  SC_TRY(SC_NEW(*commands, sc_node_count(list, "command")));
  for (xmlNodePtr node = list->children; node; node = node->next)
    if (sc_node_is(node, "command"))
      SC_TRY(parse_command(src, node, &(*commands)[(*count)++]));
  return 0;
}

/* The expression is evaluated once here, at the smallest size: an error in it should show before anything is run. */
static int parse_workload_part(const sc_node_source *src, xmlNodePtr node, sc_generator_part *part)
{
  SC_TRY(sc_node_content(node, &part->text));
  if (sc_node_is(node, "line")) {
    size_t length = strlen(part->text);
    char *line = realloc(part->text, length + 2);
    if (!line)
      return sc_err_set(SC_E_NOMEM, "out of memory");
    memcpy(line + length, "\n", 2);
    part->text = line;
  }
  SC_TRY(sc_node_check_text(src, node, part->text, true));
  SC_TRY(sc_node_attribute(node, "repeat", &part->repeat));
  if (!part->repeat)
    return (part->repeat = sc_mem_copy_string("1")) ? 0 : SC_E_NOMEM;
  const sc_expand_vars vars = sc_workload_vars(src->workload, src->workload->range_low, NULL);
  uint64_t times;
  return sc_node_located(src, node, sc_expression_repeat(part->repeat, &vars, &times));
}

/* A family is read here only to find its errors while the line is known; it is read again when the file is written. */
static int parse_generators(const sc_node_source *src, xmlNodePtr root)
{
  sc_workload *workload = src->workload;
  SC_TRY(SC_NEW(workload->generators, sc_node_count(root, "generate")));
  for (xmlNodePtr node = root->children; node; node = node->next) {
    if (!sc_node_is(node, "generate"))
      continue;
    sc_generator *generator = &workload->generators[workload->generator_count++];
    SC_TRY(sc_node_template(src, node, "file", &generator->file));
    SC_TRY(sc_node_attribute(node, "family", &generator->family));
    sc_family family;
    if (generator->family)
      SC_TRY(sc_node_located(src, node, sc_family_parse(generator->family, &family)));
    SC_TRY(SC_NEW(generator->parts, sc_node_count(node, "text") + sc_node_count(node, "line")));
    for (xmlNodePtr part = node->children; part; part = part->next)
      if (part->type == XML_ELEMENT_NODE)
        SC_TRY(parse_workload_part(src, part, &generator->parts[generator->part_count++]));
  }
  return 0;
}

/* Without a name the signal by which services are asked to end in order. */
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

static int parse_service(const sc_node_source *src, xmlNodePtr root)
{
  xmlNodePtr node = sc_node_child(root, "service");
  if (!node)
    return 0;
  sc_service *service = src->workload->service = sc_mem_new(1, sizeof *service);
  if (!service)
    return SC_E_NOMEM;
  char *stop;
  SC_TRY(sc_node_attribute(node, "stop", &stop));
  service->stop_signal = signal_number(stop);
  free(stop);
  xmlNodePtr ready = sc_node_child(node, "ready");
  service->wait_seconds = 30;
  SC_TRY(sc_node_value(src, ready, "timeout", sc_workload_parse_time, &service->wait_seconds));
  SC_TRY(sc_node_number(src, ready, "port", 1, 65535, &service->wait_port));
  SC_TRY(sc_node_template(src, ready, "file", &service->wait_file));
  SC_TRY(sc_node_template(src, ready, "output", &service->wait_output));
  return parse_command(src, sc_node_child(node, "command"), &service->command);
}

/* A thread's start function is a root like any other function. */
static int parse_roots(const sc_node_source *src, xmlNodePtr root)
{
  xmlNodePtr list = sc_node_child(root, "roots");
  sc_workload *workload = src->workload;
  if (!list)
    return 0;
  workload->roots =
      sc_mem_new(sc_node_count(list, "function") + sc_node_count(list, "thread"), sizeof *workload->roots);
  if (!workload->roots)
    return SC_E_NOMEM;
  for (xmlNodePtr node = list->children; node; node = node->next)
    if (node->type == XML_ELEMENT_NODE)
      SC_TRY(sc_node_attribute(node, sc_node_is(node, "thread") ? "start" : "name",
                               &workload->roots[workload->root_count++]));
  return 0;
}

static int parse_tasks(const sc_node_source *src, xmlNodePtr root)
{
  sc_workload *workload = src->workload;
  SC_TRY(SC_NEW(workload->tasks, sc_node_count(root, "task")));
  for (xmlNodePtr node = root->children; node; node = node->next)
    if (sc_node_is(node, "task")) {
      char **task = &workload->tasks[workload->task_count++];
      SC_TRY(sc_node_attribute(node, "function", task));
      if (!**task)
        return sc_node_located(src, node, sc_err_set(SC_E_INPUT, "the function of <task> is empty"));
    }
  return 0;
}

/* <budget>time at n=1e6 &lt;= 2 s</budget>, or the same of the time in attributes. */
static int parse_budget(const sc_node_source *src, xmlNodePtr node, sc_budget *budget)
{
  char *metric = NULL, *n = NULL, *limit = NULL, *content = NULL;
  sc_buf text = {0};
  int err;
  SC_GOTO(sc_node_attribute(node, "metric", &metric));
  SC_GOTO(sc_node_attribute(node, "n", &n));
  SC_GOTO(sc_node_attribute(node, "limit", &limit));
  SC_GOTO(sc_node_content(node, &content));
  if (metric)
    sc_buf_printf(&text, "%s at %s=%s <= %s", metric, src->workload->parameter, n, limit);
  else
    sc_buf_puts(&text, content);
  SC_GOTO(sc_buf_finish(&text));
  err = sc_node_located(src, node, sc_workload_parse_budget(text.text, src->workload->parameter, budget));
out:
  free(metric);
  free(n);
  free(limit);
  free(content);
  sc_buf_free(&text);
  return err;
}

static int parse_budgets(const sc_node_source *src, xmlNodePtr root)
{
  xmlNodePtr list = sc_node_child(root, "budgets");
  sc_workload *workload = src->workload;
  if (!list)
    return 0;
  SC_TRY(SC_NEW(workload->budgets, sc_node_count(list, "budget")));
  for (xmlNodePtr node = list->children; node; node = node->next)
    if (sc_node_is(node, "budget"))
      SC_TRY(parse_budget(src, node, &workload->budgets[workload->budget_count++]));
  return 0;
}

/* Written by `fuzz` with what it kept (runner/finds); people write none of it. */
static int parse_found(const sc_node_source *src, xmlNodePtr root)
{
  xmlNodePtr node = sc_node_child(root, "found");
  if (!node)
    return 0;
  if (!src->workload->generator_count || !src->workload->generators[0].family)
    return sc_node_located(src, node,
                           sc_err_set(SC_E_INPUT, "<found> belongs to a family, which the first <generate> lacks"));
  sc_workload_found *found = src->workload->found = sc_mem_new(1, sizeof *found);
  if (!found)
    return SC_E_NOMEM;
  SC_TRY(sc_node_attribute(node, "what", &found->what));
  SC_TRY(sc_node_attribute(node, "place", &found->place));
  SC_TRY(sc_node_attribute(node, "function", &found->function));
  SC_TRY(sc_node_attribute(node, "file", &found->file));
  SC_TRY(sc_node_value(src, node, "order", sc_workload_parse_size, &found->order));
  SC_TRY(sc_node_value(src, node, "size", sc_workload_parse_size, &found->size));
  return sc_node_number(src, node, "signal", 1, 64, &found->signal);
}

/* Parameters come first: texts that follow are checked for the placeholders that these define. */
static int parse_workload(const sc_node_source *src, xmlNodePtr root)
{
  sc_workload *workload = src->workload;
  SC_TRY(sc_node_name(src, root, &workload->name));
  xmlNodePtr title = sc_node_child(root, "title"), repeats = sc_node_child(root, "repeats");
  if (title)
    SC_TRY(sc_node_content(title, &workload->title));
  SC_TRY(sc_workload_parse_parameters(src, root));
  if (repeats) {
    char *text;
    SC_TRY(sc_node_content(repeats, &text));
    int err = sc_node_limited(src, repeats, text, 1, 1000, &workload->repeats);
    free(text);
    SC_TRY(err);
  }
  SC_TRY(parse_commands(src, root, "setup", &workload->setup, &workload->setup_count));
  SC_TRY(parse_generators(src, root));
  SC_TRY(parse_commands(src, root, "prepare", &workload->prepare, &workload->prepare_count));
  SC_TRY(parse_service(src, root));
  SC_TRY(parse_command(src, sc_node_child(root, "command"), &workload->command));
  SC_TRY(parse_commands(src, root, "cleanup", &workload->cleanup, &workload->cleanup_count));
  SC_TRY(parse_commands(src, root, "teardown", &workload->teardown, &workload->teardown_count));
  SC_TRY(parse_roots(src, root));
  SC_TRY(parse_tasks(src, root));
  SC_TRY(parse_budgets(src, root));
  return parse_found(src, root);
}

/* The text is kept as it came: it is stored in the study, so that a study can be read without the file. */
int sc_workload_parse(const char *text, const char *name, sc_workload **workload)
{
  sc_node_source src = {name, sc_workload_new()};
  xmlDocPtr doc = NULL;
  int err;
  *workload = NULL;
  if (!src.workload)
    return SC_E_NOMEM;
  SC_GOTO(sc_workload_xml_read(text, name, &doc));
  SC_GOTO(parse_workload(&src, xmlDocGetRootElement(doc)));
  SC_GOTO(sc_err_kept(0));
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
  return sc_err_kept(err);
}

int sc_workload_of_study(sc_study *study, sc_workload **workload)
{
  char *text;
  *workload = NULL;
  SC_TRY(sc_study_get(study, "workload", &text));
  int err = text ? sc_workload_parse(text, "the study's workload", workload) : 0;
  free(text);
  return err;
}

int sc_workload_load(const char *path, sc_workload **workload)
{
  sc_buf text = {0};
  char what[4200];
  *workload = NULL;
  snprintf(what, sizeof what, "the workload %s", path);
  int err = sc_infile_read(path, SC_E_INPUT, what, FILE_LIMIT, &text);
  if (err == SC_E_INPUT) {
    sc_buf_free(&text);
    return sc_err_hint(err,
                       "give the path of a workload file, or a command: scale-run run -P n=100..6400 -- ./prog {n}");
  }
  if (err == 0 && text.length > FILE_LIMIT)
    err = sc_err_set(SC_E_INPUT, "%s: larger than %d MiB, so not a workload", path, FILE_LIMIT >> 20);
  else if (err == 0 && text.length && memchr(text.text, '\0', text.length))
    err = sc_err_set(SC_E_INPUT, "%s: a binary file, not a workload", path);
  if (err < 0)
    (void)sc_err_hint(err, "a workload is an XML file (docs/workload.md); a program is given behind --");
  err = err ?: sc_workload_parse(text.text, path, workload);
  sc_buf_free(&text);
  return err;
}
