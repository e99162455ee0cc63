/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The man page and the bash completion, from the option table. */
#include <ctype.h>
#include <string.h>

#include "runner/options.h"

static const struct example {
  enum sc_verb verb;
  const char *command, *what;
} examples[] = {
#define EXAMPLE(code, command, what) {SC_VERB_##code, command, what},
#include "runner/options.def"
};

/* roff: backslashes doubled, hyphens as minus signs so that commands can be copied, no leading dot or quote. */
static void roff(FILE *out, const char *text)
{
  if (*text == '.' || *text == '\'')
    fputs("\\&", out);
  for (; *text; text++) {
    if (*text == '\\')
      fputs("\\e", out);
    else if (*text == '-')
      fputs("\\-", out);
    else
      fputc(*text, out);
  }
}

static void paragraph(FILE *out, const char *macro, const char *text)
{
  fprintf(out, "%s\n", macro);
  roff(out, text);
  fputc('\n', out);
}

static void man_option(FILE *out, const sc_option_row *row)
{
  fputs(".TP\n\\fB", out);
  if (row->letter)
    fprintf(out, "\\-%c\\fR, \\fB", row->letter);
  fputs("\\-\\-", out);
  roff(out, row->name);
  fputs("\\fR", out);
  if (row->argument) {
    fputs(" \\fI", out);
    roff(out, row->kind == SC_OPTION_CHOICE ? row->choices : row->argument);
    fputs("\\fR", out);
  }
  fputc('\n', out);
  roff(out, row->help);
  if (row->choices && row->kind != SC_OPTION_CHOICE) {
    fputs(" Default: ", out);
    roff(out, row->choices);
    fputc('.', out);
  }
  fputc('\n', out);
}

static void man_verb(FILE *out, enum sc_verb verb)
{
  const sc_verb_row *row = &sc_options_verbs[verb];
  fprintf(out, ".SS scale\\-run %s ", row->name);
  roff(out, row->operands);
  fputc('\n', out);
  roff(out, row->description);
  fputc('\n', out);
  for (size_t i = 0; i < sc_options_table_count; i++)
    if (sc_options_table[i].verbs != ~0u && (sc_options_table[i].verbs & 1u << verb))
      man_option(out, &sc_options_table[i]);
  for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
    if (examples[i].verb != verb)
      continue;
    paragraph(out, ".PP", examples[i].what);
    paragraph(out, ".PP\n.RS 4\n.nf", examples[i].command);
    fputs(".fi\n.RE\n", out);
  }
}

static void man_tables(FILE *out)
{
  char number[16];
  fputs(".SH EXIT STATUS\n", out);
#define EXIT(status, meaning)                    \
  snprintf(number, sizeof number, "%d", status); \
  fprintf(out, ".TP\n.B %s\n", number);          \
  roff(out, meaning);                            \
  fputs(".\n", out);
#include "runner/options.def"
  fputs(".SH ENVIRONMENT\n", out);
#define ENVIRONMENT(name, meaning)    \
  fprintf(out, ".TP\n.B %s\n", name); \
  roff(out, meaning);                 \
  fputc('\n', out);
#include "runner/options.def"
}

void sc_options_print_man(FILE *out)
{
  fputs(".\\\" SPDX-License-Identifier: GPL-3.0-or-later\n"
        ".\\\" Made by `scale-run --help=man` from runner/options.def: change that, not this.\n"
        ".TH SCALE\\-RUN 1 \"\" \"scale\\-run " SCALE_VERSION "\" \"User Commands\"\n"
        ".SH NAME\nscale\\-run \\- predict how a C or C++ program behaves at sizes nobody has run yet\n"
        ".SH SYNOPSIS\n",
        out);
  for (size_t i = 0; i < SC_VERB_COUNT; i++) {
    fprintf(out, "%s.B scale\\-run %s\n", i ? ".br\n" : "", sc_options_verbs[i].name);
    roff(out, sc_options_verbs[i].operands);
    fputc('\n', out);
  }
  fputs(".SH DESCRIPTION\n"
        "The program under test is built with\n.BR scale\\-cc (1),\nwhich makes it count every call and loop iteration "
        "exactly, in its calling context.\n.B scale\\-run\nruns it on a few small workloads of growing size, fits a "
        "complexity model to every calling context, and says which loop, callback or recursion becomes too slow at a "
        "larger size, where in the source it is, at what size it starts to hurt, and how sure that is.\n"
        ".SH VERBS\n",
        out);
  for (size_t i = 0; i < SC_VERB_COUNT; i++)
    man_verb(out, (enum sc_verb)i);
  fputs(".SH OPTIONS OF EVERY VERB\n", out);
  for (size_t i = 0; i < sc_options_table_count; i++)
    if (sc_options_table[i].verbs == ~0u)
      man_option(out, &sc_options_table[i]);
  man_tables(out);
  fputs(".SH FILES\n.TP\n.I scale.db\nThe study: an SQLite file with workload, runs, counts, models and findings.\n"
        ".TP\n.I *.scprof\nThe raw profile of one process.\n"
        ".SH SEE ALSO\n.BR scale\\-cc (1),\n.BR perf (1)\n",
        out);
}

