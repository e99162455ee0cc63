/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The error of a damaged profile, with what may have damaged it. */
#include <stdio.h>

#include "profiles/scprof/internal.h"

int sc_reader_damaged(const struct sc_reader *reader, uint64_t offset, const char *format, ...)
{
  char what[512];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  int err = sc_err_set(SC_E_DAMAGED, "%s: damaged profile: %s, at offset 0x%llx", reader->path, what,
                       (unsigned long long)offset);
  return sc_err_hint(err, "delete the file and measure again");
}

/* All damage is counted, but only the first is named: what comes after it often follows from it. */
int sc_reader_forgive(struct sc_reader *reader, int err)
{
  if (err != SC_E_DAMAGED)
    return err;
  reader->lost_parts++;
  if (!reader->damage && !(reader->damage = sc_mem_copy_string(sc_err_message())))
    return SC_E_NOMEM;
  return 0;
}
