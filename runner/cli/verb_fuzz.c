/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "base/infile.h"
#include "base/utf8.h"
#include "runner/cli/verb.h"
#include "runner/fuzz/fuzz.h"
#include "runner/process/interrupt.h"
#include "runner/text/format.h"
#include "runner/text/tuning.h"

static void print_family(const sc_family *family)
{
  sc_buf text = {0};
  sc_family_print(family, &text);
  if (sc_buf_finish(&text) == 0)
    printf("    Family      %s\n", text.text);
  sc_buf_free(&text);
}

static void print_goal(const char *what, const sc_interval *bytes)
{
  if (isinf(bytes->value))
    printf("    Takes %s   at no size up to %s bytes\n", what, sc_format_number(SC_FUZZ_LARGEST).s);
  else if (bytes->value > 0)
    printf("    Takes %s   at %s bytes (%s to %s)\n", what, sc_format_number(bytes->value).s,
           sc_format_number(bytes->low).s, sc_format_number(bytes->high).s);
}

static void print_failure(const sc_fuzz_find *find)
{
  if (find->outcome == SC_FUZZ_CRASHED)
    printf("The program crashes at n = %llu (signal %d)\n", (unsigned long long)find->failed_at, find->signal);
  else
    printf("The program %s at n = %llu\n",
           find->outcome == SC_FUZZ_TIMED_OUT ? "takes too long" : "takes too much memory",
           (unsigned long long)find->failed_at);
  print_family(&find->family);
}

static void print_growth(const sc_fuzz_find *find)
{
  char model[200], order[60];
  sc_model_format(&find->model, "n", model, sizeof model);
  sc_model_format_order(&find->model.order, "n", order, sizeof order);
  sc_utf8_print(find->where, stdout);
  printf(" grows as %s\n", order);
  print_family(&find->family);
  printf("    Model       %s\n", model);
  printf("    Confirmed   ");
  if (find->exact)
    printf("exactly");
  else
    printf("within %s", sc_format_percent(SC_FUZZ_WITHIN).s);
  printf(" at n = %s, %s bytes: %s (%s)\n", sc_format_number(find->held_n).s, sc_format_number(find->bytes).s,
         sc_format_number(find->held_count).s, sc_format_number(find->held_predicted).s);
  if (find->cap)
    printf("    Ends        up to n = %s, then it stops\n", sc_format_number((double)find->cap).s);
  print_goal("1 s  ", &find->reached[0]);
  print_goal("1 min", &find->reached[1]);
  printf("    Context     ");
  sc_utf8_print(find->path, stdout);
  printf("\n");
  for (size_t i = 0; i < find->also_count; i++) {
    printf("    %-12s", i ? "" : "Also");
    sc_utf8_print(find->also[i], stdout);
    printf("\n");
  }
}

static void print_finds(const sc_fuzz_finds *finds)
{
  for (size_t i = 0; i < finds->count; i++) {
    if (finds->list[i].outcome == SC_FUZZ_ENDED)
      print_growth(&finds->list[i]);
    else
      print_failure(&finds->list[i]);
    printf("\n");
  }
  printf("%s in %s runs, %.0f s.\n", finds->count ? sc_format_plural(finds->count, "find").s : "Nothing found",
         sc_format_number((double)finds->runs).s, finds->seconds);
}

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

int sc_verb_fuzz(const sc_options *options)
{
  if (!options->program || options->operand)
    return sc_err_hint(sc_err_set(SC_E_USAGE, "the program to search is missing"), "scale-run fuzz -- ./prog {file}");
  const struct sc_fuzz_spec spec = {.argv = options->program,
                                    .harness = options->harness,
                                    .seconds = options->fuzz_timeout > 0 ? options->fuzz_timeout : SC_FUZZ_RUN,
                                    .memory = (uint64_t)SC_FUZZ_MEMORY,
                                    .file_size = (uint64_t)SC_FUZZ_FILE,
                                    .processes = SC_FUZZ_PROCESSES};
  struct sc_fuzz_target *targets[SC_FUZZ_JOBS] = {0};
  size_t jobs = options->fuzz_jobs ? options->fuzz_jobs : 1;
  sc_fuzz_tokens tokens = {0};
  sc_fuzz_finds finds = {0};
  const sc_fuzz_options search = {.seconds = options->search_for > 0 ? options->search_for : SC_FUZZ_FOR,
                                  .seed = options->fuzz_seed ? options->fuzz_seed : 1,
                                  .bytes = SC_FUZZ_INPUT,
                                  .interrupted = sc_interrupt_catch()};
  int err = open_targets(&spec, targets, jobs) ?: read_tokens(options, targets[0], &tokens)
            ?: sc_fuzz_search_all(targets, jobs, &tokens, &search, &finds);
  sc_interrupt_release();
  if (err == 0 || finds.count) /* what was found before a program broke is no less true */
    print_finds(&finds);
  for (size_t i = 0; i < jobs && i < SC_FUZZ_JOBS && targets[i]; i++)
    targets[i]->ops->close(targets[i]);
  sc_fuzz_finds_free(&finds);
  sc_fuzz_tokens_free(&tokens);
  return err;
}
