/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Completions of fish, from the table of options. */
#include <string.h>

#include "runner/cli/help_rows.h"
#include "runner/cli/pages.h"

/* Inside '...'. */
static void print_fish_text(FILE *out, const char *text, int bytes)
{
  for (int i = 0; i < bytes && text[i]; i++) {
    if (text[i] == '\'' || text[i] == '\\')
      fputc('\\', out);
    fputc(text[i], out);
  }
}

/* complete ... -n '__scale_run_is report diff' */
static void print_condition(FILE *out, const sc_option_row *row)
{
  fputs("complete -c scale-run -n '__scale_run_is", out);
  for (size_t v = 0; v < SC_VERB_COUNT; v++)
    if (sc_options_applies((enum sc_verb)v, row))
      fprintf(out, " %s", sc_options_verbs[v].name);
  fputc('\'', out);
}

static void print_fish_files(FILE *out, const sc_help_files *files)
{
  fputs("(__scale_run_files", out);
  for (size_t i = 0; i < files->count; i++)
    fprintf(out, " [.]%s", files->endings[i]);
  fputc(')', out);
}

/* -a 'text\t"for people" json\t"for scripts"': fish reads what is inside once more. */
static void print_fish_choices(FILE *out, const sc_option_row *row)
{
  sc_option_choice choice;
  for (const char *rest = row->choices; sc_options_next_choice(&rest, &choice);) {
    fprintf(out, "%s%.*s\\t\"", choice.name == row->choices ? "" : " ", choice.name_length, choice.name);
    for (int i = 0; i < choice.help_length; i++)
      fprintf(out, "%s%c",
              strchr("\"$\\", choice.help[i]) ? "\\\\"
              : choice.help[i] == '\''        ? "\\"
                                              : "",
              choice.help[i]);
    fputc('"', out);
  }
}

static void print_fish_option(FILE *out, const sc_option_row *row)
{
  sc_help_files files;
  print_condition(out, row);
  if (row->letter)
    fprintf(out, " -s %c", row->letter);
  fprintf(out, " -l %s -d '", row->name);
  print_fish_text(out, row->help, sc_help_gist(row->help));
  fputc('\'', out);
  if (sc_options_has_choices(row)) {
    fputs(" -x -a '", out);
    print_fish_choices(out, row);
    fputc('\'', out);
  } else if (row->kind == SC_OPTION_FILE) {
    bool known = sc_help_files_of(row->argument, &files) && files.count;
    fputs(known ? " -x -a '" : " -r -F", out);
    if (known) {
      print_fish_files(out, &files);
      fputc('\'', out);
    }
  } else if (row->kind != SC_OPTION_FLAG)
    fputs(" -x", out);
  fputc('\n', out);
}

static void print_fish_operands(FILE *out)
{
  sc_help_files files;
  for (size_t v = 0; v < SC_VERB_COUNT; v++) {
    if (!sc_help_files_of(sc_options_verbs[v].operands, &files))
      continue;
    fprintf(out, "complete -c scale-run -n '__scale_run_is %s' ", sc_options_verbs[v].name);
    if (files.count) {
      fputs("-a '", out);
      print_fish_files(out, &files);
      fputs("'\n", out);
    } else
      fputs("-F\n", out);
  }
}

void sc_fish_print(FILE *out)
{
  fputs("# SPDX-License-Identifier: GPL-3.0-or-later\n"
        "# fish completion of scale-run, made by `scale-run --help=fish`.\n\n"
        "# The words before the one to complete, without the command and `help`.\n"
        "function __scale_run_words\n"
        "    set -l words (commandline -opc)\n    set -e words[1]\n"
        "    if test \"$words[1]\" = help\n        set -e words[1]\n    end\n"
        "    printf '%s\\n' $words\nend\n\n"
        "function __scale_run_is\n"
        "    set -l words (__scale_run_words)\n"
        "    contains -- \"$words[1]\" $argv; and not contains -- -- $words\nend\n\n"
        "function __scale_run_none\n    test -z (__scale_run_words)[1]\nend\n\n"
        "# Behind -- stands the program under test.\n"
        "function __scale_run_program\n    contains -- -- (__scale_run_words)\nend\n\n"
        "# Folders, and files with one of the endings given.\n"
        "function __scale_run_files\n"
        "    set -l word (string unescape -- (commandline -ct) | string replace -r '^--[a-z-]+=' '')\n"
        "    __fish_complete_path $word | string match -r '^[^\\t]*(?:/|'(string join '|' -- "
        "$argv)')(?:\\t.*)?$'\nend\n\n"
        "complete -c scale-run -f\n"
        "complete -c scale-run -n __scale_run_program -a '(__fish_complete_subcommand --commandline "
        "(string join \" \" -- (string split -m 1 -- \" -- \" (commandline -cp))[2]))'\n",
        out);
  for (size_t i = 0; i < SC_VERB_COUNT; i++) {
    fprintf(out, "complete -c scale-run -n __scale_run_none -a %s -d '", sc_options_verbs[i].name);
    print_fish_text(out, sc_options_verbs[i].summary, (int)strlen(sc_options_verbs[i].summary));
    fputs("'\n", out);
  }
  fputs("complete -c scale-run -n __scale_run_none -s h -l help -d 'Print help'\n"
        "complete -c scale-run -n __scale_run_none -l version -d 'Print the version'\n",
        out);
  for (size_t i = 0; i < sc_options_table_count; i++)
    print_fish_option(out, &sc_options_table[i]);
  print_fish_operands(out);
}
