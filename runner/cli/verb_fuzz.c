/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scale-run fuzz: searches a program's slow inputs, or runs kept ones again. */
#include <string.h>

#include "base/infile.h"
#include "base/saved_error.h"
#include "runner/cli/verb.h"
#include "runner/finds/finds.h"
#include "runner/process/interrupt.h"
#include "runner/review/review.h"
#include "runner/text/outfile.h"
#include "runner/text/tuning.h"

static int read_tokens(const sc_options *options, const struct sc_fuzz_target *target, sc_fuzz_tokens *tokens)
{
  sc_buf text = {0};
  if (options->seeds)
    SC_TRY(sc_fuzz_tokens_seeds(tokens, options->seeds));
  int err = options->dictionary
                ? sc_infile_read(options->dictionary, SC_E_INPUT, options->dictionary, SC_FUZZ_DICTIONARY, &text)
                : 0;
  if (err == 0 && options->dictionary)
    err = sc_fuzz_tokens_dictionary(tokens, text.text ? text.text : "", text.length, options->dictionary);
  sc_buf_free(&text);
  return err ?: sc_fuzz_tokens_basic(tokens) ?: sc_fuzz_tokens_program(tokens, target);
}

static int open_targets(const struct sc_fuzz_spec *spec, struct sc_fuzz_target **targets, size_t count)
{
  if (count > SC_FUZZ_JOBS)
    return sc_err_hint(sc_err_set(SC_E_USAGE, "--jobs %zu: at most %d", count, SC_FUZZ_JOBS),
                       "one for each processor is as many as help");
  for (size_t i = 0; i < count; i++)
    SC_TRY(sc_fuzz_target_open(spec, &targets[i]));
  return 0;
}

/* For people the finds themselves; in other formats what reviews have. */
static int print_finds(const sc_options *options, const sc_fuzz_finds *finds, char *const *files, const char *fail_on)
{
  const char *format = options->json ? "json" : options->format;
  sc_finds_judge judge;
  sc_notices notices = {0};
  int err;
  sc_finds_judge_of(options->program[0], &judge);
  SC_GOTO(sc_finds_notices(&judge.judge, finds, files, &notices));
  if (format && strcmp(format, "text") != 0) {
    err = sc_notices_deliver(options, fail_on, &notices, NULL);
  } else {
    SC_GOTO(sc_notices_accept_default(&notices, options));
    SC_GOTO(sc_finds_print(stdout, finds, &notices));
    err = sc_notices_status(&notices, fail_on);
  }
out:
  sc_notices_free(&notices);
  return err;
}

/* Where the searches stand is nothing that anybody commits. */
static int make_state(const char *families, sc_buf *folder)
{
  sc_buf ignored = {0};
  sc_outfile out;
  SC_TRY(sc_finds_make_folder(families));
  sc_buf_printf(folder, "%s/.search", families);
  SC_TRY(sc_buf_finish(folder));
  SC_TRY(sc_finds_make_folder(folder->text));
  sc_buf_printf(&ignored, "%s/.gitignore", folder->text);
  SC_TRY(sc_buf_finish(&ignored));
  int err = sc_outfile_open(ignored.text, &out);
  if (err == 0)
    err = sc_outfile_close(&out, fputs("*\n", out.stream) < 0 ? SC_E_IO : 0);
  sc_buf_free(&ignored);
  return err;
}

static int search_inputs(const sc_options *options, struct sc_fuzz_target **targets, size_t jobs)
{
  sc_buf state = {0};
  sc_fuzz_options asked = {.seconds = options->search_for > 0 ? options->search_for
                                      : options->fuzz_runs    ? 0
                                                              : SC_FUZZ_FOR,
                           .runs = options->fuzz_runs,
                           .seed = options->fuzz_seed ? options->fuzz_seed : 1,
                           .bytes = SC_FUZZ_INPUT,
                           .interrupted = sc_interrupt_catch()};
  sc_fuzz_tokens tokens = {0};
  sc_fuzz_finds finds = {0};
  char **files = NULL;
  int status;
  int err = options->families ? make_state(options->families, &state) : 0; /* before a minute is searched for nothing */
  asked.state = state.text;
  asked.resume = options->resume;
  err = err ?: read_tokens(options, targets[0], &tokens) ?: sc_fuzz_search_all(targets, jobs, &tokens, &asked, &finds);
  sc_interrupt_release();
  if (err == 0 || finds.count) { /* what was found before a program broke is no less true */
    sc_saved_error saved;
    sc_saved_error_take(&saved);
    if (options->families) {
      int kept = sc_finds_keep(options->families, options->program, &finds, &files);
      if (kept < 0 && err >= 0) {
        err = kept;
        sc_saved_error_take(&saved);
      }
    }
    status = print_finds(options, &finds, files, options->fuzz_fail_on);
    err = err < 0 ? sc_saved_error_restore(&saved, err) : status;
  }
  sc_mem_free_list(files);
  sc_fuzz_finds_free(&finds);
  sc_fuzz_tokens_free(&tokens);
  sc_buf_free(&state);
  return err;
}

