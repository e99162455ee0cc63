/* SPDX-License-Identifier: MIT */
#include "file.h"
#include "bytes.h"
#include "os.h"
#include "ticks.h"

enum { SC_EXE_NAME_MAX = 120, SC_CREATE_TRIES = 100 };

void __scale_file_chunk_place(struct scale_chunk *chunk, uint64_t bytes, uint64_t offset)
{
  uint32_t magic = SCALE_CHUNK_MAGIC;

  chunk->bytes = bytes;
  chunk->reserved2 = offset;
  chunk->crc = __scale_bytes_crc(__scale_bytes_crc(0, &magic, sizeof(magic)), (char *)chunk + sizeof(magic),
                                 offsetof(struct scale_chunk, crc) - sizeof(magic));
}

/* Fills in a chunk's header at `chunk`; its `used` is what header and bitmap take. `address` is where it will
   be mapped; `offset` where it is in the file, or 0 for private memory. */
static void fill_header(struct scale_chunk *chunk, uint16_t type, uint16_t flags, uint64_t bytes, uint32_t arena,
                        const void *address, uint64_t offset)
{
  chunk->type = type;
  chunk->flags = flags;
  chunk->address = (uintptr_t)address;
  chunk->arena = arena;
  chunk->bitmap_bytes = type == SCALE_CHUNK_ARENA ? (uint32_t)(bytes / SCALE_BLOCK_ALIGN / 8) : 0;
  __scale_file_chunk_place(chunk, bytes, offset);
  chunk->used = sizeof(*chunk) + chunk->bitmap_bytes;
  chunk->next = 0;
  SC_STORE(chunk->magic, SCALE_CHUNK_MAGIC); /* last: a reader takes a chunk without it as not begun */
}

/* Makes sure that the file has space on its disk, so that touching the pages cannot raise SIGBUS. */
int __scale_file_reserve(int fd, uint64_t offset, uint64_t bytes)
{
  static const char zeros[512];
  int err;

  if (offset + bytes > sc_os_limit(RLIMIT_FSIZE))
    return -27; /* EFBIG */
  err = sc_os_fallocate(fd, offset, bytes);
  if (err == -4) /* EINTR */
    err = sc_os_fallocate(fd, offset, bytes);
  if (err != -95 && err != -38) /* EOPNOTSUPP, ENOSYS: the file system cannot; write instead */
    return err;
  for (uint64_t done = 0; done < bytes; done += sizeof(zeros)) {
    long written = sc_os_pwrite(fd, zeros, sizeof(zeros), offset + done);
    if (written != (long)sizeof(zeros))
      return written < 0 ? (int)written : -28; /* ENOSPC */
  }
  return 0;
}

void __scale_file_lost(struct scale_header *header, int err)
{
  uint64_t before = 0;
  SC_SWAP(header->lost_reason, &before, (uint64_t)-err);
}

/* The file of this process, if its name still leads to it. */
int __scale_file_open(const struct sc_process *p)
{
  struct stat status;
  int fd = sc_os_open(p->path, O_RDWR | O_NOFOLLOW, 0);

  if (fd >= 0 &&
      (sc_os_fstat(fd, &status) < 0 || (uint64_t)status.st_dev != p->device || (uint64_t)status.st_ino != p->inode)) {
    sc_os_close(fd);
    return -2;
  }
  return fd;
}

/* Maps the file's next `bytes`. Space is reserved and mapped before it is claimed, so that `used` never
   covers bytes that are not there; whoever loses the race simply tries the next place. */
static void *file_grow(struct sc_process *p, uint64_t bytes, uint64_t *offset)
{
  void *at = NULL;
  int fd, err;

  if (!p->has_file || SC_LOAD(p->full))
    return NULL;
  err = fd = __scale_file_open(p);
  if (fd < 0)
    goto full;
  *offset = SC_LOAD(p->header->used);
  for (;;) {
    err = __scale_file_reserve(fd, *offset, bytes);
    if (err < 0)
      goto full;
    at = sc_os_map(NULL, bytes, fd, *offset);
    err = -12; /* ENOMEM */
    if (!at)
      goto full;
    if (SC_SWAP(p->header->used, offset, *offset + bytes))
      break;
    sc_os_unmap(at, bytes);
  }
  sc_os_close(fd);
  return at;
full:
  SC_STORE(p->full, 1);
  __scale_file_lost(p->header, err);
  if (fd >= 0)
    sc_os_close(fd);
  return NULL;
}

