/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>

#include "base/buf.h"
#include "profiles/graph/index.h"
#include "profiles/graph/resource_set.h"
#include "profiles/layout.inc"
#include "profiles/scprof/reader.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "raw profiles are little-endian and are read in place"
#endif

#define SC_NONE UINT32_MAX

/* A chunk whose header was found sound. Offsets are in the file. */
struct sc_chunk {
  uint64_t offset, bytes, address;
  uint64_t used; /* never more than bytes */
  uint32_t arena, bitmap_bytes;
  uint32_t base; /* of the references of its records */
  uint16_t type, flags;
};

/* Where in a unit's tables those of a function begin, and how many are its. */
struct sc_unit_function {
  uint32_t loc, ref, slot, event;
  uint32_t loc_count, ref_count, slot_count, event_count;
  uint32_t function; /* index + 1 in reader->functions; 0: no record of it was read; SC_NONE: a damaged one */
};

/* A UNIT record, unpacked. What it says of its functions is checked with their records. */
struct sc_unit {
  uint32_t ref; /* record reference */
  uint32_t function_count, string_bytes;
  struct sc_unit_function *functions;
  struct scale_loc *locs;
  struct scale_ref *refs;
  struct scale_site_slot *slots;
  struct scale_site_event *events;
  char *strings;
};

/* A MEMBER record, to be read when all units are. */
struct sc_member {
  uint64_t offset, bytes;     /* of the record; of what follows its header */
  uint32_t ref, module, unit; /* record references */
};

/* A FUNCTION or MEMBER record, checked: every number in its tables may be used without looking again. */
struct sc_function {
  uint32_t module; /* record reference of the module */
  struct scale_sites sites;
  const struct scale_loc *locs;
  const struct scale_site_slot *slots;
  const struct scale_ref *refs;
  const struct scale_site_event *events;
  const char *strings;
  uint32_t *callees;   /* [slot_count] index of the named callee's function, or SC_NONE; in reader->callees */
  bool entries_inside; /* a loc other than the function itself is counted by the function's entries */
};

/* A FUNCTION or MEMBER record, whose reference nodes have. A function may have several MEMBER records. */
struct sc_function_ref {
  uint32_t ref, function; /* record reference; index in reader->functions */
};

/* A node of the tree of one arena, reached from its root. A parent's index is smaller than its children's. */
struct sc_node {
  uint64_t offset;      /* of its block in the file */
  uint64_t address;     /* of its block in the process */
  uint64_t entries;     /* sum of the counts of all slots that lead here */
  uint32_t function;    /* index in reader->functions */
  uint32_t parent_edge; /* the tree edge to here */
  uint32_t first_edge, edge_count;
  bool truncated; /* a child of the truncated root: counted without its callers */
  bool live;      /* it or a node below it counted something */
};

/* A slot (or one entry of an open slot) that counted calls or leads to a node. */
struct sc_edge {
  uint64_t count;
  uint64_t offset; /* in the file */
  uint32_t owner;  /* node, or SC_NONE: an arena's root */
  uint32_t slot;   /* of the owner's site table; of a root: 0 = entered without caller, 1 = truncated */
  uint32_t target; /* node, or SC_NONE if none was needed or it is lost */
  uint32_t key;    /* index of the callee's function, or SC_NONE */
};

/* A tally reached from the cell of its site. Those of a node stand together, as do those of a cell; nodes ascend. */
struct sc_tally {
  uint64_t offset, address;
  uint32_t node, event; /* index in the site table of the node's function */
  uint32_t named;       /* a tally whose site has the name, or SC_NONE */
  uint32_t resource;    /* index in reader->resources */
  uint32_t first_holder, holder_count;
};

struct sc_holder {
  uint64_t offset, address; /* address: of the holder's tally in the process, or 0 */
  uint32_t tally;           /* the same here, or SC_NONE */
  uint64_t waits, ticks;
  uint64_t inside; /* ticks that the waiting thread itself held what the tally acquired */
};

