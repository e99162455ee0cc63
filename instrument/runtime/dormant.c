/* SPDX-License-Identifier: MIT */
#include "dormant.h"
#include "bytes.h"
#include "os.h"
#include "records.h"

/* A dormant process numbers its functions from 1: two levels of a table hold a node for each. */
enum { SC_DORMANT_PAGES = 2048, SC_DORMANT_PAGE = 1024 };

struct sc_dormant {
  struct sc_dormant_page {
    struct scale_node *nodes[SC_DORMANT_PAGE];
  } * pages[SC_DORMANT_PAGES];
};

/* What *at points to, made of fresh memory if need be; NULL without memory. A signal handler may come first. */
static void *dormant_made(void **at, size_t bytes)
{
  void *made = SC_LOAD(*at), *before = NULL;

  if (made)
    return made;
  made = sc_os_map(NULL, sc_round_up(bytes, 4096), -1, 0);
  if (!made || SC_SWAP(*at, &before, made))
    return made;
  sc_os_unmap(made, sc_round_up(bytes, 4096));
  return before;
}

/* Where the arena's node of the function with this index is kept; NULL: nowhere. */
static struct scale_node **dormant_place(struct sc_arena *arena, uint32_t index)
{
  uint32_t number = index & ~SC_RECORDS_LOST;
  struct sc_dormant *table;
  struct sc_dormant_page *page;

  if (number / SC_DORMANT_PAGE >= SC_DORMANT_PAGES)
    return NULL;
  table = dormant_made((void **)&arena->dormant, sizeof(*table));
  page = table ? dormant_made((void **)&table->pages[number / SC_DORMANT_PAGE], sizeof(*page)) : NULL;
  return page ? &page->nodes[number % SC_DORMANT_PAGE] : NULL;
}

struct scale_node *__scale_dormant_node(struct sc_process *p, struct sc_arena *arena, const struct scale_function *fn)
{
  uint32_t index = SC_LOAD(fn->index);
  struct scale_node **place = dormant_place(arena, index), *before = NULL;
  struct sc_block block;

  if (!place || SC_LOAD(*place))
    return place ? SC_LOAD(*place) : NULL;
  block = __scale_arena_block(p, arena, fn->node_bytes, 0);
  if (!block.node)
    return NULL;
  block.node->function = index;
  block.node->creator = sc_function_unit(fn)->module;
  __scale_arena_publish(block);
  return SC_SWAP(*place, &before, block.node) ? block.node : before;
}
