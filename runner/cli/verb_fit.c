/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scale-run fit: models of measurements from other tools. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/same.h"
#include "runner/cli/verb.h"
#include "runner/fit/emit.h"
#include "runner/fit/intake.h"
#include "runner/fit/text.h"
#include "runner/text/format.h"
#include "runner/text/terminal.h"
#include "transitions/model/tuning.h"

enum { OUTPUT_BYTES = 1 << 16, COMPLAINTS = 20 };

typedef struct fitting {
  const sc_options *options;
  sc_store *store;
  sc_intake intake;
  sc_solve_options solving;
  sc_solve *solve;
  sc_fit_text *text; /* --format text */
  sc_buf out;
  size_t complaints, left_out;
} fitting;

/* With --keep-going what is left out is printed as it is met, but a file that is wrong all over must not drown the
 * rest.
 */
static void complain_fit(void *user, const char *message, const char *hint)
{
  fitting *fit = user;
  sc_style style = sc_terminal_style(stderr);
  if (++fit->complaints > COMPLAINTS)
    return;
  fprintf(stderr, "%sscale-run: left out:%s %s\n", style.yellow, style.off, message);
  if (*hint && fit->complaints == 1)
    fprintf(stderr, "%shint:%s %s\n", style.bold, style.off, hint);
}

static void warn_failed_runs(size_t count)
{
  sc_style style = sc_terminal_style(stderr);
  if (!count)
    return;
  fprintf(stderr, "%sscale-run: warning:%s hyperfine's command failed in %s; the times are used all the same\n",
          style.yellow, style.off, sc_format_plural(count, "run").s);
  fprintf(stderr, "%shint:%s make it exit with status 0, and measure again without --ignore-failure\n", style.bold,
          style.off);
}

static int read_fit_inputs(fitting *fit)
{
  static const char *const standard[] = {"-"};
  const sc_options *options = fit->options;
  const char *const *paths = options->operand_count ? options->operands : standard;
  if (!options->operand_count && isatty(STDIN_FILENO))
    return sc_err_hint(sc_err_set(SC_E_USAGE, "no file is named, and standard input is a terminal"),
                       "scale-run fit points.jsonl, or PROGRAM | scale-run fit");
  for (size_t i = 0; i < (options->operand_count ? options->operand_count : 1); i++) {
    sc_input input;
    int err = sc_input_open(paths[i], &input);
    if (err >= 0)
      err = sc_fit_read(&fit->intake, &input);
    sc_input_close(&input);
    SC_TRY(err);
  }
  warn_failed_runs(fit->intake.failed_runs);
  if (sc_store_count(fit->store) == 0 && !fit->intake.refused)
    return sc_err_hint(sc_err_set(SC_E_INPUT, "there are no measurements in the input"), "%s",
                       fit->intake.passed_over ? "all benchmarks in it are aggregates or failed: run it without "
                                                 "--benchmark_report_aggregates_only"
                                               : "docs/fit-format.md describes what is understood");
  return sc_store_finish(fit->store);
}

static int flush_fit(sc_buf *out, size_t least)
{
  SC_TRY(sc_buf_finish(out));
  if (out->length < least || out->length == 0)
    return 0;
  bool written = fwrite(out->text, 1, out->length, stdout) == out->length;
  out->length = 0;
  return written ? 0 : sc_err_system(errno == ENOSPC ? SC_E_NOSPACE : SC_E_IO, errno, "the output cannot be written");
}

static int print_series(fitting *fit, const sc_store_series *series, bool first)
{
  const sc_solved *solved;
  if (sc_same_text(fit->options->fit_format, "extra-p")) {
    sc_emit_points(&fit->out, series);
    return 0;
  }
  SC_TRY(sc_solve_series(fit->solve, series, &solved));
  if (fit->text)
    return sc_fit_text_add(fit->text, solved);
  if (!sc_same_text(fit->options->fit_format, "jsonl"))
    sc_emit_text(&fit->out, first ? "\n  " : ",\n  ");
  SC_TRY(sc_emit_series(&fit->out, solved));
  if (sc_same_text(fit->options->fit_format, "jsonl"))
    sc_emit_text(&fit->out, "\n");
  return 0;
}

