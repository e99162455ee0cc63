/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/sampler/symbol.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/compare.h"
#include "base/search.h"
#include "runner/sampler/key_map.h"
#include "runner/sampler/scopes.h"

typedef struct symbol {
  uint64_t start, end;
  const char *name; /* in the ELF file's memory */
} symbol;

/* One mapped file. */
typedef struct object {
  int fd;
  Elf *elf;
  Dwarf *dwarf;
  sc_sampler_scopes *scopes; /* NULL: no debugging information */
  symbol *symbols;           /* functions, by address */
  size_t symbol_count, symbol_room;
} object;

struct sc_sampler_symbols {
  sc_sampler_strings paths; /* number = index of the object */
  object *objects;
  size_t object_count, object_room;
  sc_sampler_keys places; /* object, address -> index in `frames` */
  sc_sampler_place_frames **frames;
  size_t frames_count, frames_room;
  sc_sampler_strings texts;       /* names and files */
  sc_sampler_keys distinct_table; /* (name, file), (line, ordinal, flags) -> id */
  sc_sampler_frame *distinct;
  size_t distinct_count, distinct_room;
};

size_t sc_sampler_symbol_stem(const char *name)
{
  const char *dot = *name ? strchr(name + 1, '.') : NULL;
  return dot ? (size_t)(dot - name) : strlen(name);
}

static int by_start(const void *left, const void *right)
{
  const symbol *a = left, *b = right;
  return SC_COMPARE(a->start, b->start) ?: strcmp(a->name, b->name); /* aliases: always the same one */
}

static int read_symbols(object *in, unsigned type)
{
  Elf_Scn *section = NULL;
  while ((section = elf_nextscn(in->elf, section))) {
    GElf_Shdr header;
    GElf_Sym entry;
    if (!gelf_getshdr(section, &header) || header.sh_type != type || !header.sh_entsize)
      continue;
    Elf_Data *data = elf_getdata(section, NULL);
    for (size_t i = 0; data && i < header.sh_size / header.sh_entsize && gelf_getsym(data, (int)i, &entry); i++) {
      const char *name = elf_strptr(in->elf, header.sh_link, entry.st_name);
      unsigned kind = GELF_ST_TYPE(entry.st_info);
      if (!name || !*name || !entry.st_value || (kind != STT_FUNC && kind != STT_GNU_IFUNC))
        continue;
      SC_TRY(sc_mem_grow(&in->symbols, &in->symbol_room, in->symbol_count + 1, sizeof *in->symbols));
      in->symbols[in->symbol_count++] = (symbol){entry.st_value, entry.st_value + entry.st_size, name};
    }
  }
  return 0;
}

/* Files that cannot be opened or read any more are objects without symbols. */
static int open_object(object *in, const char *path)
{
  in->fd = path[0] == '/' ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
  if (in->fd < 0)
    return 0;
  elf_version(EV_CURRENT);
  in->elf = elf_begin(in->fd, ELF_C_READ_MMAP, NULL);
  if (!in->elf || elf_kind(in->elf) != ELF_K_ELF)
    return 0;
  SC_TRY(read_symbols(in, SHT_SYMTAB));
  if (!in->symbol_count)
    SC_TRY(read_symbols(in, SHT_DYNSYM));
  if (in->symbol_count)
    qsort(in->symbols, in->symbol_count, sizeof *in->symbols, by_start);
  in->dwarf = dwarf_begin_elf(in->elf, DWARF_C_READ, NULL);
  return in->dwarf ? sc_sampler_scopes_new(in->dwarf, &in->scopes) : 0;
}

static void close_object(object *in)
{
  sc_sampler_scopes_free(in->scopes);
  dwarf_end(in->dwarf);
  elf_end(in->elf);
  if (in->fd >= 0)
    close(in->fd);
  free(in->symbols);
}

int sc_sampler_symbols_new(sc_sampler_symbols **symbols) { return SC_NEW(*symbols, 1); }

void sc_sampler_symbols_free(sc_sampler_symbols *self)
{
  if (!self)
    return;
  for (size_t i = 0; i < self->object_count; i++)
    close_object(&self->objects[i]);
  for (size_t i = 0; i < self->frames_count; i++)
    free(self->frames[i]);
  free(self->objects);
  free(self->frames);
  free(self->distinct);
  sc_sampler_strings_free(&self->paths);
  sc_sampler_strings_free(&self->texts);
  sc_sampler_keys_free(&self->places);
  sc_sampler_keys_free(&self->distinct_table);
  free(self);
}

static int find_object(sc_sampler_symbols *self, const char *path, uint32_t *number)
{
  SC_TRY(sc_sampler_strings_add(&self->paths, path, strlen(path), number));
  if (*number < self->object_count)
    return 0;
  SC_TRY(sc_mem_grow(&self->objects, &self->object_room, self->object_count + 1, sizeof *self->objects));
  object *in = &self->objects[self->object_count++];
  *in = (object){.fd = -1};
  return open_object(in, path);
}

/* Address in the file's own numbering of a place in the file; false if no segment holds it. */
static bool file_address(const object *in, uint64_t offset, uint64_t *address)
{
  size_t count;
  if (!in->elf || elf_getphdrnum(in->elf, &count) != 0)
    return false;
  for (size_t i = 0; i < count; i++) {
    GElf_Phdr segment;
    if (!gelf_getphdr(in->elf, (int)i, &segment) || segment.p_type != PT_LOAD || offset < segment.p_offset ||
        offset - segment.p_offset >= segment.p_filesz || !(segment.p_flags & PF_X))
      continue;
    *address = offset - segment.p_offset + segment.p_vaddr;
    return true;
  }
  return false;
}

