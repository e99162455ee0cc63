/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/fit/record.h"

#include <stdlib.h>
#include <string.h>

#include "runner/fit/words.h"

void sc_record_free(sc_record *record)
{
  free(record->fields);
  free(record->plain);
  sc_buf_free(&record->text);
  *record = (sc_record){0};
}

/* Whether a quote is open at the end. Within quotes a doubled one closes and opens again, which comes to the same. */
static bool open_quote(sc_view text, bool open)
{
  for (const char *at = text.text, *end = at + text.length; (at = memchr(at, '"', (size_t)(end - at))); at++)
    open = !open;
  return open;
}

static int cut_short(void)
{
  return sc_err_hint(sc_err_set(SC_E_INPUT, "a quote is not closed"),
                     "a quote within a field is written twice, and the field in quotes");
}

/* One line, or as many as its quotes hold together. */
static int read_record_text(sc_input *input, sc_record *record, sc_view *text)
{
  int more = sc_input_line(input, text);
  record->line = input->line;
  if (more <= 0 || !open_quote(*text, false))
    return more;
  record->text.length = 0;
  for (bool open = false;;) {
    open = open_quote(*text, open);
    sc_buf_add(&record->text, text->text, text->length);
    SC_TRY(sc_buf_finish(&record->text));
    if (!open)
      break;
    if (record->text.length > SC_INPUT_LINE_MAX)
      return cut_short();
    sc_buf_puts(&record->text, "\n");
    more = sc_input_line(input, text);
    if (more <= 0)
      return more < 0 ? more : cut_short();
  }
  *text = (sc_view){record->text.text, record->text.length};
  return 1;
}

/* The separator of the heading: the first of these that is there outside quotes. */
static char tell_separator(sc_view text)
{
  static const char separators[] = ",;\t";
  for (const char *s = separators; *s; s++) {
    bool quoted = false;
    for (size_t i = 0; i < text.length; i++) {
      quoted ^= text.text[i] == '"';
      if (text.text[i] == *s && !quoted)
        return *s;
    }
  }
  return ',';
}

/* From behind the opening quote to behind the closing one. */
static int quoted_field(sc_record *record, const char **at, const char *end, sc_view *field)
{
  char *copy = record->plain + record->plain_length, *to = copy;
  for (const char *from = *at;;) {
    const char *quote = memchr(from, '"', (size_t)(end - from));
    if (!quote)
      return cut_short();
    memcpy(to, from, (size_t)(quote - from));
    to += quote - from;
    from = quote + 1;
    if (from == end || *from != '"') {
      *at = from;
      break;
    }
    *to++ = '"';
    from++;
  }
  record->plain_length += (size_t)(to - copy);
  *field = (sc_view){copy, (size_t)(to - copy)};
  return 0;
}

static int next_field(sc_record *record, const char **at, const char *end, sc_view *field)
{
  const char *start = *at;
  while (start < end && *start == ' ')
    start++;
  if (start < end && *start == '"') {
    *at = start + 1;
    SC_TRY(quoted_field(record, at, end, field));
    while (*at < end && **at == ' ')
      ++*at;
    if (*at < end && **at != record->separator)
      return sc_err_hint(sc_err_set(SC_E_INPUT, "text stands behind a closing quote"),
                         "a quote within a field is written twice, and the field in quotes");
    return 0;
  }
  const char *stop = memchr(*at, record->separator, (size_t)(end - *at));
  stop = stop ? stop : end;
  *field = sc_words_trim((sc_view){*at, (size_t)(stop - *at)});
  *at = stop;
  return 0;
}

int sc_record_read(sc_input *input, sc_record *record)
{
  sc_view text;
  int more;
  do
    more = read_record_text(input, record, &text);
  while (more > 0 && sc_words_trim(text).length == 0);
  if (more <= 0)
    return more;
  SC_TRY(sc_words_check(text));
  if (!record->separator)
    record->separator = tell_separator(text);
  SC_TRY(sc_mem_grow(&record->plain, &record->plain_capacity, text.length + 1, 1));
  record->plain_length = 0;
  record->count = 0;
  for (const char *at = text.text, *end = at + text.length;; at++) {
    if (record->count == SC_RECORD_FIELDS)
      return sc_err_hint(sc_err_set(SC_E_INPUT, "more than %d columns", SC_RECORD_FIELDS), "is it a CSV file?");
    SC_TRY(sc_mem_grow(&record->fields, &record->capacity, record->count + 1, sizeof *record->fields));
    SC_TRY(next_field(record, &at, end, &record->fields[record->count++]));
    if (at == end)
      break;
  }
  return 1;
}
