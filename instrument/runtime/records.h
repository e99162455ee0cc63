/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Records: what the counters mean. A function's is copied to the file when it
 * is first entered, so that nothing is lost when its library is closed.
 */
#include "state.h"

/* Added to a running number when a record could not be written (or no file is wanted): still unique, and
   larger than any record reference. */
#define SC_RECORDS_LOST UINT32_C(0x80000000)

/* Writes a record with that header, whose `bytes` is a multiple of 8 and enough for the payload; its reference, or 0 if
   it could not be written. */
uint32_t __scale_records_put(struct sc_process *p, const struct scale_record *like, const void *payload,
                             uint32_t bytes);
/* Writes the INFO record: executable and command line. */
void __scale_records_info(struct sc_process *p);
/* In a child of fork: has the file tell what the reference means that an ancestor gave, by a copy of its record. */
void __scale_records_need(struct sc_process *p, uint32_t index);
/* In a child of fork, which has no records in its file yet: those of its parent's are an ancestor's from now on. 0:
   they are too many, or there is no memory. */
int __scale_records_inherit(struct sc_process *p);
/* The record an index refers to, or NULL (lost). */
const struct scale_record *__scale_records_find(const struct sc_process *p, uint32_t index);
/* Whether a function stands in a system's header, and all that was inlined into it, too. */
int __scale_records_system(const struct sc_process *p, uint32_t index);
static inline uint32_t sc_records_member_bytes(const struct scale_member *member)
{
  return (uint32_t)(sizeof(*member) + ((uint64_t)member->slot_count + member->event_count) * sizeof(uint32_t));
}

/* Where in a function's nodes its slots and events are. */
struct sc_places {
  uint32_t slot_count, event_count;
  const uint32_t *places;              /* of a MEMBER; else NULL, and */
  const struct scale_site_slot *slots; /* of a FUNCTION */
  const struct scale_site_event *events;
};
/* Those of the function that an index refers to. Returns 0 if its record is lost. */
int __scale_records_places(const struct sc_process *p, uint32_t index, struct sc_places *places);
/* The offset of a slot, with SCALE_PLACE_OPEN if it is open. */
static inline uint32_t sc_places_slot(const struct sc_places *places, uint32_t i)
{
  return places->places ? places->places[i]
                        : places->slots[i].offset | (places->slots[i].kind == SCALE_SLOT_OPEN ? SCALE_PLACE_OPEN : 0);
}
static inline uint32_t sc_places_event(const struct sc_places *places, uint32_t i)
{
  return places->places ? places->places[places->slot_count + i] : places->events[i].offset;
}
/* Writes a record: `head` and then `tail` are its payload. Its reference, or 0 if it could not be written. */
uint32_t __scale_records_write(struct sc_process *p, uint16_t type, const void *head, uint32_t head_bytes,
                               const void *tail, uint32_t tail_bytes);
