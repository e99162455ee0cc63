/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "utilisation of order_lock at threads=64 <= 0.7" */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "regress/core/growth.h"
#include "runner/workload/amount.h"
#include "runner/workload/internal.h"
#include "transitions/model/elapsed.h"

static int refuse_budget(const char *what, const char *text)
{
  (void)sc_err_set(SC_E_INPUT, "\"%.80s\" is no budget: %s", text, what);
  return sc_err_hint(SC_E_INPUT,
                     "for example: time at n=1e6 <= 2 s; utilisation of order_lock at n=64 <= 0.7; order of "
                     "parse() <= n log n");
}

/* Words with one blank between them, none at the ends. */
static char *squeeze_budget(const char *from, size_t length)
{
  sc_buf out = {0};
  for (size_t i = 0; i < length;) {
    while (i < length && isspace((unsigned char)from[i]))
      i++;
    size_t start = i;
    while (i < length && !isspace((unsigned char)from[i]))
      i++;
    if (i > start && out.length)
      sc_buf_add(&out, " ", 1);
    sc_buf_add(&out, from + start, i - start);
  }
  char *text = sc_buf_finish(&out) == 0 ? sc_buf_take(&out) : NULL;
  sc_buf_free(&out);
  return text;
}

static const char *budget_last(const char *text, const char *word)
{
  const char *found = NULL;
  for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
    found = at;
  return found;
}

/* What a metric is limited by, as far as its name tells before anything was run. A metric's name decides its unit
 * where it can, so that "time at n=1e6 <= 2", which lacks its unit, is refused now and not after hours of runs. A name
 * that is not known yet, of a counter for instance, takes the first unit that the limit can be read in. */
static int check_limit(sc_budget *budget)
{
  const char *metric = budget->metric, *limit = budget->limit_text;
  double ignored;
  if (strcmp(limit, "0") == 0)
    return 0;
  if (strcmp(metric, "memory") == 0)
    return sc_amount_parse(limit, SC_AMOUNT_BYTES, &budget->limit);
  if (strstr(metric, "time") || sc_elapsed_is_metric(metric))
    return sc_amount_parse(limit, SC_AMOUNT_TIME, &budget->limit);
  if (strncmp(metric, "utili", 5) == 0)
    return sc_amount_parse(limit, SC_AMOUNT_RATIO, &budget->limit);
  for (int kind = SC_AMOUNT_COUNT; kind <= SC_AMOUNT_RATIO; kind++)
    if (sc_amount_parse(limit, (enum sc_amount_kind)kind, &ignored) == 0) {
      budget->limit = ignored;
      return 0;
    }
  return sc_amount_parse(limit, SC_AMOUNT_COUNT, &budget->limit);
}

/* "at n=1e6" or "at 1e6": the name may be left out, but not be another's. */
static int parse_budget_size(const char *at, const char *parameter, const char *text, sc_budget *budget)
{
  const char *equals = strchr(at, '=');
  size_t length = equals ? (size_t)(equals - at) : 0;
  while (length && at[length - 1] == ' ')
    length--;
  if (equals && (length != strlen(parameter) || strncmp(at, parameter, length) != 0)) {
    (void)sc_err_set(SC_E_INPUT, "the budget \"%.80s\" is for another parameter", text);
    return sc_err_hint(SC_E_INPUT, "this workload's is called %s: at %s=1e6", parameter, parameter);
  }
  return sc_workload_parse_size(equals ? equals + 1 : at, &budget->n);
}

/* "METRIC of SUBJECT"; parentheses behind a function's name are decoration. */
static int parse_metric(const char *left, size_t length, sc_budget *budget)
{
  const char *of = memmem(left, length, " of ", 4);
  size_t metric = of ? (size_t)(of - left) : length;
  budget->metric = squeeze_budget(left, metric);
  if (of)
    budget->subject = squeeze_budget(of + 4, length - metric - 4);
  if (!budget->metric || (of && !budget->subject))
    return SC_E_NOMEM;
  size_t end = of ? strlen(budget->subject) : 0;
  if (end > 2 && strcmp(budget->subject + end - 2, "()") == 0)
    budget->subject[end - 2] = '\0';
  return 0;
}

/* From the end: metrics and names of resources may contain " at ", but behind the last one stands a size. */
static int parse_budget_text(const char *text, const char *parameter, sc_budget *budget)
{
  const char *sign = budget_last(text, "<="), *other = budget_last(text, "\xe2\x89\xa4"),
             *at = budget_last(text, " at ");
  sign = other && (!sign || other > sign) ? other : sign;
  if (!sign)
    return refuse_budget("it has no <= (in XML: &lt;=) or \xe2\x89\xa4", text);
  const char *right = sign + (sign == other ? 3 : 2);
  at = at && at < sign ? at : NULL;
  budget->limit_text = squeeze_budget(right, strlen(right));
  SC_TRY(budget->limit_text ? parse_metric(text, (size_t)((at ? at : sign) - text), budget) : SC_E_NOMEM);
  size_t length = strlen(budget->metric);
  bool of_nothing = length >= 3 && strcmp(budget->metric + length - 3, " of") == 0;
  if (!length || !*budget->limit_text || of_nothing || (budget->subject && !*budget->subject))
    return refuse_budget("a word is missing", text);
  if (strcmp(budget->metric, "order") == 0) {
    if (!budget->subject || at)
      return refuse_budget("an order is of a function, and at no size", text);
    return sc_growth_parse(budget->limit_text, parameter, &budget->order);
  }
  if (!at)
    return refuse_budget("it has no size", text);
  char *size = squeeze_budget(at + 4, (size_t)(sign - at - 4));
  if (!size)
    return SC_E_NOMEM;
  int err = parse_budget_size(size, parameter, text, budget);
  free(size);
  return err < 0 ? err : check_limit(budget);
}

/* Amounts refuse with a usage error, as options do; in a budget the fault is in the input. */
int sc_workload_parse_budget(const char *text, const char *parameter, sc_budget *budget)
{
  *budget = (sc_budget){.text = squeeze_budget(text, strlen(text))};
  int err = budget->text ? parse_budget_text(budget->text, parameter, budget) : SC_E_NOMEM;
  return err == SC_E_USAGE ? SC_E_INPUT : err;
}

void sc_workload_free_budget(sc_budget *budget)
{
  free(budget->text);
  free(budget->metric);
  free(budget->subject);
  free(budget->limit_text);
  *budget = (sc_budget){0};
}
