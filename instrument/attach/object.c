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

static bool needs_personality(Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
  Elf_Data *data = elf_getdata(section, NULL);
  size_t count = data && header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
  for (size_t i = 0; i < count; i++) {
    GElf_Sym entry;
    const char *name = gelf_getsym(data, (int)i, &entry) ? elf_strptr(elf, header->sh_link, entry.st_name) : NULL;
    if (name && (strstr(name, "gxx_personality_v") || strstr(name, "rust_eh_personality")))
      return true;
  }
  return false;
}

bool sc_object_unwinds(const sc_object *object)
{
  Elf *elf = object->main.elf;
  size_t names;
  GElf_Shdr header;
  if (elf_getshdrstrndx(elf, &names) != 0)
    return false;
  for (Elf_Scn *section = elf_nextscn(elf, NULL); section; section = elf_nextscn(elf, section)) {
    if (!gelf_getshdr(section, &header))
      continue;
    const char *name = elf_strptr(elf, names, header.sh_name);
    if (name && strcmp(name, ".gopclntab") == 0)
      return true;
    if ((header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM) && needs_personality(elf, section, &header))
      return true;
  }
  return false;
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
