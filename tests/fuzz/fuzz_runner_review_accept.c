/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line of .scale-accept, or a comment in a source. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "runner/accept/accept.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const sc_notice notice = {.subject = "f", .file = "src/x.c", .fingerprint = "0123456789abcdef0123456789abcdef"};
  char *line = malloc(size + 1); /* as it is read: terminated */
  if (!line)
    return 0;
  memcpy(line, data, size);
  line[size] = '\0';
  for (int comment = 0; comment < 2; comment++) {
    sc_acceptance acceptance;
    if (sc_acceptance_parse(line, size, comment, &acceptance) == 0)
      (void)sc_acceptance_means(&acceptance, &notice);
    sc_acceptance_free(&acceptance);
  }
  free(line);
  return 0;
}
