/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Completions of zsh, from the table of options. */
#include <string.h>

#include "runner/cli/help_rows.h"
#include "runner/cli/pages.h"

/* Text inside '...' of an _arguments specification: what ends a part of one is escaped. */
static void print_zsh_text(FILE *out, const char *text, int bytes)
{
  for (int i = 0; i < bytes && text[i]; i++) {
    if (text[i] == '\'')
      fputs("'\\'", out);
    else if (strchr("[]:\\", text[i]))
      fputc('\\', out);
    fputc(text[i], out);
  }
}

static void print_globs(FILE *out, const sc_help_files *files)
{
  fputs("_files", out);
  if (files->count == 0)
    return;
  /* alone in parentheses, an ending would be a glob's qualifiers */
  fputs(files->count > 1 ? " -g \"*.(" : " -g \"*.", out);
  for (size_t i = 0; i < files->count; i++)
    fprintf(out, "%s%s", i ? "|" : "", files->endings[i]);
  fputs(files->count > 1 ? ")\"" : "\"", out);
}

/* ":FORMAT:((json\:"for scripts"))", ":FILE:_files", ":SIZE:" */
static void print_argument(FILE *out, const sc_option_row *row)
{
  sc_option_choice choice;
  sc_help_files files;
  fputc(':', out);
  print_zsh_text(out, row->argument, (int)strlen(row->argument));
  fputc(':', out);
  if (sc_options_has_choices(row)) {
    fputs("((", out);
    for (const char *rest = row->choices; sc_options_next_choice(&rest, &choice);) {
      fprintf(out, "%s%.*s\\:\"", choice.name == row->choices ? "" : " ", choice.name_length, choice.name);
      print_zsh_text(out, choice.help, choice.help_length);
      fputc('"', out);
    }
    fputs("))", out);
  } else if (row->kind == SC_OPTION_FILE) {
    (void)sc_help_files_of(row->argument, &files);
    print_globs(out, &files);
  }
}

static void print_zsh_option(FILE *out, const sc_option_row *row)
{
  const char *value = row->kind == SC_OPTION_FLAG ? "" : "=", *many = row->kind == SC_OPTION_LIST ? "*" : "";
  fputs(" \\\n        ", out);
  if (row->letter && *many)
    fprintf(out, "'*'{-%c+,--%s%s}'[", row->letter, row->name, value);
  else if (row->letter)
    fprintf(out, "'(-%c --%s)'{-%c%s,--%s%s}'[", row->letter, row->name, row->letter, *value ? "+" : "", row->name,
            value);
  else
    fprintf(out, "'%s--%s%s[", many, row->name, value);
  print_zsh_text(out, row->help, sc_help_gist(row->help));
  fputc(']', out);
  if (row->argument)
    print_argument(out, row);
  fputc('\'', out);
}

static void print_zsh_verb(FILE *out, enum sc_verb verb)
{
  sc_help_files files;
  const char *operands = sc_options_verbs[verb].operands;
  fprintf(out, "    (%s)\n      _arguments -s", sc_options_verbs[verb].name);
  for (size_t i = 0; i < sc_options_table_count; i++)
    if (sc_options_applies(verb, &sc_options_table[i]))
      print_zsh_option(out, &sc_options_table[i]);
  if (sc_help_files_of(operands, &files)) {
    fputs(" \\\n        '*:file:", out);
    print_globs(out, &files);
    fputc('\'', out);
  }
  fputs(" ;;\n", out);
}

void sc_zsh_print(FILE *out)
{
  fputs("#compdef scale-run\n# SPDX-License-Identifier: GPL-3.0-or-later\n"
        "# zsh completion of scale-run, made by `scale-run --help=zsh`.\n\n"
        "_scale-run() {\n  local curcontext=$curcontext program context state line\n  local -a verbs\n"
        "  typeset -A opt_args\n"
        "  # behind -- stands the program under test\n"
        "  program=${words[(i)--]}\n"
        "  if ((program < CURRENT)); then\n    shift $program words\n    ((CURRENT -= program))\n    _normal\n"
        "    return\n  fi\n"
        "  if [[ $words[2] == help ]] && ((CURRENT > 2)); then\n    shift words\n    ((CURRENT -= 1))\n  fi\n"
        "  if ((CURRENT == 2)); then\n    verbs=(",
        out);
  for (size_t i = 0; i < SC_VERB_COUNT; i++) {
    fprintf(out, "\n      '%s:", sc_options_verbs[i].name);
    print_zsh_text(out, sc_options_verbs[i].summary, (int)strlen(sc_options_verbs[i].summary));
    fputc('\'', out);
  }
  fputs("\n      'help:print help')\n"
        "    _describe -t verbs verb verbs\n    _arguments '--help[print help]' '--version[print the version]'\n"
        "    return\n  fi\n"
        "  shift words\n  ((CURRENT -= 1))\n"
        "  case $words[1] in\n",
        out);
  for (size_t v = 0; v < SC_VERB_COUNT; v++)
    print_zsh_verb(out, (enum sc_verb)v);
  fputs("  esac\n}\n\n_scale-run \"$@\"\n", out);
}
