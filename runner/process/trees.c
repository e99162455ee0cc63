/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/process/trees.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/process/seen.h"

struct sc_tree {
  uint32_t pid;
  uint64_t start, last; /* of its clock, in nanoseconds */
  char *exe, *module;   /* the program; the first module that counted here, the program itself if it did */
};

static const char *first_module(const sc_reader *reader, const char *exe)
{
  size_t count = sc_reader_module_count(reader);
  for (size_t i = 0; i < count; i++)
    if (!strcmp(sc_reader_module(reader, i)->path, exe))
      return exe;
  return count ? sc_reader_module(reader, 0)->path : exe;
}

int sc_trees_add(sc_trees *trees, const sc_reader *reader)
{
  const sc_reader_info *info = sc_reader_get_info(reader);
  SC_TRY(sc_mem_grow(&trees->items, &trees->capacity, trees->count + 1, sizeof *trees->items));
  struct sc_tree *tree = &trees->items[trees->count];
  *tree = (struct sc_tree){.pid = info->pid, .start = info->clock_start, .last = info->clock_last};
  tree->exe = sc_mem_copy_string(info->exe);
  tree->module = sc_mem_copy_string(first_module(reader, info->exe));
  trees->count++;
  return tree->exe && tree->module ? 0 : SC_E_NOMEM;
}

/* A program that replaces itself by exec has several profiles, too, but one after the other. */
static bool is_same_process(const struct sc_tree *a, const struct sc_tree *b)
{
  return a->pid == b->pid && a->start < b->last && b->start < a->last && !strcmp(a->exe, b->exe);
}

static int compare_trees(const void *left, const void *right)
{
  const struct sc_tree *a = left, *b = right;
  return a->pid != b->pid ? (a->pid > b->pid) - (a->pid < b->pid) : (a->start > b->start) - (a->start < b->start);
}

void sc_trees_tell(const sc_trees *trees, sc_buf *seen)
{
  if (trees->count)
    qsort(trees->items, trees->count, sizeof *trees->items, compare_trees);
  for (size_t i = 0; i < trees->count; i++) {
    const struct sc_tree *tree = &trees->items[i];
    bool beside =
        (i > 0 && is_same_process(tree, tree - 1)) || (i + 1 < trees->count && is_same_process(tree, tree + 1));
    if (beside && strcmp(tree->module, tree->exe))
      sc_seen_add(seen, "separate tree", tree->exe, tree->module, 0);
  }
}

void sc_trees_free(sc_trees *trees)
{
  for (size_t i = 0; i < trees->count; i++) {
    free(trees->items[i].exe);
    free(trees->items[i].module);
  }
  free(trees->items);
}
