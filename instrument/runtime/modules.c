/* SPDX-License-Identifier: MIT */
#include "modules.h"
#include "bytes.h"
#include "file.h"
#include "os.h"
#include "records.h"
#include "steps.h"
#include "table.h"
#include "valgrind.h"
#include <elf.h>

/* In `reserved` of module_ref and unit_ref. */
enum {
  SC_MODULES_SEEN = 1,  /* its record had been written by an earlier incarnation */
  SC_MODULES_FAILED = 2 /* its record could not be written: don't try again for each function */
};

struct modules_scratch {
  struct scale_module module;
  uint64_t from, to;            /* of the mapping */
  char text[SC_PATH_MAX + 512]; /* path, then build id */
  char maps[2 * SC_PATH_MAX];
};

static const char *modules_hex(const char *at, const char *end, uint64_t *value)
{
  for (*value = 0; at < end; at++) {
    if (*at >= '0' && *at <= '9')
      *value = *value * 16 + (uint64_t)(*at - '0');
    else if (*at >= 'a' && *at <= 'f')
      *value = *value * 16 + (uint64_t)(*at - 'a' + 10);
    else
      break;
  }
  return at;
}

/* If the line of /proc/self/maps covers `address`, copies its path and returns 1. */
static int modules_line(struct modules_scratch *s, const char *at, const char *end, uint64_t address)
{
  at = modules_hex(at, end, &s->from);
  at = modules_hex(at + 1, end, &s->to);
  if (address < s->from || address >= s->to)
    return 0;
  while (at < end && *at != '/')
    at++;
  s->module.path_bytes = (uint32_t)(end - at);
  if (s->module.path_bytes > SC_PATH_MAX)
    s->module.path_bytes = SC_PATH_MAX;
  sc_copy(s->text, at, s->module.path_bytes);
  return 1;
}

/* Finds the mapping: 1 if there is one. dl_iterate_phdr would take the loader's lock, which the interrupted code may
   hold; the kernel knows too. */
static int modules_path(struct modules_scratch *s, uint64_t address)
{
  size_t have = 0;
  int found = 0;
  int fd = sc_os_open("/proc/self/maps", O_RDONLY, 0);

  while (fd >= 0 && !found) {
    size_t line = 0;
    long bytes = sc_os_read(fd, s->maps + have, sizeof(s->maps) - have);
    if (bytes <= 0)
      break;
    have += (size_t)bytes;
    for (size_t i = 0; i < have && !found; i++) {
      if (s->maps[i] != '\n')
        continue;
      found = modules_line(s, s->maps + line, s->maps + i, address);
      line = i + 1;
    }
    if (found || !line) /* none ends: a line longer than any path */
      break;
    have -= line;
    for (size_t i = 0; i < have; i++)
      ((volatile char *)s->maps)[i] = s->maps[line + i];
  }
  if (fd >= 0)
    sc_os_close(fd);
  return found;
}

/* Looks for the GNU build id in a note segment. */
static void modules_note(struct modules_scratch *s, const char *at, uint64_t bytes, uint64_t align)
{
  align = align == 8 ? 8 : 4;
  while (bytes >= sizeof(Elf64_Nhdr)) {
    const Elf64_Nhdr *note = (const Elf64_Nhdr *)at;
    uint64_t desc = sc_round_up(sizeof(*note) + note->n_namesz, align);
    uint64_t whole = sc_round_up(desc + note->n_descsz, align);
    if (whole > bytes)
      break;
    if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && sc_same(note + 1, "GNU", 4) &&
        note->n_descsz <= 256) {
      sc_copy(s->text + s->module.path_bytes, at + desc, note->n_descsz);
      s->module.build_id_bytes = note->n_descsz;
      break;
    }
    at += whole;
    bytes -= whole;
  }
}

uint32_t __scale_modules_mapped(uint64_t address, char *to)
{
  struct modules_scratch *s = sc_os_map(NULL, sc_round_up(sizeof(*s), 4096), -1, 0);
  uint32_t bytes = 0;

  if (!s)
    return 0;
  modules_path(s, address);
  bytes = s->module.path_bytes < SC_PATH_MAX ? s->module.path_bytes : SC_PATH_MAX - 1;
  sc_copy(to, s->text, bytes);
  to[bytes] = 0;
  sc_os_unmap(s, sc_round_up(sizeof(*s), 4096));
  return bytes;
}

