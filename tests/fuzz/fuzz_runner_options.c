/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A command line, an argument on each line: what is taken keeps what options.h promises, what is not says why. */
#include "fuzz.h"

#include <math.h>
#include <string.h>

#include "runner/options/options.h"

enum { ARGUMENTS = 64 };

static void check_choice(const sc_option_row *row, const char *value)
{
  sc_option_choice choice;
  bool found = row->kind == SC_OPTION_CHOICES; /* several, each perhaps with a ratio of its own */
  for (const char *rest = row->choices; value && sc_options_next_choice(&rest, &choice);)
    found |= strlen(value) == (size_t)choice.name_length && memcmp(value, choice.name, strlen(value)) == 0;
  must(!value || (found && *value));
}

static void check_value(const sc_options *options, const sc_option_row *row)
{
  const void *place = (const char *)options + row->offset;
  switch (row->kind) {
  case SC_OPTION_CHOICE:
  case SC_OPTION_CHOICES:
    check_choice(row, *(const char *const *)place);
    break;
  case SC_OPTION_TEXT:
  case SC_OPTION_FILE:
  case SC_OPTION_LIST:
    must(!*(const char *const *)place || **(const char *const *)place);
    break;
  case SC_OPTION_SIZE:
  case SC_OPTION_TIME:
  case SC_OPTION_RATIO:
  case SC_OPTION_NUMBER:
    must(*(const double *)place >= 0 && isfinite(*(const double *)place));
    break;
  case SC_OPTION_FLAG:
  case SC_OPTION_COUNT:
  case SC_OPTION_FROM_ONE:
    break;
  }
}

static void check(const sc_options *options)
{
  for (const sc_option_row *row = sc_options_table; row < sc_options_table + sc_options_table_count; row++)
    check_value(options, row);
  must(options->verb < SC_VERB_COUNT || options->help || options->version);
  must(!options->program || (options->verb == SC_VERB_RUN && options->program[0]));
  must(!options->operand_count || options->operand == options->operands[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static char name[] = "scale-run";
  char *text = malloc(size + 1), *arguments[ARGUMENTS + 2] = {name}, *rest = text;
  int count = 1;
  sc_options options;
  must(text != NULL);
  memcpy(text, data, size);
  text[size] = '\0';
  while (rest && count <= ARGUMENTS)
    arguments[count++] = strsep(&rest, "\n");
  (void)sc_err_set(0, "%s", "");
  if (sc_options_parse(count, arguments, &options) == 0)
    check(&options);
  else
    must(*sc_err_message() && *sc_err_hint_text());
  sc_options_free(&options);
  free(text);
  return 0;
}
