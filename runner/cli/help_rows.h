/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/options/options.h"

/* What options.def has beside the options: the rows that only pages for people are made from. */
typedef struct sc_table_example {
  enum sc_verb verb;
  const char *command, *what;
} sc_table_example;
/* A section's options are [first, first of the next row) of sc_options_table; the row behind the last has no title. */
typedef struct sc_table_section {
  const char *title;
  size_t first;
} sc_table_section;
/* An exit status or an environment variable. */
typedef struct sc_table_meaning {
  const char *name, *meaning;
} sc_table_meaning;

extern const sc_table_example sc_table_examples[];
extern const sc_table_section sc_table_sections[];
extern const sc_table_meaning sc_table_exits[], sc_table_environment[];
extern const size_t sc_table_example_count, sc_table_exit_count, sc_table_environment_count;

/* Whether a section has an option of the verb; of no verb (SC_VERB_COUNT): one that all verbs have. */
bool sc_table_in_section(const sc_table_section *section, enum sc_verb verb);

/* The endings, such as "db", of the files that operands or an argument such as "[STUDY]" or "WORKLOAD.xml" stand for;
 * none: any file. */
typedef struct sc_table_files {
  char endings[4][12];
  size_t count;
} sc_table_files;
/* False: `text` stands for no file. */
bool sc_table_files_of(const char *text, sc_table_files *files);

/* The part of a help text that says it all in a few words: bytes up to its first colon, semicolon or full stop. */
int sc_table_gist(const char *help);
