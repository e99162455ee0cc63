/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/baseline/baseline.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/infile.h"

bool sc_baseline_is(const char *path)
{
  char start[64];
  int fd;
  if (sc_infile_open(path, SC_E_IO, path, &fd) < 0)
    return false;
  ssize_t length = pread(fd, start, sizeof start, 0);
  close(fd);
  for (ssize_t i = 0; i < length; i++)
    if (start[i] != ' ' && start[i] != '\n' && start[i] != '\r' && start[i] != '\t')
      return start[i] == '{';
  return false;
}

static int read_whole_baseline(const char *path, sc_buf *text)
{
  char what[4200];
  snprintf(what, sizeof what, "the baseline %s", path);
  int err = sc_infile_read(path, SC_E_IO, what, 0, text);
  return err == SC_E_IO ? sc_err_hint(err, "check that the file is there and that you may read it") : err;
}

int sc_baseline_load(const char *path, const sc_fit_options *fit, const double *targets, size_t target_count,
                     sc_loaded *loaded, char **machine)
{
  int err;
  sc_buf text = {0};
  *loaded = (sc_loaded){0};
  *machine = NULL;
  SC_GOTO(read_whole_baseline(path, &text));
  SC_GOTO(sc_baseline_parse(text.text, text.length, path, loaded, machine));
  SC_GOTO(sc_graph_new(&loaded->targets));
  err = sc_loaded_analyse(path, loaded->workload, loaded->graph, fit, targets, target_count,
                          &(sc_loaded_times){&loaded->plain, &loaded->latency, loaded->entries}, &loaded->analysis);
out:
  sc_buf_free(&text);
  if (err < 0)
    sc_loaded_free(loaded);
  return err;
}
