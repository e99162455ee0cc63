/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sys/mman.h>

#include "scale_bench.h"

enum { CHUNK_FIRST = 64 << 10, CHUNK_MOST = 16 << 20, LEAST_BUDGET = 6, CONTEXT_BYTES = 256, PATH_PARTS = 2000 };

struct tree {
  unsigned char *data; /* the file, mapped */
  uint64_t size, capacity;
  struct scale_chunk *chunk;
  uint32_t arenas;
  struct builder *records;
  const struct sc_program_function *functions;
  struct scale_node *on_path[SC_PROGRAM_FUNCTIONS]; /* the node of a function above the one at hand */
  uint64_t nodes, contexts;
  double counts; /* sum over all contexts; whole and below 2^53 */
  unsigned run;
  double sizes[4]; /* how counts grow: 1, n, n log n, n^2 */
};

/* The slot a call goes through. */
struct place {
  struct scale_slot *slot; /* or the beginning of an entry */
  uint64_t block;          /* address of the block that owns it */
};

/* Where the process had it: the file as it is, in one piece. */
static uint64_t address_of(const struct tree *tree, const void *at)
{
  return BUILDER_BASE + (uint64_t)((const unsigned char *)at - tree->data);
}

static void begin_chunk(struct tree *tree, uint64_t bytes, uint32_t flags)
{
  if (tree->size + bytes > tree->capacity)
    abort();
  tree->chunk = (void *)(tree->data + tree->size);
  *tree->chunk = (struct scale_chunk){.magic = SCALE_CHUNK_MAGIC,
                                      .type = SCALE_CHUNK_ARENA,
                                      .flags = (uint16_t)flags,
                                      .bytes = bytes,
                                      .address = address_of(tree, tree->chunk),
                                      .arena = tree->arenas - 1,
                                      .bitmap_bytes = (uint32_t)(bytes / SCALE_BLOCK_ALIGN / 8)};
  tree->chunk->used = sizeof *tree->chunk + tree->chunk->bitmap_bytes;
  tree->chunk->crc = (uint32_t)crc32(0, (const Bytef *)tree->chunk, offsetof(struct scale_chunk, crc));
  tree->size += bytes;
}

static struct scale_node *add_block(struct tree *tree, uint64_t bytes, uint64_t parent, uint64_t creator)
{
  bytes = (bytes + SCALE_BLOCK_ALIGN - 1) / SCALE_BLOCK_ALIGN * SCALE_BLOCK_ALIGN;
  if (tree->chunk->used + bytes > tree->chunk->bytes)
    begin_chunk(tree, tree->chunk->bytes < CHUNK_MOST ? tree->chunk->bytes * 2 : CHUNK_MOST, 0);
  struct scale_chunk *chunk = tree->chunk;
  uint64_t bit = chunk->used / SCALE_BLOCK_ALIGN;
  struct scale_node *block = (void *)((unsigned char *)chunk + chunk->used);
  ((unsigned char *)(chunk + 1))[bit / 8] |= (unsigned char)(1 << bit % 8);
  chunk->used += bytes;
  *block = (struct scale_node){.parent = parent, .creator = creator, .bytes = (uint32_t)bytes};
  return block;
}

static uint64_t count_of(const struct tree *tree, uint64_t seed)
{
  return 1 + seed % 5 + (uint64_t)(tree->sizes[seed >> 8 & 3] * (double)(1 + (seed >> 16) % 50));
}

/* A count for a function, and for the helper in it that is counted by the function's entries. */
static uint64_t count_function(struct tree *tree, uint32_t function, uint64_t seed)
{
  const struct sc_program_function *f = &tree->functions[function];
  uint64_t count = count_of(tree, seed);
  tree->counts += (double)count * (f->helper && sc_program_by_entries(f, f->helper) ? 2 : 1);
  return count;
}

/* Contexts that few runs reach: each run reaches some that the one before did not. */
static bool absent(const struct tree *tree, uint64_t seed)
{
  return (seed >> 24) % PATH_PARTS + 10 >= PATH_PARTS + tree->run;
}

