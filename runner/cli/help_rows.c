/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/cli/help_rows.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

const sc_help_example sc_help_examples[] = {
#define EXAMPLE(code, command, what) {SC_VERB_##code, command, what},
#include "runner/options/options.def"
};
const size_t sc_help_example_count = sizeof sc_help_examples / sizeof *sc_help_examples;

/* Counts the options: FIRST_ is the number of the option that comes next. */
enum {
#define SECTION(code, title)                                              FIRST_##code, BEFORE_##code = FIRST_##code - 1,
#define OPTION(verbs, field, kind, name, letter, argument, choices, help) PLACE_##field,
#include "runner/options/options.def"
  PLACES
};
const sc_help_section sc_help_sections[] = {
#define SECTION(code, title) {title, FIRST_##code},
#include "runner/options/options.def"
    {NULL, PLACES}};

const sc_help_meaning sc_help_exits[] = {
#define EXIT(status, meaning) {#status, meaning},
#include "runner/options/options.def"
};
const size_t sc_help_exit_count = sizeof sc_help_exits / sizeof *sc_help_exits;

const sc_help_meaning sc_help_environment[] = {
#define ENVIRONMENT(name, meaning) {name, meaning},
#include "runner/options/options.def"
};
const size_t sc_help_environment_count = sizeof sc_help_environment / sizeof *sc_help_environment;

bool sc_help_in_section(const sc_help_section *section, enum sc_verb verb)
{
  for (size_t i = section->first; i < section[1].first; i++)
    if (sc_options_applies(verb, &sc_options_table[i]))
      return true;
  return false;
}

static void add_ending(sc_help_files *files, const char *ending, int length)
{
  if (files->count < sizeof files->endings / sizeof *files->endings)
    snprintf(files->endings[files->count++], sizeof *files->endings, "%.*s", length, ending);
}

bool sc_help_files_of(const char *text, sc_help_files *files)
{
  *files = (sc_help_files){0};
  for (const char *dot = text; (dot = strchr(dot, '.')); dot++) {
    int length = 0;
    while (islower((unsigned char)dot[1 + length]))
      length++;
    if (length && dot > text && isupper((unsigned char)dot[-1]))
      add_ending(files, dot + 1, length);
  }
  bool base = strstr(text, "BASE") != NULL;
  if (base || strstr(text, "STUDY"))
    add_ending(files, "db", 2);
  if (base)
    add_ending(files, "json", 4); /* a baseline */
  return files->count || strstr(text, "FILE");
}

int sc_help_gist(const char *help)
{
  for (int i = 0;; i++)
    if (!help[i] || (strchr(".:;", help[i]) && (!help[i + 1] || help[i + 1] == ' ')))
      return i;
}