struct scale_chunk *__scale_file_chunk(struct sc_process *p, uint16_t type, uint16_t flags, uint64_t bytes,
                                       uint32_t arena)
{
  uint64_t offset = 0;
  void *at = file_grow(p, bytes, &offset);

  if (!at) {
    if (type != SCALE_CHUNK_ARENA)
      return NULL;
    offset = 0;
    at = sc_os_map(NULL, bytes, -1, 0);
    if (!at)
      return NULL;
    if (p->wants_file)
      SC_ADD(p->header->lost_bytes, bytes);
  }
  fill_header(at, type, flags, bytes, arena, at, offset);
  if (type == SCALE_CHUNK_RECORDS)
    ((struct scale_chunk *)at)->base = p->base;
  return at;
}

static char *file_append(char *to, const char *text)
{
  size_t bytes = sc_length(text);
  sc_copy(to, text, bytes);
  return to + bytes;
}

/* Puts "/<exe>" behind the folder. */
static void file_name_exe(struct sc_process *p)
{
  char *to = p->path + p->folder_bytes;
  char exe[512];
  long bytes = sc_os_readlink("/proc/self/exe", exe, sizeof(exe) - 1);
  long base = 0;

  if (bytes < 0)
    bytes = 0;
  exe[bytes] = 0;
  for (long i = 0; i < bytes; i++)
    if (exe[i] == '/')
      base = i + 1;
  if (bytes - base > SC_EXE_NAME_MAX)
    exe[base + SC_EXE_NAME_MAX] = 0;
  *to++ = '/';
  to = file_append(to, exe[base] ? exe + base : "program");
  p->name_bytes = (uint32_t)(to - p->path);
}

/* Puts "/<exe>.<pid>.<start>.scprof" behind the folder. A child of fork has its executable's name from its parent. */
static void file_name(struct sc_process *p, uint32_t pid, uint64_t start_ns)
{
  char *to;

  if (!p->name_bytes)
    file_name_exe(p);
  p->path[p->folder_bytes] = '/';
  to = p->path + p->name_bytes;
  *to++ = '.';
  to = __scale_bytes_decimal(to, pid);
  *to++ = '.';
  to = __scale_bytes_decimal(to, start_ns);
  to = file_append(to, ".scprof");
  *to = 0;
}

static void file_header(struct scale_header *h, uint32_t pid, uint32_t forked, uint64_t start_ns)
{
  h->magic = SCALE_FILE_MAGIC;
  h->version = SCALE_FILE_VERSION;
  h->endian = SCALE_ENDIAN;
  h->header_bytes = SCALE_HEADER_BYTES;
  h->machine = SC_ELF_MACHINE;
  h->pid = pid;
  h->parent_pid = sc_os_parent_pid();
  h->forked = forked;
  h->start_ns = start_ns;
  h->crc = 0;
  h->crc = __scale_bytes_crc(0, h, offsetof(struct scale_header, used));
  h->used = SCALE_HEADER_BYTES;
  __scale_ticks_begin(h);
}

/* A program that begins as root and gives that up must still be able to open its file: where the folder lets everybody
   write, so does the file. */
static void file_share(struct sc_process *p, int fd, const struct stat *status)
{
  struct stat folder;
  char first = p->path[p->folder_bytes];

  if (status->st_uid != 0)
    return;
  p->path[p->folder_bytes] = 0;
  if (sc_os_stat(p->path, &folder) == 0 && folder.st_mode & S_IWOTH)
    sc_os_fchmod(fd, 0666);
  p->path[p->folder_bytes] = first;
}

int __scale_file_create(struct sc_process *p, uint32_t forked)
{
  struct stat status;
  struct scale_header first;
  uint64_t start_ns = sc_os_now_ns();
  uint32_t pid = sc_os_pid();
  void *at = NULL;
  int fd = -17;
  int err;

  for (int i = 0; i < SC_CREATE_TRIES && fd == -17 /* EEXIST */; i++, start_ns++) {
    file_name(p, pid, start_ns);
    fd = sc_os_open(p->path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);
    if (fd == -2 /* ENOENT */ && i == 0) {
      p->path[p->folder_bytes] = 0;
      sc_os_mkdir(p->path);
      fd = -17;
    }
  }
  if (fd < 0)
    return fd;
  sc_zero(&first, sizeof(first));
  file_header(&first, pid, forked, start_ns - 1);
  err = __scale_file_reserve(fd, 0, SCALE_HEADER_BYTES);
  if (err == 0 && sc_os_pwrite(fd, &first, sizeof(first), 0) != (long)sizeof(first))
    err = -5;
  if (err == 0)
    err = sc_os_fstat(fd, &status);
  if (err == 0 && !(at = sc_os_map(NULL, SCALE_HEADER_BYTES, fd, 0)))
    err = -12;
  if (err == 0)
    file_share(p, fd, &status);
  sc_os_close(fd);
  if (err < 0) {
    sc_os_unlink(p->path);
    return err;
  }
  p->header = at;
  p->device = (uint64_t)status.st_dev;
  p->inode = (uint64_t)status.st_ino;
  return 0;
}
