/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/report/elapsed.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "profiles/graph/demangle.h"
#include "profiles/graph/shorten.h"
#include "profiles/graph/usage.h"
#include "runner/resources/words.h"
#include "runner/text/context.h"
#include "runner/text/format.h"
#include "runner/text/tuning.h"
#include "transitions/model/elapsed.h"
#include "transitions/model/order.h"
#include "transitions/model/waiting.h"

enum { RECORDS = 3, PLACES = 3, WAY = 4 /* functions of a path that tells two places apart */ };

bool sc_report_elapsed_differs(const sc_judge *judge, double n)
{
  const sc_analysis *analysis = judge->loaded.analysis;
  sc_interval elapsed, total;
  if (!sc_analysis_elapsed_known(analysis) || sc_analysis_elapsed(analysis, n, &elapsed) < 0)
    return false;
  if (!sc_elapsed_has_costs(analysis) || sc_analysis_total(analysis, n, &total) < 0)
    return true;
  return fabs(elapsed.value - total.value) > SC_REPORT_SAME * elapsed.value;
}

/* The kinds, those that take most first. */
static size_t sort_kinds(const sc_elapsed_parts *parts, enum sc_wait_kind order[SC_WAIT_KINDS])
{
  for (int k = 0; k < SC_WAIT_KINDS; k++) {
    int at = k;
    for (; at > 0 && parts->waits[order[at - 1]] < parts->waits[k]; at--)
      order[at] = order[at - 1];
    order[at] = (enum sc_wait_kind)k;
  }
  return SC_WAIT_KINDS;
}

static double sum_waits(const sc_elapsed_parts *parts)
{
  double sum = 0;
  for (int k = 0; k < SC_WAIT_KINDS; k++)
    sum += parts->waits[k];
  return sum;
}

/* "30% of the elapsed time at n = 100 is ready, but the processors were busy: ...", where that is less than most of it.
 */
static bool add_busy(const sc_elapsed_parts *parts, const char *where, double all, sc_buf *text)
{
  double ready = parts->waits[SC_WAIT_RUNNABLE];
  if (!parts->measured || all < SC_ELAPSED_SHORT || ready < SC_REPORT_BUSY * all)
    return false;
  sc_buf_printf(text,
                "%s of the elapsed time at %s is %s: it was measured beside other work, and is as much shorter on ",
                sc_format_percent(ready / all).s, where, sc_elapsed_wait_name(SC_WAIT_RUNNABLE));
  sc_buf_puts(text, "an idle machine, and longer on a busier one.");
  return true;
}

bool sc_report_elapsed_parts_note(const sc_elapsed_parts *parts, const char *where, sc_buf *text)
{
  enum sc_wait_kind order[SC_WAIT_KINDS];
  double waits = sum_waits(parts), all = waits + parts->processor;
  if (!sc_elapsed_parts_mostly_wait(parts))
    return add_busy(parts, where, all, text);
  sc_buf_printf(text, "%s of the elapsed time at %s is not processor time", sc_format_percent(waits / all).s, where);
  size_t kinds = sort_kinds(parts, order), said = 0;
  for (size_t i = 0; i < kinds && parts->measured; i++)
    if (parts->waits[order[i]] >= SC_REPORT_WAITING * all)
      sc_buf_printf(text, "%s%s %s", said++ ? ", " : ": ", sc_format_percent(parts->waits[order[i]] / all).s,
                    sc_elapsed_wait_name(order[i]));
  sc_buf_puts(text,
              parts->measured ? "." : ". What it waits for was not measured, as it is by `scale-run run --restart`.");
  if (parts->measured && parts->waits[SC_WAIT_RUNNABLE] > SC_REPORT_MACHINE * waits)
    sc_buf_puts(text, " On an idle machine, or with more processors, it may take less.");
  return true;
}

/* " It goes with the calls of fetch (fetch.c:12): 5.0 ms for each of n." */
static void add_elapsed_place(const sc_judge *judge, double n, sc_buf *text)
{
  const sc_graph *graph = judge->loaded.graph;
  sc_elapsed_place place;
  if (!sc_elapsed_goes_with(judge->loaded.analysis, n, &place))
    return;
  sc_buf_printf(text, " The waiting is proportional to the %s of ", sc_context_counts(graph, place.context));
  sc_context_title(graph, place.context, text);
  sc_buf_printf(text, ": %s for each of ", sc_format_seconds(place.each).s);
  sc_context_formula(sc_analysis_model(judge->loaded.analysis, place.context), judge->loaded.workload->parameter, text);
  if (place.others)
    sc_buf_printf(text, " (%s executed as often)",
                  place.others == 1 ? "one more place is" : sc_format_number((double)place.others).s);
  sc_buf_puts(text, ".");
}