static const symbol *find_symbol(const object *in, uint64_t address)
{
  size_t low = sc_search_up_to(in->symbols, in->symbol_count, sizeof *in->symbols, offsetof(symbol, start), address);
  for (size_t back = 0; low > back && back < 8; back++) { /* aliases and nested symbols end differently */
    const symbol *at = &in->symbols[low - 1 - back];
    if (address < at->end || (back == 0 && at->end == at->start))
      return at;
  }
  return NULL;
}

int sc_sampler_symbols_add(sc_sampler_symbols *self, const sc_sampler_frame *like, uint32_t *id)
{
  const char *name = like->name;
  uint32_t text, file;
  SC_TRY(sc_sampler_strings_add(&self->texts, name, sc_sampler_symbol_stem(name), &text));
  SC_TRY(sc_sampler_strings_add(&self->texts, like->file, strlen(like->file), &file));
  uint64_t first = (uint64_t)text << 32 | file;
  uint64_t second =
      (uint64_t)like->line << 32 ^ (uint64_t)like->ordinal << 2 ^ (uint64_t)like->linkage << 1 ^ like->debug;
  const uint32_t *known = sc_sampler_keys_get(&self->distinct_table, first, second);
  if (known) {
    *id = *known;
    return 0;
  }
  SC_TRY(sc_mem_grow(&self->distinct, &self->distinct_room, self->distinct_count + 1, sizeof *self->distinct));
  *id = (uint32_t)self->distinct_count++;
  self->distinct[*id] = *like;
  self->distinct[*id].name = self->texts.texts[text];
  self->distinct[*id].file = self->texts.texts[file];
  return sc_sampler_keys_put(&self->distinct_table, first, second, *id);
}

static int from_scopes(sc_sampler_symbols *self, const object *in, uint64_t address, const sc_sampler_place *place,
                       uint32_t *ids)
{
  for (size_t i = 0; i < place->count; i++) {
    const sc_sampler_scope *scope = place->scopes[i];
    bool last = i + 1 == place->count;
    const char *file = last ? place->file : place->scopes[i + 1]->call_file;
    sc_sampler_frame frame = {.name = scope->name ? scope->name : "",
                              .file = file ? file : "",
                              .ordinal = last ? place->ordinal : place->scopes[i + 1]->call_ordinal,
                              .linkage = scope->linkage,
                              .debug = true};
    const symbol *known = scope->inlined || scope->linkage ? NULL : find_symbol(in, address);
    if (known) {
      frame.name = known->name;
      frame.linkage = true;
    }
    if (!frame.linkage)
      frame.line = last ? place->line : place->scopes[i + 1]->call_line;
    SC_TRY(sc_sampler_symbols_add(self, &frame, &ids[i]));
  }
  return 0;
}

static int look_up(sc_sampler_symbols *self, const object *in, uint64_t address, sc_sampler_place_frames **result)
{
  sc_sampler_place place = {.count = 0};
  if (in->scopes)
    SC_TRY(sc_sampler_scopes_find(in->scopes, address, &place));
  const symbol *known = place.count ? NULL : find_symbol(in, address);
  size_t count = place.count ? place.count : known != NULL;
  sc_sampler_place_frames *frames = sc_mem_new(1, sizeof *frames + count * sizeof frames->ids[0]);
  if (!frames)
    return SC_E_NOMEM;
  frames->count = (uint32_t)count;
  *result = frames;
  if (known) {
    bool row = place.file && place.row >= known->start; /* not the last one of the function before */
    sc_sampler_frame frame = {.name = known->name,
                              .file = row ? place.file : "",
                              .ordinal = row ? place.ordinal : 0,
                              .linkage = true,
                              .debug = row};
    return sc_sampler_symbols_add(self, &frame, &frames->ids[0]);
  }
  return from_scopes(self, in, address, &place, frames->ids);
}

int sc_sampler_symbols_find(sc_sampler_symbols *self, const sc_sampler_map *map, uint64_t pc,
                            const sc_sampler_place_frames **frames)
{
  uint32_t number;
  uint64_t address;
  *frames = NULL;
  SC_TRY(find_object(self, map->path, &number));
  if (!file_address(&self->objects[number], pc - map->start + map->offset, &address))
    return 0;
  const uint32_t *known = sc_sampler_keys_get(&self->places, number, address);
  if (!known) {
    SC_TRY(sc_mem_grow(&self->frames, &self->frames_room, self->frames_count + 1, sizeof *self->frames));
    sc_sampler_place_frames *fresh = NULL;
    int err = look_up(self, &self->objects[number], address, &fresh);
    if (fresh)
      self->frames[self->frames_count++] = fresh;
    if (err < 0)
      return err;
    SC_TRY(sc_sampler_keys_put(&self->places, number, address, (uint32_t)self->frames_count - 1));
    *frames = fresh;
    return 0;
  }
  *frames = self->frames[*known];
  return 0;
}

const sc_sampler_frame *sc_sampler_symbols_frame(const sc_sampler_symbols *self, uint32_t id)
{
  return &self->distinct[id];
}
