/* SPDX-License-Identifier: MIT */
#include "records.h"
#include "bytes.h"
#include "chunks.h"
#include "file.h"
#include "os.h"
#include "steps.h"

/* The first chunk is small, for most processes of a build or a test suite need no more; each is twice the one before.
 */
enum { SC_RECORDS_FIRST_BYTES = 4 << 10, SC_RECORDS_CHUNK_MAX = 512 << 10 };

static struct scale_record *records_at(struct scale_chunk *chunk, uint64_t used, uint32_t *index)
{
  *index = (uint32_t)((sc_file_place(chunk) + used) / 8);
  return (struct scale_record *)((char *)chunk + used);
}

/* Takes `bytes` from the chunk: whoever writes its size into the place behind `used` has it. Only then is `used`
   raised, by the owner or by whoever comes next, for the owner may be stopped for good between the two (a longjmp out
   of a handler, cancellation, kill -9): so all that `used` covers can be stepped over by its sizes. */
static struct scale_record *records_claim(struct scale_chunk *chunk, uint64_t bytes, uint32_t *index)
{
  uint64_t used = SC_LOAD(chunk->used);

  while (bytes <= chunk->bytes - used) {
    struct scale_record *record = records_at(chunk, used, index);
    uint32_t taken = 0;
    int own = SC_SWAP(record->bytes, &taken, (uint32_t)bytes);
    uint64_t end = used + (own ? bytes : taken);
    if (SC_SWAP(chunk->used, &used, end))
      used = end;
    if (own)
      return record;
  }
  return NULL;
}

/* Takes `bytes` (a multiple of 8) for a record, with its size written; its magic is written by the caller at the end:
   a reader steps over one without. NULL if the file is full. */
static struct scale_record *records_take(struct sc_process *p, uint64_t bytes, uint32_t *index)
{
  struct scale_chunk *chunk = SC_LOAD(p->records), *before = chunk;
  int open = chunk && chunk != SC_LOAD(p->shut);
  struct scale_record *record = open ? records_claim(chunk, bytes, index) : NULL;
  uint64_t size;

  if (record)
    return record;
  size = open ? chunk->bytes * 2 : SC_RECORDS_FIRST_BYTES;
  if (size > SC_RECORDS_CHUNK_MAX)
    size = SC_RECORDS_CHUNK_MAX;
  if (p->control && !chunk) /* as in __scale_arena_new */
    size = p->budget / 4;
  chunk = __scale_file_chunk(p, SCALE_CHUNK_RECORDS, 0, sc_round_up(bytes + sizeof(*chunk), size), 0);
  if (!chunk)
    return NULL;
  if (p == SC_LOAD(__scale_process_state)) /* else it may be thrown away with the state (process.c) */
    __scale_chunks_add(chunk, NULL);
  record = records_claim(chunk, bytes, index);
  chunk->next = (uintptr_t)before;
  while (!SC_SWAP(p->records, &before, chunk))
    chunk->next = (uintptr_t)before;
  return record;
}

uint32_t __scale_records_write(struct sc_process *p, uint16_t type, const void *head, uint32_t head_bytes,
                               const void *tail, uint32_t tail_bytes)
{
  uint64_t bytes = sc_round_up(sizeof(struct scale_record) + head_bytes + tail_bytes, 8);
  uint32_t index;
  struct scale_record *record = p->has_file ? records_take(p, bytes, &index) : NULL;

  if (!record)
    return 0;
  sc_copy(record + 1, head, head_bytes);
  sc_copy((char *)(record + 1) + head_bytes, tail, tail_bytes);
  record->type = type;
  record->version = SCALE_FORMAT_VERSION;
  record->crc = __scale_bytes_crc(0, record + 1, bytes - sizeof(*record));
  SC_STORE(record->magic, SCALE_RECORD_MAGIC);
  return index;
}

uint32_t __scale_records_put(struct sc_process *p, const struct scale_record *like, const void *payload, uint32_t bytes)
{
  uint32_t index = 0;
  struct scale_record *record = records_take(p, like->bytes, &index);

  if (!record)
    return 0;
  record->type = like->type;
  record->version = like->version;
  record->crc = like->crc;
  record->module = like->module;
  record->unit = like->unit;
  sc_copy(record + 1, payload, bytes);
  SC_STORE(record->magic, SCALE_RECORD_MAGIC);
  return index;
}

