/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the pass makes of a function, by hand: site tables, the thin wrapper
 * that takes its slot from thread-local storage, and the calls. Every test
 * function here has one loop counter and three open slots.
 */
#pragma once
#include "profiles/layout.inc"
#include <string.h>

extern _Thread_local void *__scale_slot;
__attribute__((preserve_most)) extern void *__scale_enter(void *slot, struct scale_function *fn);
__attribute__((preserve_most)) extern void *__scale_node(void *slot, struct scale_function *fn);
extern struct scale_module_ref SCALE_MODULE __attribute__((visibility("hidden")));

#define MIMIC_SLOTS 3
struct mimic_node {
  struct scale_node node;
  struct scale_entry slot[MIMIC_SLOTS];
  uint64_t loop;
  uint64_t pad;
};
struct mimic_record {
  struct scale_record record;
  struct scale_sites sites;
  struct scale_site_slot slot[MIMIC_SLOTS];
  struct scale_loc loc[2];
  struct scale_ref ref[2];
  char text[68]; /* so that the whole is a multiple of 8 */
};

/* zlib's CRC-32, bit by bit; at compile time the pass does this. */
static inline uint32_t mimic_crc(const void *from, size_t bytes)
{
  const unsigned char *in = from;
  uint32_t crc = ~0u;
  for (size_t i = 0; i < bytes; i++) {
    crc ^= in[i];
    for (int bit = 0; bit < 8; bit++)
      crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
  }
  return ~crc;
}

__attribute__((always_inline)) static inline uint64_t mimic_stack(void)
{
  uint64_t stack;
#if defined(__x86_64__)
  __asm__ volatile("movq %%rsp, %0" : "=r"(stack));
#else
  __asm__ volatile("mov %0, sp" : "=r"(stack));
#endif
  return stack;
}

#define MIMIC_SLOT(n)                                                                                           \
  {                                                                                                             \
    offsetof(struct mimic_node, slot[n]), SCALE_SLOT_OPEN, 0, 0, SCALE_NO_STRING, SCALE_NO_STRING, 0, 10 + n, 1 \
  }

/* Defines the record and the function's data; `name` must have fewer than 56 characters. */
#define MIMIC_FUNCTION(name)                                                                                         \
  static struct mimic_record name##_record = {                                                                       \
      {SCALE_RECORD_MAGIC, SCALE_RECORD_FUNCTION, SCALE_FORMAT_VERSION, sizeof(struct mimic_record), 0, 0, 0},       \
      {sizeof(struct mimic_node), 2, MIMIC_SLOTS, 2, 68, 0, 0},                                                      \
      {MIMIC_SLOT(0), MIMIC_SLOT(1), MIMIC_SLOT(2)},                                                                 \
      {{0, SCALE_LOC_FUNCTION, 0, 0, 56, 1, 0, 0, 0, 0, 1}, {0, SCALE_LOC_LOOP, 0, 0, 56, 2, 3, 0, 1, 1, 1}},        \
      {{0}, {offsetof(struct mimic_node, loop)}},                                                                    \
      #name};                                                                                                        \
  static _Alignas(16) char name##_spare[sizeof(struct scale_entry) + sizeof(struct mimic_node)];                     \
  static struct scale_unit_ref name##_unit = {SCALE_UNWRITTEN, 0, 0, (uint64_t)&SCALE_MODULE};                       \
  static struct scale_function name##_fn = {SCALE_UNWRITTEN, sizeof(struct mimic_node)};                             \
  __attribute__((constructor(102))) static void name##_setup(void)                                                   \
  {                                                                                                                  \
    name##_fn.sites = (uint64_t)&name##_record - (uint64_t)&name##_fn;                                               \
    name##_fn.unit = (uint64_t)&name##_unit - (uint64_t)&name##_fn;                                                  \
    name##_fn.spare = (uint64_t)name##_spare - (uint64_t)&name##_fn;                                                 \
    memcpy(name##_record.text + 56, "mimic.c", 8);                                                                   \
    name##_record.record.crc = mimic_crc(&name##_record.sites, sizeof(name##_record) - sizeof(struct scale_record)); \
  }

/* What a function in a call cycle does: keeps the deepest stack pointer. */
#define MIMIC_DEPTH()                 \
  do {                                \
    uint64_t stack = mimic_stack();   \
    if (stack < node->node.stack_low) \
      node->node.stack_low = stack;   \
  } while (0)

/* A wrapper's prologue: counts and leaves this function's node in `node`, the caller's slot in `from`. */
#define MIMIC_ENTER(name)                                                                            \
  void *from = __scale_slot;                                                                         \
  struct scale_entry *entry =                                                                        \
      ((struct scale_entry *)from)->key == name##_fn.index ? from : __scale_enter(from, &name##_fn); \
  entry->count++;                                                                                    \
  struct mimic_node *node =                                                                          \
      (struct mimic_node *)(entry->child ? (void *)entry->child : __scale_node(entry, &name##_fn));  \
  (void)from;                                                                                        \
  (void)node
#define MIMIC_LEAVE() __scale_slot = from
/* Before a call: what follows goes through slot `n`. */
#define MIMIC_CALL(n) __scale_slot = &node->slot[n]
