/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `ask --at threads=64 --limit time=1s`: from which size on, with the others as --at has them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runner/several/internal.h"
#include "transitions/inverse.h"

static const double STEP = 2; /* factor between sizes that are looked at, before the one between them is found */

static bool is_time(const sc_several *s) { return strcmp(sc_analysis_cost_unit(s->judge->loaded.analysis), "s") == 0; }

static bool has_costs(const sc_several *s)
{
  return strcmp(sc_analysis_cost_unit(s->judge->loaded.analysis), "iterations") != 0;
}

static const char *cost_metric(const sc_several *s)
{
  return is_time(s) ? "time" : sc_analysis_cost_unit(s->judge->loaded.analysis);
}

/* "time=1s", "iterations=1e9", or a value of what is asked first. */
static int parse(const sc_several *s, const char *text, size_t length, sc_several_limit *limit)
{
  char copy[200];
  snprintf(copy, sizeof copy, "%.*s", (int)(length < sizeof copy ? length : sizeof copy - 1), text);
  char *equals = strrchr(copy, '='), *value = equals ? equals + 1 : copy;
  if (equals)
    *equals = '\0';
  const char *metric = equals ? copy : has_costs(s) ? cost_metric(s) : "iterations";
  limit->cost = has_costs(s) && strcmp(metric, cost_metric(s)) == 0;
  if (!limit->cost && strcmp(metric, "iterations") != 0) {
    (void)sc_err_set(SC_E_USAGE, "--limit: \"%.80s\" is not known of several parameters", metric);
    return sc_err_hint(SC_E_USAGE, "here the limit is of the whole program: %s%siterations=1e9",
                       has_costs(s) ? cost_metric(s) : "", has_costs(s) ? is_time(s) ? "=1s, " : "=1e9, " : "");
  }
  limit->limit.quantity.judge = s->judge;
  limit->limit.quantity.kind = limit->cost && is_time(s) ? SC_AMOUNT_TIME : SC_AMOUNT_COUNT;
  limit->metric = limit->cost ? cost_metric(s) : "iterations";
  int err = sc_amount_parse(value, limit->limit.quantity.kind, &limit->limit.value);
  return err < 0 ? sc_err_prefix(err, "--limit") : 0;
}

typedef struct question {
  const sc_several *several;
  const sc_several_limit *limit;
} question;

static int predict(void *user, double n, sc_interval *out)
{
  const question *q = user;
  sc_several_point point = q->limit->point;
  sc_several_answer answer = {.rows = NULL};
  point.at[0] = n;
  int err = sc_several_predict(q->several, &point, &answer);
  *out = q->limit->cost ? answer.cost : answer.executions;
  sc_several_answer_free(&answer);
  return err;
}

static int search(const sc_several *s, sc_several_limit *limit)
{
  question q = {s, limit};
  sc_limit *found = &limit->limit;
  found->smallest = s->low[0];
  found->farthest = SC_INVERSE_FAR;
  const sc_inverse_range range = {found->smallest, found->farthest, STEP};
  SC_TRY(predict(&q, found->smallest, &found->at_smallest));
  return sc_inverse_find(predict, &q, found->value, &range, &found->n);
}

/* The combinations of --at, at the smallest size measured. */
static int list_points(const sc_several *s, const char *at, sc_several_point **points, size_t *count)
{
  char *asked = NULL;
  sc_buf list = {0};
  if (at)
    SC_TRY(sc_several_focus(at, s->names[0], &asked));
  if (asked) {
    free(asked);
    (void)sc_err_set(SC_E_USAGE, "--at has %s, which --limit asks for", s->names[0]);
    return sc_err_hint(SC_E_USAGE, "leave one of both out");
  }
  sc_buf_printf(&list, "%s=%.17g%s%s", s->names[0], s->low[0], at ? "," : "", at ? at : "");
  int err = sc_buf_finish(&list);
  if (err == 0)
    err = sc_several_points(s, list.text, points, count);
  sc_buf_free(&list);
  return err;
}

int sc_several_limits(const sc_several *s, const char *at, const char *limits, sc_several_limit **list, size_t *count)
{
  sc_several_point *points = NULL;
  size_t point_count = 0, capacity = 0;
  int err;
  *list = NULL;
  *count = 0;
  SC_GOTO(list_points(s, at, &points, &point_count));
  for (size_t length; *limits; limits += length + (limits[length] != '\0')) {
    length = strcspn(limits, ";");
    for (size_t p = 0; length && p < point_count; p++) {
      SC_GOTO(sc_mem_grow(list, &capacity, *count + 1, sizeof **list));
      sc_several_limit *limit = &(*list)[*count];
      *limit = (sc_several_limit){.point = points[p]};
      SC_GOTO(parse(s, limits, length, limit));
      SC_GOTO(search(s, limit));
      ++*count;
    }
  }
out:
  free(points);
  return err;
}

int sc_several_print_limit(FILE *out, const sc_several *s, const sc_several_limit *limit,
                           const sc_report_text_options *options)
{
  sc_buf text = {0};
  sc_buf_puts(&text, "With ");
  for (size_t i = 1; i < s->parameters; i++)
    sc_buf_printf(&text, "%s%s = %s", i > 1 ? ", " : "", s->names[i], sc_format_number(limit->point.at[i]).s);
  sc_buf_printf(&text, ": %s %s", sc_amount_text(limit->limit.quantity.kind, limit->limit.value).s,
                !limit->cost ? "executions"
                : is_time(s) ? "of processor time"
                             : cost_metric(s));
  sc_limit_say_when(&limit->limit, &text);
  int err = sc_buf_finish(&text);
  if (err == 0)
    sc_format_wrap(out, text.text, 0, 2, options->width);
  sc_buf_free(&text);
  return err;
}

void sc_several_json_limit(sc_json *json, cJSON *list, const sc_several *s, const sc_several_limit *limit)
{
  cJSON *object = sc_json_object(json, list, NULL), *at = sc_json_object(json, object, "at");
  for (size_t i = 1; i < s->parameters; i++)
    sc_json_number(json, at, s->names[i], limit->point.at[i]);
  sc_json_text(json, object, "metric", limit->metric);
  bool already = sc_limit_exceeded_already(&limit->limit);
  sc_json_number(json, object, "value", limit->limit.value);
  sc_json_bool(json, object, "exceeded_at_smallest", already);
  sc_json_bool(json, object, "reached", already || isfinite(limit->limit.n.value));
  sc_json_interval(json, object, "n", &limit->limit.n);
}
