/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/options/options.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/number.h"
#include "base/suggest.h"
#include "runner/workload/workload.h"

#define V(code) (1u << SC_VERB_##code)
#define V_ALL   (~0u)

const sc_option_row sc_options_table[] = {
#define OPTION(verbs, field, kind, name, letter, argument, choices, help) \
  {verbs, SC_OPTION_##kind, name, letter, argument, choices, help, offsetof(sc_options, field)},
#include "runner/options/options.def"
};
const size_t sc_options_table_count = sizeof sc_options_table / sizeof *sc_options_table;

const sc_verb_row sc_options_verbs[SC_VERB_COUNT] = {
#define VERB(code, name, operands, summary, description) {name, operands, summary, description},
#include "runner/options/options.def"
};

static const char *verb_name(const sc_options *options)
{
  return options->verb < SC_VERB_COUNT ? sc_options_verbs[options->verb].name : "";
}

/* "scale-run VERB --help", or without the verb. */
static int usage_hint(const sc_options *options, int err)
{
  const char *verb = verb_name(options);
  return sc_err_hint(err, "`scale-run %s%s--help` lists what there is", verb, *verb ? " " : "");
}

bool sc_options_applies(enum sc_verb verb, const sc_option_row *row)
{
  return verb == SC_VERB_COUNT ? row->verbs == V_ALL : (row->verbs & 1u << verb) != 0;
}

bool sc_options_next_choice(const char **rest, sc_option_choice *choice)
{
  const char *text = *rest;
  if (!text || !*text)
    return false;
  int length = (int)strcspn(text, "|");
  *choice = (sc_option_choice){.name = text, .name_length = (int)strcspn(text, ":|")};
  if (choice->name_length < length) {
    choice->help = text + choice->name_length + 1;
    choice->help += *choice->help == ' ';
    choice->help_length = (int)(text + length - choice->help);
  }
  *rest = text + length + (text[length] == '|');
  return true;
}

static int unknown_option(const sc_options *options, const char *name)
{
  const char *best = NULL;
  unsigned distance = 100;
  for (size_t i = 0; i < sc_options_table_count; i++) {
    const sc_option_row *row = &sc_options_table[i];
    if (strcmp(row->name, name) == 0) {
      const char *verb = verb_name(options);
      (void)sc_err_set(SC_E_USAGE, "`scale-run%s%s` has no option --%s", *verb ? " " : "", verb, name);
      return usage_hint(options, SC_E_USAGE);
    }
    if (sc_options_applies(options->verb, row))
      sc_suggest_consider(name, row->name, &best, &distance);
  }
  (void)sc_err_set(SC_E_USAGE, "unknown option --%s", name);
  if (best && sc_suggest_near(name, distance))
    return sc_err_hint(SC_E_USAGE, "did you mean --%s?", best);
  return usage_hint(options, SC_E_USAGE);
}

/* Whether `word` [length] is `choice` [choice_length] with a ratio of its own, above 1: "cost>2x" for "cost=1.5x". */
static bool has_ratio(const char *word, int length, const char *choice, int choice_length)
{
  int name = (int)strcspn(choice, "=:|");
  if (name >= choice_length || choice[name] != '=' || length <= name + 1 || strncmp(word, choice, (size_t)name) != 0 ||
      !strchr(">=", word[name]))
    return false;
  double ratio;
  int digits = length - name - 1 - (word[length - 1] == 'x');
  return sc_number_all(word + name + 1, (size_t)digits, &ratio) && ratio > 1;
}

static bool is_choice(const sc_option_row *row, const char *word, int length)
{
  sc_option_choice choice;
  for (const char *rest = row->choices; sc_options_next_choice(&rest, &choice);)
    if ((choice.name_length == length && strncmp(choice.name, word, (size_t)length) == 0) ||
        (row->kind == SC_OPTION_CHOICES && has_ratio(word, length, choice.name, choice.name_length)))
      return true;
  return false;
}

/* What a choice with a ratio was probably meant to be: a shell takes "cost>2x" for "cost" and a file. */
static int refuse_choice(const sc_option_row *row, const char *word, int word_length)
{
  sc_option_choice choice;
  char all[512];
  size_t length = 0;
  (void)sc_err_set(SC_E_USAGE, "invalid --%s \"%.*s\"", row->name, word_length, word);
  for (const char *rest = row->choices; sc_options_next_choice(&rest, &choice);) {
    const char *ratio = memchr(choice.name, '=', (size_t)choice.name_length);
    int name = ratio ? (int)(ratio - choice.name) : 0;
    if (name && word_length >= name && strncmp(word, choice.name, (size_t)name) == 0)
      return sc_err_hint(SC_E_USAGE, "a ratio above 1 belongs to it: --%s %.*s (with > instead of = it needs quotes)",
                         row->name, choice.name_length, choice.name);
    if (length < sizeof all)
      length += (size_t)snprintf(all + length, sizeof all - length, "%s%.*s", length ? "|" : "", choice.name_length,
                                 choice.name);
  }
  return sc_err_hint(SC_E_USAGE,
                     row->kind == SC_OPTION_CHOICES ? "one or more of, separated by commas: %s" : "one of: %s", all);
}

static int set_choice(const sc_option_row *row, const char *text, const char **value)
{
  bool several = row->kind == SC_OPTION_CHOICES;
  for (const char *word = text;;) {
    int length = (int)strcspn(word, several ? "," : "");
    if (!is_choice(row, word, length))
      return refuse_choice(row, word, length);
    if (!word[length])
      break;
    word += length + 1;
  }
  *value = text;
  return 0;
}

static int set_number(const sc_option_row *row, const char *text, double *value)
{
  double number;
  if (sc_number_positive(text, row->kind == SC_OPTION_RATIO, &number)) {
    *value = number;
    return 0;
  }
  (void)sc_err_set(SC_E_USAGE, "--%s needs a number above 0, not \"%s\"", row->name, text);
  return sc_err_hint(SC_E_USAGE, "for example --%s %.*s", row->name, (int)strcspn(row->choices, ","), row->choices);
}

static int set_count(const sc_option_row *row, const char *text, uint64_t *value)
{
  uint64_t number;
  bool whole = sc_number_whole(text, &number), none = whole && number == 0 && row->kind == SC_OPTION_FROM_ONE;
  if (whole && !none) {
    *value = number;
    return 0;
  }
  (void)sc_err_set(SC_E_USAGE, "--%s needs a whole number%s, not \"%s\"", row->name, none ? " from 1 on" : "", text);
  return sc_err_hint(SC_E_USAGE, "for example --%s %s", row->name, row->choices ? row->choices : "4");
}

static int append_list(const char *text, char **list)
{
  sc_buf joined = {0};
  if (*list)
    sc_buf_printf(&joined, "%s;", *list); /* not a comma: 1,500,000 is one size */
  sc_buf_puts(&joined, text);
  char *taken = sc_buf_take(&joined);
  if (!taken)
    return SC_E_NOMEM;
  free(*list);
  *list = taken;
  return 0;
}

static int set_value(sc_options *options, const sc_option_row *row, const char *text)
{
  void *place = (char *)options + row->offset;
  if (row->kind != SC_OPTION_FLAG && !*text) {
    (void)sc_err_set(SC_E_USAGE, "--%s needs a value", row->name);
    return sc_err_hint(SC_E_USAGE, "--%s %s", row->name, row->argument);
  }
  switch (row->kind) {
  case SC_OPTION_FLAG:
    *(bool *)place = true;
    return 0;
  case SC_OPTION_TEXT:
  case SC_OPTION_FILE:
    *(const char **)place = text;
    return 0;
  case SC_OPTION_CHOICE:
  case SC_OPTION_CHOICES:
    return set_choice(row, text, place);
  case SC_OPTION_LIST:
    return append_list(text, place);
  case SC_OPTION_SIZE:
    return sc_workload_parse_size(text, place) < 0 ? sc_err_prefix(SC_E_USAGE, "--%s", row->name) : 0;
  case SC_OPTION_TIME:
    return sc_workload_parse_time(text, place) < 0 ? sc_err_prefix(SC_E_USAGE, "--%s", row->name) : 0;
  case SC_OPTION_RATIO:
  case SC_OPTION_NUMBER:
    return set_number(row, text, place);
  case SC_OPTION_COUNT:
  case SC_OPTION_FROM_ONE:
    return set_count(row, text, place);
  }
  return 0;
}

/* A value that is missing, or that is really the next option. What begins with a minus and a digit is a value, if
 * hardly one that the option takes. */
static int need_value(const sc_option_row *row, const char *value)
{
  if (value && (value[0] != '-' || !value[1] || isdigit((unsigned char)value[1]) || value[1] == '.'))
    return 0;
  (void)sc_err_set(SC_E_USAGE, "--%s needs a value", row->name);
  return sc_err_hint(SC_E_USAGE, "--%s %s", row->name, row->argument);
}

/* argv[*at] is "--name" or "--name=value". */
static int parse_long(sc_options *options, char **argv, int *at)
{
  const char *name = argv[*at] + 2, *equals = strchr(name, '=');
  char exact[64];
  snprintf(exact, sizeof exact, "%.*s", equals ? (int)(equals - name) : (int)strlen(name), name);
  for (size_t i = 0; i < sc_options_table_count; i++) {
    const sc_option_row *row = &sc_options_table[i];
    if (strcmp(row->name, exact) != 0 || !sc_options_applies(options->verb, row))
      continue;
    if (row->kind != SC_OPTION_FLAG) {
      if (!equals)
        SC_TRY(need_value(row, argv[*at + 1]));
      return set_value(options, row, equals ? equals + 1 : argv[++*at]);
    }
    if (equals && row->offset != offsetof(sc_options, help))
      return usage_hint(options, sc_err_set(SC_E_USAGE, "--%s takes no value", row->name));
    if (equals)
      options->page = equals + 1;
    return set_value(options, row, "");
  }
  return unknown_option(options, exact);
}

/* argv[*at] is "-x", "-xVALUE" or several flags in one. */
static int parse_short(sc_options *options, char **argv, int *at)
{
  for (const char *letter = argv[*at] + 1; *letter; letter++) {
    const sc_option_row *row = sc_options_table, *end = row + sc_options_table_count;
    while (row < end && !(row->letter == *letter && sc_options_applies(options->verb, row)))
      row++;
    if (row == end)
      return usage_hint(options, sc_err_set(SC_E_USAGE, "unknown option -%c", *letter));
    if (row->kind == SC_OPTION_FLAG) {
      SC_TRY(set_value(options, row, ""));
      continue;
    }
    if (letter[1])
      return set_value(options, row, letter + 1);
    SC_TRY(need_value(row, argv[*at + 1]));
    return set_value(options, row, argv[++*at]);
  }
  return 0;
}

static int parse_verb(sc_options *options, const char *name)
{
  const char *best = NULL;
  unsigned distance = 100;
  for (size_t i = 0; i < SC_VERB_COUNT; i++) {
    if (strcmp(sc_options_verbs[i].name, name) == 0) {
      options->verb = (enum sc_verb)i;
      return 0;
    }
    sc_suggest_consider(name, sc_options_verbs[i].name, &best, &distance);
  }
  (void)sc_err_set(SC_E_USAGE, "unknown verb \"%s\"", name);
  if (best && sc_suggest_near(name, distance))
    return sc_err_hint(SC_E_USAGE, "did you mean `scale-run %s`?", best);
  return usage_hint(options, SC_E_USAGE);
}

static int add_operand(sc_options *options, const char *text)
{
  size_t capacity = options->operand_count;
  SC_TRY(sc_mem_grow(&options->operands, &capacity, options->operand_count + 1, sizeof *options->operands));
  options->operands[options->operand_count++] = text;
  options->operand = options->operands[0];
  return 0;
}

/* "1e6", "10x" or "n=1e6", unless a study has that name. */
static bool is_option_size(const char *text)
{
  const char *equals = strchr(text, '=');
  return isdigit((unsigned char)*(equals ? equals + 1 : text)) && access(text, F_OK) != 0;
}

static int parse_operand(sc_options *options, const char *text, bool *help)
{
  if (options->verb == SC_VERB_COUNT && strcmp(text, "help") == 0) {
    *help = true;
    return 0;
  }
  if (options->verb == SC_VERB_COUNT)
    return parse_verb(options, text);
  if (options->verb == SC_VERB_FIT || options->verb == SC_VERB_EXPORT || options->verb == SC_VERB_DISCOVER ||
      ((options->verb == SC_VERB_BLAME || options->verb == SC_VERB_DIFF || options->verb == SC_VERB_STUDY) &&
       options->operand_count < 2))
    return add_operand(options, text);
  if (options->verb == SC_VERB_ASK && is_option_size(text))
    return append_list(text, &options->at);
  if (options->operand || !*sc_options_verbs[options->verb].operands) {
    (void)sc_err_set(SC_E_USAGE, "unexpected argument \"%s\"", text);
    if (options->verb == SC_VERB_RUN)
      return sc_err_hint(SC_E_USAGE, "the program under test and its arguments come behind --");
    return usage_hint(options, SC_E_USAGE);
  }
  options->operand = text;
  return 0;
}

static int no_verb(const sc_options *options)
{
  char verbs[256];
  int length = 0;
  for (int i = 0; i < SC_VERB_COUNT && length < (int)sizeof verbs; i++)
    length += snprintf(verbs + length, sizeof verbs - (size_t)length, "%s%s",
                       i == 0                  ? ""
                       : i + 1 < SC_VERB_COUNT ? ", "
                                               : " or ",
                       sc_options_verbs[i].name);
  return usage_hint(options, sc_err_set(SC_E_USAGE, "say what to do: %s", verbs));
}

/* --json is short for --format json, and contradicts every other. */
static int check_format(const sc_options *options)
{
  const char *format = options->format         ? options->format
                       : options->blame_format ? options->blame_format
                                               : options->fit_format;
  if (!options->json || !format || strcmp(format, "json") == 0)
    return 0;
  (void)sc_err_set(SC_E_USAGE, "--json and --format %s exclude each other", format);
  return sc_err_hint(SC_E_USAGE, "--json is --format json");
}

int sc_options_parse(int argc, char **argv, sc_options *options)
{
  bool help = false;
  *options = (sc_options){.verb = SC_VERB_COUNT};
  for (int i = 1; i < argc && argv[i]; i++) {
    const char *text = argv[i];
    if (strcmp(text, "--") == 0) {
      options->program = argv[i + 1] ? &argv[i + 1] : NULL;
      if (options->verb != SC_VERB_RUN && options->verb != SC_VERB_FUZZ)
        return usage_hint(options,
                          sc_err_set(SC_E_USAGE, "only `scale-run run` and `scale-run fuzz` take a program behind --"));
      if (!options->program)
        return usage_hint(options, sc_err_set(SC_E_USAGE, "no program behind --"));
      break;
    }
    if (text[0] == '-' && text[1] == '-')
      SC_TRY(parse_long(options, argv, &i));
    else if (text[0] == '-' && text[1])
      SC_TRY(parse_short(options, argv, &i));
    else
      SC_TRY(parse_operand(options, text, &help));
  }
  options->help |= help;
  SC_TRY(check_format(options));
  return options->verb == SC_VERB_COUNT && !options->help && !options->version ? no_verb(options) : 0;
}

void sc_options_free(sc_options *options)
{
  for (const sc_option_row *row = sc_options_table; row < sc_options_table + sc_options_table_count; row++) {
    char **list = (char **)((char *)options + row->offset);
    if (row->kind != SC_OPTION_LIST)
      continue;
    free(*list);
    *list = NULL;
  }
  free(options->operands);
  options->operands = NULL;
  options->operand_count = 0;
}
