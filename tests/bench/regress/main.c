/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How well the regression engine predicts, how sure it may be, and how fast it is. */
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

static const char usage[] =
    "Usage: regress-bench [--suite FOLDER | --set tuning|outside|holdout] [--false-alarms] [OPTION...]\n"
    "       regress-bench --speed [--suite FOLDER]\n"
    "       regress-bench --check LIMITS\n"
    "\n"
    "Fits series whose truth is known and prints how near the predictions at 10, 50 and 100 times the largest size "
    "come,\n"
    "how often the 95% interval holds the truth, and how wide it is.\n"
    "\n"
    "  --suite FOLDER    the series in FOLDER/points.jsonl, with the truths in FOLDER/truth.jsonl\n"
    "  --set SET         generated series: tuning; outside, of functions outside the model space; or holdout, which "
    "the\n"
    "                    engine must not be tuned to\n"
    "  --only NOISE      only the series in this row of the table\n"
    "  --families        a row for each function too\n"
    "  --false-alarms    instead: how often change points are found where there are none, and where there are\n"
    "  --space SPACE     how much of its model space the default engine searches: all, sums, terms\n"
    "  --each            instead: a line for each series, but of the hold-out\n"
    "  --engine ENGINE   default or delta-infer\n"
    "  --speed           series per second, by number of points or of a suite\n"
    "  --check LIMITS    does a quick run over all sets keep the limits in this file?\n"
    "  --write FOLDER    instead: write the series and their truths into a folder, as a suite\n"
    "  --help            this text\n";

void sc_bench_fail(const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "regress-bench: ");
  vfprintf(stderr, format, arguments);
  fprintf(stderr, "\n");
  va_end(arguments);
  exit(1);
}

/* Options with a text. */
enum { SUITE, SET, ONLY, WRITE, CHECK, ENGINE, SPACE, TEXTS, HELP };

struct request {
  const char *texts[TEXTS];
  int families, alarms, speed, each;
  sc_fit_options options;
};

/* Passes on the series of one row. */
struct filter {
  const char *row;
  sc_case_visit *visit;
  void *context;
};

static void visit_filtered(void *context, const sc_case *c)
{
  const struct filter *filter = context;
  if (!filter->row || !strcmp(filter->row, c->row))
    filter->visit(filter->context, c);
}

static void visit_request(const struct request *request, sc_case_visit *visit, void *context)
{
  struct filter filter = {request->texts[ONLY], visit, context};
  if (request->texts[SUITE])
    sc_suite_visit(request->texts[SUITE], visit_filtered, &filter);
  if (!request->texts[SET])
    return;
  const sc_set *set = sc_sets_find(request->texts[SET], false);
  if (!set)
    sc_bench_fail("there is no set \"%s\"; --help tells those there are", request->texts[SET]);
  sc_set_visit(set, visit_filtered, &filter);
  sc_set_visit(set + 1, visit_filtered, &filter);
}

static void print_scores(const struct request *request)
{
  sc_score *score = sc_score_new(&request->options, request->families);
  visit_request(request, sc_score_add, score);
  if (request->alarms)
    sc_score_print_alarms(score);
  else
    sc_score_print(score);
  sc_score_free(score);
}

/* Not of the hold-out: whoever sees where the engine fails tunes it. */
static void print_each(const struct request *request)
{
  sc_fit *fit;
  if (request->texts[SET] && !strcmp(request->texts[SET], "holdout"))
    sc_bench_fail("the hold-out's series are not to be looked at one by one");
  if (sc_fit_new(&request->options, &fit) < 0)
    sc_bench_fail("%s", sc_err_message());
  visit_request(request, sc_score_print_each, fit);
  sc_fit_free(fit);
}

static void write_suite(const struct request *request)
{
  sc_suite_writer *writer = sc_suite_open(request->texts[WRITE]);
  visit_request(request, sc_suite_write, writer);
  sc_suite_close(writer);
}

static enum sc_fit_engine engine_of(const char *name)
{
  if (!strcmp(name, "default"))
    return SC_FIT_DEFAULT;
  if (strcmp(name, "delta-infer"))
    sc_bench_fail("there is no engine \"%s\": default, delta-infer", name);
  return SC_FIT_DELTA_INFER;
}

static enum sc_fit_space space_of(const char *name)
{
  static const char *const names[] = {"all", "sums", "terms"};
  static const enum sc_fit_space spaces[] = {SC_FIT_SPACE_ALL, SC_FIT_SPACE_SUMS, SC_FIT_SPACE_TERMS};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(name, names[i]))
      return spaces[i];
  sc_bench_fail("there is no model space \"%s\": all, sums, terms", name);
}

static struct request read_options(int argc, char **argv)
{
  struct request request = {.options = SC_FIT_OPTIONS_DEFAULT};
  const struct option options[] = {{"suite", required_argument, NULL, SUITE},
                                   {"set", required_argument, NULL, SET},
                                   {"only", required_argument, NULL, ONLY},
                                   {"write", required_argument, NULL, WRITE},
                                   {"check", required_argument, NULL, CHECK},
                                   {"engine", required_argument, NULL, ENGINE},
                                   {"space", required_argument, NULL, SPACE},
                                   {"families", no_argument, &request.families, 1},
                                   {"false-alarms", no_argument, &request.alarms, 1},
                                   {"speed", no_argument, &request.speed, 1},
                                   {"each", no_argument, &request.each, 1},
                                   {"help", no_argument, NULL, HELP},
                                   {0}};
  for (int c, at; (c = getopt_long(argc, argv, "", options, &at)) != -1;) {
    if (c == HELP || c == '?') {
      fputs(usage, c == HELP ? stdout : stderr);
      exit(c == HELP ? 0 : 2);
    }
    if (!options[at].flag)
      request.texts[c] = optarg;
  }
  if (optind < argc)
    sc_bench_fail("\"%s\" is not understood; --help tells the options", argv[optind]);
  if (request.texts[ENGINE])
    request.options.engine = engine_of(request.texts[ENGINE]);
  if (request.texts[SPACE])
    request.options.space = space_of(request.texts[SPACE]);
  return request;
}

int main(int argc, char **argv)
{
  struct request request = read_options(argc, argv);
  if (request.texts[CHECK])
    return sc_limits_check(request.texts[CHECK], &request.options);
  if (request.speed) {
    sc_speed_print(request.texts[SUITE]);
    return 0;
  }
  if (!request.texts[SUITE] && !request.texts[SET])
    sc_bench_fail("nothing to do: --suite or --set; --help tells the options");
  if (request.each)
    print_each(&request);
  else if (request.texts[WRITE])
    write_suite(&request);
  else
    print_scores(&request);
  return 0;
}
