/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --changed: a diff from anywhere. */
#include "fuzz.h"
#include "runner/review/diff.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  sc_diff diff;
  if (sc_diff_parse((const char *)data, size, &diff) == 0)
    (void)sc_diff_find(&diff, "src/x.c", 1, UINT32_MAX);
  sc_diff_free(&diff);
  return 0;
}
