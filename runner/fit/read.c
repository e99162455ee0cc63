/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which format a file of measurements has, by its first bytes, and the reader for it. */
#include <string.h>

#include "runner/fit/intake.h"

static bool begins_with_word(sc_view text, const char *word)
{
  size_t length = strlen(word);
  return text.length > length && memcmp(text.text, word, length) == 0 && strchr(" \t", text.text[length]);
}

static bool contains_word(sc_view text, const char *word)
{
  return memmem(text.text, text.length, word, strlen(word)) != NULL;
}

/* Blank lines and comments. */
static sc_view skip_blank(sc_view text)
{
  while (text.length) {
    const char *end = memchr(text.text, '\n', text.length);
    if (*text.text == '#' && end) {
      text.length -= (size_t)(end - text.text);
      text.text = end;
    }
    if (!strchr(" \t\r\n", *text.text) || !*text.text)
      break;
    text.text++;
    text.length--;
  }
  return text;
}

static int refuse_unknown_format(sc_intake *intake, const char *what)
{
  (void)sc_err_set(SC_E_INPUT, "%s: %s", intake->input->name, what);
  return sc_err_hint(SC_E_INPUT,
                     "Extra-P's JSON Lines and text format, Google Benchmark's JSON, hyperfine's JSON and CSV, "
                     "and CSV with a heading are understood: docs/fit-format.md");
}

int sc_fit_read(sc_intake *intake, sc_input *input)
{
  static const char *const sections[] = {"PARAMETER", "POINTS", "METRIC", "REGION", "DATA"};
  sc_view ahead;
  intake->input = input;
  SC_TRY(sc_input_peek(input, &ahead));
  sc_view text = skip_blank(ahead);
  if (text.length == 0)
    return refuse_unknown_format(intake,
                                 ahead.length ? "there is nothing but blanks and comments in it" : "it is empty");
  const char *end = memchr(text.text, '\n', text.length);
  sc_view line = {text.text, end ? (size_t)(end - text.text) : text.length};
  /* a document spans lines; in JSON Lines the first one is an object with its end */
  if (*text.text == '{' && contains_word(line, "\"params\""))
    return sc_jsonl_read(intake);
  if (*text.text == '{' && (contains_word(text, "\"benchmarks\"") || contains_word(text, "\"context\"")))
    return sc_benchmark_read(intake);
  if (*text.text == '{' && contains_word(text, "\"results\"") && contains_word(text, "\"command\""))
    return sc_hyperfine_read(intake);
  if (*text.text == '{' && contains_word(text, "\"parameters\""))
    return refuse_unknown_format(intake, "this is Extra-P's JSON or TaLPas format");
  if (*text.text == '{')
    return sc_jsonl_read(intake);
  if (*text.text == '[')
    return refuse_unknown_format(intake, "a list in JSON is not one of the formats");
  for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
    if (begins_with_word(text, sections[i]))
      return sc_extrap_read(intake);
  return sc_hyperfine_heading(line) ? sc_hyperfine_csv_read(intake) : sc_csv_read(intake);
}
