/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/text/operand.h"

#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"

static bool all_printable(const char *text)
{
  const char *end = text + strlen(text);
  for (size_t bytes; text < end; text += bytes)
    if (!(bytes = sc_utf8_printable(text, (size_t)(end - text))))
      return false;
  return true;
}

static void quote_plainly(const char *text, sc_buf *out)
{
  sc_buf_puts(out, "'");
  for (; *text; text++)
    if (*text == '\'')
      sc_buf_puts(out, "'\\''");
    else
      sc_buf_add(out, text, 1);
  sc_buf_puts(out, "'");
}

static void quote_escaped(const char *text, sc_buf *out)
{
  sc_buf_puts(out, "$'");
  for (const char *end = text + strlen(text); text < end;) {
    size_t bytes = sc_utf8_printable(text, (size_t)(end - text));
    if (!bytes)
      sc_buf_printf(out, "\\x%02x", (unsigned char)*text);
    else if (*text == '\'' || *text == '\\')
      sc_buf_printf(out, "\\%c", *text);
    else
      sc_buf_add(out, text, bytes);
    text += bytes ? bytes : 1;
  }
  sc_buf_puts(out, "'");
}

void sc_operand_quote(const char *text, sc_buf *out)
{
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.,:=+@%/-";
  if (*text && text[strspn(text, plain)] == '\0')
    sc_buf_puts(out, text);
  else if (all_printable(text))
    quote_plainly(text, out);
  else
    quote_escaped(text, out);
}

void sc_operand_study(const char *study, sc_buf *out)
{
  if (strcmp(study, "scale.db") == 0)
    return;
  sc_buf_puts(out, " ");
  sc_operand_quote(study, out);
}

void sc_operand_print_study(const char *study, FILE *out)
{
  sc_buf text = {0};
  sc_operand_study(study, &text);
  if (sc_buf_finish(&text) == 0)
    fputs(text.text, out);
  sc_buf_free(&text);
}
