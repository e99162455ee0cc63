/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a find is: the site that names it, and the path of calls to it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "runner/fuzz/internal.h"

uint64_t sc_fuzz_site(sc_fuzz_searching *s, uint32_t context)
{
  sc_fuzz_known *known = &s->known[context];
  if (known->site)
    return known->site;
  struct sc_fuzz_place place;
  s->target->ops->place(s->target, context, &place);
  uint64_t hash = sc_hash_string(sc_hash_string(SC_HASH_START, place.function), place.file);
  hash = sc_hash_mix(hash ^ ((uint64_t)place.line << 8) ^ (uint64_t)place.kind);
  return known->site = hash ? hash : 1;
}

char *sc_fuzz_where(const struct sc_fuzz_place *place)
{
  sc_buf out = {0};
  char line[16] = ""; /* of merged calls nobody knows it */
  if (place->line)
    snprintf(line, sizeof line, ":%u", place->line);
  if (place->kind == SC_FUZZ_PLACE_LOOP)
    sc_buf_printf(&out, "loop %s%s in %s", place->file, line, place->function);
  else
    sc_buf_printf(&out, "%s%s at %s%s", place->kind == SC_FUZZ_PLACE_WORK ? "work of " : "", place->function,
                  place->file, line);
  return sc_buf_finish(&out) == 0 ? sc_buf_take(&out) : NULL;
}

static int add_find_step(const struct sc_fuzz_place *place, sc_fuzz_find *find)
{
  sc_fuzz_step *step = &find->steps[find->step_count++];
  *step = (sc_fuzz_step){.function = sc_mem_copy_string(place->function),
                         .file = sc_mem_copy_string(place->file),
                         .line = place->line,
                         .kind = place->kind};
  return step->function && step->file ? 0 : SC_E_NOMEM;
}

/* What is at find->context, and above it. */
static int take_steps(sc_fuzz_searching *s, sc_fuzz_find *find)
{
  enum { DEPTH = 64 };
  uint32_t steps[DEPTH];
  size_t count = 0;
  struct sc_fuzz_place place;
  for (uint32_t at = find->context; count < DEPTH; at = place.parent) {
    s->target->ops->place(s->target, at, &place);
    if (place.kind == SC_FUZZ_PLACE_OTHER)
      break;
    steps[count++] = at;
    if (place.parent == at)
      break;
  }
  SC_TRY(SC_NEW(find->steps, count ? count : 1));
  while (count--) {
    s->target->ops->place(s->target, steps[count], &place);
    SC_TRY(add_find_step(&place, find));
  }
  return 0;
}

int sc_fuzz_describe_steps(sc_fuzz_find *find)
{
  sc_buf out = {0};
  if (!find->step_count)
    return 0;
  const sc_fuzz_step *last = &find->steps[find->step_count - 1];
  const struct sc_fuzz_place place = {
      .function = last->function, .file = last->file, .line = last->line, .kind = last->kind};
  for (size_t i = 0; i < find->step_count; i++) {
    const sc_fuzz_step *step = &find->steps[i];
    sc_buf_puts(&out, i ? " > " : "");
    if (step->kind == SC_FUZZ_PLACE_LOOP)
      sc_buf_printf(&out, "loop:%u", step->line);
    else
      sc_buf_puts(&out, step->function);
  }
  SC_TRY(sc_buf_finish(&out));
  find->path = sc_buf_take(&out);
  find->where = sc_fuzz_where(&place);
  return find->where ? 0 : SC_E_NOMEM;
}

int sc_fuzz_describe(sc_fuzz_searching *s, sc_fuzz_find *find)
{
  if (find->context == 0)
    return 0;
  find->site = sc_fuzz_site(s, find->context);
  SC_TRY(take_steps(s, find));
  return sc_fuzz_describe_steps(find);
}

void sc_fuzz_find_free(sc_fuzz_find *find)
{
  free(find->where);
  free(find->path);
  for (size_t i = 0; i < find->step_count; i++) {
    free(find->steps[i].function);
    free(find->steps[i].file);
  }
  free(find->steps);
  for (size_t i = 0; i < find->also_count; i++)
    free(find->also[i]);
  *find = (sc_fuzz_find){0};
}

void sc_fuzz_finds_free(sc_fuzz_finds *finds)
{
  for (size_t i = 0; i < finds->count; i++)
    sc_fuzz_find_free(&finds->list[i]);
  free(finds->list);
  *finds = (sc_fuzz_finds){0};
}