/* Recorded waits of one context for one resource, at the largest size. */
typedef struct recorded {
  uint32_t context, resource;
  double seconds; /* of all threads */
} recorded;

typedef struct records {
  recorded *list;
  size_t count, capacity;
} records;

/* Waits for threads to end are no cause: what these wait for is. Calls of the system are told of with their models. */
static bool is_cause(const sc_graph *graph, const sc_usage *row)
{
  enum sc_resource_class is = sc_usage_resource_at(graph, row->resource)->resource_class;
  return row->values[SC_USAGE_WAIT_SECONDS] > 0 && is != SC_RESOURCE_THREAD && !sc_resource_class_blocks(is);
}

/* ", by getline": the function that waits, unless the user's call of the library, which stands there already, bears the
 * same name, or a function inside the library does: "getline" ends in "__getdelim". */
static void add_elapsed_called(const sc_graph *graph, const sc_waiting_place *place, sc_buf *text)
{
  uint32_t through;
  char *written = sc_demangle_name(place->via);
  sc_buf name = {0}, call = {0};
  sc_shorten_name(written ? written : place->via, &name);
  (void)sc_graph_written(graph, place->context, &through);
  if (through)
    sc_shorten_name(sc_graph_at(graph, through)->display, &call);
  if (sc_buf_finish(&name) == 0 && sc_buf_finish(&call) == 0 &&
      !(through && (name.text[0] == '_' || strcmp(call.text, name.text) == 0)))
    sc_buf_printf(text, ", by %s", name.text);
  free(written);
  sc_buf_free(&name);
  sc_buf_free(&call);
}

/* Whether another context waits in the same call of the same function. */
static bool has_twin(const sc_analysis *analysis, const sc_waiting_place *place)
{
  size_t count;
  const sc_graph *graph = sc_analysis_graph(analysis);
  const sc_waiting_place *places = sc_waiting_places(analysis, &count);
  for (size_t i = 0; i < count; i++)
    if (places[i].context != place->context && places[i].kind == place->kind && places[i].line == place->line &&
        sc_graph_at(graph, places[i].context) == sc_graph_at(graph, place->context))
      return true;
  return false;
}

/* "sleeping in poll_device (app.c:41), by usleep" */
static void add_where(const sc_judge *judge, const sc_waiting_place *place, sc_buf *text)
{
  sc_buf_printf(text, "%s in ", sc_elapsed_wait_name(place->kind));
  sc_context_call(judge->loaded.graph, place->context, place->line, 0, text);
  add_elapsed_called(judge->loaded.graph, place, text);
  if (has_twin(judge->loaded.analysis, place)) {
    sc_buf_puts(text, ", in ");
    sc_context_functions(judge->loaded.graph, place->context, WAY, text);
  }
}

/* Of one thread, in two models: it waits no longer than the run takes. */
static sc_interval elapsed_within(sc_interval waiting, double elapsed)
{
  return (sc_interval){fmin(waiting.value, elapsed), fmin(waiting.low, elapsed), waiting.high};
}

/* One place: "sleeping in poll_device (app.c:41), by usleep: 12 s of 13 s (93%), 95% interval 11 s to 13 s, grows as
 * n". `elapsed`: seconds of the whole at n. */
static void add_waiting_place(const sc_judge *judge, const sc_waiting_place *place, double n, double elapsed,
                              sc_buf *text)
{
  const sc_analysis *analysis = judge->loaded.analysis;
  const sc_model *model = sc_waiting_model(analysis, place, n);
  bool overlaps = sc_waiting_overlaps(analysis);
  sc_interval at;
  char order[64];
  if (sc_waiting_predict(analysis, place, n, &at) < 0)
    return;
  sc_model_format_order(&model->order, judge->loaded.workload->parameter, order, sizeof order);
  at = overlaps ? at : elapsed_within(at, elapsed);
  add_where(judge, place, text);
  sc_buf_printf(text, ": %s", sc_format_seconds(at.value).s);
  if (overlaps)
    sc_buf_puts(text, " of all threads");
  else
    sc_buf_printf(text, " of %s (%s)", sc_format_seconds(elapsed).s, sc_format_percent(at.value / elapsed).s);
  sc_buf_printf(text, ", 95%% interval %s to %s, ", sc_format_seconds(at.low).s, sc_format_seconds(at.high).s);
  if (model->order.exponent == 0 && model->order.log_exponent == 0 && !(model->order.base > 0))
    sc_buf_puts(text, "the same at all sizes");
  else
    sc_buf_printf(text, "grows as %s", order);
}

