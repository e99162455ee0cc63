/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Global variables by address, for locks that the program reaches by a pointer only. Symbol tables say which variable
 * it is; debug information, where the file has any, the line and which part of the variable. */
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compare.h"
#include "base/search.h"
#include "profiles/graph/demangle.h"
#include "profiles/scprof/internal.h"
#include "profiles/scprof/symbols.h"

/* A global variable: addresses as in the file. */
struct variable {
  uint64_t start, end;
  const char *name; /* in the ELF file's memory */
  bool searched, found;
  Dwarf_Die die; /* if found in the debug information */
};

struct object {
  bool tried;
  int fd;
  Elf *elf;
  Dwarf *dwarf;       /* NULL: no debug information */
  uint64_t header;    /* where the file wants its own header to be */
  uint64_t low, high; /* what it wants to be loaded */
  struct variable *variables;
  size_t count, capacity;
};

struct sc_symbols {
  const struct sc_reader *reader;
  struct object *objects; /* [module] */
};

static int compare_variables(const void *left, const void *right)
{
  const struct variable *a = left, *b = right;
  return SC_COMPARE(a->start, b->start) ?: strcmp(a->name, b->name); /* of several names always the same one */
}

static int read_table(struct object *object, unsigned type)
{
  Elf_Scn *section = NULL;
  while ((section = elf_nextscn(object->elf, section))) {
    GElf_Shdr header;
    GElf_Sym symbol;
    if (!gelf_getshdr(section, &header) || header.sh_type != type || !header.sh_entsize)
      continue;
    Elf_Data *data = elf_getdata(section, NULL);
    for (size_t i = 0; data && i < header.sh_size / header.sh_entsize && gelf_getsym(data, (int)i, &symbol); i++) {
      const char *name = elf_strptr(object->elf, header.sh_link, symbol.st_name);
      if (!name || !*name || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_shndx == SHN_UNDEF ||
          !symbol.st_size || symbol.st_value + symbol.st_size < symbol.st_value)
        continue;
      SC_TRY(sc_mem_grow(&object->variables, &object->capacity, object->count + 1, sizeof *object->variables));
      object->variables[object->count++] =
          (struct variable){.start = symbol.st_value, .end = symbol.st_value + symbol.st_size, .name = name};
    }
  }
  return 0;
}

/* The segment that the file begins with says where the process's module base lies among the file's addresses. */
static bool read_segments(struct object *object)
{
  size_t count;
  bool found = false;
  object->low = UINT64_MAX;
  if (elf_getphdrnum(object->elf, &count) < 0)
    return false;
  for (size_t i = 0; i < count; i++) {
    GElf_Phdr segment;
    if (!gelf_getphdr(object->elf, (int)i, &segment) || segment.p_type != PT_LOAD)
      continue;
    if (segment.p_offset == 0) {
      object->header = segment.p_vaddr;
      found = true;
    }
    if (segment.p_vaddr < object->low)
      object->low = segment.p_vaddr;
    if (segment.p_vaddr + segment.p_memsz > object->high)
      object->high = segment.p_vaddr + segment.p_memsz;
  }
  return found;
}

/* Whether the file is still the one that ran; without a build id nobody knows. */
static bool is_same(const struct object *object, const sc_module *module)
{
  const unsigned char *bytes;
  const void *id = NULL;
  char text[sizeof module->build_id] = "";
  ssize_t count = dwelf_elf_gnu_build_id(object->elf, &id);
  bytes = id;
  for (ssize_t i = 0; i < count && 2 * i + 2 < (ssize_t)sizeof text; i++)
    snprintf(text + 2 * i, 3, "%02x", bytes[i]);
  return !*module->build_id || strcmp(text, module->build_id) == 0;
}

