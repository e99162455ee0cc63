/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `verify --at n=1e6,threads=64`: predicted beside actual. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runner/drive/session.h"
#include "runner/points/internal.h"
#include "runner/report/json.h"
#include "runner/report/text.h"
#include "runner/text/context.h"
#include "runner/text/format.h"
#include "runner/text/table.h"
#include "runner/text/terminal.h"
#include "runner/text/tuning.h"

/* The runs made at the points that were asked for; contexts have the same numbers as in the study. */
typedef struct actual {
  const sc_several *several;
  sc_graph *graph;
} actual;

static bool is_at(const actual *a, size_t run, const sc_several_point *point)
{
  const sc_run *info = sc_graph_run_const(a->graph, run);
  bool same = info->n == point->at[0];
  for (size_t i = 1; i < a->several->parameters; i++)
    same = same && info->others[i - 1] == point->at[i];
  return same;
}

/* Mean over the runs at the point, of one context, or of all in scope (in executions). */
static double verified_mean(const actual *a, const sc_several_point *point, uint32_t context, enum sc_metric metric)
{
  const sc_analysis *analysis = a->several->judge->loaded.analysis;
  double sum = 0, runs = 0;
  for (size_t r = 0; r < sc_graph_run_count(a->graph); r++) {
    if (!is_at(a, r, point))
      continue;
    runs++;
    if (context)
      sum += sc_graph_value(a->graph, r, context, metric);
    /* What never ran at a size that was measured belongs to the whole unless there are roots. */
    bool everything = sc_analysis_get_options(analysis)->root_count == 0;
    for (uint32_t c = 1; !context && c < sc_graph_context_count(a->graph); c++)
      if (everything || (c < a->several->contexts && sc_analysis_in_scope(analysis, c)))
        sum += metric == SC_METRIC_COUNT ? sc_graph_executions(a->graph, r, c) : sc_graph_value(a->graph, r, c, metric);
  }
  return runs > 0 ? sum / runs : NAN;
}

/* Elapsed seconds; NaN: it did not run there. */
static double mean_elapsed(const actual *a, const sc_several_point *point)
{
  double sum = 0, runs = 0;
  for (size_t r = 0; r < sc_graph_run_count(a->graph); r++)
    if (is_at(a, r, point)) {
      sum += sc_graph_run_const(a->graph, r)->wall_seconds;
      runs++;
    }
  return runs > 0 ? sum / runs : NAN;
}

/* Whole, as the prediction: less than one execution of library work is how a number is written. */
static double mean_executions(const actual *a, const sc_several_answer *answer)
{
  double value = verified_mean(a, &answer->point, 0, SC_METRIC_COUNT), predicted = answer->executions.value;
  return fabs(value - predicted) < 1 ? predicted : round(value);
}

static int load_verified(const sc_several *s, actual *a)
{
  sc_study *study = NULL;
  sc_graph *plains = NULL;
  int err;
  *a = (actual){.several = s};
  SC_GOTO(sc_study_open(s->judge->study, SC_STUDY_READ, &study));
  SC_GOTO(sc_graph_new(&a->graph));
  SC_GOTO(sc_study_load_roles(study, 1u << SC_RUN_TARGET | 1u << SC_RUN_VARIED_TARGET, a->graph));
  SC_GOTO(sc_graph_new(&plains)); /* anew: the plain program was just run, too */
  SC_GOTO(sc_study_load_roles(study, 1u << SC_RUN_PLAIN, plains));
  err = sc_plain_apply(&s->judge->loaded.plain, plains, a->graph);
out:
  sc_graph_free(plains);
  sc_study_close(study);
  return err;
}

