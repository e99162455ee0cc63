/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe_sets.h"
#include "instrument/events/probes.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int probe_sets_fail(const char *name)
{
  fprintf(stderr, "%s: %s\n", name, sc_err_message());
  if (*sc_err_hint_text())
    fprintf(stderr, "hint: %s\n", sc_err_hint_text());
  return -1;
}

/* Several files, separated by ':'. */
static int probe_sets_read(sc_probes *probes, const char *paths)
{
  int err = 0;

  for (size_t bytes; err == 0 && *paths; paths += bytes + (paths[bytes] != 0)) {
    char *path;
    bytes = strcspn(paths, ":");
    path = strndup(paths, bytes);
    if (bytes)
      err = path ? sc_probes_read(probes, path) : sc_err_set(SC_E_NOMEM, "out of memory");
    free(path);
  }
  return err;
}

int sc_probe_sets_export(const char *name)
{
  const char *paths;
  sc_probes probes = {0};
  sc_buf lines = {0};
  int err;

  unsetenv("SCALE_EVENTS"); /* what another compiler was told is not for this one */
  paths = getenv("SCALE_PROBES");
  if (!paths || !*paths)
    return 0;
  err = probe_sets_read(&probes, paths);
  if (err == 0)
    err = sc_probes_lines(&probes, &lines);
  if (err == 0 && setenv("SCALE_EVENTS", lines.text, 1) < 0)
    err = sc_err_set(SC_E_NOMEM, "out of memory");
  sc_buf_free(&lines);
  sc_probes_free(&probes);
  return err < 0 ? probe_sets_fail(name) : 0;
}

int sc_probe_sets_answer(const char *name, char *const *files, int table)
{
  sc_probes probes = {0};
  sc_buf lines = {0}, text = {0};
  int err = *files ? 0 : sc_err_hint(sc_err_set(SC_E_USAGE, "no probe set"), "give the name of a file");

  for (; err == 0 && *files; files++)
    err = sc_probes_read(&probes, *files);
  if (err == 0)
    err = sc_probes_lines(&probes, &lines); /* also checks that they are not too many */
  if (err == 0 && table)
    err = sc_probes_table(&probes, &text);
  if (err == 0 && (fputs(table ? text.text : lines.text, stdout) < 0 || fflush(stdout) != 0))
    err = sc_err_set(SC_E_IO, "cannot write to standard output");
  sc_buf_free(&lines);
  sc_buf_free(&text);
  sc_probes_free(&probes);
  return err < 0 ? (probe_sets_fail(name), 1) : 0;
}
