/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A workload from a command line. It is composed as XML and parsed as such: a study holds one form only, and the checks
 * are the same. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/saved_error.h"
#include "runner/workload/expand.h"
#include "runner/workload/internal.h"

#define SOURCE_NAME "command line"

static int command_usage(const char *parameter)
{
  (void)sc_err_set(SC_E_USAGE, "-P %.80s: expected NAME=LOW..HIGH, NAME=LOW..HIGH+ or NAME=SIZE,SIZE,SIZE", parameter);
  return sc_err_hint(SC_E_USAGE, "for example: scale-run run -P n=100..6400 --at 1000000 -- ./prog {n}");
}

void sc_workload_escape(const char *text, sc_buf *out)
{
  for (; *text; text++) {
    const char *entity = *text == '&' ? "&amp;" : *text == '<' ? "&lt;" : *text == '>' ? "&gt;" : NULL;
    if (*text == '"')
      entity = "&quot;";
    if (*text == '\r')
      entity = "&#13;"; /* a parser would make it a newline */
    if (entity)
      sc_buf_puts(out, entity);
    else
      sc_buf_add(out, text, 1);
  }
}

/* The base name of the program as an identifier. The schema wants an identifier for the workload's name. */
static void add_command_name(sc_buf *out, const char *program)
{
  const char *slash = strrchr(program, '/');
  const char *base = slash && slash[1] ? slash + 1 : program;
  if (!isalpha((unsigned char)*base))
    sc_buf_puts(out, "_");
  for (; *base; base++) {
    bool fits = isalnum((unsigned char)*base) || strchr("_.-", *base);
    sc_buf_add(out, fits ? base : "_", 1);
  }
}

static void add_command_sizes(sc_buf *out, const char *element, const double *sizes, size_t count)
{
  if (!count)
    return;
  sc_buf_printf(out, "    <%s>", element);
  for (size_t i = 0; i < count; i++) {
    char number[64];
    sc_expand_number(sizes[i], number, sizeof number);
    sc_buf_printf(out, "%s%s", i ? " " : "", number);
  }
  sc_buf_printf(out, "</%s>\n", element);
}

typedef struct sizes {
  char name[64]; /* of the parameter */
  double *list;
  size_t count;
  double low, high;
  bool beyond; /* larger ones may run too */
} sizes;

/* XML has no characters for them. */
static int check_controls(char **argv)
{
  for (; *argv; argv++)
    for (const char *at = *argv; *at; at++)
      if ((unsigned char)*at < 0x20 && !strchr("\t\n\r", *at)) {
        (void)sc_err_set(SC_E_USAGE,
                         "an argument of the program has the control character 0x%02x, which a study cannot hold",
                         (unsigned char)*at);
        return sc_err_hint(SC_E_USAGE, "put the command into a script, and measure that");
      }
  return 0;
}

static int command_one_size(const char *text)
{
  (void)sc_err_set(SC_E_USAGE, "one size (%.40s) tells nothing about growth: at least two different ones are needed",
                   text);
  return sc_err_hint(SC_E_USAGE,
                     "give a range, such as n=100..6400, from which sizes are chosen, or a list: n=100,200,400");
}

/* "100..6400", "100..6400+" or "100,200,400". */
static int parse_range(const char *text, sizes *out)
{
  bool range = false;
  SC_TRY(sc_workload_parse_range(text, &range, &out->low, &out->high, &out->beyond));
  if (range)
    return 0;
  SC_TRY(sc_workload_parse_sizes(text, &out->list, &out->count));
  out->low = out->high = out->list[0];
  for (size_t i = 1; i < out->count; i++) {
    out->low = out->list[i] < out->low ? out->list[i] : out->low;
    out->high = out->list[i] > out->high ? out->list[i] : out->high;
  }
  return out->low < out->high ? 0 : command_one_size(text);
}

/* "handle_request;handle_upload", as <task> elements. */
static void add_command_tasks(sc_buf *out, const char *tasks)
{
  while (tasks && *tasks) {
    size_t length = strcspn(tasks, ";");
    char *task = length ? strndup(tasks, length) : NULL;
    if (task) {
      sc_buf_puts(out, "  <task function=\"");
      sc_workload_escape(task, out);
      sc_buf_puts(out, "\"/>\n");
    } else if (length)
      out->failed = true;
    free(task);
    tasks += length + (tasks[length] == ';');
  }
}

/* What -P says, of the focused parameter first. */
typedef struct parameters {
  sizes list[1 + SC_RUN_OTHERS];
  size_t count;
} parameters;

/* The value that was given first is the base. */
static void add_command_others(sc_buf *out, const parameters *all, const sizes *targets)
{
  for (size_t i = 1; i < all->count; i++) {
    char base[64];
    sc_expand_number(all->list[i].list[0], base, sizeof base);
    sc_buf_puts(out, "  <parameter name=\"");
    sc_workload_escape(all->list[i].name, out);
    sc_buf_printf(out, "\" base=\"%s\">\n", base);
    add_command_sizes(out, "sizes", all->list[i].list, all->list[i].count);
    add_command_sizes(out, "targets", targets[i].list, targets[i].count);
    sc_buf_puts(out, "  </parameter>\n");
  }
}

/* `targets`: of each parameter. Without a "+" nothing beyond the sizes that were given may run, which a validation
 * range equal to the range says. */
