/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Completions of bash, from the table of options. */
#include "runner/cli/help_rows.h"
#include "runner/cli/pages.h"

/* "report --format"|"diff --format": options of one name may take different words in different verbs. */
static void print_patterns(FILE *out, const sc_option_row *row)
{
  const char *between = "  ";
  for (size_t v = 0; v < SC_VERB_COUNT; v++) {
    if (!sc_options_applies((enum sc_verb)v, row))
      continue;
    fprintf(out, "%s\"%s --%s\"", between, sc_options_verbs[v].name, row->name);
    between = " | ";
    if (row->letter)
      fprintf(out, " | \"%s -%c\"", sc_options_verbs[v].name, row->letter);
  }
  fputs(")\n", out);
}

static void print_bash_files(FILE *out, const sc_help_files *files)
{
  fputs("    _scale_run_files", out);
  for (size_t i = 0; i < files->count; i++)
    fprintf(out, " %s", files->endings[i]);
  fputc('\n', out);
}

/* Behind an option: its choices, files, or nothing. */
static void print_bash_values(FILE *out)
{
  sc_option_choice choice;
  sc_help_files files;
  for (size_t i = 0; i < sc_options_table_count; i++) {
    const sc_option_row *row = &sc_options_table[i];
    if (row->kind == SC_OPTION_FLAG)
      continue;
    print_patterns(out, row);
    if (sc_options_has_choices(row)) {
      fputs("    _scale_run_words", out);
      for (const char *rest = row->choices; sc_options_next_choice(&rest, &choice);)
        fprintf(out, " %.*s", choice.name_length, choice.name);
      fputc('\n', out);
    } else if (row->kind == SC_OPTION_FILE) {
      (void)sc_help_files_of(row->argument, &files);
      print_bash_files(out, &files);
    }
    fputs("    return ;;\n", out);
  }
}

static void print_bash_options(FILE *out, enum sc_verb verb)
{
  fputs("_scale_run_words", out);
  for (size_t i = 0; i < sc_options_table_count; i++)
    if (sc_options_applies(verb, &sc_options_table[i]))
      fprintf(out, " --%s", sc_options_table[i].name);
  fputs(" ;;\n", out);
}

static void print_bash_operands(FILE *out)
{
  sc_help_files files;
  for (size_t v = 0; v < SC_VERB_COUNT; v++) {
    if (!sc_help_files_of(sc_options_verbs[v].operands, &files))
      continue;
    fprintf(out, "  %s)\n", sc_options_verbs[v].name);
    print_bash_files(out, &files);
    fputs("    ;;\n", out);
  }
}

static void print_bash_verbs(FILE *out)
{
  for (size_t i = 0; i < SC_VERB_COUNT; i++)
    fprintf(out, " %s", sc_options_verbs[i].name);
}

void sc_bash_print(FILE *out)
{
  fputs("# SPDX-License-Identifier: GPL-3.0-or-later\n"
        "# bash completion of scale-run, made by `scale-run --help=bash`.\n\n"
        "_scale_run_words()\n{\n  mapfile -t COMPREPLY < <(compgen -W \"$*\" -- \"$word\")\n}\n\n"
        "# Folders, and files with one of the endings given; none: any.\n"
        "_scale_run_files()\n{\n  local ending\n  compopt -o filenames 2>/dev/null\n"
        "  word=${word#[\\\"\\']} word=${word//\\\\/}\n"
        "  if (($# == 0)); then\n    mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n    return\n  fi\n"
        "  mapfile -t COMPREPLY < <(compgen -d -- \"$word\"\n"
        "    for ending; do compgen -f -X \"!*.$ending\" -- \"$word\"; done)\n}\n\n"
        "_scale_run()\n{\n"
        "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]} first=1 i\n"
        "  COMPREPLY=()\n"
        "  # bash cuts --format=json into three words\n"
        "  if [[ $word == = ]]; then\n    word=\n"
        "  elif [[ $before == = ]]; then\n    before=${COMP_WORDS[COMP_CWORD-2]}\n  fi\n"
        "  if [[ $verb == help ]] && ((COMP_CWORD > 1)); then\n    verb= first=2\n  fi\n"
        "  if ((COMP_CWORD == first)); then\n    _scale_run_words",
        out);
  print_bash_verbs(out);
  fputs(" help --help --version\n    return\n  fi\n"
        "  for ((i = 2; i < COMP_CWORD; i++)); do\n"
        "    # behind -- stands the program under test\n"
        "    if [[ ${COMP_WORDS[i]} == -- ]]; then\n      compopt -o filenames 2>/dev/null\n"
        "      if ((i + 1 == COMP_CWORD)); then\n"
        "        mapfile -t COMPREPLY < <(compgen -c -- \"$word\"; compgen -f -- \"$word\")\n"
        "      else\n        _scale_run_files\n      fi\n      return\n    fi\n  done\n"
        "  case \"$verb $before\" in\n",
        out);
  print_bash_values(out);
  fputs("  esac\n  if [[ $word == -* ]]; then\n    case $verb in\n", out);
  for (size_t v = 0; v < SC_VERB_COUNT; v++) {
    fprintf(out, "    %s) ", sc_options_verbs[v].name);
    print_bash_options(out, (enum sc_verb)v);
  }
  fputs("    esac\n    return\n  fi\n  case $verb in\n", out);
  print_bash_operands(out);
  fputs("  esac\n}\ncomplete -F _scale_run scale-run\n", out);
}