/* All series are looked at first where one could be refused, so that nothing is printed then. */
static int check_all(fitting *fit)
{
  bool needed = fit->solving.counts == SC_SOLVE_COUNTS_YES;
  for (size_t i = 0; i < sc_store_set_count(fit->store); i++)
    needed |= sc_store_get_set(fit->store, i)->count > 1;
  SC_TRY(sc_targets_check(&fit->solving.targets, fit->store));
  for (size_t i = 0; needed && i < sc_store_count(fit->store); i++) {
    sc_store_series series;
    SC_TRY(sc_store_load(fit->store, i, &series));
    if (!series.bad)
      SC_TRY(sc_solve_check(fit->solve, &series));
  }
  return 0;
}

static void begin_document(fitting *fit)
{
  sc_emit_text(&fit->out,
               "{\"schema_version\": 1, \"generator\": {\"name\": \"scale-run\", \"version\": \"" SCALE_VERSION
               "\"}, \"level\": ");
  sc_emit_number(&fit->out, fit->solving.level);
  sc_emit_text(&fit->out, ", \"series\": [");
}

static int print_all(fitting *fit)
{
  size_t count = sc_store_count(fit->store), printed = 0;
  bool json = fit->options->json || sc_same_text(fit->options->fit_format, "json");
  if (json)
    begin_document(fit);
  for (size_t i = 0; i < count; i++) {
    sc_store_series series;
    SC_TRY(sc_store_load(fit->store, i, &series));
    if (series.bad) {
      fit->left_out++;
      continue;
    }
    int err = print_series(fit, &series, printed == 0);
    if (err == SC_E_NUMERIC && fit->intake.keep_going) {
      complain_fit(fit, sc_err_message(), sc_err_hint_text());
      fit->left_out++;
      continue;
    }
    SC_TRY(err);
    printed++;
    SC_TRY(flush_fit(&fit->out, OUTPUT_BYTES));
  }
  if (json)
    sc_emit_text(&fit->out, printed ? "\n]}\n" : "]}\n");
  if (fit->text)
    SC_TRY(sc_fit_text_end(fit->text));
  return flush_fit(&fit->out, 0);
}

static int check_options(const sc_options *options)
{
  if (options->interval >= 1)
    return sc_err_hint(sc_err_set(SC_E_USAGE, "--interval must be below 1"), "for example --interval 95%%");
  return 0;
}

static int open_all(const sc_options *options, fitting *fit)
{
  *fit = (fitting){.options = options};
  SC_TRY(check_options(options));
  fit->solving.fit = SC_FIT_OPTIONS_DEFAULT;
  if (sc_same_text(options->models, "delta-infer"))
    fit->solving.fit.engine = SC_FIT_DELTA_INFER;
  fit->solving.level = options->interval > 0 ? options->interval : SC_ANALYSIS_LEVEL;
  fit->solving.counts = sc_same_text(options->counts, "yes")  ? SC_SOLVE_COUNTS_YES
                        : sc_same_text(options->counts, "no") ? SC_SOLVE_COUNTS_NO
                                                              : SC_SOLVE_COUNTS_AUTO;
  SC_TRY(sc_targets_parse(options->fit_at, &fit->solving.targets));
  SC_TRY(sc_store_new(0, &fit->store));
  SC_TRY(sc_solve_new(&fit->solving, &fit->solve));
  bool text = !options->json && (!options->fit_format || sc_same_text(options->fit_format, "text"));
  if (text)
    SC_TRY(sc_fit_text_new(stdout, sc_terminal_width(stdout), sc_terminal_style(stdout), &fit->text));
  fit->intake = (sc_intake){.store = fit->store,
                            .keep_going = options->keep_going,
                            .complain = complain_fit,
                            .user = fit,
                            .parameters = options->columns};
  return 0;
}

/* Partial success: the exit status says that something was left out. */
static int conclude_fit(const fitting *fit)
{
  if (!fit->intake.refused && !fit->left_out)
    return 0;
  (void)sc_err_set(SC_E_INPUT, "%zu of %zu series left out, %zu lines or points refused", fit->left_out,
                   sc_store_count(fit->store), fit->intake.refused);
  return sc_err_hint(SC_E_INPUT, "the others are printed; without --keep-going the first mistake ends everything");
}

int sc_verb_fit(const sc_options *options)
{
  fitting fit;
  int err;
  SC_GOTO(open_all(options, &fit));
  SC_GOTO(read_fit_inputs(&fit));
  if (!sc_same_text(options->fit_format, "extra-p"))
    SC_GOTO(check_all(&fit));
  SC_GOTO(print_all(&fit));
  err = conclude_fit(&fit);
out:
  sc_fit_text_free(fit.text);
  sc_solve_free(fit.solve);
  sc_store_free(fit.store);
  sc_targets_free(&fit.solving.targets);
  sc_buf_free(&fit.out);
  return err;
}
