/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/text/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"

static int refuse_outfile(const char *path, int number)
{
  bool full = number == ENOSPC || number == EDQUOT;
  int err = sc_err_system(full ? SC_E_NOSPACE : SC_E_IO, number, "%s cannot be written", path);
  return sc_err_hint(err, full ? "free some space, or name a file on another disk"
                               : "name a file in a folder where you may write, with room");
}

int sc_outfile_why(FILE *stream)
{
  errno = 0;
  if (fflush(stream) != 0 && errno)
    return errno;
  if (!ferror(stream))
    return 0;
  clearerr(stream);
  errno = 0;
  (void)(fputc('\n', stream) == EOF || fflush(stream) != 0);
  /* NOLINTNEXTLINE(clang-analyzer-unix.Errno): 0 unless one of them failed */
  return errno ? errno : EIO;
}

/* Without a name where the file system can do that, and a name can be given later. */
static int open_outfile_nameless(const char *path)
{
  const char *slash = strrchr(path, '/');
  char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
  int fd = folder && access("/proc/self/fd", X_OK) == 0 ? open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666) : -1;
  free(folder);
  return fd;
}

static int open_named(sc_outfile *out)
{
  int fd = mkstemp(out->temporary);
  mode_t mask = umask(0);
  umask(mask);
  if (fd >= 0)
    (void)fchmod(fd, 0666 & ~mask); /* as any other file; mkstemp makes it private */
  return fd;
}

static int open_temporary(sc_outfile *out)
{
  sc_buf name = {0};
  sc_buf_printf(&name, "%s.XXXXXX", out->path);
  out->temporary = sc_buf_take(&name);
  if (!out->temporary)
    return SC_E_NOMEM;
  int fd = open_outfile_nameless(out->path);
  out->nameless = fd >= 0;
  if (fd < 0)
    fd = open_named(out);
  if (fd < 0) {
    int number = errno;
    free(out->temporary);
    out->temporary = NULL;
    return refuse_outfile(out->path, number);
  }
  out->stream = fdopen(fd, "w");
  return out->stream ? 0 : sc_err_set(SC_E_NOMEM, "out of memory");
}

/* Gives a file without a name the temporary one, under which it can take the place of another. */
static int name_it(sc_outfile *out)
{
  char self[64];
  snprintf(self, sizeof self, "/proc/self/fd/%d", fileno(out->stream));
  int fd = mkstemp(out->temporary); /* a name that nobody has */
  if (fd < 0)
    return refuse_outfile(out->path, errno);
  close(fd);
  if (unlink(out->temporary) != 0 || linkat(AT_FDCWD, self, AT_FDCWD, out->temporary, AT_SYMLINK_FOLLOW) != 0)
    return refuse_outfile(out->path, errno);
  out->nameless = false;
  return 0;
}

int sc_outfile_open(const char *path, sc_outfile *out)
{
  struct stat status;
  *out = (sc_outfile){.stream = path ? NULL : stdout, .path = path};
  if (!path)
    return 0;
  if (lstat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
    out->stream = fopen(path, "we");
    return out->stream ? 0 : refuse_outfile(path, errno);
  }
  int err = open_temporary(out);
  return err < 0 ? sc_outfile_close(out, err) : 0;
}

int sc_outfile_close(sc_outfile *out, int err)
{
  err = sc_err_kept(err); /* what was composed may lack something */
  if (out->path && out->stream) {
    int number = sc_outfile_why(out->stream);
    if (number)
      err = refuse_outfile(out->path, number);
    if (out->nameless && err >= 0) {
      int named = name_it(out);
      err = named < 0 ? named : err;
    }
    if (fclose(out->stream) != 0 && err >= 0)
      err = refuse_outfile(out->path, errno);
  }
  if (out->temporary && err >= 0 && rename(out->temporary, out->path) != 0)
    err = refuse_outfile(out->path, errno);
  if (out->temporary && !out->nameless && err < 0)
    (void)unlink(out->temporary);
  free(out->temporary);
  *out = (sc_outfile){0};
  return err;
}
