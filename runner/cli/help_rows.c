/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/cli/table.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

const sc_table_example sc_table_examples[] = {
#define EXAMPLE(code, command, what) {SC_VERB_##code, command, what},
#include "runner/options/options.def"
};
const size_t sc_table_example_count = sizeof sc_table_examples / sizeof *sc_table_examples;

/* Counts the options: FIRST_ is the number of the option that comes next. */
enum {
#define SECTION(code, title)                                              FIRST_##code, BEFORE_##code = FIRST_##code - 1,
#define OPTION(verbs, field, kind, name, letter, argument, choices, help) PLACE_##field,
#include "runner/options/options.def"
  PLACES
};
const sc_table_section sc_table_sections[] = {
#define SECTION(code, title) {title, FIRST_##code},
#include "runner/options/options.def"
    {NULL, PLACES}};

const sc_table_meaning sc_table_exits[] = {
#define EXIT(status, meaning) {#status, meaning},
#include "runner/options/options.def"
};
const size_t sc_table_exit_count = sizeof sc_table_exits / sizeof *sc_table_exits;

const sc_table_meaning sc_table_environment[] = {
#define ENVIRONMENT(name, meaning) {name, meaning},
#include "runner/options/options.def"
};
const size_t sc_table_environment_count = sizeof sc_table_environment / sizeof *sc_table_environment;

bool sc_table_in_section(const sc_table_section *section, enum sc_verb verb)
{
  for (size_t i = section->first; i < section[1].first; i++)
    if (sc_options_applies(verb, &sc_options_table[i]))
      return true;
  return false;
}

static void add_ending(sc_table_files *files, const char *ending, int length)
{
  if (files->count < sizeof files->endings / sizeof *files->endings)
    snprintf(files->endings[files->count++], sizeof *files->endings, "%.*s", length, ending);
}

bool sc_table_files_of(const char *text, sc_table_files *files)
{
  *files = (sc_table_files){0};
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

int sc_table_gist(const char *help)
{
  for (int i = 0;; i++)
    if (!help[i] || (strchr(".:;", help[i]) && (!help[i + 1] || help[i + 1] == ' ')))
      return i;
}
