/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records of a profile: its command, modules, units and functions, each checked before others refer to it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/compare.h"
#include "base/hash.h"
#include "profiles/scprof/internal.h"

/* One argument of the command line, in quotes where a shell would need them. */
static void add_argument(sc_buf *buf, const char *argument, size_t length)
{
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  size_t safe = 0;
  while (safe < length && strchr(plain, argument[safe]))
    safe++;
  if (length && safe == length) {
    sc_buf_add(buf, argument, length);
    return;
  }
  sc_buf_puts(buf, "'");
  for (size_t i = 0; i < length; i++)
    if (argument[i] == '\'')
      sc_buf_puts(buf, "'\\''");
    else
      sc_buf_add(buf, argument + i, 1);
  sc_buf_puts(buf, "'");
}

/* Quoted for a shell, so that a report can print a command that works when it is copied. */
static char *quote_command(const char *command, size_t bytes)
{
  sc_buf buf = {0};
  for (size_t at = 0; at < bytes;) {
    size_t length = strnlen(command + at, bytes - at);
    if (at)
      sc_buf_puts(&buf, " ");
    add_argument(&buf, command + at, length);
    at += length + 1;
  }
  return sc_buf_take(&buf);
}

/* Sums of lengths are taken in 64 bits: two lengths of 32 bits from a damaged profile must not wrap around the
 * check. */
static int read_info(struct sc_reader *reader, uint64_t offset, uint64_t bytes)
{
  struct scale_info info;
  if (bytes < sizeof info)
    return sc_reader_damaged(reader, offset, "a process record that is too short");
  memcpy(&info, reader->data + offset, sizeof info);
  if ((uint64_t)info.exe_bytes + info.command_bytes > bytes - sizeof info)
    return sc_reader_damaged(reader, offset, "a process record whose texts are longer than itself");
  if (reader->exe)
    return sc_reader_damaged(reader, offset, "a second process record");
  const char *text = (const char *)reader->data + offset + sizeof info;
  reader->exe = strndup(text, info.exe_bytes);
  reader->command = quote_command(text + info.exe_bytes, info.command_bytes);
  if (!reader->exe || !reader->command)
    return sc_err_set(SC_E_NOMEM, "out of memory");
  return 0;
}

/* The count rises last, so that closing frees exactly the paths that were made. */
static int read_module(struct sc_reader *reader, uint64_t offset, uint64_t bytes)
{
  struct scale_module module;
  if (bytes < sizeof module)
    return sc_reader_damaged(reader, offset, "a module record that is too short");
  memcpy(&module, reader->data + offset, sizeof module);
  if ((uint64_t)module.path_bytes + module.build_id_bytes > bytes - sizeof module)
    return sc_reader_damaged(reader, offset, "a module record whose texts are longer than itself");
  if (module.build_id_bytes > 64)
    return sc_reader_damaged(reader, offset, "a build id of %u bytes", module.build_id_bytes);
  size_t count = reader->module_count;
  SC_TRY(sc_mem_grow(&reader->modules, &reader->module_capacity, count + 1, sizeof *reader->modules));
  SC_TRY(sc_mem_grow(&reader->module_paths, &reader->module_path_capacity, count + 1, sizeof *reader->module_paths));
  SC_TRY(sc_mem_grow(&reader->module_bases, &reader->module_base_capacity, count + 1, sizeof *reader->module_bases));
  const unsigned char *text = reader->data + offset + sizeof module;
  char *path = strndup((const char *)text, module.path_bytes);
  if (!path)
    return sc_err_set(SC_E_NOMEM, "out of memory");
  reader->modules[count] = (sc_module){.path = path};
  for (uint32_t i = 0; i < module.build_id_bytes; i++)
    snprintf(reader->modules[count].build_id + 2 * i, 3, "%02x", text[module.path_bytes + i]);
  reader->module_paths[count] = path;
  reader->module_bases[count] = module.base;
  reader->module_count++;
  return 0;
}

/* Where the reference is, or is to be. */
static sc_index_slot *find_ref(const struct sc_reader *reader, uint32_t ref)
{
  sc_index_slot *slot = sc_index_first(&reader->by_ref, (uint32_t)sc_hash_mix(ref));
  while (slot->number && reader->refs[slot->number - 1].ref != ref)
    slot = sc_index_next(&reader->by_ref, slot);
  return slot;
}

/* `function`: its index. */
static int add_ref(struct sc_reader *reader, uint32_t ref, uint32_t function)
{
  SC_TRY(sc_mem_grow(&reader->refs, &reader->ref_capacity, reader->ref_count + 1, sizeof *reader->refs));
  SC_TRY(sc_index_reserve(&reader->by_ref, reader->ref_count + 1));
  reader->refs[reader->ref_count++] = (struct sc_function_ref){ref, function};
  sc_index_take(&reader->by_ref, find_ref(reader, ref), (uint32_t)sc_hash_mix(ref), (uint32_t)reader->ref_count);
  return 0;
}

