/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/sampler/scopes.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/search.h"

enum { DEEPEST = 250, NONE = UINT32_MAX };
#ifndef DW_AT_GNU_discriminator /* elfutils' header of 0.188 lacks it */
#define DW_AT_GNU_discriminator 0x2136
#endif

typedef struct range {
  uint64_t low, high;
  uint32_t of; /* range of a unit: the unit; of a function: its node */
} range;

typedef struct node {
  sc_sampler_scope scope;
  uint32_t first_child, next;
  uint32_t first_range, range_count;
} node;

typedef struct unit {
  Dwarf_Die die;
  bool indexed, c_language;
  node *nodes;
  size_t node_count, node_room;
  range *ranges; /* of the nodes */
  size_t range_count, range_room;
  range *functions; /* of the out-of-line functions, by address */
  size_t function_count, function_room;
} unit;

struct sc_sampler_scopes {
  unit *units;
  size_t unit_count, unit_room;
  range *ranges; /* of the units, by address */
  size_t range_count, range_room;
};

static int by_address(const void *left, const void *right)
{
  const range *a = left, *b = right;
  return a->low < b->low ? -1 : a->low > b->low;
}

/* The range that holds the address among disjoint ones in order, or NULL. */
static const range *search_ranges(const range *ranges, size_t count, uint64_t address)
{
  size_t low = sc_search_up_to(ranges, count, sizeof *ranges, offsetof(range, low), address);
  return low > 0 && address < ranges[low - 1].high ? &ranges[low - 1] : NULL;
}

static int add_ranges(Dwarf_Die *die, uint32_t of, range **ranges, size_t *count, size_t *room)
{
  Dwarf_Addr base, low, high;
  ptrdiff_t offset = 0;
  while ((offset = dwarf_ranges(die, offset, &base, &low, &high)) > 0) {
    if (high <= low)
      continue;
    SC_TRY(sc_mem_grow(ranges, room, *count + 1, sizeof **ranges));
    (*ranges)[(*count)++] = (range){low, high, of};
  }
  return 0;
}

static bool is_c(Dwarf_Die *unit_die)
{
  switch (dwarf_srclang(unit_die)) {
  case DW_LANG_C89:
  case DW_LANG_C:
  case DW_LANG_C99:
  case DW_LANG_C11:
  case 0x2c: /* C17, which elfutils' header of 0.188 lacks */
    return true;
  default:
    return false;
  }
}

int sc_sampler_scopes_new(Dwarf *dwarf, sc_sampler_scopes **result)
{
  int err = 0;
  Dwarf_CU *cursor = NULL;
  Dwarf_Die die, sub;
  uint8_t type;
  sc_sampler_scopes *self;
  SC_TRY(SC_NEW(self, 1));
  while (dwarf_get_units(dwarf, cursor, &cursor, NULL, &type, &die, &sub) == 0) {
    if (type != DW_UT_compile && type != DW_UT_skeleton)
      continue;
    SC_GOTO(sc_mem_grow(&self->units, &self->unit_room, self->unit_count + 1, sizeof *self->units));
    /* With split debug information the skeleton has the addresses and lines, the other file the functions. */
    self->units[self->unit_count] = (unit){.die = die, .c_language = is_c(sub.addr ? &sub : &die)};
    SC_GOTO(add_ranges(&die, (uint32_t)self->unit_count++, &self->ranges, &self->range_count, &self->range_room));
  }
  if (self->range_count)
    qsort(self->ranges, self->range_count, sizeof *self->ranges, by_address);
  *result = self;
  return 0;
out:
  sc_sampler_scopes_free(self);
  return err;
}

void sc_sampler_scopes_free(sc_sampler_scopes *self)
{
  if (!self)
    return;
  for (size_t i = 0; i < self->unit_count; i++) {
    free(self->units[i].nodes);
    free(self->units[i].ranges);
    free(self->units[i].functions);
  }
  free(self->units);
  free(self->ranges);
  free(self);
}

static uint32_t number_of(Dwarf_Die *die, unsigned attribute)
{
  Dwarf_Attribute attr;
  Dwarf_Word value;
  if (!dwarf_attr(die, attribute, &attr) || dwarf_formudata(&attr, &value) != 0 || value > UINT32_MAX)
    return 0;
  return (uint32_t)value;
}

static const char *file_of(unit *in, uint32_t number)
{
  Dwarf_Files *files;
  size_t count;
  if (dwarf_getsrcfiles(&in->die, &files, &count) != 0 || number >= count)
    return NULL;
  return dwarf_filesrc(files, number, NULL, NULL);
}

