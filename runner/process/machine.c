/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/process/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

void sc_machine_describe(sc_buf *out)
{
  struct utsname name;
  char line[512];
  if (uname(&name) == 0)
    sc_buf_printf(out, "%s %s %s", name.sysname, name.release, name.machine);
  FILE *file = fopen("/proc/cpuinfo", "re");
  while (file && fgets(line, sizeof line, file))
    if (!strncmp(line, "model name", 10) && strchr(line, ':')) {
      line[strcspn(line, "\n")] = '\0';
      sc_buf_printf(out, ",%s", strchr(line, ':') + 1);
      break;
    }
  if (file)
    fclose(file);
  sc_buf_printf(out, ", %ld processors", sysconf(_SC_NPROCESSORS_ONLN));
}

double sc_machine_processors(const char *machine)
{
  const char *comma = machine ? strrchr(machine, ',') : NULL;
  double count = comma ? strtod(comma + 1, NULL) : 0;
  return count >= 1 ? count : 0;
}