/* The entry of an open slot for another callee than those it has. */
static struct place add_entry(struct tree *tree, struct scale_entry *head, uint64_t block, struct scale_entry **last,
                              uint32_t key)
{
  struct scale_entry *entry = head;
  uint64_t owner = block;
  if (*last) {
    struct scale_node *fresh = add_block(tree, sizeof *fresh + sizeof *entry, block, address_of(tree, head));
    entry = (struct scale_entry *)(fresh + 1);
    owner = address_of(tree, fresh);
    (*last)->next = owner + sizeof *fresh;
  }
  *last = entry;
  entry->key = key;
  return (struct place){(struct scale_slot *)entry, owner};
}

/* A call of a function that needs no node. Returns what it took of the budget. */
static uint64_t call_leaf(struct tree *tree, struct scale_slot *slot, uint32_t function, uint64_t seed, bool *made)
{
  uint64_t contexts = tree->functions[function].helper ? 2 : 1;
  *made = !absent(tree, seed);
  if (*made) {
    slot->count = count_function(tree, function, seed);
    tree->contexts += contexts;
  }
  return contexts;
}

/* A call back to a function above: the node it leads to is there, and so are its contexts. */
static void call_above(struct tree *tree, struct scale_slot *slot, uint32_t function, uint64_t seed)
{
  struct scale_node *node = tree->on_path[function];
  slot->child = address_of(tree, node);
  slot->count = count_function(tree, function, seed);
  node->stack_high = UINT64_C(0x7ffd00000000);
  node->stack_step = 96;
  node->stack_low = node->stack_high - 96 * (1 + tree->run);
}

static uint64_t grow(struct tree *tree, const struct place *place, uint32_t function, uint64_t budget, uint64_t seed);

/* All calls of one site. Returns what they took of the budget `left`. */
static uint64_t call(struct tree *tree, struct scale_node *node, uint64_t address, const struct sc_program_slot *slot,
                     uint32_t offset, uint64_t left, uint64_t seed, bool last, bool *made)
{
  void *at = (unsigned char *)node + offset;
  struct scale_entry *entries = NULL;
  uint64_t used = 0;
  for (uint32_t c = 0; c < slot->callee_count; c++) {
    uint64_t key = sc_program_mix(seed, c), rest = left > used ? left - used : 0;
    uint32_t callee = slot->callees[c];
    uint64_t share = last && c + 1 == slot->callee_count ? rest : rest * (10 + key % 80) / 100;
    if (tree->functions[callee].leaf) {
      used += rest && key % 8 ? call_leaf(tree, at, callee, key, made) : 0;
      continue;
    }
    if (share < LEAST_BUDGET)
      continue;
    struct place place = {at, address};
    if (slot->open)
      place = add_entry(tree, at, address, &entries, tree->records->functions[callee].ref);
    if (tree->on_path[callee]) {
      call_above(tree, place.slot, callee, key);
      continue;
    }
    used += grow(tree, &place, callee, share, key);
    tree->contexts += slot->foreign && !*made;
    *made = true;
  }
  return used;
}

/* Counts what stands in the function itself; `reached` are the locs that have a context so far. */
static void count_locs(struct tree *tree, struct scale_node *node, uint32_t function, uint64_t seed, bool *reached)
{
  const struct sc_program_function *f = &tree->functions[function];
  unsigned char *counter = (unsigned char *)node + tree->records->functions[function].counters;
  for (uint32_t i = 0; i < f->loc_count; i++) {
    uint64_t own = sc_program_mix(seed, 50 + i), count = own % 8 ? count_of(tree, own) : 0;
    bool by_entries = sc_program_by_entries(f, i);
    reached[i] = by_entries || count;
    if (by_entries)
      continue;
    memcpy(counter, &count, sizeof count);
    counter += sizeof count;
    tree->counts += (double)count;
  }
}

