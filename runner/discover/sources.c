/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/discover/sources.h"

#include <errno.h>
#include <fts.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/infile.h"

enum { TEXT_BYTES = 1 << 30, DEPTH = 100, NAME_BYTES = 4200 };

/* With a hint, where a file that cannot be read has none yet. */
static int sources_hint(int err)
{
  if (err != SC_E_IO || *sc_err_hint_text())
    return err;
  return sc_err_hint(err, "name the program, its objects or libraries, or the folder it was built in");
}

static int sources_io(const char *path, const char *why)
{
  return sources_hint(sc_err_set(SC_E_IO, "%s cannot be read: %s", path, why));
}

/* ---- text: a unit a line; in a section, between units there may be NULs ------------------------------- */

static int sources_unit(sc_sources *sources, sc_facts *facts, const char *text, size_t length, const char *name,
                        size_t line)
{
  bool added;
  SC_TRY(sc_facts_add(facts, text, length, name, line, &added));
  sources->units += added;
  sources->repeated += !added;
  if (added && sources->copy) {
    fwrite(text, 1, length, sources->copy);
    fputc('\n', sources->copy);
  }
  return 0;
}

int sc_sources_add_text(sc_sources *sources, sc_facts *facts, const char *text, size_t length, const char *name)
{
  size_t line = 0;
  for (size_t at = 0; at < length; at++) {
    const char *end = memchr(text + at, '\n', length - at);
    size_t stop = end ? (size_t)(end - text) : length;
    line++;
    while (at < stop && strchr(" \t\r", text[at])) /* strchr also finds the NUL */
      at++;
    size_t bytes = stop - at;
    while (bytes && strchr(" \t\r", text[at + bytes - 1]))
      bytes--;
    if (bytes)
      SC_TRY(sources_unit(sources, facts, text + at, bytes, name, line));
    at = stop;
  }
  return 0;
}

static int sources_text_file(sc_sources *sources, sc_facts *facts, const char *path)
{
  sc_buf text = {0};
  char what[NAME_BYTES];
  int err;
  snprintf(what, sizeof what, "the facts %s", path);
  SC_GOTO(sources_hint(sc_infile_read(path, SC_E_IO, what, TEXT_BYTES, &text)));
  if (text.length > TEXT_BYTES) {
    sc_err_set(SC_E_INPUT, "%s: more than %d bytes of facts", path, TEXT_BYTES);
    err = sc_err_hint(SC_E_INPUT, "name the folders of the parts that matter, one run each");
  } else
    err = sc_sources_add_text(sources, facts, text.text, text.length, path);
out:
  sc_buf_free(&text);
  return err;
}

/* ---- ELF files and archives ------------------------------------------------------------------------------ */

/* Whether libelf, which says of what is damaged the same as of what it had no memory for, just failed for want of that.
 */
static int sources_memory(const char *name)
{
  return errno == ENOMEM ? sc_err_set(SC_E_NOMEM, "out of memory: %s cannot be read", name) : 0;
}

static int sources_section(sc_sources *sources, sc_facts *facts, Elf_Scn *section, const char *name)
{
  Elf_Data *data = NULL;
  for (errno = 0; (data = elf_rawdata(section, data)); errno = 0)
    if (data->d_buf && data->d_size)
      SC_TRY(sc_sources_add_text(sources, facts, data->d_buf, data->d_size, name));
  return sources_memory(name);
}

static int sources_object(sc_sources *sources, sc_facts *facts, Elf *elf, const char *name)
{
  size_t names;
  errno = 0;
  if (elf_getshdrstrndx(elf, &names) != 0)
    return sources_memory(name);
  for (Elf_Scn *section = elf_nextscn(elf, NULL); section; section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    errno = 0;
    const char *text = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
    if (!text)
      SC_TRY(sources_memory(name));
    if (text && strcmp(text, ".scale_facts") == 0 && header.sh_type != SHT_NOBITS)
      SC_TRY(sources_section(sources, facts, section, name));
  }
  return 0;
}