/* A check that is not whole is no good news, whatever the others are. */
static int refuse_unrun(const sc_fuzz_finds *finds, char *const *files)
{
  const char *first = NULL;
  size_t count = 0;
  for (size_t i = 0; i < finds->count; i++)
    if (finds->list[i].change == SC_FUZZ_UNRUN) {
      first = first ? first : files[i];
      count++;
    }
  if (!count)
    return 0;
  (void)sc_err_set(SC_E_INPUT, "%zu of %zu families that are kept could not be run: %s%s", count, finds->count, first,
                   count > 1 ? " and others" : "");
  return sc_err_hint(SC_E_INPUT, "give them more time with --timeout, or make them shorter");
}

static int check_kept(const sc_options *options, struct sc_fuzz_target *target)
{
  const sc_fuzz_options asked = {.bytes = SC_FUZZ_INPUT, .interrupted = sc_interrupt_catch()};
  sc_finds_kept kept;
  sc_fuzz_finds finds = {0};
  int err = sc_finds_load(options->check_families, &kept);
  err = err ?: sc_fuzz_check(target, &asked, kept.list, kept.count, &finds);
  sc_interrupt_release();
  err = err ?: print_finds(options, &finds, kept.files, options->fuzz_fail_on ? options->fuzz_fail_on : "any");
  err = err ?: refuse_unrun(&finds, kept.files);
  sc_fuzz_finds_free(&finds);
  sc_finds_kept_free(&kept);
  return err;
}

/* What is of a search alone. */
static int refuse_beside_check(const sc_options *options)
{
  const struct {
    bool given;
    const char *name;
  } beside[] = {{options->resume, "--resume"},       {options->families != NULL, "-o"},
                {options->fuzz_jobs > 0, "--jobs"},  {options->fuzz_seed > 0, "--seed"},
                {options->search_for > 0, "--for"},  {options->fuzz_runs > 0, "--runs"},
                {options->seeds != NULL, "--seeds"}, {options->dictionary != NULL, "--dict"}};
  for (size_t i = 0; options->check_families && i < sizeof beside / sizeof *beside; i++)
    if (beside[i].given)
      return sc_err_hint(sc_err_set(SC_E_USAGE, "--check searches for nothing, so %s has no use", beside[i].name),
                         "leave one of the two out");
  return 0;
}

int sc_verb_fuzz(const sc_options *options)
{
  if (!options->program || options->operand)
    return sc_err_hint(sc_err_set(SC_E_USAGE, "the program to search is missing"), "scale-run fuzz -- ./prog {file}");
  SC_TRY(refuse_beside_check(options));
  if (options->resume && !options->families)
    return sc_err_hint(sc_err_set(SC_E_USAGE, "--resume continues what a folder keeps"), "name it: -o FOLDER");
  const struct sc_fuzz_spec spec = {.argv = options->program,
                                    .harness = options->harness,
                                    .seconds = options->fuzz_timeout > 0 ? options->fuzz_timeout : SC_FUZZ_RUN,
                                    .memory = (uint64_t)SC_FUZZ_MEMORY,
                                    .file_size = (uint64_t)SC_FUZZ_FILE,
                                    .processes = SC_FUZZ_PROCESSES};
  struct sc_fuzz_target *targets[SC_FUZZ_JOBS] = {0};
  size_t jobs = options->fuzz_jobs ? options->fuzz_jobs : 1;
  int err = open_targets(&spec, targets, jobs);
  if (err == 0)
    err = options->check_families ? check_kept(options, targets[0]) : search_inputs(options, targets, jobs);
  for (size_t i = 0; i < jobs && i < SC_FUZZ_JOBS && targets[i]; i++)
    targets[i]->ops->close(targets[i]);
  return err;
}