static void modules_build_id(struct modules_scratch *s, const char *base)
{
  const Elf64_Ehdr *elf = (const Elf64_Ehdr *)base;
  const Elf64_Phdr *segment = (const Elf64_Phdr *)(base + elf->e_phoff);
  uint64_t start = UINT64_MAX; /* the address the file's first byte was linked at */

  for (uint32_t i = 0; i < elf->e_phnum; i++)
    if (segment[i].p_type == PT_LOAD && segment[i].p_vaddr - segment[i].p_offset < start)
      start = segment[i].p_vaddr - segment[i].p_offset;
  for (uint32_t i = 0; i < elf->e_phnum && !s->module.build_id_bytes; i++)
    if (segment[i].p_type == PT_NOTE)
      modules_note(s, base + (segment[i].p_vaddr - start), segment[i].p_memsz, segment[i].p_align);
}

int __scale_modules_around(uint64_t address, uint64_t *from, uint64_t *to)
{
  struct modules_scratch *s = sc_os_map(NULL, sc_round_up(sizeof(*s), 4096), -1, 0);
  int found = s && modules_path(s, address);

  if (found) {
    *from = s->from;
    *to = s->to;
  }
  if (s)
    sc_os_unmap(s, sc_round_up(sizeof(*s), 4096));
  return found;
}

/*
 * Records of modules and functions, for libraries that are loaded again: found by key, for a program may do that all
 * the time, to ever other addresses. They are put into the table when somebody looks for one, so most programs have
 * none. What is not found there (no memory; another thread just looks) is written once more.
 */
static SC_SHARED struct sc_table modules_table; /* in values: `tally` is the record, `since` its reference */
static SC_SHARED struct modules_noted {
  uint32_t busy;             /* (atomic) somebody adds to the table */
  struct scale_chunk *chunk; /* the newest one then; its records before `used` are in the table */
  uint64_t used;
} modules_noted;

static uint64_t modules_key(uint64_t base, const void *build_id, uint32_t bytes)
{
  return __scale_table_key(SCALE_RECORD_MODULE, base ^ (uint64_t)__scale_bytes_crc(0, build_id, bytes) << 32);
}

/* Of what belongs to a module. */
static uint64_t modules_part_key(uint16_t type, uint32_t module, uint32_t crc)
{
  return __scale_table_key(type, (uint64_t)module << 32 | crc);
}

/* The key that a record is found by; 0: by none. */
static uint64_t modules_key_of(const struct scale_record *record)
{
  const struct scale_module *module = (const struct scale_module *)(record + 1);

  if (SC_LOAD(record->magic) != SCALE_RECORD_MAGIC)
    return 0;
  if (record->module)
    return modules_part_key(record->type, record->module, record->crc);
  if (record->type != SCALE_RECORD_MODULE || !module->build_id_bytes)
    return 0;
  return modules_key(module->base, (const char *)(module + 1) + module->path_bytes, module->build_id_bytes);
}

/* Puts a chunk's records from `at` on into the table. Returns where they end. */
static uint64_t modules_note_chunk(const struct scale_chunk *c, uint64_t at)
{
  for (uint64_t used = SC_LOAD(c->used); at < used;) {
    const struct scale_record *record = (const struct scale_record *)((const char *)c + at);
    uint64_t key = record->bytes ? modules_key_of(record) : 0;
    struct sc_table_at to = {NULL, NULL};

    SC_STEP();
    if (!record->bytes)
      break;
    if (key)
      to = __scale_table_add(&modules_table, key);
    if (to.value) {
      *to.value = (struct sc_table_value){.tally = (uintptr_t)record, .since = (sc_file_place(c) + at) / 8};
      __scale_table_leave(to, key);
    }
    at += record->bytes;
  }
  return at;
}

static void modules_note_records(const struct sc_process *p)
{
  struct modules_noted *noted = &modules_noted;
  struct scale_chunk *newest = SC_LOAD(p->records);
  uint64_t used = sizeof(*newest);
  uint32_t free = 0;

  if (!newest || !SC_SWAP(noted->busy, &free, 1))
    return;
  for (struct scale_chunk *c = newest; c; c = (struct scale_chunk *)(uintptr_t)c->next) {
    uint64_t end = modules_note_chunk(c, c == noted->chunk ? noted->used : sizeof(*c));
    if (c == newest)
      used = end;
    if (c == noted->chunk)
      break;
  }
  noted->chunk = newest;
  noted->used = used;
  SC_STORE(noted->busy, 0);
}

