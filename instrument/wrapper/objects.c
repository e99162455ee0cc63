/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Objects offer FUNC.__scale to instrumented callers beside FUNC. objcopy --weaken-symbol=FUNC, --localize-symbol and
 * --redefine-sym leave it as it was, so that it would meet another object's, or be called in place of what FUNC now is.
 * Such a symbol becomes a weak one of another name: callers then go by FUNC.
 */
#include "objects.h"
#include "linker.h"
#include "scan.h"
#include <ar.h>
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char objects_suffix[] = ".__scale";

/* A symbol table in `bytes`, which may lie at any address: members of archives are aligned to 2. */
struct objects_table {
  char *symbols;
  const char *names;
  size_t count, names_bytes;
};

static Elf64_Sym objects_symbol(const struct objects_table *table, size_t i)
{
  Elf64_Sym symbol;

  memcpy(&symbol, table->symbols + i * sizeof(symbol), sizeof(symbol));
  if (symbol.st_name >= table->names_bytes)
    symbol.st_name = 0;
  return symbol;
}

static int objects_inside(size_t count, const Elf64_Shdr *section)
{
  return section->sh_offset <= count && section->sh_size <= count - section->sh_offset && section->sh_size > 0;
}

/* The symbols of a relocatable object. 0: the file has none, or is not an object. */
static int objects_read(char *bytes, size_t count, struct objects_table *table)
{
  Elf64_Ehdr header;
  Elf64_Shdr section, names;

  if (count < sizeof(header))
    return 0;
  memcpy(&header, bytes, sizeof(header));
  if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_type != ET_REL || header.e_shoff > count || header.e_shnum > (count - header.e_shoff) / sizeof(section))
    return 0;
  for (size_t i = 0; i < header.e_shnum; i++) {
    memcpy(&section, bytes + header.e_shoff + i * sizeof(section), sizeof(section));
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= header.e_shnum)
      continue;
    memcpy(&names, bytes + header.e_shoff + section.sh_link * sizeof(names), sizeof(names));
    if (!objects_inside(count, &section) || !objects_inside(count, &names) ||
        bytes[names.sh_offset + names.sh_size - 1])
      return 0;
    *table = (struct objects_table){bytes + section.sh_offset, bytes + names.sh_offset,
                                    section.sh_size / sizeof(Elf64_Sym), names.sh_size};
    return 1;
  }
  return 0;
}

/* Without the suffix, the length of a name by which callers in other objects hand over slots; else 0. */
static size_t objects_stem(const char *name)
{
  size_t bytes = strlen(name), suffix = sizeof(objects_suffix) - 1;

  return bytes > suffix && strcmp(name + bytes - suffix, objects_suffix) == 0 ? bytes - suffix : 0;
}

static int objects_compare(const void *a, const void *b)
{
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Strong definitions that other objects see, by name. To be freed. */
static const char **objects_strong(const struct objects_table *table, size_t *count)
{
  const char **names = malloc((table->count + 1) * sizeof(*names));

  *count = 0;
  for (size_t i = 0; names && i < table->count; i++) {
    Elf64_Sym symbol = objects_symbol(table, i);
    if (ELF64_ST_BIND(symbol.st_info) == STB_GLOBAL && symbol.st_shndx != SHN_UNDEF)
      names[(*count)++] = table->names + symbol.st_name;
  }
  if (names)
    qsort(names, *count, sizeof(*names), objects_compare);
  return names;
}

static int objects_mend_symbol(const struct objects_table *table, size_t i, const char **strong, size_t count)
{
  Elf64_Sym symbol = objects_symbol(table, i);
  const char *name = table->names + symbol.st_name;
  size_t stem = objects_stem(name);
  char *function;
  int whole;

  if (!stem || symbol.st_shndx == SHN_UNDEF || ELF64_ST_TYPE(symbol.st_info) != STT_FUNC ||
      ELF64_ST_BIND(symbol.st_info) != STB_GLOBAL || ELF64_ST_VISIBILITY(symbol.st_other) != STV_HIDDEN)
    return 0;
  function = strndup(name, stem);
  whole = !function || bsearch(&function, strong, count, sizeof(*strong), objects_compare) != NULL;
  free(function);
  if (whole)
    return 0;
  symbol.st_name += (Elf64_Word)stem;
  symbol.st_info = ELF64_ST_INFO(STB_WEAK, STT_FUNC);
  memcpy(table->symbols + i * sizeof(symbol), &symbol, sizeof(symbol));
  return 1;
}

static int objects_mend_object(char *bytes, size_t count)
{
  struct objects_table table;
  const char **strong;
  size_t strong_count;
  int changed = 0;

  if (!objects_read(bytes, count, &table) || !(strong = objects_strong(&table, &strong_count)))
    return 0;
  for (size_t i = 0; i < table.count; i++)
    changed |= objects_mend_symbol(&table, i, strong, strong_count);
  free(strong);
  return changed;
}

/* In an object's or archive's bytes. 1 if something was changed. */
static int mend_bytes(char *bytes, size_t count)
{
  int changed = 0;

  if (count < SARMAG || memcmp(bytes, ARMAG, SARMAG) != 0)
    return objects_mend_object(bytes, count);
  for (size_t at = SARMAG; at + sizeof(struct ar_hdr) <= count;) {
    struct ar_hdr header;
    char digits[sizeof(header.ar_size) + 1] = "";
    size_t size;
    memcpy(&header, bytes + at, sizeof(header));
    memcpy(digits, header.ar_size, sizeof(header.ar_size));
    size = strtoul(digits, NULL, 10);
    at += sizeof(header);
    if (size > count - at)
      break;
    changed |= objects_mend_object(bytes + at, size);
    at += size + size % 2;
  }
  return changed;
}

/* The name of a changed copy (linker.h), or NULL: there is nothing to change. */
static char *objects_copy(const char *path)
{
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat status;
  char *copy = NULL, *bytes = MAP_FAILED;
  size_t count;

  if (fd < 0)
    return NULL;
  if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
    bytes = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
  close(fd);
  if (bytes == MAP_FAILED)
    return NULL;
  count = (size_t)status.st_size;
  if (mend_bytes(bytes, count))
    copy = sc_linker_file("scale-object", bytes, count);
  munmap(bytes, count);
  return copy;
}

void sc_objects_mend(struct sc_args *command)
{
  int only_files = 0;

  for (size_t i = 1; i < command->count; i++) {
    char *text = command->text[i], *copy;
    if (!only_files && *text == '-') {
      only_files = strcmp(text, "--") == 0;
      i += (size_t)sc_scan_takes_next(text);
    } else if ((copy = objects_copy(text))) {
      command->text[i] = copy;
    }
  }
}
