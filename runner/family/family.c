/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/family/family.h"

#include <string.h>

static unsigned open_depth(const sc_family *family)
{
  unsigned depth = 0;
  for (unsigned i = 0; i < family->part_count; i++)
    depth += (unsigned)(family->parts[i].kind == SC_FAMILY_OPEN) - (unsigned)(family->parts[i].kind == SC_FAMILY_CLOSE);
  return depth;
}

bool sc_family_add_part(sc_family *family, enum sc_family_kind kind, enum sc_family_times times, uint32_t fixed)
{
  if (family->part_count == SC_FAMILY_PARTS || (kind == SC_FAMILY_OPEN && open_depth(family) == SC_FAMILY_DEPTH))
    return false;
  family->parts[family->part_count++] =
      (sc_family_part){.kind = (uint8_t)kind, .times = (uint8_t)times, .fixed = times == SC_FAMILY_FIXED ? fixed : 0};
  return true;
}

bool sc_family_add(sc_family *family, const void *bytes, size_t size, enum sc_family_times times, uint32_t fixed)
{
  if (size == 0 || size > SC_FAMILY_TEXT - family->text_bytes ||
      !sc_family_add_part(family, SC_FAMILY_STRING, times, fixed))
    return false;
  sc_family_part *part = &family->parts[family->part_count - 1];
  part->start = (uint16_t)family->text_bytes;
  part->bytes = (uint16_t)size;
  memcpy(family->text + part->start, bytes, size);
  family->text_bytes += (unsigned)size;
  return true;
}

bool sc_family_is_fixed(const sc_family *family)
{
  for (unsigned i = 0; i < family->part_count; i++)
    if (family->parts[i].times == SC_FAMILY_N)
      return false;
  return true;
}

unsigned sc_family_next(const sc_family *family, unsigned part)
{
  unsigned depth = 0;
  do {
    depth += family->parts[part].kind == SC_FAMILY_OPEN;
    depth -= family->parts[part].kind == SC_FAMILY_CLOSE;
    part++;
  } while (depth);
  return part;
}

/* What needs parentheses around it. */
static bool is_inner(const sc_family_part *part)
{
  return part->kind > SC_FAMILY_CLOSE || part->times == SC_FAMILY_I || part->times == SC_FAMILY_I_DOWN;
}

/* Copies the parts without one of them, and without words outside of parentheses and parentheses around nothing. */
static void copy_without(const sc_family *from, unsigned without, sc_family *to)
{
  unsigned depth = 0;
  for (unsigned i = 0; i < from->part_count;) {
    const sc_family_part *part = &from->parts[i];
    if (i == without || (depth == 0 && is_inner(part)) ||
        (part->kind == SC_FAMILY_OPEN && from->parts[i + 1].kind == SC_FAMILY_CLOSE)) {
      i = sc_family_next(from, i);
      continue;
    }
    depth += part->kind == SC_FAMILY_OPEN;
    depth -= part->kind == SC_FAMILY_CLOSE;
    if (part->kind == SC_FAMILY_STRING)
      (void)sc_family_add(to, from->text + part->start, part->bytes, part->times, part->fixed);
    else
      (void)sc_family_add_part(to, part->kind, part->times, part->fixed);
    i++;
  }
}

void sc_family_remove(sc_family *family, unsigned part)
{
  sc_family less = {0}, clean;
  copy_without(family, part, &less);
  do { /* parentheses that are empty now, and those around them */
    clean = (sc_family){0};
    copy_without(&less, SC_FAMILY_PARTS, &clean);
    bool same = clean.part_count == less.part_count;
    less = clean;
    if (same)
      break;
  } while (true);
  *family = less;
}
