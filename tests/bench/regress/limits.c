/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the figures of a few series with limits. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { SETS = 3 };

static const char *const set_names[SETS] = {"tuning", "outside", "holdout"};

struct limit {
  char set[16], row[16], figure[32], sign[4];
  double value;
};

static sc_score *score_of(const char *name, const sc_fit_options *options)
{
  const sc_set *set = sc_sets_find(name, true);
  sc_score *score = sc_score_new(options, false);
  sc_set_visit(set, sc_score_add, score);
  sc_set_visit(set + 1, sc_score_add, score);
  return score;
}

/* SET ROW FIGURE <=|>= LIMIT, and a comment. False: an empty line. */
static bool parse_limit(const char *line, struct limit *limit)
{
  char rest[2] = "";
  line += strspn(line, " \t\n");
  if (!*line || *line == '#')
    return false;
  int fields = sscanf(line, "%15s %15s %31s %3s %lf %1s", limit->set, limit->row, limit->figure, limit->sign,
                      &limit->value, rest);
  if (fields < 5 || (fields > 5 && *rest != '#') || (strcmp(limit->sign, "<=") && strcmp(limit->sign, ">=")))
    sc_bench_fail("no limit: %s", line);
  return true;
}

/* 1 if the limit does not hold. */
static int judge(const struct limit *limit, sc_score *const *scores)
{
  double value = NAN;
  for (size_t i = 0; i < SETS; i++)
    if (!strcmp(limit->set, set_names[i]))
      value = sc_score_figure(scores[i], limit->row, limit->figure);
  if (isnan(value))
    sc_bench_fail("there is no figure %s %s %s", limit->set, limit->row, limit->figure);
  bool holds = *limit->sign == '<' ? value <= limit->value : value >= limit->value;
  printf("%-8s %-8s %-12s %12.5g  %s %-8g %s\n", limit->set, limit->row, limit->figure, value, limit->sign,
         limit->value, holds ? "" : "MISSED");
  return !holds;
}

int sc_limits_check(const char *path, const sc_fit_options *options)
{
  sc_score *scores[SETS];
  struct limit limit;
  char *line = NULL;
  size_t size = 0;
  int status = 0, limits = 0;
  FILE *file = fopen(path, "r");
  if (!file)
    sc_bench_fail("%s: %s", path, strerror(errno));
  for (size_t i = 0; i < SETS; i++)
    scores[i] = score_of(set_names[i], options);
  for (; getline(&line, &size, file) > 0;)
    if (parse_limit(line, &limit)) {
      status |= judge(&limit, scores);
      limits++;
    }
  if (!limits)
    sc_bench_fail("%s has no limits", path);
  free(line);
  fclose(file);
  for (size_t i = 0; i < SETS; i++)
    sc_score_free(scores[i]);
  return status;
}