static void add_verified_row(sc_table *table, const char *name, const sc_interval *predicted, double value,
                             const char *unit)
{
  sc_table_cell(table, name);
  sc_table_cell(table, *unit ? sc_format_cost(predicted->value, unit).s : sc_format_number(round(predicted->value)).s);
  sc_table_cell(table, sc_format_interval(predicted, unit).s);
  sc_table_cell(table, *unit ? sc_format_cost(value, unit).s : sc_format_number(round(value)).s);
  sc_table_cell(table, sc_format_error(predicted->value, value).s);
  sc_table_cell(table, sc_format_within(predicted, unit, value) ? "" : "outside");
}

/* The judge there, with these runs to compare with; to be released with sc_several_leave. */
static int move_there(const actual *a, const sc_several_answer *answer, sc_judge *moved)
{
  SC_TRY(sc_several_move(a->several, answer->point.at + 1, moved));
  int err = sc_several_move_resources(a->several, moved);
  moved->loaded.targets = a->graph;
  if (err < 0)
    sc_several_leave(moved);
  return err;
}

static int print_verified_parts(const actual *a, const sc_several_answer *answer)
{
  const sc_text_options options = {.width = sc_terminal_width(stdout), .style = sc_terminal_style(stdout)};
  sc_judge moved;
  SC_TRY(move_there(a, answer, &moved));
  int err = sc_report_compare_parts_print(stdout, &moved, answer->point.at[0], &options);
  sc_several_leave(&moved);
  return err;
}

static int print_verified_text(const actual *a, sc_several_answer *answer, size_t top)
{
  const sc_several *s = a->several;
  const sc_style style = sc_terminal_style(stdout);
  const char *unit = sc_analysis_cost_unit(s->judge->loaded.analysis);
  const char *const headings[] = {"count or cost", "predicted", "95% interval", "actual", "error", ""};
  sc_table *table = sc_table_new("lrrrrl");
  sc_buf text = {0};
  for (size_t i = 0; i < 6; i++)
    sc_table_cell(table, headings[i]);
  sc_rank_sort(answer->rows, answer->row_count, SC_RANK_COUNT);
  for (size_t i = 0; i < answer->row_count && i < top && answer->rows[i].counted; i++) {
    sc_buf name = {0};
    sc_context_title(s->graph, answer->rows[i].context, &name);
    add_verified_row(table, sc_buf_finish(&name) == 0 ? name.text : "?", &answer->rows[i].count,
                     verified_mean(a, &answer->point, answer->rows[i].context, SC_METRIC_COUNT), "");
    sc_buf_free(&name);
  }
  add_verified_row(table, "executions, total", &answer->executions, mean_executions(a, answer), "");
  if (answer->costs)
    add_verified_row(table, strcmp(unit, "s") == 0 ? "processor time, total" : "cost, total", &answer->cost,
                     verified_mean(a, &answer->point, 0, SC_METRIC_COST), strcmp(unit, "s") == 0 ? "s" : " ");
  if (answer->timed)
    add_verified_row(table, "elapsed time", &answer->elapsed, mean_elapsed(a, &answer->point), "s");
  sc_table_fit(table, 0, sc_terminal_width(stdout) - 2);
  sc_several_describe(s, &answer->point, &text);
  printf("%sPredicted and actual at %s%s\n", style.bold, sc_buf_finish(&text) == 0 ? text.text : "?", style.off);
  int err = sc_table_print(table, stdout, 2, style.dim, style.off);
  sc_buf_free(&text);
  sc_table_free(table);
  return err < 0 ? err : print_verified_parts(a, answer);
}

