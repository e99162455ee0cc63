/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How well the regression engine predicts, how sure it may be, and how fast it is. */
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

static const char usage[] =
    "Usage: regress-bench [--suite FOLDER | --set tuning|holdout] [--false-alarms] [OPTION...]\n"
    "       regress-bench --speed [--suite FOLDER]\n"
    "       regress-bench --check LIMITS\n"
    "\n"
    "Fits series whose truth is known and prints how near the predictions at 10, 50 and 100 times the largest size "
    "come,\n"
    "how often the 95% interval holds the truth, and how wide it is.\n"
    "\n"
    "  --suite FOLDER    the series in FOLDER/points.jsonl, with the truths in FOLDER/truth.jsonl\n"
    "  --set SET         generated series: tuning, or holdout, which the engine must not be tuned to\n"
    "  --only NOISE      only the series in this row of the table\n"
    "  --families        a row for each function too\n"
    "  --false-alarms    instead: how often change points are found where there are none, and where there are\n"
    "  --engine ENGINE   default or delta-infer\n"
    "  --speed           series per second, by number of points or of a suite\n"
    "  --check LIMITS    does a quick run over both sets keep the limits in this file?\n"
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

struct request {
  const char *suite, *set, *only, *write, *check;
  bool families, alarms, speed;
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
  struct filter filter = {request->only, visit, context};
  if (request->suite)
    sc_suite_visit(request->suite, visit_filtered, &filter);
  if (!request->set)
    return;
  const sc_set *set = sc_sets_find(request->set, false);
  if (!set)
    sc_bench_fail("there is no set \"%s\"; --help tells those there are", request->set);
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

static void write_suite(const struct request *request)
{
  sc_suite_writer *writer = sc_suite_open(request->write);
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

static struct request read_options(int argc, char **argv)
{
  static const struct option options[] = {{"suite", required_argument, NULL, 's'},
                                          {"set", required_argument, NULL, 't'},
                                          {"only", required_argument, NULL, 'o'},
                                          {"families", no_argument, NULL, 'f'},
                                          {"false-alarms", no_argument, NULL, 'a'},
                                          {"engine", required_argument, NULL, 'e'},
                                          {"write", required_argument, NULL, 'w'},
                                          {"speed", no_argument, NULL, 'p'},
                                          {"check", required_argument, NULL, 'c'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
  struct request request = {.options = SC_FIT_OPTIONS_DEFAULT};
  for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    switch (c) {
    case 's':
      request.suite = optarg;
      break;
    case 't':
      request.set = optarg;
      break;
    case 'o':
      request.only = optarg;
      break;
    case 'f':
      request.families = true;
      break;
    case 'a':
      request.alarms = true;
      break;
    case 'e':
      request.options.engine = engine_of(optarg);
      break;
    case 'p':
      request.speed = true;
      break;
    case 'c':
      request.check = optarg;
      break;
    case 'w':
      request.write = optarg;
      break;
    default:
      fputs(usage, c == 'h' ? stdout : stderr);
      exit(c == 'h' ? 0 : 2);
    }
  }
  if (optind < argc)
    sc_bench_fail("\"%s\" is not understood; --help tells the options", argv[optind]);
  return request;
}

int main(int argc, char **argv)
{
  struct request request = read_options(argc, argv);
  if (request.check)
    return sc_limits_check(request.check, &request.options);
  if (request.speed) {
    sc_speed_print(request.suite);
    return 0;
  }
  if (!request.suite && !request.set)
    sc_bench_fail("nothing to do: --suite or --set; --help tells the options");
  if (request.write)
    write_suite(&request);
  else
    print_scores(&request);
  return 0;
}