static int read_unit(struct sc_reader *reader, uint64_t record, uint64_t bytes, uint32_t ref)
{
  struct sc_unit unit = {0};
  SC_TRY(sc_mem_grow(&reader->units, &reader->unit_capacity, reader->unit_count + 1, sizeof *reader->units));
  SC_TRY(sc_units_read(reader, record + sizeof(struct scale_record), bytes, &unit));
  unit.ref = ref;
  reader->units[reader->unit_count++] = unit;
  return 0;
}

static int add_member(struct sc_reader *reader, uint64_t record, uint64_t bytes, uint32_t ref,
                      const struct scale_record *head)
{
  SC_TRY(sc_mem_grow(&reader->members, &reader->member_capacity, reader->member_count + 1, sizeof *reader->members));
  reader->members[reader->member_count++] = (struct sc_member){record, bytes, ref, head->module, head->unit};
  return 0;
}

static int compare_units(const void *ref, const void *unit)
{
  uint32_t a = *(const uint32_t *)ref, b = ((const struct sc_unit *)unit)->ref;
  return SC_COMPARE(a, b);
}

/* A reference as the file's own records have it. */
static uint32_t own_ref(const struct sc_reader *reader, uint32_t ref)
{
  const struct scale_alias *alias = reader->alias_count ? bsearch(&ref, reader->aliases, reader->alias_count,
                                                                  sizeof *reader->aliases, sc_compare_numbers)
                                                        : NULL; /* they begin with their reference */
  return alias ? alias->record : ref;
}

/* References below `base` are those of the parent that forked this process, its own ones follow. What a record copied
 * from the parent is still called by must be of the former, the copy of the latter. */
static int read_alias(struct sc_reader *reader, uint64_t offset, uint64_t bytes, uint32_t base)
{
  struct scale_alias alias;
  if (bytes < sizeof alias)
    return sc_reader_damaged(reader, offset, "an alias record that is too short");
  memcpy(&alias, reader->data + offset, sizeof alias);
  if (alias.reference >= base || alias.record < base)
    return sc_reader_damaged(reader, offset, "an alias of a record that is not the file's own");
  SC_TRY(sc_mem_grow(&reader->aliases, &reader->alias_capacity, reader->alias_count + 1, sizeof *reader->aliases));
  reader->aliases[reader->alias_count++] = alias;
  return 0;
}

/* The functions that an ancestor's references are of. */
static int add_aliases(struct sc_reader *reader)
{
  for (size_t i = 0; i < reader->alias_count; i++) {
    uint32_t function = sc_records_function(reader, reader->aliases[i].record);
    if (function != SC_NONE && sc_records_function(reader, reader->aliases[i].reference) == SC_NONE)
      SC_TRY(add_ref(reader, reader->aliases[i].reference, function));
  }
  return 0;
}

/* The unit of a member; NULL: it is lost. */
static struct sc_unit *find_record_unit(const struct sc_reader *reader, uint32_t ref)
{
  ref = own_ref(reader, ref);
  return reader->unit_count ? bsearch(&ref, reader->units, reader->unit_count, sizeof *reader->units, compare_units)
                            : NULL;
}

/* A function with the tables of its unit, or its own (a FUNCTION record). */
static int read_function(struct sc_reader *reader, const struct sc_member *member, bool own_tables)
{
  struct sc_function function = {.module = member->module};
  uint64_t record = member->offset, bytes = member->bytes;
  struct sc_unit *unit = own_tables ? NULL : find_record_unit(reader, member->unit);
  uint64_t payload = record + sizeof(struct scale_record);
  uint32_t own = 0, *number = &own;
  if (!own_tables && !unit)
    return sc_reader_damaged(reader, record, "a function of a unit that is not here");
  SC_TRY(sc_mem_grow(&reader->functions, &reader->function_capacity, reader->function_count + 1,
                     sizeof *reader->functions));
  SC_TRY(unit ? sc_sites_check_member(reader, payload, bytes, unit, &function, &number)
              : sc_sites_check(reader, payload, bytes, &function));
  if (!*number) {
    reader->functions[reader->function_count++] = function;
    *number = (uint32_t)reader->function_count;
  }
  return add_ref(reader, member->ref, *number - 1);
}