static void compose_run(sc_buf *out, const parameters *all, const sizes *targets, const sc_workload_words *words,
                        char **argv)
{
  const sizes *range = &all->list[0];
  char low[64], high[64];
  sc_expand_number(range->low, low, sizeof low);
  sc_expand_number(range->high, high, sizeof high);
  sc_buf_puts(out, "<workload name=\"");
  add_command_name(out, argv[0]);
  sc_buf_puts(out, "\">\n  <parameter name=\"");
  sc_workload_escape(range->name, out);
  if (words->kind)
    sc_buf_printf(out, "\" kind=\"%s", words->kind);
  sc_buf_printf(out, "\">\n    <range low=\"%s\" high=\"%s\"/>\n", low, high);
  if (!range->beyond)
    sc_buf_printf(out, "    <validation low=\"%s\" high=\"%s\"/>\n", low, high);
  add_command_sizes(out, "first", range->list, range->count);
  add_command_sizes(out, "targets", targets[0].list, targets[0].count);
  sc_buf_puts(out, "  </parameter>\n");
  add_command_others(out, all, targets);
  sc_buf_puts(out, "  <command>\n");
  for (char **arg = argv; *arg; arg++) {
    sc_buf_puts(out, "    <arg>");
    sc_workload_escape(*arg, out);
    sc_buf_puts(out, "</arg>\n");
  }
  sc_buf_puts(out, "  </command>\n");
  add_command_tasks(out, words->tasks);
  sc_buf_puts(out, "</workload>\n");
}

/* --at "1000000", "n=1000000", "1e6,2e6" */
static int parse_targets(const char *text, const char *name, sizes *out)
{
  size_t length = strlen(name);
  if (!text || !*text)
    return 0;
  if (!strncmp(text, name, length) && text[length] == '=')
    text += length + 1;
  return sc_workload_parse_sizes(text, &out->list, &out->count);
}

static bool command_mentions(char **argv, const char *name)
{
  char placeholder[128];
  snprintf(placeholder, sizeof placeholder, "{%s}", name);
  for (; *argv; argv++)
    if (strstr(*argv, placeholder))
      return true;
  return false;
}

/* The composed file's lines mean nothing to somebody who typed a command. */
static int without_line(int err)
{
  sc_saved_error saved;
  sc_saved_error_take(&saved);
  const char *rest = strncmp(saved.message, SOURCE_NAME ":", sizeof SOURCE_NAME) ? NULL : strstr(saved.message, ": ");
  if (!rest)
    return err;
  (void)sc_err_set(err, "%s", rest + 2);
  return sc_err_hint(err, "%s", saved.hint);
}

/* "n=100..6400". A further parameter's range becomes a list here, as all its values are run. */
static int parse_parameter(const char *text, size_t length, parameters *all)
{
  char copy[4096];
  if (all->count > SC_RUN_OTHERS)
    return sc_err_set(SC_E_USAGE, "-P: no more than %d parameters can be varied", SC_RUN_OTHERS + 1);
  if (length >= sizeof copy)
    return sc_err_set(SC_E_USAGE, "-P: too many sizes");
  memcpy(copy, text, length);
  copy[length] = '\0';
  size_t name = strcspn(copy, "=");
  if (!name || name >= length || name >= sizeof all->list->name)
    return command_usage(copy);
  sizes *out = &all->list[all->count++];
  memcpy(out->name, copy, name);
  if (all->count == 1)
    return parse_range(copy + name + 1, out);
  return sc_workload_parse_values(copy + name + 1, out->name, 0, &out->list, &out->count);
}

static int parse_parameters(const char *list, parameters *all)
{
  for (size_t length; *list; list += length + (list[length] != '\0')) {
    length = strcspn(list, ";");
    SC_TRY(parse_parameter(list, length, all));
  }
  return all->count ? 0 : command_usage(list);
}

/* A command that does not use a parameter does the same at each size: found out here, not by flat models afterwards. */
static int check_used(const parameters *all, char **argv)
{
  for (size_t i = 0; i < all->count; i++) {
    const char *name = all->list[i].name;
    if (command_mentions(argv, name))
      continue;
    (void)sc_err_set(SC_E_USAGE, "the command does not use %s: it has no {%s}", i ? name : "the size", name);
    return sc_err_hint(SC_E_USAGE, "write {%s} where the size belongs: -- %s {%s}", name, argv[0], name);
  }
  return 0;
}

/* Errors of the composed XML are shown without their line, which the user never wrote. */
int sc_workload_from_command(const sc_workload_words *words, char **argv, sc_workload **workload)
{
  parameters all = {.count = 0};
  sizes wanted[1 + SC_RUN_OTHERS] = {{.list = NULL}};
  sc_buf text = {0};
  int err = 0;
  *workload = NULL;
  SC_GOTO(parse_parameters(words->parameter, &all));
  if (!argv || !argv[0]) {
    err = sc_err_set(SC_E_USAGE, "no command to run");
    (void)sc_err_hint(err, "give it behind --: scale-run run -P %s -- ./prog {%s}", words->parameter, all.list[0].name);
    goto out;
  }
  SC_GOTO(check_controls(argv));
  SC_GOTO(check_used(&all, argv));
  SC_GOTO(parse_targets(words->targets, all.list[0].name, &wanted[0]));
  for (size_t i = 1; i < all.count; i++)
    SC_GOTO(parse_targets(words->others[i - 1], all.list[i].name, &wanted[i]));
  compose_run(&text, &all, wanted, words, argv);
  SC_GOTO(sc_buf_finish(&text));
  err = sc_workload_parse(text.text, SOURCE_NAME, workload);
  if (err < 0)
    err = without_line(err);
out:
  for (size_t i = 0; i < all.count; i++)
    free(all.list[i].list);
  for (size_t i = 0; i <= SC_RUN_OTHERS; i++)
    free(wanted[i].list);
  sc_buf_free(&text);
  return err;
}