void __scale_records_info(struct sc_process *p)
{
  struct scale_info *info = sc_os_map(NULL, SC_SCRATCH_BYTES, -1, 0);
  uint32_t most = SC_SCRATCH_BYTES - sizeof(*info) - 1024;
  char *text;
  long bytes;
  int fd;

  if (!info)
    return;
  text = (char *)(info + 1);
  bytes = sc_os_readlink("/proc/self/exe", text, SC_PATH_MAX);
  info->exe_bytes = bytes > 0 ? (uint32_t)bytes : 0;
  most -= info->exe_bytes;
  fd = sc_os_open("/proc/self/cmdline", O_RDONLY, 0);
  while (fd >= 0 && info->command_bytes < most) {
    bytes = sc_os_read(fd, text + info->exe_bytes + info->command_bytes, most - info->command_bytes);
    if (bytes <= 0)
      break;
    info->command_bytes += (uint32_t)bytes;
  }
  if (fd >= 0)
    sc_os_close(fd);
  p->info =
      __scale_records_write(p, SCALE_RECORD_INFO, info, sizeof(*info), text, info->exe_bytes + info->command_bytes);
  sc_os_unmap(info, SC_SCRATCH_BYTES);
}

const struct scale_record *__scale_records_find(const struct sc_process *p, uint32_t index)
{
  uint64_t place = (uint64_t)index * 8;
  struct scale_chunk *chunk;

  if (index & SC_RECORDS_LOST)
    return NULL;
  chunk = __scale_chunks_records(place);
  return chunk ? (const struct scale_record *)((char *)chunk + (place - sc_file_place(chunk))) : NULL;
}

static uint32_t records_copy(struct sc_process *p, const struct scale_record *record)
{
  return __scale_records_put(p, record, record + 1, record->bytes - (uint32_t)sizeof(*record));
}

void __scale_records_need(struct sc_process *p, uint32_t index)
{
  uint64_t one = UINT64_C(1) << (index % 64);
  const struct scale_record *record;
  struct scale_alias alias = {index, 0};

  if (__builtin_expect(index >= p->base, 1) || !index || SC_LOAD(p->copied[index / 64]) & one)
    return;
  record = p->has_file ? __scale_records_find(p, index) : NULL;
  if (record) {
    __scale_records_need(p, record->module);
    __scale_records_need(p, record->unit);
    alias.record = records_copy(p, record);
  }
  if (!alias.record || !__scale_records_write(p, SCALE_RECORD_ALIAS, &alias, sizeof(alias), NULL, 0))
    SC_ADD(p->header->lost_records, 1);
  __atomic_fetch_or(&p->copied[index / 64], one, __ATOMIC_RELEASE);
}

static uint64_t records_copied_bytes(uint64_t references) { return sc_round_up(references / 8 + 8, 4096); }

int __scale_records_inherit(struct sc_process *p)
{
  const struct scale_record *info = p->info ? __scale_records_find(p, p->info) : NULL;
  uint64_t end = p->base;

  for (const struct scale_chunk *c = p->records; c; c = (const struct scale_chunk *)(uintptr_t)c->next) {
    SC_STEP();
    if ((sc_file_place(c) + c->bytes) / 8 > end)
      end = (sc_file_place(c) + c->bytes) / 8;
  }
  if (p->base)
    sc_os_unmap(p->copied, records_copied_bytes(p->base));
  p->copied = end < SC_RECORDS_LOST / 2 ? sc_os_reserve(records_copied_bytes(end)) : NULL;
  p->base = p->copied ? (uint32_t)end : 0;
  p->shut = p->records;
  p->info = info && p->copied ? records_copy(p, info) : 0;
  return p->copied != NULL;
}

int __scale_records_places(const struct sc_process *p, uint32_t index, struct sc_places *places)
{
  const struct scale_record *record = __scale_records_find(p, index);

  if (record && record->type == SCALE_RECORD_MEMBER) {
    const struct scale_member *member = (const struct scale_member *)(record + 1);
    *places = (struct sc_places){member->slot_count, member->event_count, (const uint32_t *)(member + 1), NULL, NULL};
  } else if (record) {
    const struct scale_sites *sites = (const struct scale_sites *)(record + 1);
    const struct scale_site_slot *slots = (const struct scale_site_slot *)(sites + 1);
    *places = (struct sc_places){sites->slot_count, sites->event_count, NULL, slots,
                                 (const struct scale_site_event *)(slots + sites->slot_count)};
  }
  return record != NULL;
}

int __scale_records_system(const struct sc_process *p, uint32_t index)
{
  const struct scale_record *record = __scale_records_find(p, index);
  const void *payload;

  if (!record)
    return 0;
  payload = record + 1;
  return ((record->type == SCALE_RECORD_MEMBER ? ((const struct scale_member *)payload)->flags
                                               : ((const struct scale_sites *)payload)->flags) &
          SCALE_SITES_SYSTEM) != 0;
}
