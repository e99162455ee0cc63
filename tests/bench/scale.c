/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures what the analysis of synthetic studies costs, and how the cost grows. */
#include <getopt.h>
#include <math.h>

#include "scale_bench.h"

enum { SMALLEST = 10000, MANY_RUNS = 10, BAR_CONTEXTS = 1000000, BAR_SECONDS = 10, BAR_MIB = 2048, POINTS = 8 };

/* Caches that no longer hold what is at work cost a little more than in proportion. */
static const double MOST_POWER = 1.15;

static const char usage[] =
    "Usage: bench-scale [--max CONTEXTS] [--runs RUNS]\n"
    "       bench-scale --keep STUDY [--max CONTEXTS] [--runs RUNS]\n"
    "\n"
    "Makes raw profiles of 10,000, 100,000, ... contexts, reads, aligns and stores them as scale-run does, and loads\n"
    "the studies again as far as the series that models are fitted to. Prints what that took, and how it grows. Then\n"
    "the same with a million contexts and ten runs.\n"
    "\n"
    "  --max CONTEXTS  the largest size (default 10000000: 2 GB in TMPDIR)\n"
    "  --runs RUNS     runs of each study but the last (default 3, at most 20)\n"
    "  --keep STUDY    make one study of CONTEXTS contexts, and leave it there for scale-run to judge\n"
    "  --help          this text\n";

struct point {
  double contexts;
  struct sc_measure_result result;
};

static double total(const struct sc_measure_result *result) { return result->read.cpu + result->store.cpu; }

static void print_head(void)
{
  printf("%10s %4s %9s | %7s %7s %7s %9s %7s | %7s %7s %7s | %8s %7s\n", "contexts", "runs", "nodes", "read,", "store,",
         "both,", "both,", "most", "load,", "most", "series", "profiles", "study");
  printf("%10s %4s %9s | %7s %7s %7s %9s %7s | %7s %7s %7s | %8s %7s\n", "", "", "a run", "CPU s", "CPU s", "CPU s",
         "elapsed s", "MiB", "CPU s", "MiB", "", "MB", "MB");
}

static void print_row(const struct sc_measure_result *r, unsigned runs)
{
  printf("%10llu %4u %9llu | %7.3f %7.3f %7.3f %9.3f %7.0f | %7.3f %7.0f %7llu | %8.1f %7.1f\n",
         (unsigned long long)r->contexts, runs, (unsigned long long)r->nodes, r->read.cpu, r->store.cpu, total(r),
         r->read.wall + r->store.wall, r->read_mib, r->load.cpu, r->load_mib, (unsigned long long)r->series,
         (double)r->profile_bytes / 1e6, (double)r->study_bytes / 1e6);
  fflush(stdout);
}

/* Least squares of log(seconds) over log(contexts). */
static double exponent(const struct point *points, size_t count)
{
  double x = 0, y = 0, xx = 0, xy = 0;
  for (size_t i = 0; i < count; i++) {
    double a = log(points[i].contexts), b = log(total(&points[i].result));
    x += a, y += b, xx += a * a, xy += a * b;
  }
  return ((double)count * xy - x * y) / ((double)count * xx - x * x);
}

/* Seconds upwards, contexts to the right, both logarithmic; a dot where a straight line through the largest is. */
static void plot(const struct point *points, size_t count)
{
  enum { ROWS = 4, COLUMNS = 12 }; /* a decade */
  double most = ceil(log10(total(&points[count - 1].result))), least = floor(log10(total(&points[0].result)));
  double first = log10(points[0].contexts);
  printf("\nreading, aligning and storing: CPU seconds over contexts, both logarithmic (o measured, . linear)\n\n");
  for (int row = (int)(most - least) * ROWS; row >= 0; row--) {
    char line[POINTS * COLUMNS + 2];
    memset(line, ' ', sizeof line);
    line[(count - 1) * COLUMNS + 1] = '\0';
    for (size_t i = 0; i <= (count - 1) * COLUMNS; i++) {
      double here = first + (double)i / COLUMNS, last = log10(points[count - 1].contexts);
      double linear = log10(total(&points[count - 1].result)) + here - last;
      if (lround((linear - least) * ROWS) == row)
        line[i] = '.';
    }
    for (size_t i = 0; i < count; i++)
      if (lround((log10(total(&points[i].result)) - least) * ROWS) == row)
        line[lround((log10(points[i].contexts) - first) * COLUMNS)] = 'o';
    for (size_t end = strlen(line); end && line[end - 1] == ' ';)
      line[--end] = '\0';
    if (row % ROWS == 0)
      printf("%9g |%s\n", pow(10, least + (double)row / ROWS), line);
    else
      printf("%9s |%s\n", "", line);
  }
  printf("%9s +", "");
  for (size_t i = 0; i < (count - 1) * COLUMNS + 1; i++)
    putchar('-');
  printf("\n%8s ", "");
  for (size_t i = 0; i < count; i++)
    printf("%-*.0e", COLUMNS, points[i].contexts);
  printf("\n\n");
}

