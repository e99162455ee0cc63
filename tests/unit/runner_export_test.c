/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exports of studies whose numbers are known, with names that no format has foreseen. */
#include "unit.h"

#include "transitions_scene.h"

#include <stdlib.h>

#include "runner/export/export.h"
#include "runner/export/trace.h"
#include "runner/several/open.h"

static char *const program[] = {"./program", "{n}", NULL};

typedef struct fixture {
  sc_judge judge;
  uint32_t evil, inner;
} fixture;

static double half(double n) { return n / 2; }

/* main > a hostile function (n) > loop (n (n - 1) / 2, 1.5 ns each); sizes 3 and 5 have two runs each, not alike. */
static fixture *set_up(const char *event)
{
  static const double sizes[] = {3, 3, 5, 5, 9, 17, 33}, target[] = {1e6};
  fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  sc_loaded *l = &f->judge.loaded;
  f->judge.study = "a \"study\"\n.db";
  assert_int_equal(sc_workload_from_command(&(sc_workload_words){"n=3..33", NULL}, (char **)program, &l->workload), 0);
  sc_graph *graph = l->graph = scene_new(sizes, 7, event);
  uint32_t top = scene_main(graph);
  f->evil = scene_function(graph, top, "operator->;\n\"\\\xff(1)", scene_n, 0);
  f->inner = scene_loop(graph, f->evil, "work", 7, scene_triangle, *event ? 1.5e-9 : 0);
  /* two loops of one line, two local functions of one name, and something that grows by halves */
  sc_location again = {.kind = SC_LOCATION_LOOP, .name = "work", .file = "scene.c", .line = 7, .column = 3, .nth = 1};
  scene_fill(graph, scene_context(graph, f->evil, &again), half, 0);
  for (int i = 0; i < 2; i++) {
    sc_location local = {
        .kind = SC_LOCATION_FUNCTION, .local = true, .name = "help", .file = i ? "a/x.c" : "b/x.c", .line = 3};
    scene_fill(graph, scene_context(graph, top, &local), scene_n, 0);
  }
  assert_int_equal(sc_graph_add(graph, 3, f->inner, SC_METRIC_COUNT, 1), 0); /* the second run of size 5 */
  l->analysis = scene_analyse(graph, target, 1);
  return f;
}

static void tear_down(fixture *f)
{
  sc_judge_close(&f->judge);
  free(f);
}

static sc_export make(const fixture *f, double n, const char *metric)
{
  sc_export out;
  unit_ok(sc_export_make(&f->judge, n, metric, &out));
  return out;
}

static char *print(sc_export_write_fn write, const sc_export *out, size_t *size)
{
  char *text = NULL;
  FILE *stream = open_memstream(&text, size);
  assert_non_null(stream);
  unit_ok(write(stream, out));
  fclose(stream);
  return text;
}

static const sc_export_node *node_of(const sc_export *out, uint32_t context)
{
  for (uint32_t i = 0; i < out->count; i++)
    if (out->nodes[i].context == context)
      return &out->nodes[i];
  fail_msg("context %u is missing", context);
  return NULL;
}

TEST(measured_is_the_mean_of_the_runs)
{
  fixture *f = set_up("task-clock");
  sc_export out = make(f, 5, NULL);
  assert_false(out.predicted);
  assert_int_equal(out.runs, 2);
  assert_true(out.first == SC_EXPORT_COST && out.seconds);
  assert_true(node_of(&out, f->inner)->own[SC_EXPORT_EXECUTIONS].value == 10.5); /* 10 and 11 */
  assert_true(out.total[SC_EXPORT_EXECUTIONS] == 1 + 5 + 10.5 + 2.5 + 5 + 5);
  sc_export_free(&out);
  tear_down(f);
}

TEST(predicted_sums_to_the_total)
{
  fixture *f = set_up("task-clock");
  static const double sizes[] = {4, 100, 12345, 1e6};
  for (size_t i = 0; i < 4; i++) {
    sc_export out = make(f, sizes[i], "cost");
    sc_interval total;
    assert_int_equal(sc_analysis_total(f->judge.loaded.analysis, sizes[i], &total), 0);
    assert_true(out.predicted);
    assert_true(fabs(out.total[SC_EXPORT_COST] - total.value) <= 1e-12 * total.value);
    sc_export_free(&out);
  }
  tear_down(f);
}

