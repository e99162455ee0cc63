/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as facts. What is accepted is printed in every form, and its probe set is one that scale-cc takes. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "instrument/events/probes.h"
#include "runner/discover/discover.h"

static void check_probes(const char *set, size_t bytes)
{
  sc_probes probes = {0};
  if (sc_probes_parse(&probes, set, bytes, "set") < 0) {
    fprintf(stderr, "%s\n%s\n", sc_err_message(), set);
    abort();
  }
  sc_probes_free(&probes);
}

static void print_all(const sc_discovery *discovery, bool all)
{
  const sc_discover_view view = {.all = all};
  char *text = NULL;
  size_t bytes;
  FILE *out = open_memstream(&text, &bytes);
  if (!out)
    return;
  sc_discover_print_text(out, discovery, &view);
  if (sc_discover_print_json(out, discovery, &view) < 0)
    abort();
  rewind(out);
  int err = sc_discover_print_probes(out, discovery, &view);
  long end = ftell(out);
  fclose(out);
  if (err == 0)
    check_probes(text, (size_t)end);
  else if (err != SC_E_TOOLITTLE)
    abort();
  free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  sc_discovery *discovery = NULL;
  if (sc_discover_text((const char *)data, size, "fuzz", &discovery) == 0) {
    print_all(discovery, false);
    print_all(discovery, true);
  } else if (strncmp(sc_err_message(), "fuzz", 4) != 0 || !*sc_err_hint_text()) {
    abort();
  }
  sc_discovery_free(discovery);
  return 0;
}
