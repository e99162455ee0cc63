/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `ask --at n=1e6 --over threads --limit time=10s`: from which value of a further parameter on. Each value looked at is
 * the study judged there. */
#include "runner/ask/limit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runner/points/internal.h"
#include "runner/report/json.h"
#include "runner/text/operand.h"
#include "runner/text/terminal.h"
#include "runner/text/tuning.h"
#include "transitions/model/inverse.h"

static const double WHOLE = 0x1p53; /* below it values are whole numbers */

typedef struct seen { /* predicted at a value of the parameter */
  double value;
  sc_interval predicted, supposed;
} seen;

typedef struct search {
  const sc_several *several;
  const sc_options *options;
  const char *text; /* of the limit: METRIC=VALUE */
  size_t over;
  double at[SC_SURFACE_PARAMETERS];
  seen *list; /* [count] looked at so far: each takes an analysis of its own */
  size_t count, capacity;
  bool resources;       /* are what it is about */
  bool supposed, falls; /* what is looked for: with suppositions; where it falls to the limit */
  sc_limit limit, with_suppositions;
  cJSON *document, *json; /* NULL: text is printed */
} search;

/* The limit's quantity where the study is judged, to be freed by the caller. */
static int parse_limit(const search *s, const sc_ask *ask, const sc_suppose *suppose, sc_quantity *quantity)
{
  int err = sc_limit_parse(ask->judge, &ask->subject, suppose, s->text, quantity, NULL);
  return err < 0 ? sc_err_prefix(err, "--limit") : 0;
}

static int predict_both(void *user, sc_ask *ask)
{
  search *s = user;
  seen *one = &s->list[s->count];
  sc_quantity quantity = {0};
  int err = parse_limit(s, ask, NULL, &quantity) ?: sc_quantity_predict(&quantity, s->at[0], &one->predicted);
  sc_quantity_free(&quantity);
  if (err < 0 || !ask->supposing)
    return err;
  err = parse_limit(s, ask, ask->supposing->suppose, &quantity)
            ?: sc_quantity_predict(&quantity, s->at[0], &one->supposed);
  sc_quantity_free(&quantity);
  return err;
}

static int visit_limit(search *s, double value, sc_several_visitor *visitor)
{
  const sc_options *o = s->options;
  const sc_ask_request request = {.function = o->function, .resource = o->resource, .suppose = o->suppose, .top = 1};
  s->at[s->over] = value;
  return sc_several_visit(s->several, s->at + 1, s->resources, &request, visitor, s);
}

static int visit_value(search *s, double value, const seen **out)
{
  value = value < WHOLE ? ceil(value) : value;
  for (size_t i = 0; i < s->count; i++)
    if (s->list[i].value == value) {
      *out = &s->list[i];
      return 0;
    }
  SC_TRY(sc_mem_grow(&s->list, &s->capacity, s->count + 1, sizeof *s->list));
  s->list[s->count] = (seen){.value = value};
  SC_TRY(visit_limit(s, value, predict_both));
  *out = &s->list[s->count++];
  return 0;
}

static int predict_along(void *user, double value, sc_interval *out)
{
  search *s = user;
  const seen *one;
  SC_TRY(visit_value(s, value, &one));
  *out = s->supposed ? one->supposed : one->predicted;
  if (s->falls)
    *out = (sc_interval){-out->value, -out->high, -out->low};
  return 0;
}

static int find_crossing(search *s, sc_limit *limit)
{
  const double low = s->several->low[s->over], high = s->several->high[s->over];
  const sc_inverse_range range = {low, limit->farthest, limit->quantity.portion ? SC_LIMIT_STEP : SC_LIMIT_FINE};
  sc_interval beyond;
  s->falls = false;
  SC_TRY(predict_along(s, low, &limit->at_smallest));
  SC_TRY(predict_along(s, 2 * high, &beyond));
  if (limit->at_smallest.value < limit->value) {
    SC_TRY(sc_inverse_find(predict_along, s, limit->value, &range, &limit->n));
    limit->cannot_tell = isinf(beyond.high) && isfinite(beyond.value) && !(limit->n.value <= high);
    return 0;
  }
  limit->n = (sc_interval){low, low, low};
  s->falls = true;
  return sc_inverse_find(predict_along, s, -limit->value, &range, &limit->below);
}

static double found_at(const sc_limit *limit)
{
  return sc_limit_exceeded_already(limit) ? limit->below.value : limit->cannot_tell ? INFINITY : limit->n.value;
}

static int print_limit_next(const search *s)
{
  if (!isfinite(found_at(&s->limit)) || s->document)
    return 0;
  fputs("\nNext: scale-run verify", stdout);
  sc_operand_print_study(s->several->judge->study, stdout);
  fputs(" --at ", stdout);
  for (size_t i = 0; i < s->several->parameters; i++)
    printf("%s%s=%.12g", i ? "," : "", s->several->names[i], s->at[i]);
  putchar('\n');
  return 0;
}

static int print_limit_text(const search *s, const sc_ask *ask)
{
  const sc_text_options text = {.width = sc_terminal_width(stdout), .style = sc_terminal_style(stdout)};
  sc_buf then = {0};
  sc_limit_print(stdout, &s->limit, &text);
  if (ask->supposing) {
    sc_buf_puts(&then, "Supposed: ");
    sc_limit_text(&s->with_suppositions, &then);
    if (sc_buf_finish(&then) == 0)
      sc_format_wrap(stdout, then.text, 0, 2, text.width);
    sc_buf_free(&then);
  }
  if (s->limit.quantity.costs && sc_analysis_moved(ask->judge->loaded.analysis)) {
    putchar('\n');
    SC_TRY(sc_several_print_prices(stdout, s->several, &text));
  }
  return print_limit_next(s);
}

