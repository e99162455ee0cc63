/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <bpf/libbpf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* What is attached, until it is let go of. */
typedef struct sc_link {
  struct bpf_link *link; /* of a single place, or a tracepoint; NULL: */
  int fd;                /* of many places */
  uint32_t function;     /* that all these are of; SC_LINK_NO_FUNCTION: of several, or of none */
} sc_link;
#define SC_LINK_NO_FUNCTION UINT32_MAX

typedef struct sc_links {
  sc_link *list;
  size_t count, room;
} sc_links;

/* Takes it, also when that fails. */
int sc_links_keep(sc_links *links, sc_link one) SC_CHECK;
/* Lets go of those of functions that functions[function] says. */
void sc_links_drop(sc_links *links, const bool *functions);
void sc_links_close(sc_links *links);