/* The reference of a record with the key that is wished for, or 0. */
static uint32_t modules_search(struct sc_process *p, uint64_t key, sc_table_wish *wish, const void *context)
{
  struct sc_table_at at;

  modules_note_records(p);
  at = __scale_table_seek(&modules_table, key, wish, context);
  return at.value ? (uint32_t)at.value->since : 0;
}

static int modules_equal(const struct sc_table_value *value, const void *context)
{
  const struct scale_record *record = (const struct scale_record *)(uintptr_t)value->tally;
  const struct modules_scratch *s = context;
  const struct scale_module *module = (const struct scale_module *)(record + 1);

  return record->type == SCALE_RECORD_MODULE && module->build_id_bytes && module->base == s->module.base &&
         module->path_bytes == s->module.path_bytes && module->build_id_bytes == s->module.build_id_bytes &&
         sc_same(module + 1, s->text, s->module.path_bytes + s->module.build_id_bytes);
}

/* A record that belongs to a module, written or not. */
struct modules_part {
  struct scale_record like;
  const void *payload;
  uint32_t bytes;
};

static int modules_same_part(const struct sc_table_value *value, const void *context)
{
  const struct scale_record *record = (const struct scale_record *)(uintptr_t)value->tally;
  const struct modules_part *part = context;

  return sc_same(record, &part->like, sizeof(*record)) && sc_same(record + 1, part->payload, part->bytes);
}

/* The part's reference, 0 if it could not be written. If a library was closed and opened again at the same place, its
   records are there already. */
static uint32_t modules_put(struct sc_process *p, const struct scale_module_ref *module, struct modules_part *part)
{
  struct scale_record *like = &part->like;
  uint32_t index = 0;

  __scale_records_need(p, like->module);
  __scale_records_need(p, like->unit);
  like->bytes = (uint32_t)sc_round_up(sizeof(*like) + part->bytes, 8);
  if (SC_LOAD(module->reserved) == SC_MODULES_SEEN)
    index = modules_search(p, modules_part_key(like->type, like->module, like->crc), modules_same_part, part);
  return index ? index : __scale_records_put(p, like, part->payload, part->bytes);
}

/* A record that the pass made. */
static uint32_t modules_copy(struct sc_process *p, const struct scale_module_ref *module, uint32_t module_index,
                             const struct scale_record *source)
{
  struct modules_part part = {*source, source + 1, source->bytes - (uint32_t)sizeof(*source)};

  part.like.module = module_index;
  return modules_put(p, module, &part);
}

/* Nobody enters what is not counted, so its records go with the module's. */
static void modules_uncounted(struct sc_process *p, const struct scale_module_ref *module, uint32_t index)
{
  uint64_t at = module->uncounted;

  while (at + sizeof(struct scale_record) <= module->uncounted_end) {
    const struct scale_record *record = (const struct scale_record *)(uintptr_t)at;
    if (record->magic != SCALE_RECORD_MAGIC || record->bytes < sizeof(*record) ||
        record->bytes > module->uncounted_end - at)
      break;
    modules_copy(p, module, index, record);
    at += sc_round_up(record->bytes, 8);
  }
}

/* Sets a reference, if nobody has meanwhile. In a server's child, those after it are to have it, too. */
static int modules_set(struct sc_process *p, uint32_t *to, uint32_t *before, uint32_t index)
{
  struct scale_control *control = p->control;
  uint32_t number;

  if (!SC_SWAP(*to, before, index))
    return 0;
  number = control ? SC_ADD(control->noted, 1) : SCALE_CONTROL_NOTES_MOST;
  if (number < SCALE_CONTROL_NOTES_MOST) {
    struct scale_noted *noted = sc_process_noted(control, number);
    noted->index = index;
    SC_STORE(noted->address, (uintptr_t)to);
  }
  return 1;
}

