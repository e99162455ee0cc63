/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/fit/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"

enum { WINDOW_LEAST = 1 << 10, WINDOW_MOST = 1 << 18 };

uint64_t sc_spool_length(const sc_spool *spool) { return spool->flushed + spool->used; }

void *sc_spool_reserve(sc_spool *spool, size_t length)
{
  if (sc_mem_grow(&spool->tail, &spool->capacity, spool->used + length, 1) < 0)
    return NULL;
  void *room = spool->tail + spool->used;
  spool->used += length;
  return room;
}

void *sc_spool_change(sc_spool *spool, uint64_t at) { return spool->tail + (at - spool->flushed); }

static int hint_place(int err)
{
  return sc_err_hint(err, "set TMPDIR to a folder with room for a file about half as large as the input");
}

/* Not all file systems have files without a name; one whose name is removed at once is the next best. */
static int open_spool_nameless(int *fd)
{
  char path[4096];
  const char *wanted = getenv("TMPDIR"), *folder = wanted && *wanted ? wanted : "/tmp";
  *fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (*fd < 0 && snprintf(path, sizeof path, "%s/scale-run-XXXXXX", folder) < (int)sizeof path) {
    *fd = mkostemp(path, O_CLOEXEC);
    if (*fd >= 0)
      unlink(path);
  }
  return *fd < 0 ? hint_place(sc_err_system(SC_E_IO, errno, "no temporary file can be made in %s", folder)) : 0;
}

int sc_spool_settle(sc_spool *spool)
{
  if (spool->used < (spool->limit ? spool->limit : SC_SPOOL_LIMIT))
    return 0;
  if (spool->fd == 0)
    SC_TRY(open_spool_nameless(&spool->fd));
  for (size_t done = 0; done < spool->used;) {
    ssize_t bytes = pwrite(spool->fd, spool->tail + done, spool->used - done, (off_t)(spool->flushed + done));
    if (bytes < 0 && errno == EINTR)
      continue;
    if (bytes <= 0)
      return hint_place(sc_err_system(errno == ENOSPC || errno == EFBIG ? SC_E_NOSPACE : SC_E_IO, errno,
                                      "the temporary file of measurements cannot be written"));
    done += (size_t)bytes;
  }
  spool->flushed += spool->used;
  spool->used = 0;
  return 0;
}

/* Reads a window that begins at `at`: a large one where reading goes forwards, a small one after a jump. */
static int load_spool(sc_spool *spool, uint64_t at, size_t length)
{
  uint64_t behind = spool->window_at + spool->window_used;
  bool forwards = at >= spool->window_at && at <= behind;
  size_t want = !forwards ? WINDOW_LEAST : spool->window_used >= WINDOW_MOST / 4 ? WINDOW_MOST : spool->window_used * 4;
  if (want < WINDOW_LEAST)
    want = WINDOW_LEAST;
  if (want < length)
    want = length;
  if (want > spool->flushed - at)
    want = (size_t)(spool->flushed - at);
  SC_TRY(sc_mem_grow(&spool->window, &spool->window_capacity, want, 1));
  spool->window_used = 0;
  spool->window_at = at;
  while (spool->window_used < want) {
    ssize_t bytes = pread(spool->fd, spool->window + spool->window_used, want - spool->window_used,
                          (off_t)(at + spool->window_used));
    if (bytes < 0 && errno == EINTR)
      continue;
    if (bytes <= 0)
      return sc_err_system(SC_E_IO, bytes ? errno : EIO, "the temporary file of measurements cannot be read");
    spool->window_used += (size_t)bytes;
  }
  return 0;
}

int sc_spool_read(sc_spool *spool, uint64_t at, size_t length, const void **bytes)
{
  if (at >= spool->flushed) {
    *bytes = spool->tail + (at - spool->flushed);
    return 0;
  }
  if (at < spool->window_at || at + length > spool->window_at + spool->window_used)
    SC_TRY(load_spool(spool, at, length));
  *bytes = spool->window + (at - spool->window_at);
  return 0;
}

void sc_spool_free(sc_spool *spool)
{
  if (spool->fd > 0)
    close(spool->fd);
  free(spool->tail);
  free(spool->window);
  *spool = (sc_spool){0};
}