/* A file that is gone, was replaced or is not an object has no variables. */
static int open_object(struct object *object, const sc_module *module)
{
  struct stat status;
  object->tried = true;
  object->fd = open(module->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (object->fd < 0 || fstat(object->fd, &status) < 0 || !S_ISREG(status.st_mode) ||
      elf_version(EV_CURRENT) == EV_NONE)
    return 0;
  object->elf = elf_begin(object->fd, ELF_C_READ, NULL);
  if (!object->elf || elf_kind(object->elf) != ELF_K_ELF || !read_segments(object) || !is_same(object, module))
    return 0;
  object->dwarf = dwarf_begin_elf(object->elf, DWARF_C_READ, NULL);
  SC_TRY(read_table(object, SHT_SYMTAB));
  if (!object->count)
    SC_TRY(read_table(object, SHT_DYNSYM));
  if (object->count)
    qsort(object->variables, object->count, sizeof *object->variables, compare_variables);
  return 0;
}

/* The last variable that starts at or before the address, if it reaches that far. */
static struct variable *find_variable(const struct object *object, uint64_t address)
{
  size_t low = sc_search_up_to(object->variables, object->count, sizeof *object->variables,
                               offsetof(struct variable, start), address);
  if (!low || address >= object->variables[low - 1].end)
    return NULL;
  struct variable *variable = &object->variables[low - 1];
  while (variable > object->variables && variable[-1].start == variable->start && address < variable[-1].end)
    variable--;
  return variable;
}

/* By the debug information, if it knows the variable and its part. */
static bool describe_variable(const struct object *object, struct variable *variable, uint64_t offset, sc_buf *buf,
                              sc_symbol *symbol)
{
  int line;
  sc_buf part = {0};
  if (!variable->searched) {
    variable->searched = true;
    variable->found = object->dwarf && sc_symbols_variable(object->dwarf, variable->start, &variable->die);
  }
  bool known = variable->found && sc_symbols_part(&variable->die, offset, &part);
  if (known) {
    const char *file = dwarf_decl_file(&variable->die);
    sc_buf_puts(buf, part.text ? part.text : "");
    symbol->file = file ? file : "";
    symbol->line = file && dwarf_decl_line(&variable->die, &line) == 0 ? (uint32_t)line : 0;
  }
  sc_buf_free(&part);
  return known;
}

static int symbol_name(const struct object *object, struct variable *variable, uint64_t address, sc_symbol *symbol)
{
  sc_buf buf = {0};
  char *display = sc_demangle_name(variable->name);
  sc_buf_puts(&buf, display ? display : variable->name);
  free(display);
  if (!describe_variable(object, variable, address - variable->start, &buf, symbol) && address > variable->start)
    sc_buf_printf(&buf, "+%llu", (unsigned long long)(address - variable->start));
  symbol->name = sc_buf_take(&buf);
  return symbol->name ? 0 : SC_E_NOMEM;
}

int sc_symbols_new(const struct sc_reader *reader, sc_symbols **symbols)
{
  sc_symbols *fresh = sc_mem_new(1, sizeof *fresh);
  *symbols = fresh;
  if (!fresh)
    return SC_E_NOMEM;
  fresh->reader = reader;
  fresh->objects = sc_mem_new(reader->module_count, sizeof *fresh->objects);
  return fresh->objects ? 0 : SC_E_NOMEM;
}

int sc_symbols_find(sc_symbols *symbols, uint64_t address, sc_symbol *symbol)
{
  *symbol = (sc_symbol){.file = ""};
  for (size_t i = 0; i < symbols->reader->module_count; i++) {
    struct object *object = &symbols->objects[i];
    uint64_t base = symbols->reader->module_bases[i];
    if (address < base)
      continue;
    if (!object->tried)
      SC_TRY(open_object(object, &symbols->reader->modules[i]));
    uint64_t there = address - base + object->header;
    struct variable *variable = there >= object->low && there < object->high ? find_variable(object, there) : NULL;
    if (variable)
      return symbol_name(object, variable, there, symbol);
  }
  return 0;
}

void sc_symbols_free(sc_symbols *symbols)
{
  if (!symbols)
    return;
  for (size_t i = 0; symbols->objects && i < symbols->reader->module_count; i++) {
    struct object *object = &symbols->objects[i];
    free(object->variables);
    dwarf_end(object->dwarf);
    elf_end(object->elf);
    if (object->tried && object->fd >= 0)
      close(object->fd);
  }
  free(symbols->objects);
  free(symbols);
}