static sc_sampler_scope describe_scope(unit *in, Dwarf_Die *die)
{
  Dwarf_Attribute attr;
  sc_sampler_scope scope = {.inlined = dwarf_tag(die) == DW_TAG_inlined_subroutine};
  if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attr) || dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attr))
    scope.name = dwarf_formstring(&attr);
  scope.linkage = scope.name != NULL;
  if (!scope.name && dwarf_attr_integrate(die, DW_AT_name, &attr)) {
    scope.name = dwarf_formstring(&attr);
    scope.linkage = in->c_language;
  }
  if (scope.inlined) {
    scope.call_ordinal = number_of(die, DW_AT_GNU_discriminator);
    scope.call_line = number_of(die, DW_AT_call_line);
    scope.call_file = file_of(in, number_of(die, DW_AT_call_file));
  }
  return scope;
}

/* Adds the functions and inlined calls below a DIE; lexical blocks and namespaces are looked through. */
static int walk_die(unit *in, Dwarf_Die *parent_die, uint32_t parent, unsigned depth)
{
  Dwarf_Die die;
  if (depth > DEEPEST || dwarf_child(parent_die, &die) != 0)
    return 0;
  do {
    int tag = dwarf_tag(&die);
    if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine) {
      if (tag == DW_TAG_lexical_block || tag == DW_TAG_namespace || tag == DW_TAG_class_type ||
          tag == DW_TAG_structure_type)
        SC_TRY(walk_die(in, &die, parent, depth + 1));
      continue;
    }
    uint32_t number = (uint32_t)in->node_count, first = (uint32_t)in->range_count;
    SC_TRY(add_ranges(&die, number, &in->ranges, &in->range_count, &in->range_room));
    if (in->range_count == first)
      continue;
    SC_TRY(sc_mem_grow(&in->nodes, &in->node_room, in->node_count + 1, sizeof *in->nodes));
    in->nodes[in->node_count++] = (node){.scope = describe_scope(in, &die),
                                         .first_child = NONE,
                                         .next = NONE,
                                         .first_range = first,
                                         .range_count = (uint32_t)in->range_count - first};
    if (tag == DW_TAG_subprogram) {
      SC_TRY(add_ranges(&die, number, &in->functions, &in->function_count, &in->function_room));
    } else if (parent != NONE) {
      in->nodes[number].next = in->nodes[parent].first_child;
      in->nodes[parent].first_child = number;
    }
    SC_TRY(walk_die(in, &die, number, depth + 1));
  } while (dwarf_siblingof(&die, &die) == 0);
  return 0;
}

static int index_unit(unit *in)
{
  Dwarf_Die root = in->die, sub;
  uint8_t type;
  if (in->indexed)
    return 0;
  in->indexed = true;
  if (dwarf_cu_info(in->die.cu, NULL, &type, NULL, &sub, NULL, NULL, NULL) == 0 && type == DW_UT_skeleton && sub.addr)
    root = sub;
  SC_TRY(walk_die(in, &root, NONE, 0));
  if (in->function_count)
    qsort(in->functions, in->function_count, sizeof *in->functions, by_address);
  return 0;
}

static bool holds_address(const unit *in, const node *at, uint64_t address)
{
  for (uint32_t i = 0; i < at->range_count; i++)
    if (address >= in->ranges[at->first_range + i].low && address < in->ranges[at->first_range + i].high)
      return true;
  return false;
}

/* The row of an address; instructions that belong to no line take the row before them in the same scope (if known). */
static void find_row(unit *in, const node *scope, uint64_t address, sc_sampler_place *place)
{
  for (unsigned tries = 0; tries < 16; tries++) {
    Dwarf_Line *row = dwarf_getsrc_die(&in->die, address);
    int line;
    unsigned discriminator;
    Dwarf_Addr start;
    if (!row || dwarf_lineno(row, &line) != 0 || dwarf_lineaddr(row, &start) != 0)
      return;
    if (line > 0) {
      place->row = start;
      place->line = (uint32_t)line;
      place->file = dwarf_linesrc(row, NULL, NULL);
      place->ordinal = dwarf_linediscriminator(row, &discriminator) == 0 ? discriminator : 0;
      return;
    }
    address = start - 1;
    if (scope && !holds_address(in, scope, address))
      return;
  }
}

int sc_sampler_scopes_find(sc_sampler_scopes *self, uint64_t address, sc_sampler_place *place)
{
  place->count = 0;
  place->ordinal = 0;
  place->row = 0;
  place->line = 0;
  place->file = NULL;
  const range *found = search_ranges(self->ranges, self->range_count, address);
  if (!found)
    return 0;
  unit *in = &self->units[found->of];
  SC_TRY(index_unit(in));
  const range *function = search_ranges(in->functions, in->function_count, address);
  uint32_t innermost = NONE;
  for (uint32_t at = function ? function->of : NONE; at != NONE && place->count < DEEPEST;) {
    innermost = at;
    place->scopes[place->count++] = &in->nodes[at].scope;
    for (at = in->nodes[at].first_child; at != NONE && !holds_address(in, &in->nodes[at], address);)
      at = in->nodes[at].next;
  }
  find_row(in, innermost == NONE ? NULL : &in->nodes[innermost], address, place);
  return 0;
}
