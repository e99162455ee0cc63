/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/page/page.h"

#include "base/buf.h"
#include "runner/accept/notice.h"
#include "runner/page/parts.h"

static int compose(const sc_judge *judge, const sc_judge *base, const sc_comparison *comparison,
                   const sc_notices *notices, size_t source_bytes, sc_page_grid *grid, sc_buf *data)
{
  sc_page_json json = {.out = data, .first = true};
  SC_TRY(sc_page_grid_make(judge, base, grid));
  sc_page_open(&json, NULL, '{');
  sc_page_integer(&json, "schema_version", SC_PAGE_VERSION);
  sc_page_text(&json, "generator", "scale-run " SCALE_VERSION);
  sc_page_open(&json, "grid", '[');
  for (size_t i = 0; i < grid->count; i++)
    sc_page_number(&json, NULL, grid->sizes[i], 17);
  sc_page_close(&json, ']');
  SC_TRY(sc_page_study_write(judge, notices, grid, source_bytes, "head", &json));
  if (base && comparison) {
    /* where its source was, the head's may be now */
    SC_TRY(sc_page_study_write(base, NULL, grid, 0, "base", &json));
    SC_TRY(sc_page_changes_write(judge, base, comparison, notices, &json));
  }
  sc_page_close(&json, '}');
  return sc_buf_finish(data);
}

int sc_page_write(FILE *out, const sc_judge *judge, const sc_judge *base, const sc_comparison *comparison,
                  const sc_notices *notices, size_t source_bytes)
{
  sc_page_grid grid = {0};
  sc_buf data = {0}, title = {0};
  sc_judge_title(judge, &title);
  int err = sc_buf_finish(&title);
  if (err == 0 && sc_page_template_bytes)
    err = compose(judge, base, comparison, notices, source_bytes, &grid, &data);
  if (err == 0)
    err = sc_page_embed(out, title.text, &data);
  sc_buf_free(&title);
  sc_page_grid_free(&grid);
  sc_buf_free(&data);
  return err;
}
