/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scale-run(1) and a page for each verb. */
#include <string.h>

#include "base/roff.h"
#include "runner/cli/help_rows.h"
#include "runner/cli/pages.h"
#include "transitions/findings/findings.h"

static const char made_from[] = "runner/options/options.def";

static void print_option_name(FILE *out, const sc_option_row *row)
{
  fputs(".TP\n\\fB", out);
  if (row->letter)
    fprintf(out, "\\-%c\\fR, \\fB", row->letter);
  fputs("\\-\\-", out);
  sc_roff_text(out, row->name, strlen(row->name));
  fputs("\\fR", out);
  if (row->argument) {
    fputs(" \\fI", out);
    sc_roff_text(out, row->argument, strlen(row->argument));
    fputs("\\fR", out);
  }
  fputc('\n', out);
}

static void print_man_choices(FILE *out, const sc_option_row *row)
{
  sc_option_choice choice;
  fputs(".RS\n", out);
  for (const char *rest = row->choices; sc_options_next_choice(&rest, &choice);) {
    fputs(".TP\n.B ", out);
    sc_roff_text(out, choice.name, (size_t)choice.name_length);
    fputc('\n', out);
    sc_roff_text(out, choice.help, (size_t)choice.help_length);
    fputc('\n', out);
  }
  fputs(".RE\n", out);
}

static void print_man_option(FILE *out, const sc_option_row *row)
{
  print_option_name(out, row);
  sc_roff_line(out, row->help);
  if (sc_options_has_choices(row)) {
    print_man_choices(out, row);
  } else if (row->choices) {
    fputs("Default: ", out);
    sc_roff_text(out, row->choices, strlen(row->choices));
    fputs(".\n", out);
  }
}

static void print_man_options(FILE *out, enum sc_verb verb)
{
  sc_roff_section(out, "OPTIONS");
  for (const sc_help_section *section = sc_help_sections; section->title; section++) {
    if (!sc_help_in_section(section, verb))
      continue;
    if (verb != SC_VERB_COUNT)
      sc_roff_subsection(out, section->title);
    for (size_t i = section->first; i < section[1].first; i++)
      if (sc_options_applies(verb, &sc_options_table[i]))
        print_man_option(out, &sc_options_table[i]);
  }
}

static void print_meanings(FILE *out, const char *title, const sc_help_meaning *rows, size_t count)
{
  sc_roff_section(out, title);
  for (size_t i = 0; i < count; i++)
    sc_roff_term(out, rows[i].name, rows[i].meaning);
}

static void print_examples(FILE *out, enum sc_verb verb)
{
  sc_roff_section(out, "EXAMPLES");
  for (size_t i = 0; i < sc_help_example_count; i++)
    if (sc_help_examples[i].verb == verb)
      sc_roff_term(out, sc_help_examples[i].command, sc_help_examples[i].what);
}

/* The rules that a verb's findings come from: those of one study end with the budgets, which changes can break too;
 * behind those of changes are those of a search for inputs. */
static void print_rules(FILE *out, enum sc_verb verb)
{
  bool diff = verb == SC_VERB_DIFF, fuzz = verb == SC_VERB_FUZZ;
  int first = diff ? SC_RULE_BUDGET : fuzz ? SC_RULE_SLOW_INPUT : 0;
  int end = diff ? SC_RULE_SLOW_INPUT : fuzz ? SC_RULE_COUNT : SC_RULE_BUDGET + 1;
  if (!diff && !fuzz && verb != SC_VERB_REPORT)
    return;
  sc_roff_section(out, "RULES");
  sc_roff_line(out, "Each finding names the rule that it comes from.");
  for (int rule = first; rule < end; rule++) {
    fputs(".TP\n.B ", out);
    sc_roff_line(out, sc_rule_id((enum sc_rule)rule));
    sc_roff_text(out, sc_rule_title((enum sc_rule)rule), 200);
    fputs(".\n", out);
    sc_roff_line(out, sc_rule_help((enum sc_rule)rule));
  }
}

static void print_man_files(FILE *out)
{
  sc_roff_section(out, "FILES");
  fputs(".TP\n.I scale.db\nThe study: an SQLite file with workload, runs, counts, models and findings.\n"
        ".TP\n.I *.scprof\nThe raw profile of one process.\n",
        out);
}

static void print_synopsis(FILE *out, enum sc_verb verb)
{
  const sc_verb_row *row = &sc_options_verbs[verb];
  fprintf(out, ".B scale\\-run %s\n", row->name);
  fputs("[\\fIOPTION\\fR...]", out);
  if (*row->operands)
    fputc(' ', out);
  sc_roff_line(out, row->operands);
}

static void print_man_verb(FILE *out, enum sc_verb verb)
{
  char name[64];
  snprintf(name, sizeof name, "scale-run-%s", sc_options_verbs[verb].name);
  sc_roff_begin(out, name, sc_options_verbs[verb].summary, made_from);
  sc_roff_section(out, "SYNOPSIS");
  print_synopsis(out, verb);
  sc_roff_section(out, "DESCRIPTION");
  sc_roff_line(out, sc_options_verbs[verb].description);
  print_man_options(out, verb);
  print_rules(out, verb);
  print_meanings(out, "EXIT STATUS", sc_help_exits, sc_help_exit_count);
  print_examples(out, verb);
  const char *const see[] = {"scale-run", verb == SC_VERB_RUN ? "scale-cc" : "scale-run-run", NULL};
  sc_roff_see(out, see);
}

/* A verb is a page of its own; here it is a line. */
static void print_man_verbs(FILE *out)
{
  sc_roff_section(out, "VERBS");
  for (size_t i = 0; i < SC_VERB_COUNT; i++) {
    fprintf(out, ".TP\n.BR scale\\-run\\-%s (1)\n", sc_options_verbs[i].name);
    sc_roff_line(out, sc_options_verbs[i].summary);
  }
}

static void print_overview(FILE *out)
{
  const char *const see[] = {"perf", "scale-cc", NULL};
  sc_roff_begin(out, "scale-run", "predict how a C or C++ program behaves at sizes nobody has run yet", made_from);
  sc_roff_section(out, "SYNOPSIS");
  for (size_t i = 0; i < SC_VERB_COUNT; i++) {
    fputs(i ? ".br\n" : "", out);
    print_synopsis(out, (enum sc_verb)i);
  }
  sc_roff_section(out, "DESCRIPTION");
  fputs("The program under test is built with\n.BR scale\\-cc (1),\nwhich makes it count every call and loop iteration "
        "exactly, in its calling context.\n.B scale\\-run\nruns it on a few small workloads of growing size, fits a "
        "complexity model to every calling context, and says which loop, callback or recursion becomes too slow at a "
        "larger size, where in the source it is, at what size it starts to hurt, and how sure that is.\n",
        out);
  print_man_verbs(out);
  print_man_options(out, SC_VERB_COUNT);
  print_meanings(out, "EXIT STATUS", sc_help_exits, sc_help_exit_count);
  print_meanings(out, "ENVIRONMENT", sc_help_environment, sc_help_environment_count);
  print_man_files(out);
  sc_roff_see(out, see);
}

void sc_man_print(FILE *out, enum sc_verb verb)
{
  if (verb == SC_VERB_COUNT)
    print_overview(out);
  else
    print_man_verb(out, verb);
}