/* Where the study is judged at the value found: what is said of the limit is read from there. */
static int give_limit(void *user, sc_ask *ask)
{
  search *s = user;
  sc_json json = {0};
  int err = parse_limit(s, ask, NULL, &s->limit.quantity);
  s->with_suppositions.quantity = s->limit.quantity;
  s->limit.certainty_at = s->at[0];
  if (err == 0 && isfinite(found_at(&s->limit)))
    err = sc_certainty_make(&s->limit.quantity, s->at[0], &s->limit.certainty);
  if (err == 0 && s->document) {
    cJSON *object = sc_json_object(&json, s->json, NULL);
    sc_limit_json(&json, object, &s->limit);
    if (ask->supposing)
      sc_limit_json(&json, sc_json_object(&json, object, "supposed"), &s->with_suppositions);
    double at[SC_SURFACE_PARAMETERS];
    memcpy(at, s->at, sizeof at);
    at[s->over] = found_at(&s->limit);
    sc_several_json_values(&json, object, "at", s->several, at);
    err = json.failed ? SC_E_NOMEM : 0;
  } else if (err == 0) {
    err = print_limit_text(s, ask);
  }
  sc_quantity_free(&s->limit.quantity);
  return err;
}

/* The limit's value, which only the quantity says how to read. */
static int take_limit(void *user, sc_ask *ask)
{
  search *s = user;
  int err = sc_limit_parse(ask->judge, &ask->subject, NULL, s->text, &s->limit.quantity, &s->limit.value);
  s->resources = !s->limit.quantity.portion;
  s->limit.variable = s->several->names[s->over];
  s->limit.smallest = s->several->low[s->over];
  s->limit.farthest = SC_POINTS_FARTHEST * s->several->high[s->over];
  s->with_suppositions = s->limit;
  sc_quantity_free(&s->limit.quantity);
  return err < 0 ? sc_err_prefix(err, "--limit") : 0;
}

static int answer_limit(search *s, const double *at)
{
  int err;
  memcpy(s->at, at, sizeof s->at);
  s->limit = (sc_limit){.value = 0};
  s->count = 0;
  s->resources = true; /* until it is known */
  SC_GOTO(visit_limit(s, s->several->low[s->over], take_limit));
  s->supposed = false;
  SC_GOTO(find_crossing(s, &s->limit));
  s->supposed = true;
  if (s->options->suppose)
    SC_GOTO(find_crossing(s, &s->with_suppositions));
  double found = found_at(&s->limit);
  err = visit_limit(s, isfinite(found) ? found : s->several->low[s->over], give_limit);
out:
  return err;
}

static int check_limit_options(const sc_options *o)
{
  if (!o->limit)
    return sc_err_hint(sc_err_set(SC_E_USAGE, "--over needs a --limit to look for"),
                       "for example --over %.60s --limit time=10s; a table: --sweep %.60s=LOW..HIGH", o->over, o->over);
  if (o->sweep || o->plot || o->svg || o->of)
    return sc_err_hint(sc_err_set(SC_E_USAGE, "--over looks for a --limit, not for --%s",
                                  o->sweep  ? "sweep"
                                  : o->plot ? "plot"
                                  : o->svg  ? "svg"
                                            : "of"),
                       "ask one after the other");
  return 0;
}

static void print_limit_title(const search *s, bool first)
{
  const sc_style style = sc_terminal_style(stdout);
  const char *separator = "";
  printf("%s%sWith ", first ? "" : "\n", style.bold);
  for (size_t i = 0; i < s->several->parameters; i++) {
    if (i == s->over)
      continue;
    printf("%s%s = %s", separator, s->several->names[i], sc_format_number(s->at[i]).s);
    separator = ", ";
  }
  printf(":%s\n", style.off);
}

/* All limits at one combination of the other parameters. */
static int answer_point(search *s, const sc_several_point *point, bool first)
{
  int err = 0;
  memcpy(s->at, point->at, sizeof s->at);
  if (!s->document)
    print_limit_title(s, first);
  for (const char *at = s->options->limit; err == 0 && *at;) {
    size_t length = strcspn(at, ";");
    sc_buf one = {0};
    sc_buf_add(&one, at, length);
    err = sc_buf_finish(&one);
    s->text = one.text;
    err = err ?: answer_limit(s, point->at);
    sc_buf_free(&one);
    at += length + (at[length] != '\0');
  }
  return err;
}

int sc_several_ask_over(const sc_several *several, const sc_options *options)
{
  search s = {.several = several, .options = options};
  sc_several_point *points = NULL;
  size_t count = 0;
  sc_json json = {0};
  int err;
  SC_GOTO(check_limit_options(options));
  while (strcmp(several->names[s.over], options->over) != 0)
    s.over++;
  SC_GOTO(sc_several_points_over(several, options->at, s.over, &points, &count));
  if (options->json) {
    s.document = sc_report_json_document(several->judge, "ask");
    sc_several_json_measured(&json, s.document, several);
    sc_json_text(&json, s.document, "over", options->over);
    s.json = sc_json_array(&json, s.document, "limits");
  }
  for (size_t i = 0; i < count; i++)
    SC_GOTO(answer_point(&s, &points[i], i == 0));
  if (s.document) {
    err = sc_json_write(stdout, s.document, &json, 0);
    s.document = NULL;
  }
out:
  cJSON_Delete(s.document);
  free(s.list);
  free(points);
  return err;
}
