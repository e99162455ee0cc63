/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scale_bench.h"

enum { LEAF_SHARE = 3, NAME_BYTES = 64 };

uint64_t sc_program_mix(uint64_t a, uint64_t b)
{
  uint64_t key = (a + UINT64_C(0x9e3779b97f4a7c15)) ^ (b * UINT64_C(0xbf58476d1ce4e5b9));
  key = (key ^ key >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  key = (key ^ key >> 27) * UINT64_C(0x94d049bb133111eb);
  return key ^ key >> 31;
}

/* Half of it is C++, whose names are to be demangled. */
static void name_function(uint32_t function, char name[NAME_BYTES])
{
  static const char *const words[] = {"parse", "insert", "lookup", "render", "visit", "flush", "merge", "decode"};
  const char *word = words[function % 8];
  if (function % 2)
    snprintf(name, NAME_BYTES, "%s_%u", word, function);
  else
    snprintf(name, NAME_BYTES, "_ZN5store6table_%zu%s%04uEiPKc", strlen(word) + 4, word, function);
}

static bool calls_already(const struct sc_program_function *f, uint32_t callee)
{
  for (uint32_t s = 0; s < f->slot_count; s++)
    for (uint32_t c = 0; c < f->slots[s].callee_count; c++)
      if (f->slots[s].callees[c] == callee)
        return true;
  return false;
}

/* Function 0 is main, 1 the function of the second thread: nobody calls them. */
static uint32_t choose_callee(const struct sc_program_function *f, uint32_t self, uint64_t seed, bool leaf)
{
  for (;; seed++) {
    uint32_t callee = 2 + (uint32_t)(sc_program_mix(seed, self) % (SC_PROGRAM_FUNCTIONS - 2));
    if (callee != self && (callee % LEAF_SHARE == 0) == leaf && !calls_already(f, callee))
      return callee;
  }
}

static void choose_locs(struct sc_program_function *f, uint64_t seed)
{
  f->loops = f->leaf ? 0 : (uint32_t)(seed % 8 * (seed % 8) / 20); /* 0 to 2, mostly none */
  f->helper = (seed >> 16 & 3) == 0 ? 1 + f->loops : 0;
  f->loc_count = 1 + f->loops + (f->helper != 0);
  for (uint32_t i = 1; i <= f->loops; i++)
    f->parents[i] = seed >> (8 + i) & 1 ? i - 1 : 0;
  f->parents[f->helper] = f->loops && seed >> 17 & 1 ? 1 : 0;
  f->parents[0] = 0;
}

static void choose_slots(struct sc_program_function *f, uint32_t self)
{
  uint32_t wanted = f->leaf ? 0 : 3 + (uint32_t)(sc_program_mix(self, 77) % 4);
  while (f->slot_count < wanted) {
    uint64_t seed = sc_program_mix(self, 100 + f->slot_count);
    bool leaf = f->slot_count % 4 == 1, open = !leaf && seed >> 8 & 1;
    uint32_t callees = open ? 1 + (uint32_t)(seed >> 16) % SC_PROGRAM_CALLEES : 1;
    f->last = leaf ? f->last : f->slot_count;
    struct sc_program_slot *slot = &f->slots[f->slot_count++];
    *slot = (struct sc_program_slot){.open = open, .foreign = open && (seed >> 9 & 7) == 0};
    slot->loc = (uint32_t)(seed % (f->loops + 1));
    while (slot->callee_count < callees) {
      uint32_t callee = choose_callee(f, self, sc_program_mix(seed, slot->callee_count), leaf);
      slot->callees[slot->callee_count++] = callee;
    }
  }
}

bool sc_program_by_entries(const struct sc_program_function *f, uint32_t loc)
{
  return loc == 0 || (loc == f->helper && f->parents[loc] == 0);
}

static void write_function(struct builder *records, const struct sc_program_function *f, uint32_t self)
{
  char name[NAME_BYTES], helper[NAME_BYTES], file[NAME_BYTES], library[SC_PROGRAM_SLOTS][NAME_BYTES];
  char callees[SC_PROGRAM_SLOTS][NAME_BYTES];
  struct builder_loc locs[SC_PROGRAM_LOCS] = {0};
  struct builder_slot slots[SC_PROGRAM_SLOTS] = {0};
  int counter = 0;
  name_function(self, name);
  snprintf(helper, sizeof helper, "_ZN5store5array4atEm%u", self % 40);
  snprintf(file, sizeof file, "/src/store/part%u.cc", self / 20);
  for (uint32_t i = 0; i < f->loc_count; i++) {
    bool inlined = i && i == f->helper;
    locs[i] = (struct builder_loc){.parent = f->parents[i],
                                   .kind = i && !inlined ? SCALE_LOC_LOOP : SCALE_LOC_FUNCTION,
                                   .line = 10 * self + i,
                                   .column = i ? 3 : 0,
                                   .flags = i || f->leaf ? 0 : SCALE_LOC_RECURSIVE,
                                   .name = i == 0 && self < 2 ? (self ? "worker" : "main")
                                           : inlined          ? helper
                                                              : name,
                                   .file = file};
    locs[i].counters[0] = sc_program_by_entries(f, i) ? BUILDER_ENTRIES : ++counter;
  }
  for (uint32_t s = 0; s < f->slot_count; s++) {
    const struct sc_program_slot *slot = &f->slots[s];
    name_function(slot->callees[0], callees[s]);
    snprintf(library[s], sizeof library[s], "qsort_%u", s);
    slots[s] = (struct builder_slot){.kind = slot->open ? SCALE_SLOT_OPEN : SCALE_SLOT_DIRECT,
                                     .loc = slot->loc,
                                     .callee = slot->foreign ? library[s]
                                               : slot->open  ? NULL
                                                             : callees[s]};
  }
  builder_function(records, locs, f->loc_count, slots, f->slot_count, (uint32_t)counter);
}

void sc_program_make(struct builder *records, struct sc_program_function *functions)
{
  for (uint32_t i = 0; i < SC_PROGRAM_FUNCTIONS; i++) {
    struct sc_program_function *f = &functions[i];
    *f = (struct sc_program_function){.leaf = i > 1 && i % LEAF_SHARE == 0};
    choose_locs(f, sc_program_mix(i, 1));
    choose_slots(f, i);
    write_function(records, f, i);
  }
}
