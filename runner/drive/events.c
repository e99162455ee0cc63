/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a drive says while it runs, and how it refuses a study. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "runner/drive/internal.h"

void sc_drive_tell(const sc_drive *drive, sc_drive_event event)
{
  if (!drive->options->report)
    return;
  event.planned = drive->plan != NULL;
  if (drive->refine)
    event.state = sc_refine_status(drive->refine);
  if (drive->plan)
    event.plan = sc_plan_status(drive->plan);
  drive->options->report(drive->options->user, &event);
}

/* Each warning once a study: runs at many sizes say the same. Of texts only hashes are kept, and of those a fixed
 * number, so that a warning needs no memory. */
void sc_drive_warn(void *user, const char *text, const char *hint)
{
  sc_drive *drive = user;
  uint64_t hash = sc_hash_string(SC_HASH_START, text);
  for (size_t i = 0; i < drive->warned_count; i++)
    if (drive->warned[i] == hash)
      return;
  if (drive->warned_count < sizeof drive->warned / sizeof *drive->warned)
    drive->warned[drive->warned_count++] = hash;
  sc_drive_tell(drive, (sc_drive_event){.kind = SC_DRIVE_WARNING, .seconds = -1, .text = text, .hint = hint});
}

void sc_drive_warn_of(sc_drive *drive, const char *hint, const char *format, ...)
{
  char *text;
  va_list list;
  va_start(list, format);
  int length = vasprintf(&text, format, list);
  va_end(list);
  if (length < 0)
    return;
  sc_drive_warn(drive, text, hint);
  free(text);
}

int sc_drive_mismatch(const sc_drive *drive, const char *what)
{
  (void)sc_err_set(SC_E_MISMATCH, "the study %s %s", drive->options->study_path, what);
  return sc_err_hint(SC_E_MISMATCH, "--restart begins anew and keeps the old study as %s.old; -o writes another file",
                     drive->options->study_path);
}