/* A node for the function behind `place`, and the tree below it. Returns how many contexts it is. */
static uint64_t grow(struct tree *tree, const struct place *place, uint32_t function, uint64_t budget, uint64_t seed)
{
  const struct sc_program_function *f = &tree->functions[function];
  const struct builder_function *layout = &tree->records->functions[function];
  bool reached[SC_PROGRAM_LOCS];
  struct scale_node *node = add_block(tree, layout->node_bytes, place->block, address_of(tree, place->slot));
  uint64_t address = address_of(tree, node), used = f->loc_count;
  node->function = layout->ref;
  place->slot->child = address;
  place->slot->count = count_function(tree, function, seed);
  tree->on_path[function] = node;
  tree->nodes++;
  count_locs(tree, node, function, seed, reached);
  for (uint32_t s = 0; s < f->slot_count; s++) {
    bool made = false;
    used += call(tree, node, address, &f->slots[s], layout->slots[s], budget > used ? budget - used : 0,
                 sc_program_mix(seed, 1000 + s), s == f->last, &made);
    reached[f->slots[s].loc] |= made;
  }
  for (uint32_t i = f->loc_count; i-- > 0;)
    if (reached[i]) {
      reached[f->parents[i]] = true;
      tree->contexts++;
    }
  tree->on_path[function] = NULL;
  return used;
}

/* A thread: an arena with its own root, from which it enters its first function. Returns how many contexts that is,
 * if no run had any of its own. */
static uint64_t add_thread(struct tree *tree, uint32_t function, uint64_t budget)
{
  tree->arenas++;
  begin_chunk(tree, CHUNK_FIRST, SCALE_CHUNK_FIRST);
  struct scale_node *root = add_block(tree, sizeof *root + 2 * sizeof(struct scale_entry), 0, 0);
  struct scale_entry *entry = (struct scale_entry *)(root + 1);
  entry->key = tree->records->functions[function].ref;
  struct place place = {(struct scale_slot *)entry, address_of(tree, root)};
  return grow(tree, &place, function, budget, sc_program_mix(function, 12345));
}

static void fail(const char *what, const char *path)
{
  fprintf(stderr, "%s %s: %s\n", what, path, strerror(errno));
  exit(1);
}

static void map_file(struct tree *tree, const char *path)
{
  int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0 || ftruncate(fd, (off_t)tree->capacity) < 0)
    fail("cannot make", path);
  tree->data = mmap(NULL, tree->capacity, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (tree->data == MAP_FAILED)
    fail("cannot map", path);
  close(fd);
}

/* Header and records in front, now that it is known what the header says. */
static void finish_file(struct tree *tree, const char *path)
{
  struct builder *records = tree->records;
  struct scale_header *header = builder_at(records, 0);
  uint64_t front = records->size;
  header->nodes = tree->nodes;
  header->threads = header->arenas = tree->arenas;
  records->size = tree->size;
  builder_seal(records);
  memcpy(tree->data, records->data, front);
  /* on the disk before anything is measured */
  if (msync(tree->data, tree->size, MS_SYNC) < 0 || munmap(tree->data, tree->capacity) < 0 ||
      truncate(path, (off_t)tree->size) < 0)
    fail("cannot write", path);
}

uint64_t sc_generate_profile(const char *path, uint64_t contexts, unsigned run, double n, double *counts)
{
  static struct builder records;
  static struct sc_program_function functions[SC_PROGRAM_FUNCTIONS];
  struct tree tree = {.records = &records, .functions = functions, .run = run};
  const double sizes[] = {1, n, n * log2(n), n * n / 1000};
  memcpy(tree.sizes, sizes, sizeof sizes);
  builder_begin(&records, "/opt/store/bin/store", "store\0--all", sizeof "store\0--all");
  sc_program_make(&records, functions);
  tree.size = records.size;
  tree.capacity = (records.size + contexts * CONTEXT_BYTES + 4 * CHUNK_MOST) & ~UINT64_C(4095);
  map_file(&tree, path);
  uint64_t used = 2 + add_thread(&tree, 1, contexts * 15 / 100); /* root and process */
  add_thread(&tree, 0, contexts - used);
  finish_file(&tree, path);
  builder_free(&records);
  *counts = tree.counts;
  return tree.contexts + 2;
}
