/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps a profile read-only, also while its program writes it, and checks its header. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "profiles/scprof/internal.h"

static int map_foreign(const struct sc_reader *reader, const char *why)
{
  int err = sc_err_set(SC_E_DAMAGED, "%s: not a raw profile: %s", reader->path, why);
  return sc_err_hint(err, "raw profiles are written by programs built with scale-cc and end in .scprof");
}

/* Shorter than a header: cut off, if it begins as one. */
static int too_short(const struct sc_reader *reader, int fd, off_t size)
{
  uint64_t magic = 0;
  if (size == 0)
    return map_foreign(reader, "the file is empty");
  if (pread(fd, &magic, sizeof magic, 0) != (ssize_t)sizeof magic || magic != SCALE_FILE_MAGIC)
    return map_foreign(reader, "its first bytes are not SCPROF");
  int err = sc_err_set(SC_E_DAMAGED, "%s: the raw profile is truncated: %lld bytes, less than its header", reader->path,
                       (long long)size);
  return sc_err_hint(err, "copy the file again, or run the program again; was the disk full?");
}

/* Mapped shared, so that the profile of a program that still runs is read as it is now; what may change is copied
 * before it is checked. */
static int map_file(struct sc_reader *reader)
{
  int err = 0;
  struct stat status;
  int fd = open(reader->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a named pipe must not make us wait */
  if (fd < 0) {
    (void)sc_err_system(SC_E_IO, errno, "cannot open the profile %s", reader->path);
    return sc_err_hint(SC_E_IO,
                       "check the name; programs write profiles into the directory that SCALE_PROFILE_DIR names");
  }
  if (fstat(fd, &status) < 0) {
    err = sc_err_system(SC_E_IO, errno, "cannot read the profile %s", reader->path);
    goto out;
  }
  if (!S_ISREG(status.st_mode)) {
    err = map_foreign(reader, "not a regular file");
    goto out;
  }
  if (status.st_size < SCALE_HEADER_BYTES) {
    err = too_short(reader, fd, status.st_size);
    goto out;
  }
  void *data = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, fd, 0);
  if (data == MAP_FAILED) {
    err = sc_err_system(SC_E_IO, errno, "cannot map the profile %s", reader->path);
    goto out;
  }
  reader->data = data;
  reader->size = (size_t)status.st_size;
out:
  close(fd);
  return err;
}

/* A running process may have made the file longer since it was mapped. */
static bool has_grown(const struct sc_reader *reader)
{
  struct stat status;
  return stat(reader->path, &status) == 0 && (uint64_t)status.st_size >= reader->header.used;
}

/* How long the profile is says `used`, which has no checksum; if it cannot be, the file's length does. */
static int check_length(struct sc_reader *reader)
{
  uint64_t used = reader->header.used;
  int err = 0;
  reader->end = reader->size;
  if (used < SCALE_HEADER_BYTES || used % SCALE_CHUNK_ALIGN)
    err = sc_reader_damaged(reader, offsetof(struct scale_header, used), "an impossible length of %llu bytes",
                            (unsigned long long)used);
  else if (used > reader->size && !has_grown(reader))
    err = sc_reader_damaged(reader, reader->size, "the file ends after %zu of %llu bytes", reader->size,
                            (unsigned long long)used);
  return sc_reader_forgive(reader, err);
}

/* The checksum is over the part before `used`, which never changes; counters behind it do, while the program runs. */
static int check_header(struct sc_reader *reader)
{
  struct scale_header *header = &reader->header;
  memcpy(header, reader->data, sizeof *header);
  if (header->magic != SCALE_FILE_MAGIC)
    return map_foreign(reader, "its first bytes are not SCPROF");
  if (header->endian != SCALE_ENDIAN)
    return map_foreign(reader, "written by a machine of the other byte order");
  if (header->version < SCALE_FILE_VERSION_LEAST || header->version > SCALE_FILE_VERSION) {
    int err = sc_err_set(SC_E_VERSION, "%s: raw profile of version %u; this scale-run reads versions %u to %u",
                         reader->path, header->version, SCALE_FILE_VERSION_LEAST, SCALE_FILE_VERSION);
    return sc_err_hint(err, "build the program again with the scale-cc that belongs to this scale-run");
  }
  struct scale_header fixed = *header;
  fixed.crc = 0;
  uint32_t crc = (uint32_t)crc32(0, (const Bytef *)&fixed, offsetof(struct scale_header, used));
  if (crc != header->crc)
    return sc_reader_damaged(reader, 0, "the header's checksum is 0x%08x instead of 0x%08x", crc, header->crc);
  if (header->header_bytes != SCALE_HEADER_BYTES)
    return sc_reader_damaged(reader, offsetof(struct scale_header, header_bytes), "a header of %u bytes instead of %u",
                             header->header_bytes, SCALE_HEADER_BYTES);
  return check_length(reader);
}

int sc_map_open(struct sc_reader *reader)
{
  SC_TRY(map_file(reader));
  return check_header(reader);
}

void sc_map_close(struct sc_reader *reader)
{
  if (reader->data)
    munmap((void *)(uintptr_t)reader->data, reader->size);
  reader->data = NULL;
}
