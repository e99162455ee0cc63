/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses the command line, runs the verb, and is the only place that prints errors and exits. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/cli/memory.h"
#include "runner/cli/pages.h"
#include "runner/cli/verb.h"
#include "runner/process/inherited.h"
#include "runner/text/outfile.h"
#include "runner/text/terminal.h"

static void print_error(int err)
{
  sc_style style = sc_terminal_style(stderr);
  const char *message = *sc_err_message() ? sc_err_message() : sc_err_sentence(err);
  if (err == SC_E_NOMEM && !*sc_err_hint_text())
    (void)sc_err_hint(err, "end other programs or raise the limit of memory (ulimit -v), and run the command again");
  sc_terminal_say(stderr, style.red, "scale-run: error:", message);
  if (*sc_err_hint_text())
    sc_terminal_say(stderr, style.bold, "hint:", sc_err_hint_text());
}

/* For libraries that cannot continue without memory. */
static void give_up_command(void)
{
  (void)sc_err_set(SC_E_NOMEM, "out of memory");
  print_error(SC_E_NOMEM);
  _exit(sc_err_status(SC_E_NOMEM));
}

static bool main_returns;

/* libdw calls exit(1) where it gets no memory: that must not look like the status of a report with findings. */
static void on_early_exit(int status, void *unused)
{
  (void)status;
  (void)unused;
  if (!main_returns)
    give_up_command();
}

static int command_help(const sc_options *options)
{
  if (options->page)
    return sc_pages_print(stdout, options->page, options->verb);
  sc_help_print(stdout, options->verb, sc_terminal_width(stdout));
  return 0;
}

static int dispatch_command(const sc_options *options)
{
  if (options->help)
    return command_help(options);
  if (options->version) {
    puts("scale-run " SCALE_VERSION);
    return 0;
  }
  switch (options->verb) {
  case SC_VERB_RUN:
    return sc_verb_run(options);
  case SC_VERB_ATTACH:
    return sc_verb_attach(options);
  case SC_VERB_REPORT:
    return sc_verb_report(options);
  case SC_VERB_ASK:
    return sc_verb_ask(options);
  case SC_VERB_BLAME:
    return sc_verb_blame(options);
  case SC_VERB_VERIFY:
    return sc_verb_verify(options);
  case SC_VERB_FIT:
    return sc_verb_fit(options);
  case SC_VERB_DIFF:
    return sc_verb_diff(options);
  case SC_VERB_BASELINE:
    return sc_verb_baseline(options);
  case SC_VERB_STUDY:
    return sc_verb_study(options);
  case SC_VERB_EXPORT:
    return sc_verb_export(options);
  case SC_VERB_DISCOVER:
    return sc_verb_discover(options);
  case SC_VERB_FUZZ:
    return sc_verb_fuzz(options);
  case SC_VERB_LSP:
    return sc_verb_lsp(options);
  case SC_VERB_DOCTOR:
    return sc_verb_doctor(options);
  case SC_VERB_DUMP:
    return sc_verb_dump(options);
  case SC_VERB_COUNT:
    break;
  }
  return sc_err_set(SC_E_INTERNAL, "no verb");
}

/* A report that could not be written must not look like a clean one. */
static int flush_output(int status)
{
  int number = sc_outfile_why(stdout);
  if (number == 0 || number == EPIPE)
    return status;
  int err = sc_err_system(number == ENOSPC || number == EDQUOT ? SC_E_NOSPACE : SC_E_IO, number,
                          "the output cannot be written");
  return sc_err_hint(err, "the study itself is not touched; write the output to a place with room");
}

int main(int argc, char **argv)
{
  sc_options options;
  sc_memory_watch(give_up_command);
  (void)on_exit(on_early_exit, NULL);
  sc_inherited_replace();
  int status = sc_options_parse(argc, argv, &options);
  if (status >= 0)
    status = flush_output(sc_err_kept(dispatch_command(&options)));
  status = sc_err_kept(status);
  sc_options_free(&options);
  main_returns = true;
  if (status >= 0)
    return status;
  fflush(stdout);
  print_error(status);
  return sc_err_status(status);
}