/* The record reference of the module, written first if it has none; 0 if that failed. */
static uint32_t modules_index(struct sc_process *p, struct scale_module_ref *module)
{
  uint32_t index = module ? SC_LOAD(module->index) : 0;
  uint32_t before = SCALE_UNWRITTEN;
  struct modules_scratch *s;

  if (index != SCALE_UNWRITTEN)
    return index;
  if (SC_LOAD(module->reserved) == SC_MODULES_FAILED)
    return 0;
  s = sc_os_map(NULL, sc_round_up(sizeof(*s), 4096), -1, 0);
  if (!s)
    return 0;
  s->module.base = module->elf_header;
  if (module->elf_header) {
    modules_path(s, module->elf_header);
    modules_build_id(s, (const char *)(uintptr_t)module->elf_header);
  }
  /* Without a build id nothing says that a library loaded again is the same: nodes remember its addresses. */
  if (s->module.build_id_bytes) {
    uint64_t key = modules_key(s->module.base, s->text + s->module.path_bytes, s->module.build_id_bytes);
    index = modules_search(p, key, modules_equal, s);
  } else {
    index = 0;
  }
  if (index)
    SC_STORE(module->reserved, SC_MODULES_SEEN);
  else
    index = __scale_records_write(p, SCALE_RECORD_MODULE, &s->module, sizeof(s->module), s->text,
                                  s->module.path_bytes + s->module.build_id_bytes);
  sc_os_unmap(s, sc_round_up(sizeof(*s), 4096));
  if (!index)
    SC_STORE(module->reserved, SC_MODULES_FAILED);
  if (index && !modules_set(p, &module->index, &before, index))
    return before;
  if (index && SC_LOAD(module->reserved) != SC_MODULES_SEEN)
    modules_uncounted(p, module, index);
  return index;
}

/* The record reference of the unit, written first if it has none; 0 if that failed. */
static uint32_t modules_unit(struct sc_process *p, const struct scale_module_ref *module, uint32_t module_index,
                             struct scale_unit_ref *unit)
{
  uint32_t index = SC_LOAD(unit->index);
  uint32_t before = SCALE_UNWRITTEN;

  if (index != SCALE_UNWRITTEN)
    return index;
  index = modules_copy(p, module, module_index, (const struct scale_record *)(uintptr_t)unit->tables);
  /* if that failed, it does for the next function, too */
  return modules_set(p, &unit->index, &before, index) ? index : before;
}

/* The reference of the function's record, written now or before; 0 if that failed. */
static uint32_t modules_write(struct sc_process *p, const struct scale_function *fn)
{
  static const char zeros[4];
  struct scale_unit_ref *unit = sc_function_unit(fn);
  struct scale_module_ref *module = (struct scale_module_ref *)(uintptr_t)unit->module;
  uint32_t module_index = modules_index(p, module);
  const struct scale_member *member = sc_function_far(fn, fn->sites);
  struct modules_part part;

  if (!module_index)
    return 0;
  if (!unit->tables)
    return modules_copy(p, module, module_index, sc_function_far(fn, fn->sites));
  part = (struct modules_part){{SCALE_RECORD_MAGIC, SCALE_RECORD_MEMBER, SCALE_FORMAT_VERSION, 0, 0, module_index,
                                modules_unit(p, module, module_index, unit)},
                               member,
                               sc_records_member_bytes(member)};
  if (!part.like.unit)
    return 0;
  part.like.crc = __scale_bytes_crc(__scale_bytes_crc(0, member, part.bytes), zeros, part.bytes % 8 ? 4 : 0);
  return modules_put(p, module, &part);
}

static uint32_t modules_lost(struct sc_process *p)
{
  if (p->wants_file)
    SC_ADD(p->header->lost_records, 1);
  return SC_RECORDS_LOST | (SC_ADD(p->lost_index, 1) + 1);
}

uint32_t __scale_modules_function(struct sc_process *p, struct scale_function *fn)
{
  uint32_t index = SC_LOAD(fn->index);
  uint32_t before = SCALE_UNWRITTEN;

  if (index == SCALE_UNWRITTEN) {
    index = p->has_file ? modules_write(p, fn) : 0;
    if (!index)
      index = modules_lost(p);
    if (!modules_set(p, &fn->index, &before, index))
      index = before;
  }
  __scale_records_need(p, index);
  return index;
}
