/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program whose functions are to be counted where they are entered: its symbols, its segments, its debug information.
 */
#include "fuzz.h"

#include <string.h>

#include "instrument/attach/inlined.h"

enum { NAMES = 12, LONGEST = 200 };

/* Some of the names that the file itself has: what a user asks for. */
typedef struct names {
  char list[NAMES][LONGEST];
  size_t count, met;
} names;

static int keep_name(void *user, const sc_object_symbol *symbol)
{
  names *n = user;
  must(symbol->name && *symbol->name && symbol->source && symbol->address);
  if (n->met++ % 3 == 0 && n->count < NAMES)
    snprintf(n->list[n->count++], LONGEST, "%s", symbol->name);
  return 0;
}

static void check(const sc_object *object, const sc_functions *functions)
{
  for (size_t i = 0; i < functions->count; i++) {
    const sc_function *f = &functions->list[i];
    must(strcmp(f->file, sc_object_path(object)) == 0 && *f->name && f->display && f->source);
    for (size_t e = 0; e < f->entry_count; e++) {
      uint64_t offset = 0;
      must(sc_object_offset(object, f->entries[e].address, &offset) && offset == f->entries[e].offset);
      for (size_t k = 0; k < e; k++)
        must(f->entries[k].address != f->entries[e].address);
    }
  }
}

static void try_names(const sc_object *object, const names *n)
{
  sc_functions functions = {0};
  for (size_t i = 0; i < n->count; i++) {
    char near[LONGEST] = "";
    unsigned distance = 100;
    must(sc_functions_find(object, n->list[i], &functions) == 0);
    size_t before = functions.count;
    must(sc_functions_find(object, n->list[i], &functions) == 0 && functions.count == before);
    (void)sc_inlined_count(object, n->list[i]);
    must(sc_functions_suggest(object, n->list[i] + 1, near, sizeof near, &distance) == 0);
    must((distance < 100) == (*near != '\0') && memchr(near, '\0', sizeof near));
  }
  check(object, &functions);
  must(sc_inlined_look(object, &functions) == 0);
  check(object, &functions);
  sc_functions_free(&functions);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  sc_object *object;
  names n = {.count = 0};
  if (sc_object_open(fuzz_file(data, size, 0), &object) < 0) {
    must(object == NULL);
    return 0;
  }
  must(sc_object_symbols(object, keep_name, &n) == 0);
  must(n.met == 0 || n.count > 0);
  (void)sc_object_has_symbols(object);
  try_names(object, &n);
  sc_object_close(object);
  return 0;
}