/* Whether even the least that a place waits at n is superlinear, seen from the largest size. The time that passes is
 * known better than that of the place, so that what surely passes without what all else takes is waited there. */
static bool waits_superlinearly(const sc_analysis *analysis, const sc_waiting_place *place, double n,
                                const sc_interval *elapsed, sc_interval *at)
{
  double low, high;
  const sc_model *model = sc_waiting_model(analysis, place, n);
  sc_analysis_range(analysis, &low, &high);
  if (!place->blocks || !(n > high) || model->verdict != SC_VERDICT_MODEL || !sc_order_superlinear(&model->order) ||
      sc_waiting_predict(analysis, place, n, at) < 0 || at->value < SC_REPORT_RECORDED * elapsed->value)
    return false;
  at->low = fmax(at->low, fmin(at->value, elapsed->low - fmax(0, elapsed->value - at->value)));
  return at->low > place->measured * pow(n / high, SC_REPORT_WAITING_RISE);
}

/* What threads wait adds up to more than passes, and is as many threads' as the workload has: not judged. */
bool sc_report_elapsed_superlinear(const sc_judge *judge, sc_buf *text)
{
  const sc_analysis *analysis = judge->loaded.analysis;
  double n = sc_analysis_horizon(analysis);
  char order[64];
  size_t count;
  sc_interval elapsed, at;
  const sc_waiting_place *places = sc_waiting_places(analysis, &count);
  if (!count || sc_waiting_overlaps(analysis) || sc_analysis_elapsed(analysis, n, &elapsed) < 0)
    return false;
  for (size_t i = 0; i < count; i++) {
    if (!waits_superlinearly(analysis, &places[i], n, &elapsed, &at))
      continue;
    const sc_model *model = sc_waiting_model(analysis, &places[i], n);
    sc_model_format_order(&model->order, judge->loaded.workload->parameter, order, sizeof order);
    add_where(judge, &places[i], text);
    at = elapsed_within(at, elapsed.value);
    sc_buf_printf(text, ", grows as %s; at %s = %s: %s", order, judge->loaded.workload->parameter,
                  sc_format_number(n).s, sc_format_seconds(at.value).s);
    sc_buf_printf(text, " (%s) of the %s", sc_format_interval(&at, "s").s, sc_format_seconds(elapsed.value).s);
    sc_buf_printf(text, " (%s) that pass", sc_format_interval(&elapsed, "s").s);
    return true;
  }
  return false;
}

void sc_report_elapsed_shared_note(const sc_elapsed_parts *parts, double told, sc_buf *text)
{
  double ready = parts->waits[SC_WAIT_RUNNABLE], both = told - (sum_waits(parts) - ready);
  if (parts->measured && both > SC_REPORT_SAME * told)
    sc_buf_printf(text, " Of that %s passed until a processor was free again: as ready time above.",
                  sc_format_seconds(fmin(both, ready)).s);
}

/* " Sleeping in poll_device (app.c:41), by usleep: 12 s of 13 s (93%), ..." Returns whether that is most of it. */
static bool add_elapsed_places(const sc_judge *judge, double n, const sc_elapsed_parts *parts, sc_buf *text)
{
  size_t count, said = 0;
  const sc_waiting_place *places = sc_waiting_places(judge->loaded.analysis, &count);
  double waits = sum_waits(parts), elapsed = waits + parts->processor, told = 0;
  for (size_t i = 0; i < count && said < PLACES; i++) {
    sc_interval at;
    sc_buf one = {0};
    if (!places[i].blocks || sc_waiting_predict(judge->loaded.analysis, &places[i], n, &at) < 0 ||
        at.value < SC_REPORT_RECORDED * elapsed)
      continue;
    add_waiting_place(judge, &places[i], n, elapsed, &one);
    if (sc_buf_finish(&one) == 0 && one.length) {
      sc_buf_printf(text, " %c%s.", toupper((unsigned char)*one.text), one.text + 1);
      said++;
    }
    told += at.value;
    sc_buf_free(&one);
  }
  if (said && !sc_waiting_overlaps(judge->loaded.analysis))
    sc_report_elapsed_shared_note(parts, told, text);
  return told >= SC_REPORT_PLACES * waits && told > 0;
}

