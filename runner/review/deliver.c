/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a list of notices to the format that was asked for, in the file that was asked for. */
#include <math.h>
#include <string.h>

#include "runner/page/page.h"
#include "runner/review/review.h"
#include "runner/review/verdict.h"
#include "runner/text/outfile.h"
#include "runner/text/tuning.h"
#include "runner/workload/amount.h"

static const char ACCEPT[] = ".scale-accept";

sc_notices_print_fn sc_notices_printer(const char *format)
{
  static const struct {
    const char *format;
    sc_notices_print_fn print;
  } printers[] = {
      {"text", sc_notices_print_text},
      {"lines", sc_notices_print_lines},
      {"json", sc_notices_print_json},
      {"markdown", sc_notices_print_markdown},
      {"sarif", sc_notices_print_sarif},
      {"junit", sc_notices_print_junit},
      {"github", sc_notices_print_github},
      {"gitlab", sc_notices_print_gitlab},
      {"openmetrics", sc_notices_print_openmetrics},
  };
  for (size_t i = 0; i < sizeof printers / sizeof *printers; i++)
    if (strcmp(format ? format : "text", printers[i].format) == 0)
      return printers[i].print;
  return NULL;
}

int sc_notices_accept_default(sc_notices *notices, const sc_options *options)
{
  return sc_notices_accept(notices, options->accept ? options->accept : ACCEPT, options->accept != NULL);
}

/* --sources */
static int source_bytes(const char *text, size_t *limit)
{
  double bytes = SC_SOURCE_BYTES;
  *limit = 0;
  if (text && strcmp(text, "0") == 0)
    return 0;
  if (text)
    SC_TRY(sc_amount_parse(text, SC_AMOUNT_BYTES, &bytes));
  *limit = (size_t)fmin(bytes, SC_SOURCE_BYTES_MOST);
  return 0;
}

int sc_notices_page(const sc_options *options, sc_page **page)
{
  size_t limit;
  *page = NULL;
  SC_TRY(source_bytes(options->sources, &limit));
  return sc_page_new(limit, page);
}

/* A page shows the studies themselves. */
static int print_page(const sc_options *options, FILE *out, const sc_notices *notices)
{
  sc_page *page;
  int err = sc_notices_page(options, &page) ?: sc_page_add(page, notices) ?: sc_page_write(out, page);
  sc_page_free(page);
  return err;
}

int sc_notices_deliver(const sc_options *options, const char *fail_on, sc_notices *notices, sc_page *page)
{
  sc_outfile output;
  sc_notices_print_fn print = sc_notices_printer(options->json ? "json" : options->format);
  if (!print && sc_notices_of_search(notices))
    return sc_err_hint(sc_err_set(SC_E_USAGE, "--format html shows a study, and a search for inputs has none"),
                       "write markdown; or run what is kept (-o FOLDER) as a workload, and show that study");
  SC_TRY(sc_notices_accept_default(notices, options));
  if (options->changed)
    SC_TRY(sc_notices_place(notices, options->changed));
  if (page) {
    SC_TRY(sc_page_add(page, notices));
    return sc_notices_status(notices, fail_on);
  }
  SC_TRY(sc_outfile_open(options->out, &output));
  /* only "html" has no printer of notices */
  int err = print ? print(output.stream, notices) : print_page(options, output.stream, notices);
  SC_TRY(sc_outfile_close(&output, err));
  return sc_notices_status(notices, fail_on);
}