/* "report --format"|"ask --format": options of one name may take different words in different verbs. */
static void bash_patterns(FILE *out, const sc_option_row *row)
{
  const char *between = "    ";
  for (size_t v = 0; v < SC_VERB_COUNT; v++) {
    if (!(row->verbs & 1u << v))
      continue;
    fprintf(out, "%s\"%s --%s\"", between, sc_options_verbs[v].name, row->name);
    between = "|";
    if (row->letter)
      fprintf(out, "|\"%s -%c\"", sc_options_verbs[v].name, row->letter);
  }
}

/* Words behind an option: its choices, files, or nothing. */
static void bash_values(FILE *out)
{
  for (size_t i = 0; i < sc_options_table_count; i++) {
    const sc_option_row *row = &sc_options_table[i];
    if (row->kind == SC_OPTION_FLAG)
      continue;
    bash_patterns(out, row);
    fputs(") ", out);
    if (row->kind == SC_OPTION_CHOICE) {
      fputs("COMPREPLY=($(compgen -W \"", out);
      for (const char *c = row->choices; *c; c++)
        fputc(*c == '|' ? ' ' : *c, out);
      fputs("\" -- \"$word\")); return ;;\n", out);
    } else if (row->kind == SC_OPTION_FILE)
      fputs("COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n", out);
    else
      fputs("return ;;\n", out);
  }
}

void sc_options_print_bash(FILE *out)
{
  fputs("# SPDX-License-Identifier: GPL-3.0-or-later\n"
        "# bash completion of scale-run, made by `scale-run --help=bash`.\n"
        "_scale_run()\n{\n"
        "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]} i\n"
        "  COMPREPLY=()\n"
        "  if ((COMP_CWORD == 1)); then\n    COMPREPLY=($(compgen -W \"",
        out);
  for (size_t i = 0; i < SC_VERB_COUNT; i++)
    fprintf(out, "%s ", sc_options_verbs[i].name);
  fputs("--help --version\" -- \"$word\"))\n    return\n  fi\n"
        "  for ((i = 2; i < COMP_CWORD; i++)); do\n"
        "    # behind -- stands the program under test\n"
        "    if [[ ${COMP_WORDS[i]} == -- ]]; then\n"
        "      COMPREPLY=($(compgen -f -c -- \"$word\"))\n      return\n    fi\n  done\n"
        "  case \"$verb $before\" in\n",
        out);
  bash_values(out);
  fputs("  esac\n  if [[ $word == -* ]]; then\n    case $verb in\n", out);
  for (size_t v = 0; v < SC_VERB_COUNT; v++) {
    fprintf(out, "    %s) COMPREPLY=($(compgen -W \"", sc_options_verbs[v].name);
    for (size_t i = 0; i < sc_options_table_count; i++)
      if (sc_options_table[i].verbs & 1u << v)
        fprintf(out, "--%s ", sc_options_table[i].name);
    fputs("\" -- \"$word\")) ;;\n", out);
  }
  fputs("    esac\n    return\n  fi\n  COMPREPLY=($(compgen -f -- \"$word\"))\n}\ncomplete -F _scale_run scale-run\n",
        out);
}
