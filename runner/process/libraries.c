/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/process/libraries.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/path.h"
#include "runner/process/inspect.h"
#include "runner/process/seen.h"

typedef struct elf_file {
  int descriptor;
  Elf *elf; /* NULL: not an ELF file that can be read */
} elf_file;

static elf_file elf_file_open(const char *path)
{
  elf_file file = {.descriptor = open(path, O_RDONLY | O_CLOEXEC)};
  if (file.descriptor >= 0 && elf_version(EV_CURRENT) != EV_NONE)
    file.elf = elf_begin(file.descriptor, ELF_C_READ, NULL);
  return file;
}

static void elf_file_close(elf_file *file)
{
  elf_end(file->elf);
  if (file->descriptor >= 0)
    close(file->descriptor);
}

/* The loader that a dynamic program names; without one a program is static, and would run. */
static bool find_loader(const char *program, char *loader, size_t size)
{
  elf_file file = elf_file_open(program);
  size_t count = 0;
  bool found = false;
  if (file.elf && elf_getphdrnum(file.elf, &count) == 0)
    for (size_t i = 0; i < count && !found; i++) {
      GElf_Phdr header;
      if (!gelf_getphdr(file.elf, (int)i, &header) || header.p_type != PT_INTERP || header.p_filesz == 0 ||
          header.p_filesz > size)
        continue;
      ssize_t got = pread(file.descriptor, loader, header.p_filesz, (off_t)header.p_offset);
      found = got == (ssize_t)header.p_filesz && loader[got - 1] == '\0' && *loader == '/';
    }
  elf_file_close(&file);
  return found;
}

/* Waiting for such a function, or entering it, is what a program with threads shares. */
static bool takes_locks(const char *function)
{
  static const char *const functions[] = {"pthread_mutex_lock",
                                          "pthread_mutex_trylock",
                                          "pthread_rwlock_rdlock",
                                          "pthread_rwlock_wrlock",
                                          "pthread_spin_lock",
                                          "pthread_cond_wait",
                                          "pthread_cond_timedwait",
                                          "sem_wait",
                                          "mtx_lock"};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (strcmp(function, functions[i]) == 0)
      return true;
  return false;
}

/* The first such function that a library takes from elsewhere. */
static bool find_import(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, char *function, size_t size)
{
  Elf_Data *data = elf_getdata(section, NULL);
  size_t count = data && header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
  for (size_t i = 0; i < count; i++) {
    GElf_Sym symbol;
    if (!gelf_getsym(data, (int)i, &symbol) || symbol.st_shndx != SHN_UNDEF)
      continue;
    const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
    if (name && takes_locks(name)) {
      snprintf(function, size, "%s", name);
      return true;
    }
  }
  return false;
}

static bool imports_lock(const char *path, char *function, size_t size)
{
  elf_file file = elf_file_open(path);
  bool found = false;
  for (Elf_Scn *s = file.elf ? elf_nextscn(file.elf, NULL) : NULL; s && !found; s = elf_nextscn(file.elf, s)) {
    GElf_Shdr header;
    if (gelf_getshdr(s, &header) && header.sh_type == SHT_DYNSYM)
      found = find_import(file.elf, s, &header, function, size);
  }
  elf_file_close(&file);
  return found;
}

static bool is_of_the_compiler(const char *path)
{
  static const char *const names[] = {"ld-linux",  "libc.so",  "libc++",   "libpthread", "libm.so",
                                      "librt.so",  "libdl.so", "libgcc_s", "libstdc++",  "libgomp.so",
                                      "libomp.so", "libasan.", "libtsan.", "libunwind"};
  const char *base = sc_path_last(path);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strncmp(base, names[i], strlen(names[i])) == 0)
      return true;
  return false;
}

static pid_t spawn_listing(const char *loader, const char *program, int *output)
{
  char *const arguments[] = {(char *)loader, "--list", (char *)program, NULL};
  posix_spawn_file_actions_t files;
  pid_t pid = -1;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0)
    return -1;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, ends[1], 1);
  posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
  if (posix_spawn(&pid, loader, &files, NULL, arguments, environ) != 0)
    pid = -1;
  posix_spawn_file_actions_destroy(&files);
  close(ends[1]);
  *output = ends[0];
  if (pid < 0)
    close(ends[0]);
  return pid;
}

/* "	libfoo.so => /usr/lib/libfoo.so (0x00007f...)"; NULL: another line */
static const char *listed_path(char *line)
{
  char *path = strstr(line, "=> /"), *end = strrchr(line, '(');
  if (!path || !end || end < path + 5)
    return NULL;
  end[-1] = '\0';
  return path + 3;
}

int sc_libraries_visit(const char *program, sc_libraries_fn visit, void *user)
{
  char loader[PATH_MAX], line[2 * PATH_MAX];
  int output, status, err = 0;
  if (!find_loader(program, loader, sizeof loader))
    return 0;
  pid_t pid = spawn_listing(loader, program, &output);
  if (pid < 0)
    return 0;
  FILE *list = fdopen(output, "r");
  while (list && err == 0 && fgets(line, sizeof line, list)) {
    const char *path = listed_path(line);
    err = path ? visit(user, path) : 0;
  }
  if (list)
    fclose(list);
  else
    close(output);
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
    ;
  return err;
}

typedef struct silence {
  const char *program;
  sc_buf *seen;
} silence;

static int add_if_silent(void *user, const char *path)
{
  const silence *s = user;
  char function[64];
  if (!is_of_the_compiler(path) && sc_inspect_program(path, NULL) == SC_INSPECT_PLAIN &&
      imports_lock(path, function, sizeof function))
    sc_seen_add(s->seen, function, s->program, path, 0);
  return 0;
}

void sc_libraries_add_silent(const char *program, sc_buf *seen)
{
  silence s = {program, seen};
  (void)sc_err_keep(sc_libraries_visit(program, add_if_silent, &s));
}