/* The steepest step counts: what costs the same at any size makes the small studies look dear, and the growth slow. */
static int judge_growth(const struct point *points, size_t count)
{
  double steepest = 0;
  if (count < 2)
    return 0;
  plot(points, count);
  for (size_t i = 1; i < count; i++) {
    double power = exponent(points + i - 1, 2);
    printf("%s%.0e to %.0e contexts: contexts^%.2f", i > 1 ? ", " : "from ", points[i - 1].contexts, points[i].contexts,
           power);
    steepest = power > steepest ? power : steepest;
  }
  int linear = steepest < MOST_POWER;
  printf("\ncost grows as contexts^%.2f, at most contexts^%.2f: %s\n", exponent(points, count), steepest,
         linear ? "linear" : "MORE THAN LINEAR");
  return !linear;
}

static int judge_bar(const struct sc_measure_result *r)
{
  double wall = r->read.wall + r->store.wall;
  int met = wall < BAR_SECONDS && r->read_mib < BAR_MIB;
  printf("a million contexts in ten runs: %.1f s (%.1f s of CPU) and %.0f MiB; the bar of %d s and %d MiB is %s\n",
         wall, total(r), r->read_mib, BAR_SECONDS, BAR_MIB, met ? "met" : "MISSED");
  return !met;
}

static int measure(const char *folder, double most, unsigned runs)
{
  struct point points[POINTS];
  struct sc_measure_result many;
  size_t count = 0;
  print_head();
  for (double contexts = SMALLEST; contexts <= most && count < POINTS; contexts *= 10) {
    sc_measure_study(folder, (uint64_t)contexts, runs, NULL, &points[count].result);
    points[count].contexts = (double)points[count].result.contexts;
    print_row(&points[count++].result, runs);
  }
  if (most >= BAR_CONTEXTS) {
    sc_measure_study(folder, BAR_CONTEXTS, MANY_RUNS, NULL, &many);
    print_row(&many, MANY_RUNS);
  }
  int status = judge_growth(points, count);
  return most >= BAR_CONTEXTS ? judge_bar(&many) | status : status;
}

static int keep(const char *folder, double contexts, unsigned runs, const char *study)
{
  struct sc_measure_result result;
  print_head();
  sc_measure_study(folder, (uint64_t)contexts, runs, study, &result);
  print_row(&result, runs);
  return 0;
}

static double number(const char *text, double least, double most)
{
  char *end;
  double value = strtod(text, &end);
  if (end == text || *end || !(value >= least && value <= most)) {
    fprintf(stderr, "bench-scale: \"%s\" is not a number from %g to %g\n", text, least, most);
    exit(2);
  }
  return value;
}

int main(int argc, char **argv)
{
  static const struct option options[] = {{"max", required_argument, NULL, 'm'},
                                          {"runs", required_argument, NULL, 'r'},
                                          {"keep", required_argument, NULL, 'k'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
  double most = 1e7, runs = 3;
  const char *kept = NULL;
  for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    if (c == 'm')
      most = number(optarg, SMALLEST, 1e8);
    else if (c == 'r')
      runs = number(optarg, 1, SC_MEASURE_RUNS);
    else if (c == 'k')
      kept = optarg;
    else {
      fputs(usage, c == 'h' ? stdout : stderr);
      return c == 'h' ? 0 : 2;
    }
  }
  if (optind < argc) {
    fprintf(stderr, "bench-scale: \"%s\" is not understood; --help tells the options\n", argv[optind]);
    return 2;
  }
  const char *base = getenv("TMPDIR");
  char folder[4000];
  snprintf(folder, sizeof folder, "%.3900s/bench-scale-XXXXXX", base && *base ? base : "/tmp");
  if (!mkdtemp(folder)) {
    perror(folder);
    return 1;
  }
  int status = kept ? keep(folder, most, (unsigned)runs, kept) : measure(folder, most, (unsigned)runs);
  rmdir(folder);
  return status;
}
