/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "profiles/scprof/internal.h"

/* Writes the tables of a function as those of a unit that has no other: what instrument/pass/unit.cpp does, for tests
 * of the reader. */
struct unit_writer {
  struct {
    unsigned char *bytes;
    uint32_t count;
  } column[SCALE_COLUMNS];
  struct scale_unit head;
  const char *strings;
  struct scale_loc rows[256];
};

/* A function's tables as its own record would have them. */
struct unit_tables {
  struct scale_sites sites;
  const struct scale_site_slot *slots;
  const struct scale_site_event *events;
  const struct scale_loc *locs;
  const uint32_t *refs;
  const char *strings;
};

static inline void unit_byte(struct unit_writer *w, enum scale_column column, unsigned byte)
{
  w->column[column].bytes = realloc(w->column[column].bytes, w->column[column].count + 1);
  w->column[column].bytes[w->column[column].count++] = (unsigned char)byte;
}

static inline void unit_number(struct unit_writer *w, enum scale_column column, uint32_t number)
{
  for (; number >= 0x80; number >>= 7)
    unit_byte(w, column, (number & 0x7f) | 0x80);
  unit_byte(w, column, number);
}

static inline void unit_difference(struct unit_writer *w, enum scale_column column, uint32_t to, uint32_t from)
{
  uint32_t d = to - from;
  unit_number(w, column, d >> 31 ? ~(d << 1) : d << 1);
}

/* The number of the string at that offset. */
static inline uint32_t unit_string(const struct unit_writer *w, uint32_t offset)
{
  uint32_t number = 1;
  if (offset == SCALE_NO_STRING)
    return 0;
  for (uint32_t at = 0; at < offset; at++)
    number += w->strings[at] == '\0';
  return number;
}

static inline void unit_strings(struct unit_writer *w, const struct unit_tables *t)
{
  const char *before = "";
  for (uint32_t at = 0; at < t->sites.string_bytes; at += (uint32_t)strlen(t->strings + at) + 1) {
    const char *text = t->strings + at;
    uint32_t shared = 0;
    while (shared < SCALE_SHARED_MOST && text[shared] && text[shared] == before[shared])
      shared++;
    unit_number(w, SCALE_COLUMN_SHARED, shared);
    for (size_t i = shared; i <= strlen(text); i++)
      unit_byte(w, SCALE_COLUMN_TEXT, (unsigned char)text[i]);
    before = text;
    w->head.string_count++;
  }
  w->head.string_bytes = t->sites.string_bytes;
}

static inline void unit_row(struct unit_writer *w, const struct scale_loc *row)
{
  for (uint32_t i = 0; i < w->head.row_count; i++)
    if (!memcmp(&w->rows[i], row, sizeof *row)) {
      unit_number(w, SCALE_COLUMN_LOC_ROW, i + 1);
      return;
    }
  uint32_t before = w->head.row_count ? unit_string(w, w->rows[w->head.row_count - 1].name) : 0;
  unit_number(w, SCALE_COLUMN_LOC_ROW, 0);
  unit_number(w, SCALE_COLUMN_ROW_KIND, row->kind | (uint32_t)row->flags << 2);
  unit_difference(w, SCALE_COLUMN_ROW_NAME, unit_string(w, row->name), before);
  unit_number(w, SCALE_COLUMN_ROW_FILE, unit_string(w, row->file));
  unit_number(w, SCALE_COLUMN_ROW_LINE, row->line);
  unit_number(w, SCALE_COLUMN_ROW_COLUMN, row->column);
  unit_number(w, SCALE_COLUMN_ROW_NTH, row->nth);
  unit_number(w, SCALE_COLUMN_ROW_ORDINAL, row->ordinal);
  w->rows[w->head.row_count++] = *row;
}

static inline void unit_loc(struct unit_writer *w, const struct unit_tables *t, uint32_t i)
{
  const struct scale_loc *loc = &t->locs[i];
  bool loop = loc->kind == SCALE_LOC_LOOP, work = loc->kind == SCALE_LOC_WORK;
  struct scale_loc row = {.kind = loc->kind,
                          .flags = loc->flags & (SCALE_LOC_LOCAL | SCALE_LOC_SYSTEM),
                          .name = loc->name,
                          .file = loc->file,
                          .line = work ? 0 : loc->line,
                          .column = loop ? loc->column : 0,
                          .nth = loop || work ? loc->nth : 0,
                          .ordinal = loop ? loc->ordinal : 0};
  unit_row(w, &row);
  unit_number(w, SCALE_COLUMN_LOC_UP, i - loc->parent);
  unit_number(w, SCALE_COLUMN_LOC_FLAGS, (loc->flags & (SCALE_LOC_REMOVED | SCALE_LOC_RECURSIVE)) / 2u);
  unit_number(w, SCALE_COLUMN_LOC_REFS, loc->ref_count);
  if (!i || loop)
    return;
  unit_difference(w, SCALE_COLUMN_CALL_LINE, work ? loc->line : loc->nth, t->locs[loc->parent].line);
  unit_number(w, SCALE_COLUMN_CALL_COLUMN, work ? loc->column : loc->ordinal);
}

