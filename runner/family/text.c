/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions of families, parsed and printed. */
#include <ctype.h>
#include <string.h>

#include "base/number.h"
#include "runner/family/family.h"

static const struct {
  const char *word;
  enum sc_family_kind kind;
} words[] = {
    {"i", SC_FAMILY_INDEX},           {"down", SC_FAMILY_DOWN},           {"sorted", SC_FAMILY_SORTED},
    {"reversed", SC_FAMILY_REVERSED}, {"collide31", SC_FAMILY_COLLIDE31}, {"collide33", SC_FAMILY_COLLIDE33},
};
enum { WORDS = sizeof words / sizeof *words, FIXED_MOST = 1000000000 };

typedef struct parser {
  const char *text, *at;
  sc_family *family;
} parser;

static int refuse_family(const parser *p, const char *what)
{
  (void)sc_err_set(SC_E_INPUT, "family: %s at character %zu", what, (size_t)(p->at - p->text) + 1);
  return sc_err_hint(SC_E_INPUT,
                     "a family is written like \"[\" * n . \"x\" . \"]\" * n, or (\"key\" . i . \"\\n\") * n");
}

static void skip_blanks(parser *p)
{
  while (*p->at && strchr(" \t\r\n", *p->at))
    p->at++;
}

static bool take_family(parser *p, char c)
{
  skip_blanks(p);
  if (*p->at != c)
    return false;
  p->at++;
  return true;
}

static bool take_word(parser *p, const char *word)
{
  size_t length = strlen(word);
  skip_blanks(p);
  if (strncmp(p->at, word, length) != 0 || isalnum((unsigned char)p->at[length]) || p->at[length] == '_')
    return false;
  p->at += length;
  return true;
}

static const char escape_letters[] = "nrt\\\"", escape_bytes[] = "\n\r\t\\\"";

int sc_family_escaped(char letter)
{
  const char *at = letter ? strchr(escape_letters, letter) : NULL;
  return at ? escape_bytes[at - escape_letters] : -1;
}

/* Behind a backslash. */
static int parse_escape(parser *p, unsigned char *byte)
{
  bool hex = *p->at == 'x';
  int value = hex ? sc_number_hex(p->at + 1) : sc_family_escaped(*p->at);
  if (value < 0)
    return refuse_family(
        p, "an escape is \\n, \\r, \\t, \\\\, \\\" or \\x and two hexadecimal digits, which this is not,");
  *byte = (unsigned char)value;
  p->at += hex ? 3 : 1;
  return 0;
}

static int parse_string(parser *p)
{
  unsigned char bytes[SC_FAMILY_TEXT];
  size_t size = 0;
  for (;;) {
    unsigned char byte = (unsigned char)*p->at;
    if (byte == '\0')
      return refuse_family(p, "the string does not end");
    p->at++;
    if (byte == '"')
      break;
    if (byte == '\\')
      SC_TRY(parse_escape(p, &byte));
    if (size == sizeof bytes)
      return refuse_family(p, "the string is too long");
    bytes[size++] = byte;
  }
  if (size == 0)
    return refuse_family(p, "the string is empty");
  return sc_family_add(p->family, bytes, size, SC_FAMILY_FIXED, 1) ? 0 : refuse_family(p, "the family is too long");
}

static int parse_number(parser *p, sc_family_part *part)
{
  uint64_t value = 0;
  while (isdigit((unsigned char)*p->at) && value <= FIXED_MOST)
    value = value * 10 + (uint64_t)(*p->at++ - '0');
  if (value == 0 || value > FIXED_MOST)
    return refuse_family(p, "a repetition is from 1 to 1,000,000,000, which this is not,");
  part->fixed = (uint32_t)value;
  return 0;
}

/* What may stand behind a part: its repetition. *given: it does. */
static int parse_times(parser *p, unsigned part, unsigned repeated, bool *given)
{
  sc_family_part *to = &p->family->parts[part];
  *given = take_family(p, '*');
  if (!*given)
    return 0;
  skip_blanks(p);
  to->fixed = 0;
  if (isdigit((unsigned char)*p->at))
    return parse_number(p, to);
  to->times = take_word(p, "n")      ? SC_FAMILY_N
              : take_word(p, "i")    ? SC_FAMILY_I
              : take_word(p, "down") ? SC_FAMILY_I_DOWN
                                     : SC_FAMILY_FIXED;
  if (to->times == SC_FAMILY_FIXED)
    return refuse_family(p, "n, a number, i or down is expected");
  if (to->times != SC_FAMILY_N && repeated == 0)
    return refuse_family(p, "i and down need repeated parentheses around them, which are missing");
  return 0;
}

static int parse_parts(parser *p, unsigned depth, unsigned repeated);

/* Whether parentheses are repeated is seen behind them; words in them need to know before. */
static bool is_repeated(const parser *p)
{
  int depth = 1;
  const char *at = p->at;
  for (; *at && depth; at++) {
    if (*at == '"')
      for (at++; *at && *at != '"'; at++)
        at += *at == '\\' && at[1];
    if (!*at)
      return false;
    depth += *at == '(';
    depth -= *at == ')';
  }
  while (*at && strchr(" \t\r\n", *at))
    at++;
  return *at == '*';
}

