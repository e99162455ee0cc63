/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order in which contexts, runs and resources come is of no account: a program that was read in another order has
 * the same predictions, findings, resources and changes. Nor do units matter: where all times, counts or bytes are
 * twice as large, what is said of them is, and nothing else. What they are, other tests say. */
#include "unit.h"

#include <stdarg.h>
#include <stdlib.h>

#include "transitions/compare/compare.h"
#include "transitions/findings/coverage.h"
#include "transitions/model/elapsed.h"
#include "transitions/model/waiting.h"
#include "transitions/resources/blame.h"
#include "transitions_program.h"

/* Texts have times in words. What is known of clocks, samples and the handing over of locks has its own times, which
 * are the same of a slower program: it decides how sure a time is, and how long is waited for short ones. */
static bool texts = true, clocks = true;

/* ---- what is said of it, in lines without numbers of contexts ---- */

typedef struct lines {
  char **list;
  size_t count;
} lines;

static void say(lines *l, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  l->list = realloc(l->list, (l->count + 1) * sizeof *l->list);
  assert_true(vasprintf(&l->list[l->count++], format, args) >= 0);
  va_end(args);
}

static const char *path_of(const sc_graph *graph, uint32_t context)
{
  static char ring[4][300];
  static unsigned next;
  char *text = ring[next++ % 4];
  text[0] = '\0';
  for (uint32_t c = context; c && c != SC_USAGE_NONE; c = sc_graph_parent(graph, c)) {
    size_t length = strlen(text);
    snprintf(text + length, 300 - length, "%s:%u/", sc_graph_at(graph, c)->name, sc_graph_at(graph, c)->line);
  }
  return text;
}

#define INTERVAL      "%.6g (%.6g to %.6g)"
#define ENDS(i)       (i).value, (i).low, (i).high
#define COUNTS(i, by) (i).value / (by), (i).low / (by), (i).high / (by)
#define SECONDS(i)    (i).value / slow, clocks ? (i).low / slow : 0, clocks ? (i).high / slow : 0
#define ORDER         "n^%.4g log^%.4g"
#define ORDER_OF(o)   (o).exponent, (o).log_exponent

static void say_model(lines *l, const char *what, const char *of, const sc_model *m, double by)
{
  char text[256];
  sc_model scaled = *m;
  for (size_t i = 0; i < m->term_count; i++)
    scaled.terms[i].coefficient /= by;
  for (size_t i = 0; i < m->piece_count; i++)
    for (size_t k = 0; k < m->pieces[i].term_count; k++)
      scaled.pieces[i].terms[k].coefficient /= by;
  sc_model_format_brief(&scaled, "n", 0, text, sizeof text);
  say(l, "%s %s: %d %s exact %d r2 %.5g error %.4g rivals %zu low %.4g", what, of, m->verdict, text, m->exact, m->r2,
      m->error, m->rival_count, m->exponent_low);
}

static void say_analysis(const program *p, lines *l)
{
  const sc_analysis *a = p->analysis;
  sc_interval count, cost;
  for (int i = 0; i < PARTS; i++) {
    char path[300];
    snprintf(path, sizeof path, "%s", path_of(p->graph, p->contexts[i]));
    double by = times_of(parts[i].kind);
    say_model(l, "model", path, sc_analysis_model(a, p->contexts[i]), by);
    say(l, "%s each %.6g", path, sc_analysis_cost_each(a, p->contexts[i]) * by / slow);
    for (size_t t = 0; t < TARGETS; t++) {
      assert_int_equal(sc_analysis_count(a, p->contexts[i], targets[t], &count), 0);
      assert_int_equal(sc_analysis_cost(a, p->contexts[i], targets[t], &cost), 0);
      check(&count);
      check(&cost);
      say(l, "%s at %g: " INTERVAL ", " INTERVAL, path, targets[t], COUNTS(count, by), SECONDS(cost));
    }
  }
  for (size_t t = 0; t < TARGETS; t++) {
    assert_int_equal(sc_analysis_total_executions(a, targets[t], &count), 0);
    assert_int_equal(sc_analysis_total(a, targets[t], &cost), 0);
    check(&count);
    check(&cost);
    say(l, "total at %g: " INTERVAL ", " INTERVAL " dearer %.6g", targets[t], COUNTS(count, often), SECONDS(cost),
        sc_analysis_dearer(a, targets[t]));
    for (int metric = 0; metric < 2; metric++) {
      sc_coverage c;
      assert_int_equal(sc_coverage_at(a, &p->findings, (enum sc_coverage_metric)metric, targets[t], &c), 0);
      for (int k = 0; k < SC_COVERAGE_CLASSES; k++)
        say(l, "coverage %d at %g of %s: %.6g, %.6g", metric, targets[t],
            sc_coverage_class_name((enum sc_coverage_class)k),
            c.parts[k].value / (metric == SC_COVERAGE_COST ? slow : often), c.parts[k].share);
    }
  }
  const sc_untold *u = sc_analysis_untold(a);
  say(l, "untold %zu %s %.6g %.6g %d %d %d", u->count, path_of(p->graph, u->context), u->cost_share, u->count_share,
      u->unbounded, u->slow, u->most);
  say(l, "modelled %.6g exact %.6g", sc_analysis_modelled_share(a), sc_analysis_exact_share(a));
}