struct sc_reader {
  char *path;
  const unsigned char *data;
  size_t size;
  struct scale_header header; /* a copy: the process may still be writing */
  uint64_t end;               /* of the chunks */
  struct sc_chunk *chunks;    /* in file order */
  size_t chunk_count, chunk_capacity;
  struct sc_chunk *arenas; /* the ARENA chunks, by address */
  size_t arena_count;
  struct sc_unit *units; /* by record reference */
  size_t unit_count, unit_capacity;
  struct scale_alias *aliases; /* by reference */
  size_t alias_count, alias_capacity;
  struct sc_member *members;
  size_t member_count, member_capacity;
  struct sc_function *functions;
  size_t function_count, function_capacity;
  struct sc_function_ref *refs;
  size_t ref_count, ref_capacity;
  sc_index by_ref; /* index in refs + 1 */
  uint32_t *callees;
  sc_module *modules;
  char **module_paths; /* owned */
  uint64_t *module_bases;
  size_t module_count, module_capacity, module_path_capacity, module_base_capacity;
  struct sc_node *nodes;
  size_t node_count, node_capacity;
  struct sc_edge *edges; /* those of the roots first, then by owner */
  size_t edge_count, edge_capacity;
  size_t root_edge_count;
  struct sc_tally *tallies;
  size_t tally_count, tally_capacity;
  sc_index by_address; /* number of a tally + 1 */
  struct sc_holder *holders;
  size_t holder_count, holder_capacity;
  sc_resource_set resources;          /* of the tallies */
  double most_out[SCALE_OUT_CLASSES]; /* units at a time, summed over arenas; < 0: not told */
  double tick_ns;                     /* nanoseconds a tick; 0: not known */
  char *exe, *command;
  uint32_t other_version; /* of a record, which no record should have; or 0 */
  uint64_t hole_bytes;    /* of chunks that were not begun before their owner died, are damaged or cut off */
  uint64_t lost_parts;    /* nodes outside the file, half-written records, nodes of lost records, damaged parts */
  char *damage;           /* what the first damaged part is, or NULL */
  sc_reader_info info;
};

/* Sets SC_E_DAMAGED, "PATH: WHAT at offset 0x...", with a hint. */
int sc_reader_damaged(const struct sc_reader *reader, uint64_t offset, const char *format, ...)
    SC_PRINTF(3, 4) SC_CHECK;
/* A damaged part is lost, not the profile: SC_E_DAMAGED is counted, its message kept if it is the first, and becomes
 * 0. Other results are returned as they are. */
int sc_reader_forgive(struct sc_reader *reader, int err) SC_CHECK;

/* The stages of sc_reader_open, in this order. */
int sc_map_open(struct sc_reader *reader) SC_CHECK; /* map.c: the file and its header */
void sc_map_close(struct sc_reader *reader);
int sc_chunks_scan(struct sc_reader *reader) SC_CHECK;     /* chunks.c */
int sc_records_scan(struct sc_reader *reader) SC_CHECK;    /* records.c */
int sc_callees_resolve(struct sc_reader *reader) SC_CHECK; /* callees.c */
int sc_tree_build(struct sc_reader *reader) SC_CHECK;      /* tree.c, and from it: */
int sc_tallies_scan(struct sc_reader *reader) SC_CHECK;    /* tallies.c: once all nodes are known */
int sc_names_resolve(struct sc_reader *reader) SC_CHECK;   /* names.c: of the tallies' resources */

/* sites.c: checks the `bytes` behind a FUNCTION record's header, which is at `offset`, and fills in `function`. */
int sc_sites_check(const struct sc_reader *reader, uint64_t offset, uint64_t bytes,
                   struct sc_function *function) SC_CHECK;
/* The same of a MEMBER record of that unit, into whose tables its places go. `*known` is the function's number there;
 * where that is not 0, the record says the same as one before, and nothing is filled in. */
