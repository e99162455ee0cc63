/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --help of the program and of each verb, from the table of options. */
#include <string.h>

#include "runner/cli/help_rows.h"
#include "runner/cli/pages.h"
#include "runner/text/format.h"

/* FEW: up to this number options need no headings. */
enum { OPTION_COLUMN = 30, CHOICE_COLUMN = 45, VERB_COLUMN = 10, FEW = 10 };

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

static void print_help_choices(FILE *out, const sc_option_row *row, int width)
{
  sc_option_choice choice;
  for (const char *rest = row->choices; sc_options_next_choice(&rest, &choice);) {
    char text[256];
    snprintf(text, sizeof text, "%.*s", choice.help_length, choice.help);
    fprintf(out, "%*s%-*.*s ", OPTION_COLUMN + 2, "", CHOICE_COLUMN - OPTION_COLUMN - 3, choice.name_length,
            choice.name);
    sc_format_wrap(out, text, CHOICE_COLUMN, CHOICE_COLUMN, width);
  }
}

static void print_help_option(FILE *out, const sc_option_row *row, int width)
{
  char left[96];
  int length = 0;
  if (row->letter)
    length = snprintf(left, sizeof left, "  -%c, --%s", row->letter, row->name);
  else
    length = snprintf(left, sizeof left, "      --%s", row->name);
  if (row->argument)
    length += snprintf(left + length, sizeof left - (size_t)length, " %s", row->argument);
  if (length >= OPTION_COLUMN)
    fprintf(out, "%s\n%*s", left, OPTION_COLUMN, "");
  else
    fprintf(out, "%-*s", OPTION_COLUMN, left);
  char text[512];
  if (row->choices && !sc_options_has_choices(row))
    snprintf(text, sizeof text, "%s Default: %s.", row->help, row->choices);
  else
    snprintf(text, sizeof text, "%s", row->help);
  sc_format_wrap(out, text, OPTION_COLUMN, OPTION_COLUMN, width);
  if (sc_options_has_choices(row))
    print_help_choices(out, row, width);
}

static void print_help_options(FILE *out, enum sc_verb verb, int width)
{
  size_t count = 0;
  for (size_t i = 0; i < sc_options_table_count; i++)
    count += sc_options_applies(verb, &sc_options_table[i]);
  if (count <= FEW)
    fputs("\nOptions\n", out);
  for (const sc_help_section *section = sc_help_sections; section->title; section++) {
    if (count > FEW && sc_help_in_section(section, verb))
      fprintf(out, "\n%s\n", section->title);
    for (size_t i = section->first; i < section[1].first; i++)
      if (sc_options_applies(verb, &sc_options_table[i]))
        print_help_option(out, &sc_options_table[i], width);
  }
}

static void print_verb_help(FILE *out, enum sc_verb verb, int width)
{
  const sc_verb_row *row = &sc_options_verbs[verb];
  fprintf(out, "scale-run %s: %s\n\nExamples\n", row->name, row->summary);
  for (size_t i = 0; i < sc_help_example_count; i++)
    if (sc_help_examples[i].verb == verb)
      print_example(out, sc_help_examples[i].command, sc_help_examples[i].what, width);
  fprintf(out, "\nUsage\n  scale-run %s%s%s\n\n", row->name, *row->operands ? " [OPTION...] " : " [OPTION...]",
          row->operands);
  sc_format_wrap(out, row->description, 0, 0, width);
  print_help_options(out, verb, width);
}

static void print_help_verbs(FILE *out, int width)
{
  fputs("\nVerbs\n", out);
  for (size_t i = 0; i < SC_VERB_COUNT; i++) {
    fprintf(out, "  %-*s", VERB_COLUMN, sc_options_verbs[i].name);
    sc_format_wrap(out, sc_options_verbs[i].summary, VERB_COLUMN + 2, VERB_COLUMN + 2, width);
  }
  fputs("  `scale-run VERB --help` has the options and examples of each, `man scale-run-VERB` more.\n", out);
}

void sc_help_print(FILE *out, enum sc_verb verb, int width)
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
  print_help_verbs(out, width);
  print_help_options(out, verb, width);
  fputs("\nExit status\n", out);
  for (size_t i = 0; i < sc_help_exit_count; i++) {
    fprintf(out, "  %-5s", sc_help_exits[i].name);
    sc_format_wrap(out, sc_help_exits[i].meaning, 7, 7, width);
  }
}