static void say_elapsed(const program *p, lines *l)
{
  sc_interval i;
  sc_elapsed_parts of;
  sc_elapsed_place place;
  size_t count;
  const sc_waiting_place *places = sc_waiting_places(p->analysis, &count);
  for (size_t t = 0; t < TARGETS; t++) {
    assert_int_equal(sc_analysis_elapsed(p->analysis, targets[t], &i), 0);
    check(&i);
    assert_int_equal(sc_analysis_elapsed_parts(p->analysis, targets[t], &of), 0);
    say(l, "elapsed at %g: " INTERVAL " processor %.6g mostly waits %d", targets[t], SECONDS(i), of.processor / slow,
        sc_elapsed_mostly_waits(p->analysis, targets[t]));
    for (int kind = 0; kind < SC_WAIT_KINDS; kind++)
      say(l, "elapsed at %g: %s %.6g", targets[t], sc_elapsed_wait_name((enum sc_wait_kind)kind),
          of.waits[kind] / slow);
    if (sc_elapsed_goes_with(p->analysis, targets[t], &place))
      say(l, "waiting at %g goes with %s and %zu, %.6g each", targets[t], path_of(p->graph, place.context),
          place.others, place.each * often / slow);
    assert_int_equal(sc_waiting_least(p->analysis, targets[t], &i), 0);
    say(l, "waiting at least at %g: " INTERVAL, targets[t], SECONDS(i));
    for (size_t k = 0; k < count; k++) {
      assert_int_equal(sc_waiting_predict(p->analysis, &places[k], targets[t], &i), 0);
      check(&i);
      say(l, "waiting %zu in %s:%u %s %d %.6g of %.6g, at %g " INTERVAL, k, path_of(p->graph, places[k].context),
          places[k].line, places[k].via, places[k].kind, places[k].measured / slow, places[k].waits, targets[t],
          clocks ? i.value / slow : 0, clocks ? i.low / slow : 0, clocks ? i.high / slow : 0);
    }
  }
}

/* Some contexts, or all, as they are or with a supposition. */
static void say_portion(const program *p, lines *l, const char *what, const uint32_t *contexts, size_t count,
                        const sc_suppose *suppose)
{
  for (int metric = SC_PORTION_COST; metric <= SC_PORTION_WAITING; metric++) {
    bool counts = metric == SC_PORTION_COUNT || metric == SC_PORTION_UNITS;
    sc_portion *portion;
    sc_interval i;
    if ((metric == SC_PORTION_ELAPSED && contexts) || (metric == SC_PORTION_WAITING && !clocks))
      continue;
    assert_int_equal(sc_portion_new(p->analysis, contexts, count, (enum sc_portion_metric)metric, suppose, &portion),
                     0);
    for (size_t t = 0; t < TARGETS; t++) {
      assert_int_equal(sc_portion_predict(portion, targets[t], &i), 0);
      check(&i);
      if (counts)
        say(l, "portion %s %d at %g: " INTERVAL, what, metric, targets[t], COUNTS(i, often));
      else
        say(l, "portion %s %d at %g: " INTERVAL, what, metric, targets[t], SECONDS(i));
    }
    sc_portion_free(portion);
  }
}

/* What if a part ran half as often, or grew as items do? */
static void say_suppositions(const program *p, lines *l)
{
  static const int of[] = {2, 3, 6, 7, 10, 14, 16};
  const uint32_t some[] = {p->contexts[2], p->contexts[3], p->contexts[9]};
  say_portion(p, l, "all", NULL, 0, NULL);
  say_portion(p, l, "some", some, COUNT(some), NULL);
  for (size_t k = 0; k < COUNT(of); k++)
    for (int scaled = 0; scaled < 2; scaled++) {
      char what[350];
      sc_suppose *suppose;
      sc_supposition one = {&p->contexts[of[k]], 1, scaled, 0.5, {.exponent = 1, .integer = 1}, false};
      if (sc_suppose_new(p->analysis, &one, 1, &suppose) < 0)
        continue;
      snprintf(what, sizeof what, "%d at %s", scaled, path_of(p->graph, p->contexts[of[k]]));
      say_portion(p, l, what, NULL, 0, suppose);
      say_portion(p, l, what, some, COUNT(some), suppose);
      sc_suppose_free(suppose);
    }
}

