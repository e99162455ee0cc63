/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/page/page.h"

#include <stdlib.h>

#include "base/buf.h"
#include "runner/accept/notice.h"
#include "runner/page/parts.h"

/* What a study has in common at all combinations: its tree of contexts, and the texts. */
typedef struct common {
  sc_buf tree; /* members of an object */
  sc_page_strings strings;
  uint32_t contexts; /* 0: the study was not added yet */
} common;

struct sc_page {
  size_t source_bytes;
  size_t count; /* combinations */
  sc_buf title;
  sc_buf data;
  sc_page_json json;
  common head, base;
  sc_page_places *places; /* the head's source: where the base's was, the head's may be now */
  const char *study;
};

int sc_page_new(size_t source_bytes, sc_page **page)
{
  *page = NULL;
  SC_TRY(sc_page_check());
  SC_TRY(SC_NEW(*page, 1));
  sc_page *p = *page;
  p->source_bytes = source_bytes;
  p->json = (sc_page_json){.out = &p->data, .first = true};
  sc_page_open(&p->json, NULL, '{');
  sc_page_integer(&p->json, "schema_version", SC_PAGE_VERSION);
  sc_page_text(&p->json, "generator", "scale-run " SCALE_VERSION);
  sc_page_open(&p->json, "combinations", '[');
  return 0;
}

static void free_common(common *c)
{
  sc_buf_free(&c->tree);
  sc_page_strings_free(&c->strings);
}

void sc_page_free(sc_page *page)
{
  if (!page)
    return;
  free_common(&page->head);
  free_common(&page->base);
  sc_page_places_free(page->places);
  sc_buf_free(&page->title);
  sc_buf_free(&page->data);
  free(page);
}

/* The first time the tree is composed, too. */
static int add_study(sc_page *page, common *c, const char *key, const sc_judge *judge, const sc_notices *notices,
                     const sc_page_grid *grid)
{
  uint32_t contexts = sc_graph_context_count(judge->loaded.graph), empty;
  sc_page_study study = {.judge = judge, .notices = notices, .grid = grid, .strings = &c->strings};
  if (c->contexts && c->contexts != contexts)
    return sc_err_set(SC_E_DAMAGED, "%s was changed while it was read", judge->study);
  if (!c->contexts) {
    sc_page_json tree = {.out = &c->tree, .first = true};
    SC_TRY(sc_page_strings_add(&c->strings, "", &empty));
    SC_TRY(sc_page_tree_write(&study, &tree));
    SC_TRY(sc_buf_finish(&c->tree));
    c->contexts = contexts;
  }
  return sc_page_study_write(&study, key, &page->json);
}

static void write_further(const sc_judge *judge, sc_page_json *json)
{
  const sc_workload *workload = judge->loaded.workload;
  sc_page_open(json, "further", '{');
  for (size_t i = 0; i < workload->other_count; i++)
    sc_page_number(json, workload->others[i].name, sc_judge_other(judge, i), 17);
  sc_page_close(json, '}');
}

static int add_page_combination(sc_page *page, const sc_notices *notices, const sc_page_grid *grid)
{
  const sc_judge *judge = notices->judge, *base = notices->comparison ? notices->base : NULL;
  sc_page_json *json = &page->json;
  sc_page_open(json, NULL, '{');
  write_further(judge, json);
  sc_page_open(json, "grid", '[');
  for (size_t i = 0; i < grid->count; i++)
    sc_page_number(json, NULL, grid->sizes[i], 17);
  sc_page_close(json, ']');
  SC_TRY(add_study(page, &page->head, "head", judge, notices, grid));
  if (base) {
    SC_TRY(add_study(page, &page->base, "base", base, NULL, grid));
    SC_TRY(sc_page_changes_write(notices, json));
  }
  sc_page_close(json, '}');
  if (page->source_bytes)
    SC_TRY(sc_page_places_add(&page->places, judge));
  return sc_buf_finish(&page->data);
}

/* With several combinations the title names none. */
static int set_page_title(sc_page *page, const sc_judge *judge)
{
  sc_judge bare = *judge;
  if (page->count > 2)
    return 0;
  if (page->count == 2)
    bare.several = NULL;
  sc_buf_free(&page->title);
  sc_judge_title(&bare, &page->title);
  return sc_buf_finish(&page->title);
}

int sc_page_add(sc_page *page, const sc_notices *notices)
{
  sc_page_grid grid = {0};
  int err = sc_page_grid_make(notices->judge, notices->comparison ? notices->base : NULL, &grid);
  err = err ?: add_page_combination(page, notices, &grid);
  sc_page_grid_free(&grid);
  page->count++;
  page->study = notices->judge->study;
  return err < 0 ? err : set_page_title(page, notices->judge);
}

static int write_common(common *c, const char *key, sc_page *page)
{
  sc_page_json *json = &page->json;
  if (!c->contexts)
    return 0;
  sc_page_open(json, key, '{');
  sc_buf_add(json->out, c->tree.text, c->tree.length);
  json->first = false;
  SC_TRY(
      sc_page_places_write(c == &page->head ? page->places : NULL, page->study, page->source_bytes, &c->strings, json));
  sc_page_strings_write(&c->strings, json);
  sc_page_close(json, '}');
  return 0;
}

int sc_page_write(FILE *out, sc_page *page)
{
  sc_page_close(&page->json, ']');
  SC_TRY(write_common(&page->head, "head", page));
  SC_TRY(write_common(&page->base, "base", page));
  sc_page_close(&page->json, '}');
  SC_TRY(sc_buf_finish(&page->data));
  return sc_page_embed(out, page->title.text, &page->data);
}