static int parse_family_group(parser *p, unsigned depth, unsigned repeated)
{
  sc_family *family = p->family;
  unsigned open = family->part_count;
  bool given;
  if (depth == SC_FAMILY_DEPTH)
    return refuse_family(p, "too many parentheses in each other");
  if (!is_repeated(p)) { /* they say nothing */
    SC_TRY(parse_parts(p, depth + 1, repeated));
    return take_family(p, ')') ? 0 : refuse_family(p, "a closing parenthesis is expected");
  }
  if (!sc_family_add_part(family, SC_FAMILY_OPEN, SC_FAMILY_FIXED, 1))
    return refuse_family(p, "the family is too long");
  SC_TRY(parse_parts(p, depth + 1, repeated + 1));
  if (!take_family(p, ')'))
    return refuse_family(p, "a closing parenthesis is expected");
  if (!sc_family_add_part(family, SC_FAMILY_CLOSE, SC_FAMILY_FIXED, 1))
    return refuse_family(p, "the family is too long");
  return parse_times(p, open, repeated, &given);
}

static int parse_family_part(parser *p, unsigned depth, unsigned repeated)
{
  bool given;
  if (take_family(p, '('))
    return parse_family_group(p, depth, repeated);
  if (take_family(p, '"')) {
    SC_TRY(parse_string(p));
    return parse_times(p, p->family->part_count - 1, repeated, &given);
  }
  for (unsigned i = 0; i < WORDS; i++) {
    if (!take_word(p, words[i].word))
      continue;
    if (repeated == 0)
      return refuse_family(p, "a word needs repeated parentheses around it, which are missing");
    if (!sc_family_add_part(p->family, words[i].kind, SC_FAMILY_FIXED, 1))
      return refuse_family(p, "the family is too long");
    return parse_times(p, p->family->part_count - 1, repeated, &given);
  }
  return refuse_family(p, "a string, i, down, sorted, reversed, collide31, collide33 or parentheses are expected");
}

static int parse_parts(parser *p, unsigned depth, unsigned repeated)
{
  do
    SC_TRY(parse_family_part(p, depth, repeated));
  while (take_family(p, '.'));
  return 0;
}

int sc_family_parse(const char *text, sc_family *family)
{
  parser p = {text, text, family};
  *family = (sc_family){0};
  SC_TRY(parse_parts(&p, 0, 0));
  skip_blanks(&p);
  return *p.at ? refuse_family(&p, "a dot, or the end, is expected") : 0;
}

static void print_string(const unsigned char *bytes, size_t size, sc_buf *out)
{
  sc_buf_puts(out, "\"");
  for (size_t i = 0; i < size; i++) {
    const char *found = bytes[i] ? strchr(escape_bytes, bytes[i]) : NULL;
    if (found)
      sc_buf_printf(out, "\\%c", escape_letters[found - escape_bytes]);
    else if (bytes[i] >= ' ' && bytes[i] < 0x7f)
      sc_buf_add(out, (const char *)&bytes[i], 1);
    else
      sc_buf_printf(out, "\\x%02x", bytes[i]);
  }
  sc_buf_puts(out, "\"");
}

static void print_times(const sc_family_part *part, sc_buf *out)
{
  static const char *const names[] = {[SC_FAMILY_N] = "n", [SC_FAMILY_I] = "i", [SC_FAMILY_I_DOWN] = "down"};
  if (part->times != SC_FAMILY_FIXED)
    sc_buf_printf(out, " * %s", names[part->times]);
  else if (part->fixed != 1 || part->kind == SC_FAMILY_OPEN)
    sc_buf_printf(out, " * %u", (unsigned)part->fixed);
}

void sc_family_print(const sc_family *family, sc_buf *out)
{
  unsigned open[SC_FAMILY_DEPTH], depth = 0;
  for (unsigned i = 0; i < family->part_count; i++) {
    const sc_family_part *part = &family->parts[i];
    if (i > 0 && part->kind != SC_FAMILY_CLOSE && family->parts[i - 1].kind != SC_FAMILY_OPEN)
      sc_buf_puts(out, " . ");
    if (part->kind == SC_FAMILY_OPEN) {
      sc_buf_puts(out, "(");
      open[depth++] = i;
      continue;
    }
    if (part->kind == SC_FAMILY_CLOSE) {
      sc_buf_puts(out, ")");
      part = &family->parts[open[--depth]];
    } else if (part->kind == SC_FAMILY_STRING)
      print_string(family->text + part->start, part->bytes, out);
    for (unsigned k = 0; k < WORDS && part->kind > SC_FAMILY_CLOSE; k++)
      if (words[k].kind == part->kind)
        sc_buf_puts(out, words[k].word);
    print_times(part, out);
  }
}