static void say_finding(const program *p, lines *l, size_t rank, const sc_finding *f)
{
  char path[300];
  snprintf(path, sizeof path, "%s", path_of(p->graph, f->context));
  say(l,
      "%zu %s %s %s from " ORDER " to " ORDER " emerges %.6g confidence %.6g %s superlinear %d linear %d sites %zu "
      "members %zu waits %.6g",
      rank, sc_rule_id(f->rule), sc_finding_kind_name(f->kind), path, ORDER_OF(f->from), ORDER_OF(f->to), f->emergence,
      f->confidence, sc_severity_name(f->severity), f->superlinear, f->linear, f->site_count, f->member_count,
      f->waiting_share);
  if (texts)
    say(l, "%s: %s | %s", path, f->evidence ? f->evidence : "", f->advice ? f->advice : "");
  double by = times_of(sc_graph_at(p->graph, f->context)->kind);
  for (size_t i = 0; i < f->member_count; i++)
    say(l, "%s member %s", path, path_of(p->graph, f->members[i]));
  for (size_t i = 0; i < f->site_count; i++)
    say(l, "%s site %s cost %.6g share %.6g count " INTERVAL, path, path_of(p->graph, f->sites[i].context),
        f->sites[i].cost / slow, f->sites[i].share, COUNTS(f->sites[i].count, by));
  for (size_t t = 0; t < TARGETS; t++)
    say(l, "%s at %g: count " INTERVAL " cost " INTERVAL " share %.6g", path, f->predictions[t].n,
        COUNTS(f->predictions[t].count, by), SECONDS(f->predictions[t].cost), f->predictions[t].share);
}

static void say_findings(const program *p, lines *l)
{
  const sc_findings *all = &p->findings;
  say(l, "findings %zu linear %zu suppressed %zu undecided %zu unexplained %.4g", all->count, all->linear,
      all->suppressed, all->undecided_count, all->unexplained);
  for (size_t i = 0; i < all->count; i++)
    say_finding(p, l, i, &all->list[i]);
  for (size_t i = 0; i < all->suppressed; i++)
    say(l, "negligible %zu %s superlinear %d sites %zu", i, path_of(p->graph, all->negligible[i].context),
        all->negligible[i].superlinear, all->negligible[i].site_count);
  for (size_t i = 0; i < all->undecided_count; i++) {
    const sc_undecided *u = &all->undecided[i];
    say(l, "undecided %zu %s from " ORDER " to " ORDER " low %.5g cost %.6g share %.6g deciding %.6g sites %zu: %s", i,
        path_of(p->graph, u->context), ORDER_OF(u->from), ORDER_OF(u->to), u->exponent_low, u->cost / slow, u->share,
        u->deciding, u->sites, texts ? u->reason : "");
  }
}

static void say_end(const program *p, const sc_blame_end *end, char *text, size_t size)
{
  snprintf(text, size, "%s:%u", end->context == SC_USAGE_NONE ? "nobody" : path_of(p->graph, end->context), end->line);
}

/* Shares are of times. */
static void say_blame(const program *p, lines *l, uint32_t resource)
{
  sc_blame blame;
  char waiter[300], holder[300];
  const char *name = sc_usage_resource_at(p->graph, resource)->name;
  assert_int_equal(sc_blame_new(p->graph, resource, NULL, &blame), 0);
  say(l, "%s blame expected %d end %d cycle %zu waits %.6g in %.6g", name, blame.expected, blame.end, blame.cycle,
      blame.waits[1].count, blame.waits[1].seconds / slow);
  for (size_t i = 0; i < blame.edge_count; i++) {
    const sc_blame_edge *e = &blame.edges[i];
    say_end(p, &e->waiter, waiter, sizeof waiter);
    say_end(p, &e->holder, holder, sizeof holder);
    say(l, "%s edge %zu %s for %s %.6g in %.6g, %.6g in %.6g, share %.6g", name, i, waiter, holder, e->waits[0].count,
        e->waits[0].seconds / slow, e->waits[1].count, e->waits[1].seconds / slow, e->share);
  }
  for (size_t i = 0; i < blame.chain_count; i++) {
    const sc_blame_step *s = &blame.chain[i];
    say_end(p, &s->waiter, waiter, sizeof waiter);
    say_end(p, &s->holder, holder, sizeof holder);
    say(l, "%s step %zu %s for %s %.6g in %.6g, holds %.6g in %.6g, share %.6g waiting %.6g", name, i, waiter, holder,
        s->waits[1].count, s->waits[1].seconds / slow, s->holds[1].count, s->holds[1].seconds / slow, s->share,
        s->waiting);
  }
  sc_blame_free(&blame);
}

