/* SPDX-License-Identifier: MIT */
#ifndef SCALE_RUNTIME_RECORDS_H
#define SCALE_RUNTIME_RECORDS_H
/*
 * Records: what the counters mean. A function's is copied to the file when it
 * is first entered, so that nothing is lost when its library is closed.
 */
#include "process.h"

/* Added to a running number when a record could not be written (or no file is wanted): still unique, and
   larger than any record reference. */
#define SC_RECORDS_LOST UINT32_C(0x80000000)

/* Copies a record that the pass made, which belongs to the module; its reference, or 0 if it could not be written. */
uint32_t __scale_records_copy(struct sc_process *p, const struct scale_record *source, uint32_t module);
/* Writes the INFO record: executable and command line. */
void __scale_records_info(struct sc_process *p);
/* The record an index refers to, or NULL (lost). */
const struct scale_record *__scale_records_find(const struct sc_process *p, uint32_t index);
/* Whether a function stands in a system's header, and all that was inlined into it, too. */
int __scale_records_system(const struct sc_process *p, uint32_t index);
/* What of a function's site table stands in its nodes, [slot_count] and [event_count]. */
static inline const struct scale_site_slot *sc_records_slots(const struct scale_sites *sites)
{
  return (const struct scale_site_slot *)(sites + 1);
}
static inline const struct scale_site_event *sc_records_events(const struct scale_sites *sites)
{
  return (const struct scale_site_event *)(sc_records_slots(sites) + sites->slot_count);
}
/* Writes a record: `head` and then `tail` are its payload. Its reference, or 0 if it could not be written. */
uint32_t __scale_records_write(struct sc_process *p, uint16_t type, const void *head, uint32_t head_bytes,
                               const void *tail, uint32_t tail_bytes);
#endif
