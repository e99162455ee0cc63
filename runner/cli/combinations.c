/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/cli/combinations.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/infile.h"
#include "runner/page/page.h"
#include "runner/review/combine.h"
#include "runner/review/review.h"
#include "runner/several/several.h"
#include "runner/text/outfile.h"

typedef struct combining {
  const sc_options *options;
  const char *format;
  sc_combination_fn one;
  char **lists; /* [count] --at of each */
  size_t count;
  sc_judge_cache cache; /* where the caller has none */
  sc_combination with;
  int status;           /* 1 if one ever was */
  int failed;           /* the first error after an answer was printed; 0: none */
  char *message, *hint; /* its own, as later errors replace it; NULL: out of memory */
} combining;

static void keep_combination_failure(combining *c, int err)
{
  if (c->failed)
    return;
  c->failed = err;
  c->message = sc_mem_copy_string(sc_err_message());
  c->hint = sc_mem_copy_string(sc_err_hint_text());
}

/* `out`: in place of -o. */
static int answer_combination(combining *c, size_t i, const char *out)
{
  sc_options own = *c->options;
  own.at = c->lists[i];
  own.out = (char *)out;
  c->with.printed = false;
  c->with.number = i + 1;
  int err = c->one(&own, &c->with);
  if (err < 0 && !c->with.printed)
    return err;
  if (err < 0)
    keep_combination_failure(c, err);
  else
    c->status |= err;
  return 0;
}

static int no_room(const char *path)
{
  (void)sc_err_system(SC_E_IO, errno, "a temporary file cannot be made: %s", path);
  return sc_err_hint(SC_E_IO, "set TMPDIR to a folder where you may write");
}

static int read_combination_back(const char *path, char **text)
{
  sc_buf all = {0};
  int err = sc_infile_read(path, SC_E_IO, "a temporary file", 0, &all) ?: sc_buf_finish(&all);
  *text = err == 0 ? sc_buf_take(&all) : NULL;
  sc_buf_free(&all);
  return err == 0 && !*text ? SC_E_NOMEM : err;
}

/* One combination, kept as text: what the verb writes to a file named so. */
static int keep_combination(combining *c, size_t i, char **text)
{
  const char *folder = getenv("TMPDIR");
  sc_buf name = {0};
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
  close(fd);
  err = answer_combination(c, i, path) ?: read_combination_back(path, text);
  (void)unlink(path);
out:
  free(path);
  return err;
}

static int combine_answers(combining *c)
{
  int err = SC_E_NOMEM;
  char **texts = sc_mem_new(c->count + 1, sizeof *texts);
  sc_outfile output;
  if (!texts)
    return err;
  for (size_t i = 0; i < c->count; i++)
    SC_GOTO(keep_combination(c, i, &texts[i]));
  SC_GOTO(sc_outfile_open(c->options->out, &output));
  err = sc_outfile_close(&output, sc_combine_write(output.stream, c->format, texts, c->count));
out:
  for (size_t i = 0; i < c->count; i++)
    free(texts[i]);
  free(texts);
  return err;
}

/* A page has the studies themselves, so that what they have in common is in it once. */
static int combine_page(combining *c)
{
  sc_outfile output;
  int err;
  SC_GOTO(sc_notices_page(c->options, &c->with.page));
  for (size_t i = 0; i < c->count; i++)
    SC_GOTO(answer_combination(c, i, c->options->out));
  SC_GOTO(sc_outfile_open(c->options->out, &output));
  err = sc_outfile_close(&output, sc_page_write(output.stream, c->with.page));
out:
  sc_page_free(c->with.page);
  return err;
}

/* To a terminal at once, as wide as it is. */
static int print_combination_each(combining *c)
{
  for (size_t i = 0; i < c->count; i++) {
    if (i && c->with.printed)
      putchar('\n');
    SC_TRY(answer_combination(c, i, NULL));
  }
  return 0;
}

static int answer_all(combining *c)
{
  if (!c->with.cache)
    c->with.cache = &c->cache;
  bool page = c->format && strcmp(c->format, "html") == 0, direct = !c->options->out && !c->format;
  SC_TRY((page ? combine_page : direct ? print_combination_each : combine_answers)(c));
  if (!c->failed)
    return c->status;
  (void)sc_err_set(c->failed, "%s", c->message ? c->message : sc_err_sentence(c->failed));
  return c->hint && *c->hint ? sc_err_hint(c->failed, "%s", c->hint) : c->failed;
}

int sc_combinations_each_in(sc_judge_cache *cache, const sc_options *options, const char *format, sc_combination_fn one)
{
  combining c = {.options = options, .format = format, .one = one, .with = {.cache = cache}};
  int err, several = sc_several_asked(options);
  if (several < 0)
    return several;
  SC_GOTO(several ? sc_several_split(options, &c.lists, &c.count) : 0);
  err = c.count < 2 ? one(options, &c.with) : answer_all(&c);
out:
  for (size_t i = 0; i < c.count; i++)
    free(c.lists[i]);
  free(c.lists);
  sc_judge_cache_free(&c.cache);
  free(c.message);
  free(c.hint);
  return err;
}

int sc_combinations_each(const sc_options *options, const char *format, sc_combination_fn one)
{
  return sc_combinations_each_in(NULL, options, format, one);
}

int sc_combinations_at_targets(const sc_options *options, bool one, int (*verb)(const sc_options *options))
{
  sc_options own = *options;
  char *at;
  SC_TRY(sc_several_at_targets(options, one, &at));
  own.at = at ? at : options->at;
  int err = verb(&own);
  free(at);
  return err;
}
