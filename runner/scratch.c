/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/scratch.h"

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"

static int failed(const char *path, int code)
{
  int err = sc_err_system(code == ENOSPC || code == EDQUOT ? SC_E_NOSPACE : SC_E_IO, code,
                          "cannot make the directory %s", path);
  return sc_err_hint(err, "set TMPDIR to a writable place with free space");
}

static int make(const char *path) { return mkdir(path, 0700) < 0 && errno != EEXIST ? failed(path, errno) : 0; }

static int join(const char *base, const char *name, char **path)
{
  if (asprintf(path, "%s/%s", base, name) < 0) {
    *path = NULL;
    return sc_err_set(SC_E_NOMEM, "out of memory");
  }
  return make(*path);
}

int sc_scratch_open(const char *base, sc_scratch *scratch)
{
  int err;
  *scratch = (sc_scratch){0};
  scratch->base = realpath(base, NULL);
  if (!scratch->base)
    return sc_err_system(SC_E_IO, errno, "cannot use the scratch directory %s", base);
  SC_GOTO(join(scratch->base, "shared", &scratch->shared));
  SC_GOTO(join(scratch->base, "run", &scratch->run));
  SC_GOTO(join(scratch->run, "files", &scratch->files));
  SC_GOTO(join(scratch->run, "profiles", &scratch->profiles));
  SC_GOTO(join(scratch->run, "spool", &scratch->spool));
out:
  if (err < 0)
    sc_scratch_close(scratch, NULL);
  return err;
}

static void keep(const sc_scratch *scratch, const char *name)
{
  char *path;
  if (asprintf(&path, "%s/%s", scratch->base, name) < 0)
    return;
  sc_scratch_remove(path);
  (void)rename(scratch->run, path);
  free(path);
}

void sc_scratch_close(sc_scratch *scratch, const char *keep_as)
{
  if (scratch->run && keep_as)
    keep(scratch, keep_as);
  else if (scratch->run)
    sc_scratch_remove(scratch->run);
  free(scratch->base);
  free(scratch->shared);
  free(scratch->run);
  free(scratch->files);
  free(scratch->profiles);
  free(scratch->spool);
  *scratch = (sc_scratch){0};
}

int sc_scratch_make(const char *parent, char **path)
{
  const char *temporary = getenv("TMPDIR");
  if (!parent)
    parent = temporary && *temporary ? temporary : "/tmp";
  if (asprintf(path, "%s/scale-run-XXXXXX", parent) < 0) {
    *path = NULL;
    return sc_err_set(SC_E_NOMEM, "out of memory");
  }
  if (mkdtemp(*path))
    return 0;
  int err = failed(*path, errno);
  free(*path);
  *path = NULL;
  return err;
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *where)
{
  if (type == FTW_DNR) /* a target may have made it unreadable */
    chmod(path, 0700);
  (void)remove(path);
  return 0;
}

void sc_scratch_remove(const char *path) { nftw(path, remove_entry, 32, FTW_DEPTH | FTW_PHYS | FTW_MOUNT); }
