/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/options/options.h"

/* What options.def has beside the options: the rows that only pages for people are made from. */
typedef struct sc_help_example {
  enum sc_verb verb;
  const char *command, *what;
} sc_help_example;
/* A section's options are [first, first of the next row) of sc_options_table; the row behind the last has no title. */
typedef struct sc_help_section {
  const char *title;
  size_t first;
} sc_help_section;
/* An exit status or an environment variable. */
typedef struct sc_help_meaning {
  const char *name, *meaning;
} sc_help_meaning;

extern const sc_help_example sc_help_examples[];
extern const sc_help_section sc_help_sections[];
extern const sc_help_meaning sc_help_exits[], sc_help_environment[];
extern const size_t sc_help_example_count, sc_help_exit_count, sc_help_environment_count;

/* Whether a section has an option of the verb; of no verb (SC_VERB_COUNT): one that all verbs have. */
bool sc_help_in_section(const sc_help_section *section, enum sc_verb verb);

/* The endings, such as "db", of the files that operands or an argument such as "[STUDY]" or "WORKLOAD.xml" stand for;
 * none: any file. */
typedef struct sc_help_files {
  char endings[4][12];
  size_t count;
} sc_help_files;
/* False: `text` stands for no file. */
bool sc_help_files_of(const char *text, sc_help_files *files);

/* The part of a help text that says it all in a few words: bytes up to its first colon, semicolon or full stop. */
int sc_help_gist(const char *help);
