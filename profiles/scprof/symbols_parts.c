/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the programmer calls a part of a global variable: "table.locks[]", as the compiler pass names it where the code
 * shows it. From debug information; elements of an array have one name.
 */
#include <dwarf.h>
#include <string.h>

#include "profiles/scprof/symbols.h"

enum { DEEPEST = 64 };

/* Whether the variable lies at this address of the file. */
static bool lies_at(Dwarf_Die *die, uint64_t address)
{
  Dwarf_Attribute location, resolved;
  Dwarf_Op *steps;
  size_t count;
  Dwarf_Addr there;
  if (!dwarf_attr(die, DW_AT_location, &location) || dwarf_getlocation(&location, &steps, &count) != 0 || count != 1)
    return false;
  if (steps[0].atom == DW_OP_addr)
    return steps[0].number == address;
  return dwarf_getlocation_attr(&location, steps, &resolved) == 0 && dwarf_formaddr(&resolved, &there) == 0 &&
         there == address;
}

/* Among the variables of a unit or a namespace. */
static bool search_symbol_part(Dwarf_Die *scope, uint64_t address, int depth, Dwarf_Die *found)
{
  Dwarf_Die child;
  if (depth > DEEPEST || dwarf_child(scope, &child) != 0)
    return false;
  do {
    int tag = dwarf_tag(&child);
    if (tag == DW_TAG_variable && lies_at(&child, address)) {
      *found = child;
      return true;
    }
    if (tag == DW_TAG_namespace && search_symbol_part(&child, address, depth + 1, found))
      return true;
  } while (dwarf_siblingof(&child, &child) == 0);
  return false;
}

bool sc_symbols_variable(Dwarf *dwarf, uint64_t address, Dwarf_Die *found)
{
  Dwarf_Off unit = 0, next;
  size_t header;
  for (; dwarf_nextcu(dwarf, unit, &next, &header, NULL, NULL, NULL) == 0; unit = next) {
    Dwarf_Die die;
    if (dwarf_offdie(dwarf, unit + header, &die) && search_symbol_part(&die, address, 0, found))
      return true;
  }
  return false;
}

static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
  Dwarf_Attribute attribute;
  return dwarf_attr_integrate(die, DW_AT_type, &attribute) && dwarf_formref_die(&attribute, type);
}

static bool is_library(Dwarf_Die *type)
{
  const char *file = dwarf_decl_file(type);
  return file && strncmp(file, "/usr/", 5) == 0;
}

/* Through names and qualifiers of a type. False: its inside is nobody's business but the library's. */
static bool peel_symbol_part(Dwarf_Die *type)
{
  for (int i = 0; i < DEEPEST; i++) {
    int tag = dwarf_tag(type);
    if ((tag == DW_TAG_typedef || tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
         tag == DW_TAG_union_type) &&
        is_library(type))
      return false;
    if (tag != DW_TAG_typedef && tag != DW_TAG_const_type && tag != DW_TAG_volatile_type && tag != DW_TAG_atomic_type)
      return true;
    if (!type_of(type, type))
      return false;
  }
  return false;
}

static bool enter_array(Dwarf_Die *type, uint64_t *offset, sc_buf *name)
{
  Dwarf_Die dimension, element;
  Dwarf_Word size;
  if (!type_of(type, &element) || dwarf_aggregate_size(&element, &size) != 0 || !size)
    return false;
  if (dwarf_child(type, &dimension) == 0)
    do
      if (dwarf_tag(&dimension) == DW_TAG_subrange_type)
        sc_buf_puts(name, "[]");
    while (dwarf_siblingof(&dimension, &dimension) == 0);
  *offset %= size;
  *type = element;
  return true;
}

/* The member, or base class, that the offset lies in. */
static bool enter_structure(Dwarf_Die *type, uint64_t *offset, sc_buf *name)
{
  Dwarf_Die child;
  if (dwarf_child(type, &child) != 0)
    return false;
  do {
    Dwarf_Attribute attribute;
    Dwarf_Die inner;
    Dwarf_Word start = 0, size;
    int tag = dwarf_tag(&child);
    if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || dwarf_hasattr(&child, DW_AT_external) ||
        !type_of(&child, &inner))
      continue;
    if (dwarf_attr(&child, DW_AT_data_member_location, &attribute) && dwarf_formudata(&attribute, &start) != 0)
      continue;
    if (dwarf_aggregate_size(&inner, &size) != 0 || *offset < start || *offset - start >= size)
      continue;
    if (tag == DW_TAG_member && dwarf_diename(&child))
      sc_buf_printf(name, ".%s", dwarf_diename(&child));
    *offset -= start;
    *type = inner;
    return true;
  } while (dwarf_siblingof(&child, &child) == 0);
  return false;
}

bool sc_symbols_part(Dwarf_Die *variable, uint64_t offset, sc_buf *name)
{
  Dwarf_Die type;
  if (!type_of(variable, &type))
    return false;
  for (int i = 0; i < DEEPEST; i++) {
    bool known = peel_symbol_part(&type);
    int tag = dwarf_tag(&type);
    if (!known)
      return offset == 0;
    if (tag == DW_TAG_array_type) {
      if (!enter_array(&type, &offset, name))
        return false;
    } else if (tag == DW_TAG_structure_type || tag == DW_TAG_class_type) {
      if (!enter_structure(&type, &offset, name))
        return false;
    } else {
      return offset == 0;
    }
  }
  return false;
}
