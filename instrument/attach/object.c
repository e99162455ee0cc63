/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "instrument/attach/object.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/path.h"

typedef struct part {
  int fd; /* -1: not open */
  Elf *elf;
} part;

struct sc_object {
  char *path;
  part main, debug;
  Dwarf *dwarf;
};

static void open_part(const char *path, part *out)
{
  struct stat info;
  out->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (out->fd >= 0 && fstat(out->fd, &info) == 0 && S_ISREG(info.st_mode) && elf_version(EV_CURRENT) != EV_NONE)
    out->elf = elf_begin(out->fd, ELF_C_READ_MMAP, NULL);
}

static void close_part(part *which)
{
  elf_end(which->elf);
  if (which->fd >= 0)
    close(which->fd);
}

static bool is_loadable(const part *which)
{
  GElf_Ehdr header;
  return which->elf && elf_kind(which->elf) == ELF_K_ELF && gelf_getehdr(which->elf, &header) &&
         (header.e_type == ET_EXEC || header.e_type == ET_DYN);
}

static void open_debug(sc_object *object)
{
  const void *bytes;
  char path[256];
  ssize_t count = dwelf_elf_gnu_build_id(object->main.elf, &bytes);
  int length = snprintf(path, sizeof path, "/usr/lib/debug/.build-id/");
  if (count < 2 || count > 64)
    return;
  for (ssize_t i = 0; i < count; i++)
    length += snprintf(path + length, sizeof path - (size_t)length, i ? "%02x" : "%02x/", ((const uint8_t *)bytes)[i]);
  snprintf(path + length, sizeof path - (size_t)length, ".debug");
  open_part(path, &object->debug);
}

static Dwarf *begin_dwarf(Elf *elf)
{
  Dwarf *dwarf = elf ? dwarf_begin_elf(elf, DWARF_C_READ, NULL) : NULL;
  Dwarf_Off next;
  size_t header;
  if (dwarf && dwarf_nextcu(dwarf, 0, &next, &header, NULL, NULL, NULL) == 0)
    return dwarf;
  dwarf_end(dwarf); /* unwind tables alone are none */
  return NULL;
}

int sc_object_open(const char *path, sc_object **out)
{
  sc_object *object = sc_mem_new(1, sizeof *object);
  int err = 0;
  *out = NULL;
  if (!object)
    return SC_E_NOMEM;
  object->main.fd = object->debug.fd = -1;
  if (!(object->path = sc_mem_copy_string(path)))
    err = SC_E_NOMEM;
  else {
    open_part(path, &object->main);
    if (object->main.fd < 0)
      err = sc_err_system(SC_E_IO, errno, "cannot open %s", path);
    else if (!is_loadable(&object->main))
      err = sc_err_set(SC_E_INPUT, "%s is neither a program nor a library", path);
  }
  if (err < 0) {
    sc_object_close(object);
    return err;
  }
  open_debug(object);
  object->dwarf = begin_dwarf(object->main.elf) ?: begin_dwarf(object->debug.elf);
  *out = object;
  return 0;
}

void sc_object_close(sc_object *object)
{
  if (!object)
    return;
  dwarf_end(object->dwarf);
  close_part(&object->debug);
  close_part(&object->main);
  free(object->path);
  free(object);
}

const char *sc_object_path(const sc_object *object) { return object->path; }

Dwarf *sc_object_dwarf(const sc_object *object) { return object->dwarf; }

static bool has_table(Elf *elf)
{
  GElf_Shdr header;
  for (Elf_Scn *section = elf ? elf_nextscn(elf, NULL) : NULL; section; section = elf_nextscn(elf, section))
    if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB && header.sh_size > header.sh_entsize)
      return true;
  return false;
}

bool sc_object_has_symbols(const sc_object *object)
{
  return has_table(object->main.elf) || has_table(object->debug.elf);
}

/* ---- what watching a return would break ---- */

typedef bool (*name_fn)(const char *name, bool defined);

static bool table_has(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, name_fn wanted)
{
  Elf_Data *data = elf_getdata(section, NULL);
  size_t count = data && header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
  for (size_t i = 0; i < count; i++) {
    GElf_Sym entry;
    const char *name = gelf_getsym(data, (int)i, &entry) ? elf_strptr(elf, header->sh_link, entry.st_name) : NULL;
    if (name && wanted(name, entry.st_shndx != SHN_UNDEF))
      return true;
  }
  return false;
}

/* In any symbol table: a static C++ or Rust program that is stripped has these names in its debug symbols alone. */
static bool object_has(const sc_object *object, name_fn wanted)
{
  Elf *const parts[] = {object->main.elf, object->debug.elf};
  GElf_Shdr header;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    for (Elf_Scn *section = parts[i] ? elf_nextscn(parts[i], NULL) : NULL; section;
         section = elf_nextscn(parts[i], section))
      if (gelf_getshdr(section, &header) && (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM) &&
          table_has(parts[i], section, &header, wanted))
        return true;
  return false;
}

