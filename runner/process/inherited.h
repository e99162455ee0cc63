/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdint.h>
#include <sys/resource.h>

/* The state that scale-run was started with. The programs under test get it as they would get it from the same shell,
 * whatever scale-run changes for itself. */
typedef struct sc_inherited {
  uint64_t ignored, blocked; /* signals; bit n - 1 is signal n */
  struct rlimit files;       /* RLIMIT_NOFILE */
} sc_inherited;

/* The first thing main does: takes the state down and makes one to work in: descriptors 0 to 2 are open (a closed one
 * fails when it is used), no signal is blocked, ended children are waited for, a file that grows too large is an error,
 * and as many files may be open as the hard limit allows. */
void sc_inherited_replace(void);
/* What was taken down; without sc_inherited_replace the state as it is. */
sc_inherited sc_inherited_get(void);