static int read_record(struct sc_reader *reader, uint64_t offset, uint32_t base, const struct scale_record *record)
{
  uint64_t payload = offset + sizeof *record, bytes = record->bytes - sizeof *record;
  uint32_t crc = (uint32_t)crc32(0, reader->data + payload, (uInt)bytes);
  if (crc != record->crc)
    return sc_reader_damaged(reader, offset, "a record's checksum is 0x%08x instead of 0x%08x", crc, record->crc);
  bool known = record->version == SCALE_FORMAT_VERSION;
  if (!known && record->version != reader->other_version) {
    reader->other_version = record->version; /* one alone is damage */
    return sc_reader_damaged(reader, offset, "a record of version %u instead of %u", record->version,
                             SCALE_FORMAT_VERSION);
  }
  if (!known) {
    int err = sc_err_set(SC_E_VERSION, "%s: a record of version %u at offset 0x%llx; this scale-run reads version %u",
                         reader->path, record->version, (unsigned long long)offset, SCALE_FORMAT_VERSION);
    return sc_err_hint(err, "build every part of the program with the same scale-cc");
  }
  uint32_t ref = (uint32_t)(base + offset / 8);
  if (base + offset / 8 >= SC_RECORDS_LOST)
    return sc_reader_damaged(reader, offset, "a record beyond 16 GiB");
  switch (record->type) {
  case SCALE_RECORD_INFO:
    return read_info(reader, payload, bytes);
  case SCALE_RECORD_MODULE:
    return read_module(reader, payload, bytes);
  case SCALE_RECORD_FUNCTION:
    return read_function(reader, &(struct sc_member){offset, bytes, ref, record->module, 0}, true);
  case SCALE_RECORD_UNIT:
    return read_unit(reader, offset, bytes, ref);
  case SCALE_RECORD_MEMBER:
    return add_member(reader, offset, bytes, ref, record);
  case SCALE_RECORD_ALIAS:
    return read_alias(reader, payload, bytes, base);
  default:
    return sc_reader_damaged(reader, offset, "a record of the unknown type %u", record->type);
  }
}

static bool has_bytes(const struct scale_record *record, uint64_t left)
{
  return record->bytes >= sizeof *record && record->bytes % 8 == 0 && record->bytes <= left;
}

/* Whether a whole record begins here. */
static bool is_whole(const struct sc_reader *reader, uint64_t offset, uint64_t end)
{
  struct scale_record record;
  memcpy(&record, reader->data + offset, sizeof record);
  return record.magic == SCALE_RECORD_MAGIC && has_bytes(&record, end - offset) &&
         crc32(0, reader->data + offset + sizeof record, (uInt)(record.bytes - sizeof record)) == record.crc;
}

/* The place of the next whole record, or the end. */
static uint64_t find_next(const struct sc_reader *reader, uint64_t offset, uint64_t end)
{
  while (end - offset >= sizeof(struct scale_record) && !is_whole(reader, offset, end))
    offset += 8;
  return end - offset >= sizeof(struct scale_record) ? offset : end;
}

/* Reads the record at `offset`, which has at most `left` bytes, and goes behind it. One without a magic number was
 * never finished: its owner was stopped after it had written the size. */
static int scan_record(struct sc_reader *reader, uint64_t *offset, uint64_t left, uint32_t base)
{
  struct scale_record record;
  uint64_t at = *offset;
  memcpy(&record, reader->data + at, sizeof record);
  if (record.magic && record.magic != SCALE_RECORD_MAGIC)
    return sc_reader_damaged(reader, at, "0x%08x where a record should begin", record.magic);
  if (!record.magic && !record.bytes)
    return sc_reader_damaged(reader, at, "nothing where a record should begin");
  if (!has_bytes(&record, left))
    return sc_reader_damaged(reader, at, "a record of %u bytes where %llu are left", record.bytes,
                             (unsigned long long)left);
  if (record.magic)
    SC_TRY(read_record(reader, at, base, &record));
  else
    reader->lost_parts++;
  *offset = at + record.bytes;
  return 0;
}

/* Behind a damaged record, whose size is then unknown, the next one that is whole is looked for. */
static int scan_chunk(struct sc_reader *reader, const struct sc_chunk *chunk)
{
  uint64_t offset = chunk->offset + sizeof(struct scale_chunk), end = chunk->offset + chunk->used;
  while (offset < end && end - offset >= sizeof(struct scale_record)) {
    int err = scan_record(reader, &offset, end - offset, chunk->base);
    if (err == SC_E_DAMAGED)
      offset = find_next(reader, offset + 8, end);
    SC_TRY(sc_reader_forgive(reader, err));
  }
  return 0;
}

/* Members come after all units, which they refer to, and a lost unit costs its members only. */
int sc_records_scan(struct sc_reader *reader)
{
  SC_TRY(sc_index_reserve(&reader->by_ref, 1)); /* it is asked even if there are none */
  for (size_t i = 0; i < reader->chunk_count; i++)
    if (reader->chunks[i].type == SCALE_CHUNK_RECORDS)
      SC_TRY(scan_chunk(reader, &reader->chunks[i]));
  if (reader->alias_count)
    qsort(reader->aliases, reader->alias_count, sizeof *reader->aliases, sc_compare_numbers);
  for (size_t i = 0; i < reader->member_count; i++)
    SC_TRY(sc_reader_forgive(reader, read_function(reader, &reader->members[i], false)));
  return add_aliases(reader);
}

uint32_t sc_records_function(const struct sc_reader *reader, uint32_t ref)
{
  uint32_t number = find_ref(reader, ref)->number;
  return number ? reader->refs[number - 1].function : SC_NONE;
}
