/* SPDX-License-Identifier: MIT */
/* Locks of files (flock, fcntl, lockf), and the end of those that close() gives back. */
#include "do.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Locks of files. The instance is the file, whoever has it open, and of a part of it where that begins. Closing
 * unlocks: which descriptors a lock was taken by is kept for those that programs with few files have.
 */
enum { FILES = 1024 };
static uint64_t locked[FILES];

static uint64_t file_identity(int file, uint64_t start)
{
  struct stat status;
  int saved = errno;
  uint64_t identity = 0;

  if (!__scale_event_idle() && fstat(file, &status) == 0)
    identity = ((uint64_t)status.st_ino ^ (uint64_t)status.st_dev << 40) * 0x9e3779b97f4a7c15 + start;
  errno = saved;
  return identity;
}

static void file_is(int file, uint64_t identity)
{
  if (file >= 0 && file < FILES)
    __atomic_store_n(&locked[file], identity, __ATOMIC_RELAXED);
}

static int file_locked(int file, uint64_t identity, int result, SC_HOW)
{
  if (result == 0) {
    file_is(file, identity);
    __scale_event_acquired(cell, identity, 1, how);
  } else {
    __scale_event_failed(cell, identity, how);
  }
  return result;
}

/* As `try`, and if another one has it and the caller `waits`, `call`, timed; errno is left as by the last of them. */
#define DO_FILE(waits, try, call)                                       \
  int saved = errno, result = try;                                      \
  if (result != 0 && (waits) && (errno == EAGAIN || errno == EACCES)) { \
    uint64_t token = __scale_event_waits(cell, identity, how);          \
    errno = saved;                                                      \
    result = call;                                                      \
    if (result == 0 || errno == EINTR)                                  \
      __scale_event_waited(cell, identity, token, how);                 \
  }                                                                     \
  return file_locked(file, identity, result, cell, how)

int __scale_do_flock(int file, int operation, SC_HOW_FILE)
{
  uint64_t identity = file_identity(file, 0);

  if (operation & LOCK_UN) {
    file_is(file, 0);
    __scale_event_releases(back_cell, identity, 1, back);
    return flock(file, operation);
  }
  if (operation & LOCK_SH) {
    cell = shared_cell;
    how = shared;
  }
  DO_FILE(!(operation & LOCK_NB), flock(file, operation | LOCK_NB), flock(file, operation));
}

/* What cannot be an address: the kernel says EFAULT to it. */
static int file_nowhere(const void *at) { return (uintptr_t)at + 4096 < 8192; }

int __scale_do_fcntl(int file, int command, void *range, SC_HOW_FILE)
{
  const struct flock *part = range;
  int waits = command == F_SETLKW || command == F_OFD_SETLKW;

  if ((!waits && command != F_SETLK && command != F_OFD_SETLK) || file_nowhere(part))
    return fcntl(file, command, range);
  uint64_t identity = file_identity(file, part->l_whence == SEEK_SET ? (uint64_t)part->l_start : 0);

  if (part->l_type == F_UNLCK) {
    file_is(file, 0);
    __scale_event_releases(back_cell, identity, 1, back);
    return fcntl(file, command, range);
  }
  if (part->l_type == F_RDLCK) {
    cell = shared_cell;
    how = shared;
  }
  if (waits)
    pthread_testcancel();
  DO_FILE(waits,
          fcntl(file,
                command == F_OFD_SETLKW ? F_OFD_SETLK
                : command == F_SETLKW   ? F_SETLK
                                        : command,
                range),
          fcntl(file, command, range));
}

int __scale_do_lockf(int file, int command, off_t length, SC_HOW, uint64_t *back_cell, uint32_t back)
{
  uint64_t identity = file_identity(file, 0);

  if (command == F_TEST)
    return lockf(file, command, length);
  if (command == F_ULOCK) {
    file_is(file, 0);
    __scale_event_releases(back_cell, identity, 1, back);
    return lockf(file, command, length);
  }
  if (command == F_LOCK)
    pthread_testcancel();
  DO_FILE(command == F_LOCK, lockf(file, command == F_LOCK ? F_TLOCK : command, length), lockf(file, command, length));
}

int __scale_do_close(int file, SC_HOW)
{
  uint64_t identity = file >= 0 && file < FILES ? __atomic_exchange_n(&locked[file], 0, __ATOMIC_RELAXED) : 0;

  if (identity)
    __scale_event_releases(cell, identity, 1, how);
  return close(file);
}