/* Of a study of one function, the rest is above it at most. */
TEST(chosen_roots_are_all_there_is)
{
  static const char *const roots[] = {"help"};
  fixture *f = set_up("");
  sc_analysis_options options = {
      .fit = SC_FIT_OPTIONS_DEFAULT, .variable = "n", .roots = roots, .root_count = 1, .level = 0.95};
  sc_analysis_free(f->judge.loaded.analysis);
  assert_int_equal(sc_analysis_new(f->judge.loaded.graph, &options, &f->judge.loaded.analysis), 0);
  for (double n = 9; n < 100; n += 24) { /* measured and predicted */
    sc_export out = make(f, n, NULL);
    assert_true(out.total[SC_EXPORT_EXECUTIONS] == 2 * n);
    assert_int_equal(out.count, 4); /* process, main, and the two of this name */
    sc_export_free(&out);
  }
  tear_down(f);
}

/* Each value is off by less than 1, and the sum is the total's. */
TEST(whole_numbers_keep_the_total)
{
  fixture *f = set_up("task-clock");
  static const double sizes[] = {3, 5, 33, 1000, 99999};
  for (size_t i = 0; i < 5; i++)
    for (enum sc_export_metric m = 0; m < SC_EXPORT_METRICS; m++) {
      sc_export out = make(f, sizes[i], NULL);
      int64_t *wholes = calloc(out.count, sizeof *wholes), sum = 0;
      double scale = m == SC_EXPORT_COST ? 1e9 : 1;
      assert_int_equal(sc_export_whole(&out, m, wholes), 0);
      for (uint32_t k = 0; k < out.count; k++) {
        assert_true(fabs((double)wholes[k] - sc_export_own(&out, k, m) * scale) < 1);
        sum += wholes[k];
      }
      assert_true(fabs((double)sum - out.total[m] * scale) <= 0.5 + 1e-9);
      free(wholes);
      sc_export_free(&out);
    }
  tear_down(f);
}

TEST(names_are_clean_and_nobody_shares_one)
{
  fixture *f = set_up("");
  sc_export out = make(f, 33, NULL);
  assert_int_equal(out.frame_count, 7);
  for (uint32_t i = 0; i < out.frame_count; i++) {
    assert_null(strpbrk(out.frames[i].name, "\n\r\t"));
    assert_null(strchr(out.frames[i].name, '\xff'));
    for (uint32_t k = 0; k < i; k++)
      assert_string_not_equal(out.frames[i].name, out.frames[k].name);
  }
  assert_true(out.first == SC_EXPORT_EXECUTIONS && !out.has_cost);
  sc_export_free(&out);
  assert_int_equal(sc_export_make(&f->judge, 33, "cost", &out), SC_E_INPUT);
  assert_non_null(strstr(sc_err_message(), "no costs"));
  sc_export_free(&out);
  tear_down(f);
}

TEST(folded_lines_have_a_stack_and_a_number)
{
  fixture *f = set_up("");
  sc_export out = make(f, 33, NULL);
  size_t size;
  char *text = print(sc_export_folded, &out, &size);
  assert_non_null(strstr(text, "process program;main;operator->:?\"\\?;loop scene.c:7:3 in work 528\n"));
  assert_non_null(strstr(text, "process program;main;help (x.c:3) #2 33\n"));
  sc_export_free(&out);
  free(text);
  tear_down(f);
}

static int print_speedscope(FILE *stream, const sc_export *out) { return sc_export_speedscope_all(stream, out, 1); }

TEST(too_large_is_an_error)
{
  fixture *f = set_up("task-clock");
  static const sc_export_write_fn writers[] = {sc_export_pprof, sc_export_folded, sc_export_callgrind};
  sc_export out = make(f, 1e12, "executions"); /* 5e23 iterations */
  for (size_t i = 0; i < 3; i++) {
    FILE *stream = fopen("/dev/null", "w");
    assert_int_equal(writers[i](stream, &out), SC_E_INPUT);
    fclose(stream);
  }
  size_t size;
  char *text = print(print_speedscope, &out, &size); /* which has no such limit */
  assert_non_null(strstr(text, "e+23"));
  free(text);
  sc_export_free(&out);
  tear_down(f);
}

static double blocks(double n) { return 4096 * n * n; }

/* main > strcpy: 4,096 n^2 bytes, which are 64 n^2 executions, and qsort: n elements. */
static fixture *set_up_work(void)
{
  static const double sizes[] = {4, 8, 16, 32};
  fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  sc_loaded *l = &f->judge.loaded;
  f->judge.study = "a.db";
  assert_int_equal(sc_workload_from_command(&(sc_workload_words){"n=4..32", NULL}, (char **)program, &l->workload), 0);
  sc_graph *graph = l->graph = scene_new(sizes, 4, "");
  uint32_t top = scene_main(graph);
  f->inner = scene_work(graph, top, "strcpy", 7, blocks, 0);
  sc_location sort = {.kind = SC_LOCATION_WORK, .name = "qsort", .file = "scene.c", .nth = SC_UNIT_ELEMENTS};
  scene_fill(graph, scene_context(graph, top, &sort), scene_n, 0);
  l->analysis = scene_analyse(graph, NULL, 0);
  return f;
}