static inline void unit_slot(struct unit_writer *w, const struct scale_site_slot *slot)
{
  unit_number(w, SCALE_COLUMN_SLOT_FLAGS, slot->flags);
  unit_number(w, SCALE_COLUMN_SLOT_LOC, slot->loc);
  unit_number(w, SCALE_COLUMN_SLOT_CALLEE, unit_string(w, slot->callee));
  unit_number(w, SCALE_COLUMN_SLOT_FILE, unit_string(w, slot->file));
  unit_number(w, SCALE_COLUMN_SLOT_CALLEE_LINE, slot->callee_line);
  unit_number(w, SCALE_COLUMN_SLOT_LINE, slot->line);
  unit_number(w, SCALE_COLUMN_SLOT_COLUMN, slot->column);
}

static inline void unit_event(struct unit_writer *w, const struct scale_site_event *event)
{
  unit_number(w, SCALE_COLUMN_EVENT_CLASS, event->resource_class);
  unit_number(w, SCALE_COLUMN_EVENT_FLAGS, event->flags);
  unit_number(w, SCALE_COLUMN_EVENT_EVENT, event->event);
  unit_number(w, SCALE_COLUMN_EVENT_LOC, event->loc);
  unit_number(w, SCALE_COLUMN_EVENT_VIA, unit_string(w, event->via));
  unit_number(w, SCALE_COLUMN_EVENT_NAME, unit_string(w, event->name));
  unit_number(w, SCALE_COLUMN_EVENT_FILE, unit_string(w, event->file));
  unit_number(w, SCALE_COLUMN_EVENT_DECLARED, event->declared);
  unit_number(w, SCALE_COLUMN_EVENT_LINE, event->line);
  unit_number(w, SCALE_COLUMN_EVENT_COLUMN, event->column);
  unit_number(w, SCALE_COLUMN_EVENT_CAPACITY, event->capacity);
}

static inline void unit_function(struct unit_writer *w, const struct unit_tables *t)
{
  uint32_t before = 0;
  unit_number(w, SCALE_COLUMN_LOCS, t->sites.loc_count);
  unit_number(w, SCALE_COLUMN_SLOTS, t->sites.slot_count);
  unit_number(w, SCALE_COLUMN_EVENTS, t->sites.event_count);
  for (uint32_t i = 0; i < t->sites.loc_count; i++)
    unit_loc(w, t, i);
  for (uint32_t i = 0; i < t->sites.ref_count; i++) {
    unit_difference(w, SCALE_COLUMN_REF, t->refs[i] / 8, before);
    before = t->refs[i] / 8;
  }
  for (uint32_t i = 0; i < t->sites.slot_count; i++)
    unit_slot(w, &t->slots[i]);
  for (uint32_t i = 0; i < t->sites.event_count; i++)
    unit_event(w, &t->events[i]);
  w->head.function_count = 1;
  w->head.loc_count = t->sites.loc_count;
  w->head.ref_count = t->sites.ref_count;
  w->head.slot_count = t->sites.slot_count;
  w->head.event_count = t->sites.event_count;
}

/* The payload of the unit's record, to be freed. */
static inline unsigned char *unit_payload(const struct unit_tables *t, bool pack, size_t *bytes)
{
  struct unit_writer *w = calloc(1, sizeof *w);
  w->strings = t->strings;
  unit_strings(w, t);
  unit_function(w, t);
  w->head.unpacked_bytes = SCALE_COLUMNS * sizeof(uint32_t);
  for (int i = 0; i < SCALE_COLUMNS; i++)
    w->head.unpacked_bytes += w->column[i].count;
  unsigned char *columns = malloc(w->head.unpacked_bytes), *to = columns + SCALE_COLUMNS * sizeof(uint32_t);
  uLongf packed = compressBound(w->head.unpacked_bytes);
  unsigned char *payload = calloc(1, sizeof w->head + packed + 8);
  for (int i = 0; i < SCALE_COLUMNS; i++) {
    memcpy(columns + (size_t)i * sizeof(uint32_t), &w->column[i].count, sizeof(uint32_t));
    if (w->column[i].count)
      memcpy(to, w->column[i].bytes, w->column[i].count);
    to += w->column[i].count;
    free(w->column[i].bytes);
  }
  if (!pack)
    memcpy(payload + sizeof w->head, columns, w->head.unpacked_bytes);
  else if (compress(payload + sizeof w->head, &packed, columns, w->head.unpacked_bytes) != Z_OK)
    abort();
  w->head.packed_bytes = pack ? (uint32_t)packed : 0;
  *bytes = sizeof w->head + (pack ? packed : w->head.unpacked_bytes);
  memcpy(payload, &w->head, sizeof w->head);
  free(columns);
  free(w);
  return payload;
}
