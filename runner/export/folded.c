/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folded stacks, as flamegraph.pl, inferno and many others read them: "main;work;loop a.c:3:1 1000", a line a context.
 * They hold one metric. */
#include <inttypes.h>
#include <stdlib.h>

#include "runner/export/export.h"

static void write_name(FILE *stream, const char *name)
{
  for (; *name; name++)
    fputc(*name == ';' ? ':' : *name, stream);
}

static int write_folded_stack(FILE *stream, const sc_export *out, uint32_t node, uint32_t **path, size_t *capacity)
{
  size_t depth = 0;
  for (uint32_t i = node; i != SC_EXPORT_NONE; i = out->nodes[i].parent) {
    SC_TRY(sc_mem_grow(path, capacity, depth + 1, sizeof **path));
    (*path)[depth++] = out->nodes[i].frame;
  }
  while (depth-- > 0) {
    write_name(stream, out->frames[(*path)[depth]].name);
    fputc(depth ? ';' : ' ', stream);
  }
  return 0;
}

int sc_export_folded(FILE *stream, const sc_export *out)
{
  int err = SC_E_NOMEM;
  uint32_t *path = NULL;
  size_t capacity = 0;
  int64_t *wholes = sc_mem_new(out->count + 1, sizeof *wholes);
  if (!wholes)
    goto out;
  SC_GOTO(sc_export_whole(out, out->first, wholes));
  for (uint32_t i = 0; i < out->count; i++) {
    if (!wholes[i])
      continue;
    SC_GOTO(write_folded_stack(stream, out, i, &path, &capacity));
    fprintf(stream, "%" PRId64 "\n", wholes[i]);
  }
  err = 0;
out:
  free(wholes);
  free(path);
  return err;
}
