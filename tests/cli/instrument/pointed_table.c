/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A unit of data alone. */
#include <string.h>

struct operations {
  size_t (*length)(const char *);
  void *(*copy)(void *, const void *, size_t);
};

const struct operations table = {strlen, memcpy};
