/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/baseline/baseline.h"

#include <errno.h>
#include <stdlib.h>

#include "base/buf.h"

bool sc_baseline_is(const char *path)
{
  char start[64];
  FILE *file = fopen(path, "re");
  size_t length = file ? fread(start, 1, sizeof start, file) : 0;
  if (file)
    fclose(file);
  else
    (void)sc_err_system(SC_E_IO, errno, "%s cannot be read",
                        path); /* for want of memory it must not look like a study */
  for (size_t i = 0; i < length; i++)
    if (start[i] != ' ' && start[i] != '\n' && start[i] != '\r' && start[i] != '\t')
      return start[i] == '{';
  return false;
}

static int unreadable(const char *path)
{
  return sc_err_hint(sc_err_system(SC_E_IO, errno, "the baseline %s cannot be read", path),
                     "check that the file is there and that you may read it");
}

static int read_all(const char *path, sc_buf *text)
{
  char block[65536];
  size_t length;
  FILE *file = fopen(path, "re");
  if (!file)
    return unreadable(path);
  while ((length = fread(block, 1, sizeof block, file)) > 0 && !text->failed)
    sc_buf_add(text, block, length);
  int err = ferror(file) ? unreadable(path) : 0;
  fclose(file);
  return err < 0 ? err : sc_buf_finish(text);
}

int sc_baseline_load(const char *path, const sc_fit_options *fit, const double *targets, size_t target_count,
                     sc_drive_loaded *loaded, char **machine)
{
  int err;
  sc_buf text = {0};
  *loaded = (sc_drive_loaded){0};
  *machine = NULL;
  SC_GOTO(read_all(path, &text));
  SC_GOTO(sc_baseline_parse(text.text, text.length, path, &loaded->graph, &loaded->workload, machine));
  SC_GOTO(sc_graph_new(&loaded->targets));
  err = sc_drive_analyse(path, fit, targets, target_count, loaded);
out:
  sc_buf_free(&text);
  if (err < 0)
    sc_drive_unload(loaded);
  return err;
}
