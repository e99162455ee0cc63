/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/process/identity.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/infile.h"

enum { BUILD_ID_MOST = 64 }; /* bytes that a profile may hold */

/* A file that could not be read for want of memory is not another file. */
static void keep_no_memory(void)
{
  if (errno == ENOMEM)
    (void)sc_err_set(SC_E_NOMEM, "out of memory");
}

bool sc_identity_hash(const char *path, char id[SC_IDENTITY_BYTES])
{
  char block[1 << 14], text[17];
  uint64_t hash = SC_HASH_START;
  size_t got;
  id[0] = '\0';
  int fd;
  FILE *file = sc_infile_open(path, SC_E_IO, path, &fd) < 0 ? NULL : fdopen(fd, "r");
  if (!file) {
    keep_no_memory();
    return false;
  }
  while ((got = fread(block, 1, sizeof block, file)) > 0)
    hash = sc_hash_bytes(hash, block, got);
  bool whole = !ferror(file); /* a directory opens, but cannot be read */
  if (!whole)
    keep_no_memory();
  fclose(file);
  if (!whole)
    return false;
  sc_hash_format(hash, text);
  snprintf(id, SC_IDENTITY_BYTES, "content-%s", text);
  return true;
}

bool sc_identity_read(const char *path, char id[SC_IDENTITY_BYTES])
{
  const void *bytes = NULL;
  ssize_t count = 0;
  id[0] = '\0';
  errno = 0;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return false;
  Elf *elf = elf_version(EV_CURRENT) != EV_NONE ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
  if (elf && elf_kind(elf) == ELF_K_ELF)
    count = dwelf_elf_gnu_build_id(elf, &bytes);
  if (count <= 0)
    keep_no_memory();
  if (count > BUILD_ID_MOST)
    count = 0;
  for (ssize_t i = 0; i < count; i++)
    snprintf(id + 2 * i, 3, "%02x", ((const unsigned char *)bytes)[i]);
  elf_end(elf);
  close(fd);
  return count > 0 || sc_identity_hash(path, id);
}
