/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/cli/combinations.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/infile.h"
#include "runner/review/combine.h"
#include "runner/several/several.h"
#include "runner/text/outfile.h"

static const char *format_of(const sc_options *options) { return options->json ? "json" : options->format; }

static int no_room(const char *path)
{
  (void)sc_err_system(SC_E_IO, errno, "a temporary file cannot be made: %s", path);
  return sc_err_hint(SC_E_IO, "set TMPDIR to a folder where you may write");
}

static int read_back(const char *path, char **text)
{
  sc_buf all = {0};
  int err = sc_infile_read(path, SC_E_IO, "a temporary file", 0, &all);
  if (err == 0)
    err = sc_buf_finish(&all);
  *text = err == 0 ? sc_buf_take(&all) : NULL;
  sc_buf_free(&all);
  return err == 0 && !*text ? SC_E_NOMEM : err;
}

/* One combination, kept as text: what the verb writes to a file named so. */
static int keep(const sc_options *options, sc_combination_fn one, sc_judge_cache *cache, char **text)
{
  const char *folder = getenv("TMPDIR");
  sc_buf name = {0};
  sc_options own = *options;
  sc_buf_printf(&name, "%s/scale-run-XXXXXX", folder && *folder ? folder : "/tmp");
  int err = sc_buf_finish(&name);
  if (err < 0)
    return err;
  char *path = sc_buf_take(&name);
  int fd = path ? mkstemp(path) : -1;
  if (fd < 0) {
    err = path ? no_room(path) : SC_E_NOMEM;
    goto out;
  }
  own.out = path;
  close(fd);
  err = one(&own, cache);
  int read = err < 0 ? err : read_back(path, text);
  err = read < 0 ? read : err;
  (void)unlink(path);
out:
  free(path);
  return err;
}

static int combine(const sc_options *options, sc_combination_fn one, sc_judge_cache *cache, char **lists, size_t count)
{
  int err = SC_E_NOMEM, status = 0;
  char **texts = sc_mem_new(count + 1, sizeof *texts);
  sc_outfile output;
  if (!texts)
    return err;
  for (size_t i = 0; i < count; i++) {
    sc_options own = *options;
    own.at = lists[i];
    SC_GOTO(keep(&own, one, cache, &texts[i]));
    status |= err;
  }
  SC_GOTO(sc_outfile_open(options->out, &output));
  err = sc_outfile_close(&output, sc_combine_write(output.stream, format_of(options), texts, count));
out:
  for (size_t i = 0; i < count; i++)
    free(texts[i]);
  free(texts);
  return err < 0 ? err : status;
}

/* To a terminal at once, as wide as it is. */
static int print_each(const sc_options *options, sc_combination_fn one, sc_judge_cache *cache, char **lists,
                      size_t count)
{
  int status = 0;
  for (size_t i = 0; i < count; i++) {
    sc_options own = *options;
    own.at = lists[i];
    if (i && !format_of(options))
      putchar('\n');
    int err = one(&own, cache);
    if (err < 0)
      return err;
    status |= err;
  }
  return status;
}

int sc_combinations_each(const sc_options *options, sc_combination_fn one)
{
  char **lists = NULL;
  size_t count = 0;
  sc_judge_cache cache = {0};
  int err, several = sc_several_asked(options);
  if (several < 0)
    return several;
  SC_GOTO(several ? sc_several_split(options, &lists, &count) : 0);
  if (count < 2) {
    err = one(options, NULL);
    goto out;
  }
  SC_GOTO(sc_combine_check(format_of(options), lists[0]));
  bool direct = !options->out && !format_of(options);
  err = (direct ? print_each : combine)(options, one, &cache, lists, count);
out:
  for (size_t i = 0; i < count; i++)
    free(lists[i]);
  free(lists);
  sc_judge_cache_free(&cache);
  return err;
}
