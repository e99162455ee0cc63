/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON of the page's data, written as it comes: it may have a million numbers. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "runner/page/parts.h"

/* Characters that turn text around or that nobody sees act in a page as on a terminal: they are escaped for its
 * readers. */
static void add_page_json_string(sc_buf *out, const char *text)
{
  char shown[SC_UTF8_SHOWN];
  sc_buf_puts(out, "\"");
  for (const char *end = text + strlen(text); text < end;) {
    size_t left = (size_t)(end - text), length = sc_utf8_show_one(text, left, shown);
    unsigned char byte = (unsigned char)*text;
    if (!sc_utf8_length(text, left))
      sc_buf_puts(out, "\xef\xbf\xbd"); /* the replacement character */
    else if (byte == '"' || byte == '\\')
      sc_buf_printf(out, "\\%c", byte);
    else if (byte < 0x20)
      sc_buf_printf(out, "\\u%04x", byte);
    else {
      sc_buf_puts(out, *shown == '\\' ? "\\" : "");
      sc_buf_puts(out, shown);
    }
    text += length;
  }
  sc_buf_puts(out, "\"");
}

static void begin_member(sc_page_json *json, const char *key)
{
  if (!json->first)
    sc_buf_puts(json->out, ",");
  json->first = false;
  if (key) {
    add_page_json_string(json->out, key);
    sc_buf_puts(json->out, ":");
  }
}

void sc_page_open(sc_page_json *json, const char *key, char bracket)
{
  begin_member(json, key);
  sc_buf_add(json->out, &bracket, 1);
  json->first = true;
}

void sc_page_close(sc_page_json *json, char bracket)
{
  sc_buf_add(json->out, &bracket, 1);
  json->first = false;
}

void sc_page_number(sc_page_json *json, const char *key, double value, int digits)
{
  begin_member(json, key);
  if (!isfinite(value))
    sc_buf_puts(json->out, "null");
  else if (value == floor(value) && fabs(value) < 9007199254740992.0)
    sc_buf_printf(json->out, "%.0f", value == 0 ? 0 : value);
  else
    sc_buf_printf(json->out, "%.*g", digits, value);
}

void sc_page_integer(sc_page_json *json, const char *key, int64_t value)
{
  begin_member(json, key);
  sc_buf_printf(json->out, "%" PRId64, value);
}

void sc_page_bool(sc_page_json *json, const char *key, bool value)
{
  begin_member(json, key);
  sc_buf_puts(json->out, value ? "true" : "false");
}

void sc_page_text(sc_page_json *json, const char *key, const char *text)
{
  begin_member(json, key);
  if (text)
    add_page_json_string(json->out, text);
  else
    sc_buf_puts(json->out, "null");
}

void sc_page_interval(sc_page_json *json, const char *key, const sc_interval *interval)
{
  sc_page_open(json, key, '[');
  sc_page_number(json, NULL, interval->value, 7);
  sc_page_number(json, NULL, interval->low, 7);
  sc_page_number(json, NULL, interval->high, 7);
  sc_page_close(json, ']');
}