TEST(work_is_a_metric_of_its_unit)
{
  fixture *f = set_up_work();
  for (double n = 16; n <= 64; n *= 4) { /* measured and predicted */
    sc_export out = make(f, n, NULL);
    assert_true(out.first == SC_EXPORT_EXECUTIONS && out.predicted == (n == 64));
    assert_true(fabs(out.total[SC_EXPORT_BYTES] - 4096 * n * n) < 1e-3);
    assert_true(fabs(sc_export_own(&out, (uint32_t)(node_of(&out, f->inner) - out.nodes), SC_EXPORT_BYTES) -
                     4096 * n * n) < 1e-3);
    assert_true(fabs(out.total[SC_EXPORT_ELEMENTS] - n) < 1e-6);
    assert_true(fabs(out.total[SC_EXPORT_EXECUTIONS] - (1 + 64 * n * n + n)) < 1e-3);
    assert_true(out.has[SC_EXPORT_BYTES] && out.has[SC_EXPORT_ELEMENTS]);
    assert_false(out.has[SC_EXPORT_CHARACTERS] || out.has[SC_EXPORT_OPERATIONS]);
    sc_export_free(&out);
  }
  tear_down(f);
}

/* 2^63 bytes are reached at n = 2^25.5 = 47,453,132.8, where executions are far below. */
TEST(work_without_room_is_left_out)
{
  fixture *f = set_up_work();
  sc_export fits = make(f, 47453132, NULL), out = make(f, 47453133, NULL);
  assert_true(fits.has[SC_EXPORT_BYTES]);
  assert_true(!out.has[SC_EXPORT_BYTES] && out.has[SC_EXPORT_ELEMENTS]);
  sc_export_free(&fits);
  sc_export_free(&out);
  out = make(f, 47453133, "bytes"); /* asked for: refused by those that have whole numbers */
  FILE *stream = fopen("/dev/null", "w");
  assert_int_equal(sc_export_folded(stream, &out), SC_E_INPUT);
  assert_non_null(strstr(sc_err_message(), "bytes, more than the format can hold"));
  fclose(stream);
  sc_export_free(&out);
  tear_down(f);
}

TEST(work_that_is_missing_is_an_error)
{
  fixture *f = set_up_work();
  sc_export out;
  assert_int_equal(sc_export_make(&f->judge, 16, "characters", &out), SC_E_INPUT);
  assert_string_equal(sc_err_hint_text(), "it has --metric bytes, --metric elements");
  sc_export_free(&out);
  tear_down(f);
}

TEST(callgrind_adds_up_contexts)
{
  fixture *f = set_up("");
  sc_export out = make(f, 33, NULL);
  size_t size;
  char *text = print(sc_export_callgrind, &out, &size);
  assert_non_null(strstr(text, "\nevents: Executions\nsummary: 645\n")); /* 1 + 33 + 528 + 16.5 + 2 * 33 */
  assert_non_null(strstr(text, "calls=33 0\n0 578\n"));                  /* with what it contains */
  sc_export_free(&out);
  free(text);
  tear_down(f);
}

TEST(series_are_those_measured)
{
  fixture *f = set_up("");
  char *text;
  FILE *stream = unit_stream(&text);
  assert_int_equal(sc_export_series(stream, &f->judge), 0);
  fclose(stream);
  assert_non_null(strstr(text, "{\"params\": {\"n\": 5}, \"callpath\": \"process program->main->operator- >;?\\\"\\\\?"
                               "(1)->loop scene.c:7:3 in work\", \"metric\": \"executions\", \"value\": [10, 11]}\n"));
  free(text);
  tear_down(f);
}

/* Traces. */
static const sc_resource lock = {.resource_class = SC_RESOURCE_MUTEX, .name = "lock", .file = "x.c", .line = 1};
static const sc_resource condition = {.resource_class = SC_RESOURCE_CONDITION, .name = "full", .file = ""};
static const sc_resource pool = {.resource_class = SC_RESOURCE_OTHER, .name = "pool", .file = ""};

typedef struct scene {
  sc_trace_event events[64];
  double times[64];
  sc_trace trace;
  sc_spans spans;
  uint32_t rows[64];
} scene;

static void event(scene *s, double time, uint32_t ring, unsigned kind, const sc_resource *resource, uint64_t identity,
                  uint32_t units)
{
  s->times[s->trace.count] = time;
  s->events[s->trace.count++] = (sc_trace_event){
      .ring = ring, .kind = kind, .identity = identity, .units = units, .resource = resource, .via = "f"};
}

static void make_spans(scene *s)
{
  s->trace.events = s->events;
  assert_int_equal(sc_spans_make(&s->trace, s->times, &s->spans), 0);
  assert_int_equal(sc_spans_rows(&s->spans, s->rows), 0);
}

