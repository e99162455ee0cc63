/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/infile.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static bool is_own(const char *path)
{
  return !strncmp(path, "/dev/fd/", 8) || !strncmp(path, "/proc/self/fd/", 14) || !strcmp(path, "/dev/stdin");
}

static bool is_null(const struct stat *info)
{
  return S_ISCHR(info->st_mode) && major(info->st_rdev) == 1 && minor(info->st_rdev) == 3;
}

static const char *infile_kind(const struct stat *info)
{
  return S_ISDIR(info->st_mode)    ? "it is a folder"
         : S_ISFIFO(info->st_mode) ? "it is a named pipe"
         : S_ISSOCK(info->st_mode) ? "it is a socket"
                                   : "it is a device";
}

static int open_any(const char *path, int *fd)
{
  *fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (*fd >= 0)
    (void)fcntl(*fd, F_SETFL, 0); /* a pipe of ours is read to its end */
  return *fd < 0 ? errno : 0;
}

int sc_infile_open(const char *path, int err, const char *what, int *fd)
{
  struct stat info;
  *fd = -1;
  int number = stat(path, &info) == 0 ? 0 : errno;
  bool fits = !number && (S_ISREG(info.st_mode) || is_null(&info) || (is_own(path) && !S_ISDIR(info.st_mode)));
  if (!number && !fits) {
    (void)sc_err_set(err, "%s cannot be read: %s", what, infile_kind(&info));
    (void)sc_err_hint(err, "%s",
                      S_ISDIR(info.st_mode) ? "name the files in it" : "name a file, or use a shell's <(...)");
    errno = EINVAL;
    return err;
  }
  if (!number)
    number = open_any(path, fd);
  if (!number)
    return 0;
  (void)sc_err_system(err, number, "%s cannot be read", what);
  errno = number;
  return err;
}

int sc_infile_read(const char *path, int err, const char *what, size_t limit, sc_buf *text)
{
  char block[1 << 16];
  int fd;
  size_t start = text->length;
  SC_TRY(sc_infile_open(path, err, what, &fd));
  for (err = 0; err == 0 && !text->failed && (!limit || text->length - start <= limit);) {
    ssize_t got = read(fd, block, sizeof block);
    if (got == 0)
      break;
    if (got > 0)
      sc_buf_add(text, block, (size_t)got);
    else if (errno != EINTR)
      err = sc_err_system(SC_E_IO, errno, "%s cannot be read", what);
  }
  close(fd);
  return err < 0 ? err : sc_buf_finish(text);
}
