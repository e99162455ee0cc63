/* SPDX-License-Identifier: MIT */
#include "blocked.h"
#include "os.h"

int __scale_blocked_since(struct sc_arena *own)
{
  struct rusage usage;
  uint64_t switches;
  int since;

  if (!own || sc_os_call(SYS_getrusage, RUSAGE_THREAD, (long)&usage, 0, 0, 0, 0) < 0)
    return 1;
  switches = (uint64_t)usage.ru_nvcsw;
  since = switches != SC_PEEK(own->switches);
  SC_POKE(own->switches, switches);
  return since;
}
