/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "instrument/attach/values.h"

#include <dwarf.h>

typedef enum value_kind { KIND_NUMBER, KIND_FLOAT, KIND_WHOLE, KIND_NONE } value_kind;

static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
  Dwarf_Attribute attribute;
  return dwarf_attr_integrate(die, DW_AT_type, &attribute) && dwarf_formref_die(&attribute, type) &&
         dwarf_peel_type(type, type) == 0;
}

static value_kind classify_base(Dwarf_Die *type)
{
  Dwarf_Attribute attribute;
  Dwarf_Word encoding;
  if (!dwarf_attr(type, DW_AT_encoding, &attribute) || dwarf_formudata(&attribute, &encoding) != 0)
    return KIND_WHOLE;
  switch (encoding) {
  case DW_ATE_boolean:
  case DW_ATE_signed:
  case DW_ATE_signed_char:
  case DW_ATE_unsigned:
  case DW_ATE_unsigned_char:
  case DW_ATE_UTF:
    return KIND_NUMBER;
  case DW_ATE_float:
    return KIND_FLOAT;
  default:
    return KIND_WHOLE;
  }
}

static value_kind classify_type(Dwarf_Die *type, Dwarf_Word *bytes)
{
  value_kind kind;
  *bytes = 8;
  switch (dwarf_tag(type)) {
  case DW_TAG_pointer_type:
  case DW_TAG_reference_type:
  case DW_TAG_rvalue_reference_type:
    return KIND_NUMBER;
  case DW_TAG_unspecified_type: /* of nullptr */
    return KIND_NUMBER;
  case DW_TAG_base_type:
    kind = classify_base(type);
    break;
  case DW_TAG_enumeration_type:
    kind = KIND_NUMBER;
    break;
  default:
    kind = KIND_WHOLE;
  }
  if (dwarf_aggregate_size(type, bytes) != 0)
    *bytes = 0;
  if ((kind == KIND_NUMBER || kind == KIND_FLOAT) && (*bytes == 0 || *bytes > 8))
    return KIND_WHOLE;
  return kind;
}

/* Whether what a function returns is left where its caller says, which takes a register. */
static bool returns_in_memory(Dwarf_Die *type, Dwarf_Word bytes)
{
  Dwarf_Attribute attribute;
  Dwarf_Word convention;
  if (dwarf_attr(type, DW_AT_calling_convention, &attribute) && dwarf_formudata(&attribute, &convention) == 0 &&
      convention == DW_CC_pass_by_reference)
    return true;
  return bytes > 16;
}

void sc_values_read(Dwarf_Die *function, sc_values *values)
{
  Dwarf_Die type, child;
  Dwarf_Word bytes;
  unsigned next = 0; /* register; above SCALE_ARGUMENTS: nobody knows */
  *values = (sc_values){.known = true};
  if (type_of(function, &type)) {
    value_kind kind = classify_type(&type, &bytes);
    values->result_bytes = kind == KIND_NUMBER ? (uint8_t)bytes : 0;
#ifdef __x86_64__ /* elsewhere it has a register of its own */
    next = kind == KIND_WHOLE && returns_in_memory(&type, bytes);
#else
    (void)returns_in_memory;
#endif
  }
  if (dwarf_child(function, &child) != 0)
    return;
  do {
    if (dwarf_tag(&child) != DW_TAG_formal_parameter || values->count == SCALE_ARGUMENTS)
      continue;
    sc_value *value = &values->arguments[values->count++];
    value_kind kind = type_of(&child, &type) ? classify_type(&type, &bytes) : KIND_WHOLE;
    *value = (sc_value){SC_VALUES_UNKNOWN, 0};
    if (kind == KIND_NUMBER && next < SCALE_ARGUMENTS)
      *value = (sc_value){(uint8_t)next++, (uint8_t)bytes};
    else if (kind == KIND_WHOLE) /* in some registers, or on the stack */
      next = SCALE_ARGUMENTS;
  } while (dwarf_siblingof(&child, &child) == 0);
}