static void say_prediction(const program *p, lines *l, size_t r, enum sc_resource_metric metric, double n)
{
  const char *name = sc_resource_metric_name(metric);
  double by = strcmp(sc_resource_metric_unit(metric), "s") == 0 ? slow : 1;
  if (strcmp(declared[r], "heap") == 0 &&
      (metric == SC_RMETRIC_UNITS || metric == SC_RMETRIC_OUTSTANDING || metric == SC_RMETRIC_PEAK))
    by = large;
  sc_interval i;
  assert_int_equal(sc_resources_predict(p->all, p->resources[r], metric, n, &i), 0);
  check(&i);
  if (clocks)
    say(l, "%s %s at %g: " INTERVAL, declared[r], name, n, i.value / by, i.low / by, i.high / by);
  else if (metric != SC_RMETRIC_UTILISATION && !strstr(name, "wait"))
    say(l, "%s %s at %g: %.6g", declared[r], name, n, i.value / by);
}

static void say_resources(const program *p, lines *l)
{
  size_t count, rank = 0;
  const sc_resource_finding *list = sc_resources_findings(p->all, &count);
  for (size_t i = 0; i < count; i++) {
    const sc_resource_finding *f = &list[i];
    const char *name = sc_usage_resource_at(p->graph, f->resource)->name;
    if (!clocks && f->rule == SC_RULE_CONTENTION)
      continue;
    double by = f->rule == SC_RULE_CONTENTION ? slow : strcmp(name, "heap") == 0 ? large : 1;
    say(l, "resource %zu %s %s %s confidence %.6g emerges " INTERVAL " at %s:%u: %s | %s | %s", rank,
        sc_rule_id(f->rule), name, sc_severity_name(f->severity), f->confidence, ENDS(f->emergence),
        path_of(p->graph, f->context), f->line, texts ? f->evidence : "", texts ? f->advice : "",
        texts && f->also ? f->also : "");
    for (size_t k = 0; k < f->site_count; k++)
      say(l, "resource %zu site %zu %s:%u role %d %.6g", rank, k, path_of(p->graph, f->sites[k].context),
          f->sites[k].line, f->sites[k].role, f->sites[k].role ? f->sites[k].amount / by : f->sites[k].amount);
    for (size_t k = 0; k < f->task_count; k++)
      say(l, "resource %zu task %zu %s %.6g", rank, k, path_of(p->graph, f->tasks[k].context), f->tasks[k].amount / by);
    rank++;
  }
  for (size_t r = 0; r < COUNT(declared); r++)
    for (int metric = 0; metric < SC_RMETRIC_COUNT; metric++)
      for (size_t t = 0; t < TARGETS; t++)
        say_prediction(p, l, r, (enum sc_resource_metric)metric, targets[t]);
  for (size_t r = 0; r < COUNT(declared); r++)
    say_blame(p, l, p->resources[r]);
}