int sc_sites_check_member(const struct sc_reader *reader, uint64_t offset, uint64_t bytes, struct sc_unit *unit,
                          struct sc_function *function, uint32_t **known) SC_CHECK;
/* units.c: unpacks the `bytes` behind a UNIT record's header, which is at `offset`; to be freed, but after an error. */
int sc_units_read(const struct sc_reader *reader, uint64_t offset, uint64_t bytes, struct sc_unit *unit) SC_CHECK;
void sc_units_free(struct sc_unit *unit);
/* Whether it has a place in the node: what the pass only names has none. */
bool sc_sites_has_cell(const struct scale_site_event *event);
/* A string of a site table; "" for SCALE_NO_STRING. */
const char *sc_sites_string(const struct sc_function *function, uint32_t string);
/* The location a loc, or a slot's named callee, stands for. Strings belong to the reader. */
sc_location sc_sites_location(const struct sc_function *function, uint32_t loc);
sc_location sc_sites_callee(const struct sc_function *function, uint32_t slot);
/* The count of a loc in the node at `node` (NULL: one that was never made, so that only its entries count), which was
 * entered `entries` times. */
uint64_t sc_sites_count(const struct sc_function *function, uint32_t loc, const unsigned char *node, uint64_t entries);

/* records.c: index of the function with this record reference, or SC_NONE. */
uint32_t sc_records_function(const struct sc_reader *reader, uint32_t ref);

/* A slot that leads to a node made through another slot. */
struct sc_link {
  uint64_t offset; /* of that node's block */
  uint64_t from;   /* of the slot */
  uint32_t edge;
};
/* links.c: checks them, which are recursion or truncation, and adds up every node's entries and life. */
int sc_links_resolve(struct sc_reader *reader, const struct sc_link *links, size_t count) SC_CHECK;

/* Set in a record reference: a running number instead, of a record that could not be written. */
#define SC_RECORDS_LOST UINT32_C(0x80000000)

/* blocks.c: addresses of the process that wrote the file. */
/* After a full disk, a crash or in want of any memory, nodes may be where no file is. */
bool sc_blocks_may_lose(const struct sc_reader *reader);
/* Finds the block that starts at an address. Returns 1 and its offset; 0 if the address is not in the file at all,
 * which is possible after a full disk, a crash or other damage; or an error that names `from`, the pointer's own
 * offset. */
int sc_blocks_find(const struct sc_reader *reader, uint64_t address, uint64_t from, uint64_t *offset) SC_CHECK;
/* The arena that an address lies in, or SC_NONE. */
uint32_t sc_blocks_arena(const struct sc_reader *reader, uint64_t address);
/* Whether a block starts at this place of a chunk. */
bool sc_blocks_starts(const struct sc_reader *reader, const struct sc_chunk *chunk, uint64_t at);

/* tallies.c: the tally at an address, or SC_NONE. */
uint32_t sc_tallies_find(const struct sc_reader *reader, uint64_t address);
/* Whether it counted an event. */
bool sc_tallies_counted(const struct scale_tally *tally);
const struct sc_function *sc_tallies_function(const struct sc_reader *reader, const struct sc_tally *tally);
const struct scale_site_event *sc_tallies_site(const struct sc_reader *reader, const struct sc_tally *tally);

/* clock.c: finds out how long a tick takes. */
void sc_clock_set(struct sc_reader *reader);
double sc_clock_monotonic(const struct sc_reader *reader, uint64_t ticks); /* CLOCK_MONOTONIC then, in nanoseconds */

/* A call that does something to a resource. */
struct sc_call {
  uint32_t context; /* SC_NONE: left out */
  uint32_t line, column;
};
/* expand_usage.c: adds the tallies to a run, with their calls [tally_count]. */
int sc_expand_usages(const struct sc_reader *reader, sc_graph *graph, size_t run, const struct sc_call *calls) SC_CHECK;