static bool has_section(Elf *elf, const char *wanted)
{
  size_t names;
  GElf_Shdr header;
  if (elf_getshdrstrndx(elf, &names) != 0)
    return false;
  for (Elf_Scn *section = elf_nextscn(elf, NULL); section; section = elf_nextscn(elf, section)) {
    const char *name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
    if (name && strcmp(name, wanted) == 0)
      return true;
  }
  return false;
}

/* C++, Rust, Ada, D and Objective-C. C with cleanups (-fexceptions) asks for libgcc's; libc has that, too, under a name
 * of its own, for threads that are cancelled, whose ends do without return addresses. */
static bool is_personality(const char *name, bool defined)
{
  static const char *const personalities[] = {"gxx_personality_v", "rust_eh_personality", "gnat_personality_v",
                                              "_d_eh_personality", "gdc_personality_v",   "objc_personality_v"};
  if (strcmp(name, "__cxa_throw") == 0 || (!defined && strcmp(name, "__gcc_personality_v0") == 0))
    return true;
  for (size_t i = 0; i < sizeof personalities / sizeof *personalities; i++)
    if (strstr(name, personalities[i]))
      return true;
  return false;
}

bool sc_object_unwinds(const sc_object *object)
{
  return has_section(object->main.elf, ".gopclntab") || object_has(object, is_personality);
}

static bool is_switch(const char *name, bool defined)
{
  static const char *const switches[] = {"makecontext", "swapcontext", "make_fcontext", "jump_fcontext"};
  for (size_t i = 0; i < sizeof switches / sizeof *switches; i++)
    if (strcmp(name, switches[i]) == 0)
      return true;
  return false;
}

bool sc_object_switches_stacks(const sc_object *object)
{
  static const char *const others[] = {"libc.so", "libc-2.", "libcrypto.so"};
  const char *file = sc_path_last(object->path);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (strncmp(file, others[i], strlen(others[i])) == 0)
      return false;
  return object_has(object, is_switch);
}

bool sc_object_offset(const sc_object *object, uint64_t address, uint64_t *offset)
{
  size_t count;
  if (elf_getphdrnum(object->main.elf, &count) != 0)
    return false;
  for (size_t i = 0; i < count; i++) {
    GElf_Phdr header;
    if (!gelf_getphdr(object->main.elf, (int)i, &header) || header.p_type != PT_LOAD || !(header.p_flags & PF_X) ||
        address < header.p_vaddr || address - header.p_vaddr >= header.p_filesz)
      continue;
    *offset = address - header.p_vaddr + header.p_offset;
    return true;
  }
  return false;
}

bool sc_object_start(const sc_object *object, uint64_t *offset)
{
  GElf_Ehdr header;
  return gelf_getehdr(object->main.elf, &header) && sc_object_offset(object, header.e_entry, offset);
}

static int visit_table(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, sc_object_symbol_fn visit, void *user)
{
  Elf_Data *data = elf_getdata(section, NULL);
  const char *source = "";
  size_t count = data && header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
  for (size_t i = 0; i < count; i++) {
    GElf_Sym entry;
    const char *name = gelf_getsym(data, (int)i, &entry) ? elf_strptr(elf, header->sh_link, entry.st_name) : NULL;
    unsigned type = name ? GELF_ST_TYPE(entry.st_info) : STT_NOTYPE;
    if (type == STT_FILE)
      source = name;
    if ((type != STT_FUNC && type != STT_GNU_IFUNC) || !*name || entry.st_shndx == SHN_UNDEF || !entry.st_value)
      continue;
    bool local = GELF_ST_BIND(entry.st_info) == STB_LOCAL;
    const sc_object_symbol symbol = {name, local ? source : "", entry.st_value, local, type == STT_GNU_IFUNC};
    SC_TRY(visit(user, &symbol));
  }
  return 0;
}

static int visit_tables(Elf *elf, sc_object_symbol_fn visit, void *user)
{
  GElf_Shdr header;
  for (Elf_Scn *section = elf ? elf_nextscn(elf, NULL) : NULL; section; section = elf_nextscn(elf, section))
    if (gelf_getshdr(section, &header) && (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM))
      SC_TRY(visit_table(elf, section, &header, visit, user));
  return 0;
}

int sc_object_symbols(const sc_object *object, sc_object_symbol_fn visit, void *user)
{
  SC_TRY(visit_tables(object->debug.elf, visit, user)); /* whose dynamic table has no content */
  return visit_tables(object->main.elf, visit, user);
}