static void say_changes(const program *base, const program *head, lines *l)
{
  sc_compare_side before = {base->analysis, base->all, "here"}, after = {head->analysis, head->all, "here"};
  sc_comparison c;
  assert_int_equal(sc_compare(&before, &after, &c), 0);
  say(l, "changes %zu matched %zu renamed %zu, " INTERVAL ", " INTERVAL, c.count, c.matched, c.renamed,
      SECONDS(c.base_total), SECONDS(c.head_total));
  for (size_t t = 0; t < TARGETS; t++)
    say(l, "change at %g: factor %.6g clear %d", targets[t], c.totals[t].factor, c.totals[t].clear);
  for (size_t i = 0; i < c.count; i++) {
    const sc_change *x = &c.list[i];
    say(l, "change %zu %s %s of %d factor %.6g share %.6g emerges %.6g confidence %.6g at %s and %s in %zu: %s", i,
        sc_rule_id(x->rule), sc_severity_name(x->severity), x->of, x->factor, x->share, x->emergence, x->confidence,
        path_of(base->graph, x->base.context), path_of(head->graph, x->head.context), x->context_count,
        texts ? x->evidence : "");
  }
  sc_comparison_free(&c);
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static lines all_of(bool permuted)
{
  lines l = {0};
  program base = make(permuted, false), head = make(permuted, true);
  say_analysis(&base, &l);
  say_elapsed(&base, &l);
  say_suppositions(&base, &l);
  say_findings(&base, &l);
  say_resources(&base, &l);
  say_changes(&base, &head, &l);
  say_changes(&head, &base, &l);
  drop(&base);
  drop(&head);
  qsort(l.list, l.count, sizeof *l.list, by_text);
  return l;
}

static void forget(lines *l)
{
  for (size_t i = 0; i < l->count; i++)
    free(l->list[i]);
  free(l->list);
}

/* How many lines only one of them has. */
static size_t differences(const lines *a, const lines *b)
{
  size_t apart = 0, i = 0, k = 0;
  while (i < a->count || k < b->count) {
    int way = i == a->count ? 1 : k == b->count ? -1 : strcmp(a->list[i], b->list[k]);
    if (way && apart++ < 20)
      print_message("%c %s\n", way < 0 ? '-' : '+', way < 0 ? a->list[i] : b->list[k]);
    i += way <= 0;
    k += way >= 0;
  }
  return apart;
}

TEST(the_order_of_what_is_read_is_of_no_account)
{
  lines written = all_of(false);
  assert_true(written.count > 300);
  for (uint32_t from = 1; from <= 20; from++) {
    seed = from;
    lines other = all_of(true);
    size_t apart = differences(&written, &other);
    forget(&other);
    assert_int_equal(apart, 0);
  }
  forget(&written);
}

/* The same is said with one of the factors above at two values. */
static void is_the_same(double *factor, double from)
{
  texts = false;
  *factor = from;
  lines written = all_of(false);
  *factor = 2 * from;
  lines other = all_of(false);
  *factor = 1;
  texts = true;
  size_t apart = differences(&written, &other);
  forget(&other);
  forget(&written);
  assert_int_equal(apart, 0);
}

TEST(a_program_twice_as_slow_is_the_same_but_for_its_times)
{
  is_the_same(&slow, 0x1p28);
  clocks = false;
  is_the_same(&slow, 1);
  clocks = true;
}

TEST(a_program_that_does_all_twice_as_often_is_the_same_but_for_its_counts)
{
  is_the_same(&often, 0x1p24); /* where half of one is nothing */
}

TEST(a_program_of_larger_blocks_is_the_same_but_for_its_bytes) { is_the_same(&large, 1); }

/* A change and its way back have the same parts, with factors the other way round; no change has no parts. */
TEST(a_change_that_is_taken_back_is_its_mirror)
{
  program base = make(false, false), head = make(false, true), again = make(false, false);
  sc_compare_side sides[] = {{.analysis = base.analysis, .resources = base.all, .machine = "here"},
                             {.analysis = head.analysis, .resources = head.all, .machine = "here"},
                             {.analysis = again.analysis, .resources = again.all, .machine = "here"}};
  sc_comparison there, back, none;
  size_t mirrored = 0;
  assert_int_equal(sc_compare(&sides[0], &sides[1], &there), 0);
  assert_int_equal(sc_compare(&sides[1], &sides[0], &back), 0);
  assert_int_equal(sc_compare(&sides[0], &sides[2], &none), 0);
  assert_true(there.count > 0 && back.count > 0 && none.count == 0 && none.renamed == 0);
  assert_true(there.matched == back.matched && none.matched == there.matched && there.renamed == back.renamed);
  unit_near(there.base_total.value, back.head_total.value);
  unit_near(there.head_total.value, back.base_total.value);
  unit_near(none.base_total.value, none.head_total.value);
  for (size_t t = 0; t < TARGETS; t++) {
    unit_near(there.totals[t].factor * back.totals[t].factor, 1);
    unit_near(none.totals[t].factor, 1);
    assert_true(there.totals[t].clear == back.totals[t].clear && !none.totals[t].clear);
  }
  for (size_t i = 0; i < there.count; i++)
    for (size_t k = 0; k < back.count; k++)
      if (there.list[i].head.context == back.list[k].base.context && there.list[i].of == back.list[k].of)
        unit_near(there.list[i].factor * back.list[k].factor, 1), mirrored++;
  assert_true(mirrored >= 2);
  sc_comparison_free(&there);
  sc_comparison_free(&back);
  sc_comparison_free(&none);
  drop(&base);
  drop(&head);
  drop(&again);
}
