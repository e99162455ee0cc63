/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "runner/format.h"
#include "runner/options.h"

static const struct example {
  enum sc_verb verb;
  const char *command, *what;
} examples[] = {
#define EXAMPLE(code, command, what) {SC_VERB_##code, command, what},
#include "runner/options.def"
};
enum { EXAMPLES = sizeof examples / sizeof *examples, OPTION_COLUMN = 30, VERB_COLUMN = 10 };

static void print_example(FILE *out, const char *command, const char *what, int width)
{
  int columns = sc_format_columns(command);
  if (columns + 2 <= 60 && 64 + sc_format_columns(what) <= width) {
    fprintf(out, "  %-62s%s\n", command, what);
    return;
  }
  fprintf(out, "  %s\n      ", command);
  sc_format_wrap(out, what, 6, 6, width);
}

static void print_option(FILE *out, const sc_option_row *row, int width)
{
  char left[96];
  int length = 0;
  if (row->letter)
    length = snprintf(left, sizeof left, "  -%c, --%s", row->letter, row->name);
  else
    length = snprintf(left, sizeof left, "      --%s", row->name);
  if (row->argument)
    length += snprintf(left + length, sizeof left - (size_t)length, " %s",
                       row->kind == SC_OPTION_CHOICE ? row->choices : row->argument);
  if (length >= OPTION_COLUMN)
    fprintf(out, "%s\n%*s", left, OPTION_COLUMN, "");
  else
    fprintf(out, "%-*s", OPTION_COLUMN, left);
  char text[512];
  if (row->choices && row->kind != SC_OPTION_CHOICE)
    snprintf(text, sizeof text, "%s Default: %s.", row->help, row->choices);
  else
    snprintf(text, sizeof text, "%s", row->help);
  sc_format_wrap(out, text, OPTION_COLUMN, OPTION_COLUMN, width);
}

static void print_options(FILE *out, enum sc_verb verb, int width)
{
  fputs("\nOptions\n", out);
  for (size_t i = 0; i < sc_options_table_count; i++) {
    const sc_option_row *row = &sc_options_table[i];
    if (verb == SC_VERB_COUNT ? row->verbs == ~0u : (row->verbs & 1u << verb) != 0)
      print_option(out, row, width);
  }
}

static void print_verb_help(FILE *out, enum sc_verb verb, int width)
{
  const sc_verb_row *row = &sc_options_verbs[verb];
  fprintf(out, "scale-run %s: %s\n\nExamples\n", row->name, row->summary);
  for (size_t i = 0; i < EXAMPLES; i++)
    if (examples[i].verb == verb)
      print_example(out, examples[i].command, examples[i].what, width);
  fprintf(out, "\nUsage\n  scale-run %s%s%s\n\n", row->name, *row->operands ? " [OPTION...] " : " [OPTION...]",
          row->operands);
  sc_format_wrap(out, row->description, 0, 0, width);
  print_options(out, verb, width);
}

static void print_verbs(FILE *out, int width)
{
  fputs("\nVerbs\n", out);
  for (size_t i = 0; i < SC_VERB_COUNT; i++) {
    fprintf(out, "  %-*s", VERB_COLUMN, sc_options_verbs[i].name);
    sc_format_wrap(out, sc_options_verbs[i].summary, VERB_COLUMN + 2, VERB_COLUMN + 2, width);
  }
  fputs("  `scale-run VERB --help` has the options and examples of each.\n", out);
}

void sc_options_print_help(FILE *out, enum sc_verb verb, int width)
{
  if (verb != SC_VERB_COUNT) {
    print_verb_help(out, verb, width);
    return;
  }
  fputs("scale-run predicts how a C or C++ program behaves at sizes nobody has run yet.\n\nExamples\n", out);
  print_example(out, "scale-cc -O2 -o prog prog.c", "build with exact counting", width);
  print_example(out, "scale-run run -P n=100..6400 --at 1e6 -- ./prog {n}", "run it at growing sizes", width);
  print_example(out, "scale-run report", "what becomes slow, and where", width);
  print_example(out, "scale-run ask --at n=1e6", "what happens at 1,000,000?", width);
  print_example(out, "scale-run ask --limit time=200ms", "which size takes 200 ms?", width);
  print_example(out, "scale-run verify --at n=64000", "did the prediction come true?", width);
  print_verbs(out, width);
  print_options(out, verb, width);
  fputs("\nExit status\n", out);
#define EXIT(status, meaning)     \
  fprintf(out, "  %-5d", status); \
  sc_format_wrap(out, meaning, 7, 7, width);
#include "runner/options.def"
}