static int sources_archive(sc_sources *sources, sc_facts *facts, int fd, Elf *archive, const char *path)
{
  Elf_Cmd command = ELF_C_READ;
  Elf *member;
  while ((member = elf_begin(fd, command, archive))) {
    Elf_Arhdr *header = elf_getarhdr(member);
    char name[NAME_BYTES];
    snprintf(name, sizeof name, "%s(%s)", path, header && header->ar_name ? header->ar_name : "?");
    int err = elf_kind(member) == ELF_K_ELF ? sources_object(sources, facts, member, name) : 0;
    command = elf_next(member);
    elf_end(member);
    SC_TRY(err);
  }
  return 0;
}

/* `named`: by the user; then anything else is an error. */
static int sources_elf(sc_sources *sources, sc_facts *facts, const char *path, bool named)
{
  int fd, err = 0;
  SC_TRY(sources_hint(sc_infile_open(path, SC_E_IO, path, &fd)));
  errno = 0;
  Elf *elf = elf_version(EV_CURRENT) != EV_NONE ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
  err = elf ? 0 : sources_memory(path);
  Elf_Kind kind = elf ? elf_kind(elf) : ELF_K_NONE;
  sources->files += kind == ELF_K_ELF || kind == ELF_K_AR;
  if (err == 0 && kind == ELF_K_ELF)
    err = sources_object(sources, facts, elf, path);
  else if (err == 0 && kind == ELF_K_AR)
    err = sources_archive(sources, facts, fd, elf, path);
  else if (err == 0 && named) {
    sc_err_set(SC_E_INPUT, "%s is not a program, library, object, archive or facts file", path);
    err = sc_err_hint(SC_E_INPUT, "name what scale-cc --scale-facts built, or the folder it was built in");
  }
  elf_end(elf);
  close(fd);
  return err;
}

/* ---- files and folders ------------------------------------------------------------------------------------- */

/* Whether a file begins as an ELF file or an archive does; facts are read where they are named. */
static bool sources_is_elf(const char *path)
{
  char magic[8] = "";
  FILE *file = fopen(path, "re");
  size_t got = file ? fread(magic, 1, sizeof magic, file) : 0;
  if (file)
    fclose(file);
  return got == sizeof magic && (memcmp(magic, ELFMAG, SELFMAG) == 0 || memcmp(magic, "!<arch>\n", 8) == 0);
}

static int sources_by_name(const FTSENT **a, const FTSENT **b) { return strcmp((*a)->fts_name, (*b)->fts_name); }

static int sources_folder(sc_sources *sources, sc_facts *facts, const char *path)
{
  char *const roots[] = {(char *)path, NULL};
  FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, sources_by_name);
  int err = tree ? 0 : sources_io(path, strerror(errno));
  for (FTSENT *entry; err == 0 && (entry = fts_read(tree));) {
    if (entry->fts_info == FTS_D && entry->fts_level > DEPTH)
      fts_set(tree, entry, FTS_SKIP);
    else if (entry->fts_info == FTS_F && sources_is_elf(entry->fts_path))
      err = sources_elf(sources, facts, entry->fts_path, false);
  }
  if (tree)
    fts_close(tree);
  return err;
}

int sc_sources_add(sc_sources *sources, sc_facts *facts, const char *path)
{
  struct stat info;
  char first = '\0';
  int fd;
  if (stat(path, &info) != 0)
    return sources_io(path, strerror(errno));
  if (S_ISDIR(info.st_mode))
    return sources_folder(sources, facts, path);
  if (!S_ISREG(info.st_mode))
    return sources_text_file(sources, facts, path);
  SC_TRY(sources_hint(sc_infile_open(path, SC_E_IO, path, &fd)));
  bool text = pread(fd, &first, 1, 0) == 1 && first == '{';
  close(fd);
  return text ? sources_text_file(sources, facts, path) : sources_elf(sources, facts, path, true);
}

int sc_sources_need(const sc_sources *sources, const char *path)
{
  if (sources->units)
    return 0;
  sc_err_set(SC_E_INPUT, "%s has no facts about its source", path);
  return sc_err_hint(SC_E_INPUT, sources->files
                                     ? "build it with scale-cc --scale-facts, or with SCALE_FACTS=1 in the environment "
                                       "of the build: SCALE_FACTS=1 make CC=scale-cc"
                                     : "no program, library, object or archive was found there: name the folder that "
                                       "was built with scale-cc --scale-facts");
}