static int elapsed_record(records *r, const sc_usage *row)
{
  size_t i = 0;
  while (i < r->count && (r->list[i].context != row->context || r->list[i].resource != row->resource))
    i++;
  if (i == r->count) {
    SC_TRY(sc_mem_grow(&r->list, &r->capacity, r->count + 1, sizeof *r->list));
    r->list[r->count++] = (recorded){row->context, row->resource, 0};
  }
  r->list[i].seconds += row->values[SC_USAGE_WAIT_SECONDS];
  return 0;
}

static int compare_records(const void *a, const void *b)
{
  const recorded *x = a, *y = b;
  return SC_COMPARE(y->seconds, x->seconds) ?: SC_COMPARE(x->context, y->context);
}

/* " Recorded at n = 24: 87 ms for table.lock in look_up (hash.c:30)." Of a study that is judged at other values the
 * runs are those at the base: nothing is said. */
static void add_recorded(const sc_judge *judge, sc_buf *text)
{
  const sc_graph *graph = judge->loaded.graph;
  double low, high, elapsed = 0, runs = 0;
  records r = {.list = NULL};
  int err = 0;
  sc_analysis_range(judge->loaded.analysis, &low, &high);
  for (size_t run = 0; run < sc_graph_run_count(graph) && !sc_analysis_moved(judge->loaded.analysis); run++) {
    size_t count;
    const sc_usage *rows = sc_usage_rows(graph, run, &count);
    if (sc_graph_run_const(graph, run)->n != high)
      continue;
    runs++;
    elapsed += sc_graph_run_const(graph, run)->wall_seconds;
    for (size_t i = 0; i < count && err == 0; i++)
      err = is_cause(graph, &rows[i]) ? elapsed_record(&r, &rows[i]) : 0;
  }
  if (r.count)
    qsort(r.list, r.count, sizeof *r.list, compare_records);
  for (size_t i = 0; i < r.count && i < RECORDS && err == 0 && r.list[i].seconds >= SC_REPORT_RECORDED * elapsed; i++) {
    if (i)
      sc_buf_puts(text, ", ");
    else
      sc_buf_printf(text, " Recorded at %s = %s, of all threads: ", judge->loaded.workload->parameter,
                    sc_format_number(high).s);
    sc_buf_printf(text, "%s for ", sc_format_seconds(r.list[i].seconds / runs).s);
    sc_resource_words_name(sc_usage_resource_at(graph, r.list[i].resource), text);
    sc_buf_puts(text, " in ");
    sc_context_title(graph, r.list[i].context, text);
    if (i + 1 == r.count || i + 1 == RECORDS || r.list[i + 1].seconds < SC_REPORT_RECORDED * elapsed)
      sc_buf_puts(text, ".");
  }
  free(r.list);
}

/* Where nothing says where the program waits, that is said. */
static void add_unplaced(const sc_elapsed_parts *parts, sc_buf *text)
{
  double waits = sum_waits(parts), calls = waits - parts->waits[SC_WAIT_RUNNABLE] - parts->waits[SC_WAIT_PROCESS];
  if (parts->measured && calls >= SC_REPORT_PLACES * waits)
    sc_buf_puts(text, " Which calls wait is not known: calls through pointers, of code without instrumentation and of "
                      "functions that read a character at a time are not timed.");
}

bool sc_report_elapsed_note(const sc_judge *judge, double n, sc_buf *text)
{
  const sc_analysis *analysis = judge->loaded.analysis;
  sc_elapsed_parts parts;
  sc_buf where = {0};
  if (!sc_analysis_elapsed_known(analysis) || sc_analysis_elapsed_parts(analysis, n, &parts) < 0)
    return false;
  sc_judge_describe(judge, n, &where);
  bool said = sc_buf_finish(&where) == 0 && sc_report_elapsed_parts_note(&parts, where.text, text);
  if (said && sc_elapsed_parts_mostly_wait(&parts)) {
    bool placed = add_elapsed_places(judge, n, &parts, text);
    size_t before = text->length;
    if (!placed)
      add_elapsed_place(judge, n, text);
    add_recorded(judge, text);
    if (!placed && text->length == before)
      add_unplaced(&parts, text);
  }
  sc_buf_free(&where);
  return said;
}