static int add_verified_json(sc_json *json, cJSON *list, const actual *a, sc_several_answer *answer, size_t top)
{
  sc_judge moved;
  cJSON *object = sc_json_object(json, list, NULL);
  sc_several_json_values(json, object, "at", a->several, answer->point.at);
  sc_json_comparison(json, sc_json_object(json, object, "executions"), &answer->executions, mean_executions(a, answer));
  if (answer->costs)
    sc_json_comparison(json, sc_json_object(json, object, "total"), &answer->cost,
                       verified_mean(a, &answer->point, 0, SC_METRIC_COST));
  if (answer->timed)
    sc_json_comparison(json, sc_json_object(json, object, "elapsed"), &answer->elapsed,
                       mean_elapsed(a, &answer->point));
  cJSON *contexts = sc_json_array(json, object, "contexts");
  sc_rank_sort(answer->rows, answer->row_count, SC_RANK_COUNT);
  for (size_t i = 0; i < answer->row_count && i < top && answer->rows[i].counted; i++) {
    const sc_rank_row *row = &answer->rows[i];
    cJSON *item = sc_json_object(json, contexts, NULL);
    sc_json_answer_context(json, item, a->several->graph, row->context);
    sc_json_text(json, item, "counts", sc_context_counts(a->several->graph, row->context));
    sc_json_comparison(json, item, &row->count, verified_mean(a, &answer->point, row->context, SC_METRIC_COUNT));
  }
  SC_TRY(move_there(a, answer, &moved));
  int err = sc_report_json_compare_parts(json, &moved, answer->point.at[0], object);
  sc_several_leave(&moved);
  return err;
}

static int print_answers(const sc_options *options, const actual *a, sc_several_answer *answers, size_t count)
{
  size_t top = options->top ? (size_t)options->top : SC_TOP;
  if (!options->json) {
    for (size_t i = 0; i < count; i++) {
      if (i)
        putchar('\n');
      SC_TRY(print_verified_text(a, &answers[i], top));
    }
    return 0;
  }
  sc_json json = {0};
  cJSON *document = sc_report_json_document(a->several->judge, "verify"),
        *list = sc_json_array(&json, document, "points");
  int err = 0;
  for (size_t i = 0; i < count && err == 0; i++)
    err = add_verified_json(&json, list, a, &answers[i], top);
  return sc_json_write(stdout, document, &json, err);
}

static int run_points(const sc_options *options, const sc_several *s, const sc_several_answer *answers, size_t count)
{
  sc_session session;
  const sc_workload *workload = s->judge->loaded.workload;
  int err = sc_session_open(options, workload, &session);
  for (size_t i = 0; err == 0 && i < count; i++) {
    double others[SC_RUN_OTHERS] = {0};
    for (size_t p = 1; p < s->parameters; p++)
      others[p - 1] = answers[i].point.at[p];
    bool time = sc_analysis_timed(s->judge->loaded.analysis);
    double seconds = answers[i].timed ? answers[i].elapsed.value : time ? answers[i].cost.value : -1;
    err = sc_session_verify_varied(&session, workload, answers[i].point.at[0], others, seconds);
  }
  err = sc_session_explain(&session, err);
  sc_session_close(&session);
  return err;
}

/* Nothing is run for real that was not named: targets may be far away. */
static int check_size(const sc_several *s, const char *at)
{
  char *sizes = NULL;
  SC_TRY(sc_several_focus(at, s->names[0], &sizes));
  bool named = sizes != NULL;
  free(sizes);
  if (named)
    return 0;
  (void)sc_err_set(SC_E_USAGE, "--at does not say which %s", s->names[0]);
  return sc_err_hint(SC_E_USAGE, "for example --at %s=%.12g,%.200s", s->names[0], 2 * s->high[0], at);
}

int sc_several_verify(const sc_options *options)
{
  sc_judge judge = {0};
  sc_several *s = NULL;
  sc_several_answer *answers = NULL;
  actual ran = {NULL, NULL};
  size_t count = 0;
  int err;
  SC_GOTO(sc_several_open(options, &judge, &s));
  SC_GOTO(check_size(s, options->at));
  SC_GOTO(sc_several_answers(s, options->at, &answers, &count));
  SC_GOTO(run_points(options, s, answers, count));
  SC_GOTO(load_verified(s, &ran));
  err = print_answers(options, &ran, answers, count);
out:
  sc_graph_free(ran.graph);
  sc_several_answers_free(answers, count);
  sc_several_free(s);
  sc_judge_close(&judge);
  return err;
}
