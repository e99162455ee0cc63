/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* What kind of program a command names, to say why it wrote no profile. */
enum sc_inspect_kind {
  SC_INSPECT_UNKNOWN,     /* not found, not readable, not ELF */
  SC_INSPECT_SCRIPT,      /* starts with #! */
  SC_INSPECT_PRIVILEGED,  /* set-uid or set-gid: it ignores SCALE_PROFILE_DIR */
  SC_INSPECT_PLAIN,       /* ELF without site tables */
  SC_INSPECT_INSTRUMENTED /* ELF with site tables */
};
/* The file that exec would take for `program` from `directory` (NULL: here); false if PATH has none. */
bool sc_inspect_find(const char *program, const char *directory, char *found, size_t size);
/* Looks the program up as exec does, from `directory` (NULL: here). */
enum sc_inspect_kind sc_inspect_program(const char *program, const char *directory);
