/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/outfile.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"

static int cannot(const char *path, int number)
{
  (void)sc_err_system(number == ENOSPC ? SC_E_NOSPACE : SC_E_IO, number, "%s cannot be written", path);
  return sc_err_hint(number == ENOSPC ? SC_E_NOSPACE : SC_E_IO, "give -o a place where you may write, with room");
}

static int open_temporary(sc_outfile *out)
{
  sc_buf name = {0};
  sc_buf_printf(&name, "%s.XXXXXX", out->path);
  out->temporary = sc_buf_take(&name);
  if (!out->temporary)
    return SC_E_NOMEM;
  int fd = mkstemp(out->temporary);
  if (fd < 0) {
    int number = errno;
    free(out->temporary);
    out->temporary = NULL;
    return cannot(out->path, number);
  }
  mode_t mask = umask(0);
  umask(mask);
  (void)fchmod(fd, 0666 & ~mask); /* as any other file; mkstemp makes it private */
  out->stream = fdopen(fd, "w");
  return out->stream ? 0 : sc_err_set(SC_E_NOMEM, "out of memory");
}

int sc_outfile_open(const char *path, sc_outfile *out)
{
  struct stat status;
  *out = (sc_outfile){.stream = path ? NULL : stdout, .path = path};
  if (!path)
    return 0;
  if (lstat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
    out->stream = fopen(path, "we");
    return out->stream ? 0 : cannot(path, errno);
  }
  int err = open_temporary(out);
  return err < 0 ? sc_outfile_close(out, err) : 0;
}

int sc_outfile_close(sc_outfile *out, int err)
{
  if (out->path && out->stream) {
    errno = 0;
    int failed = ferror(out->stream), number = EIO;
    if (fclose(out->stream) != 0 || failed) {
      number = errno ? errno : number;
      err = err < 0 ? err : cannot(out->path, number);
    }
  }
  if (out->temporary && err >= 0 && rename(out->temporary, out->path) != 0)
    err = cannot(out->path, errno);
  if (out->temporary && err < 0)
    (void)unlink(out->temporary);
  free(out->temporary);
  *out = (sc_outfile){0};
  return err;
}
