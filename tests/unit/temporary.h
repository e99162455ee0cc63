/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEMPORARY_PATH = 32 };

/* Makes an empty file and writes its name to path[TEMPORARY_PATH]; whoever asked removes it. */
static inline void temporary_path(char *path)
{
  strcpy(path, "/tmp/scale-test-XXXXXX");
  close(mkstemp(path));
}
