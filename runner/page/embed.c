/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts the data into the page: compressed, in base64, so that one file has all. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "runner/page/parts.h"
#include "runner/text/tuning.h"

/* The template has each of these once. */
static const char TITLE_HERE[] = "%SCALE_TITLE%", DATA_HERE[] = "%SCALE_DATA%";

int sc_page_check(void)
{
  if (sc_page_template_bytes)
    return 0;
  (void)sc_err_set(SC_E_INPUT, "this scale-run was built without the page");
  return sc_err_hint(SC_E_INPUT, "build it where npm is (cmake -DSCALE_PAGE=ON), or use --format markdown");
}

static int compress_data(const sc_buf *data, unsigned char **packed, size_t *length)
{
  uLongf room = compressBound(data->length);
  int level = data->length > SC_PAGE_BEST ? Z_DEFAULT_COMPRESSION : Z_BEST_COMPRESSION;
  *packed = sc_mem_new(room, 1);
  if (!*packed || compress2(*packed, &room, (const Bytef *)data->text, data->length, level) != Z_OK)
    return sc_err_set(SC_E_NOMEM, "out of memory");
  *length = room;
  return 0;
}

static void write_base64(FILE *out, const unsigned char *bytes, size_t length)
{
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < length; i += 3) {
    size_t left = length - i;
    unsigned three =
        (unsigned)bytes[i] << 16 | (left > 1 ? (unsigned)bytes[i + 1] << 8 : 0) | (left > 2 ? bytes[i + 2] : 0);
    fputc(digits[three >> 18], out);
    fputc(digits[three >> 12 & 63], out);
    fputc(left > 1 ? digits[three >> 6 & 63] : '=', out);
    fputc(left > 2 ? digits[three & 63] : '=', out);
  }
}

/* Titles come from workload files. */
static void write_escaped(FILE *out, const sc_buf *title)
{
  for (const char *text = title->text; *text; text++)
    switch (*text) {
    case '<':
      fputs("&lt;", out);
      break;
    case '>':
      fputs("&gt;", out);
      break;
    case '&':
      fputs("&amp;", out);
      break;
    default:
      fputc(*text, out);
    }
}

int sc_page_embed(FILE *out, const char *title, const sc_buf *data)
{
  const char *text = (const char *)sc_page_template, *end = text + sc_page_template_bytes;
  const char *title_here = memmem(text, sc_page_template_bytes, TITLE_HERE, strlen(TITLE_HERE));
  const char *data_here = memmem(text, sc_page_template_bytes, DATA_HERE, strlen(DATA_HERE));
  if (!title_here || !data_here || data_here < title_here)
    return sc_err_set(SC_E_DAMAGED, "the page in this scale-run has no place for its data");
  unsigned char *packed = NULL;
  size_t length = 0;
  sc_buf shown = {0};
  int err;
  sc_utf8_show(title, &shown);
  SC_GOTO(sc_buf_finish(&shown));
  err = compress_data(data, &packed, &length);
  if (err == 0) {
    fwrite(text, 1, (size_t)(title_here - text), out);
    write_escaped(out, &shown);
    text = title_here + strlen(TITLE_HERE);
    fwrite(text, 1, (size_t)(data_here - text), out);
    write_base64(out, packed, length);
    text = data_here + strlen(DATA_HERE);
    fwrite(text, 1, (size_t)(end - text), out);
  }
out:
  free(packed);
  sc_buf_free(&shown);
  return err;
}