static void span_is(const scene *s, uint32_t i, enum sc_span_kind kind, double begin, double end, enum sc_span_end how)
{
  const sc_span *span = &s->spans.list[i];
  if (span->kind != kind || fabs(span->begin - begin) > 1e-9 || fabs(span->end - end) > 1e-9 || span->how != how)
    fail_msg("span %u: kind %d, %g to %g, ended %d", i, span->kind, span->begin, span->end, span->how);
}

TEST(a_wait_points_at_the_hold_that_ended_it)
{
  scene s = {0};
  event(&s, 1, 0, SC_USAGE_EVENT_ACQUIRE, &lock, 7, 1);
  event(&s, 2, 2, SC_USAGE_EVENT_ACQUIRE, &lock, 8, 1); /* another instance */
  event(&s, 3, 0, SC_USAGE_EVENT_RELEASE, &lock, 7, 1);
  event(&s, 3.1, 1, SC_USAGE_EVENT_WAIT, &lock, 7, 1600000);
  event(&s, 3.2, 1, SC_USAGE_EVENT_ACQUIRE, &lock, 7, 1);
  event(&s, 9, 1, SC_USAGE_EVENT_WAIT, &lock, 8, 10); /* since then: held by thread 2 still */
  make_spans(&s);
  span_is(&s, 0, SC_SPAN_HOLD, 1, 3, SC_SPAN_SEEN);
  span_is(&s, 1, SC_SPAN_HOLD, 2, 9, SC_SPAN_OPEN);
  span_is(&s, 2, SC_SPAN_WAIT, 1.5, 3.1, SC_SPAN_SEEN);
  span_is(&s, 3, SC_SPAN_HOLD, 3.2, 9, SC_SPAN_OPEN);
  assert_int_equal(s.spans.list[2].holder, 0);
  assert_int_equal(s.spans.list[4].holder, 1);
  sc_spans_free(&s.spans);
}

/* A wait for a condition gives the lock back, and takes it again, which no event says. */
TEST(a_condition_interrupts_the_hold)
{
  scene s = {0};
  event(&s, 1, 0, SC_USAGE_EVENT_ACQUIRE, &lock, 7, 1);
  event(&s, 4, 1, SC_USAGE_EVENT_ACQUIRE, &lock, 7, 1);
  event(&s, 5, 1, SC_USAGE_EVENT_RELEASE, &lock, 7, 1);
  event(&s, 6, 0, SC_USAGE_EVENT_WAIT, &condition, 9, 4000000);
  event(&s, 7, 0, SC_USAGE_EVENT_RELEASE, &lock, 7, 1);
  make_spans(&s);
  span_is(&s, 0, SC_SPAN_HOLD, 1, 2, SC_SPAN_UNSEEN);
  span_is(&s, 1, SC_SPAN_HOLD, 4, 5, SC_SPAN_SEEN);
  span_is(&s, 2, SC_SPAN_WAIT, 2, 6, SC_SPAN_SEEN);
  span_is(&s, 3, SC_SPAN_HOLD, 6, 7, SC_SPAN_SEEN);
  assert_int_equal(s.spans.count, 4);
  assert_int_equal(s.spans.list[2].holder, SC_SPANS_NONE);
  sc_spans_free(&s.spans);
}

/* In a row of a thread, slices are beside or inside each other. */
TEST(rows_nest)
{
  scene s = {0};
  for (uint32_t i = 0; i < 20; i++) /* first in, first out: no two are inside each other */
    event(&s, i, 3, SC_USAGE_EVENT_ACQUIRE, &pool, i, 1);
  for (uint32_t i = 0; i < 20; i++)
    event(&s, 20 + i, i ? 3 : 4, SC_USAGE_EVENT_RELEASE, &pool, i, 1); /* the first by another thread */
  event(&s, 50, 3, SC_USAGE_EVENT_ACQUIRE, &pool, 1, 1);
  event(&s, 51, 3, SC_USAGE_EVENT_ACQUIRE, &lock, 2, 1);
  event(&s, 52, 3, SC_USAGE_EVENT_RELEASE, &lock, 2, 1);
  event(&s, 53, 3, SC_USAGE_EVENT_RELEASE, &pool, 1, 1);
  make_spans(&s);
  assert_int_equal(s.spans.count, 22);
  for (uint32_t i = 0; i < 20; i++) {
    span_is(&s, i, SC_SPAN_HOLD, i, 20 + i, SC_SPAN_SEEN);
    assert_int_equal(s.rows[i], i < SC_SPANS_ROWS ? i : SC_SPANS_NONE);
  }
  assert_int_equal(s.rows[20], 0);
  assert_int_equal(s.rows[21], 0); /* inside */
  sc_spans_free(&s.spans);
}
