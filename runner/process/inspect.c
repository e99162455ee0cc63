/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/process/inspect.h"

#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool in_path(const char *program, char *found, size_t size)
{
  const char *path = getenv("PATH");
  while (path && *path) {
    size_t length = strcspn(path, ":");
    snprintf(found, size, "%.*s/%s", (int)length, path, program);
    if (access(found, X_OK) == 0)
      return true;
    path += length + (path[length] == ':');
  }
  return false;
}

bool sc_inspect_find(const char *program, const char *directory, char *found, size_t size)
{
  if (!strchr(program, '/'))
    return in_path(program, found, size);
  if (*program == '/' || !directory)
    snprintf(found, size, "%s", program);
  else
    snprintf(found, size, "%s/%s", directory, program);
  return true;
}

static bool has_sites(Elf *elf)
{
  size_t names;
  if (elf_getshdrstrndx(elf, &names) != 0)
    return false;
  for (Elf_Scn *section = elf_nextscn(elf, NULL); section; section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    const char *name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
    if (name && !strcmp(name, "scale_sites"))
      return true;
  }
  return false;
}

enum sc_inspect_kind sc_inspect_program(const char *program, const char *directory)
{
  char path[PATH_MAX], magic[2] = "";
  struct stat info;
  enum sc_inspect_kind kind = SC_INSPECT_UNKNOWN;
  if (!sc_inspect_find(program, directory, path, sizeof path))
    return kind;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return kind;
  if (pread(fd, magic, 2, 0) == 2 && !memcmp(magic, "#!", 2))
    kind = SC_INSPECT_SCRIPT;
  else if (elf_version(EV_CURRENT) != EV_NONE) {
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    if (elf && elf_kind(elf) == ELF_K_ELF)
      kind = has_sites(elf) ? SC_INSPECT_INSTRUMENTED : SC_INSPECT_PLAIN;
    elf_end(elf);
  }
  if (kind == SC_INSPECT_INSTRUMENTED && fstat(fd, &info) == 0 && (info.st_mode & (S_ISUID | S_ISGID)))
    kind = SC_INSPECT_PRIVILEGED;
  close(fd);
  return kind;
}
