/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When a rule holds, from which size on, and how sure that is: of scores that are powers of the size. */
#include "unit.h"

#include <gsl/gsl_cdf.h>

#include "transitions/model/confidence.h"
#include "transitions/resources/question.h"
#include "transitions_resources_made.h"

/* The score is (n / from)^slope, its interval that divided and multiplied by `wide`; measured alike, times `seen`. */
static double from, slope, wide, seen;

static int predict(const sc_question *q, double n, sc_interval *score)
{
  double value = pow(n / from, slope);
  *score = (sc_interval){value, value / wide, value * wide};
  return 0;
}

static double measure(const sc_question *q, size_t size) { return seen * pow(q->r->sizes[size] / from, slope); }

static const sc_resource kinds[] = {{SC_RESOURCE_MUTEX, "queue", "q.c", 7}};

typedef struct scene {
  made_resources *m;
  sc_question q;
  double targets[2];
} scene;

/* Five sizes from 100 to 1,600, each measured twice; predicted at 3,200 and 16,000. */
static scene *begin(double at, double power, double width)
{
  scene *s = calloc(1, sizeof *s);
  assert_non_null(s);
  s->m = made_new(kinds, 1, 4, 2);
  s->targets[0] = 16000, s->targets[1] = 3200;
  s->m->r.targets = s->targets;
  s->m->r.target_count = 2;
  s->q = (sc_question){.r = &s->m->r, .cell = &s->m->cells[0], .predict = predict, .measure = measure};
  from = at, slope = power, wide = width, seen = 1;
  return s;
}

static void end(scene *s)
{
  made_free(s->m);
  free(s);
}

static sc_judgement judged(const scene *s)
{
  sc_judgement v;
  assert_int_equal(sc_question_judge(&s->q, &v), 0);
  return v;
}

/* How sure it is that a score exceeds 1 whose interval of 95% reaches down by a factor. */
static double surely(double score, double width)
{
  return gsl_cdf_ugaussian_P(log(score) / fmax(log(width) / gsl_cdf_ugaussian_Pinv(0.975), 1e-3));
}

TEST(what_is_measured_holds_now)
{
  scene *s = begin(400, 1, 1.1); /* at 400 and 800 of 100 to 800 */
  sc_judgement v = judged(s);
  assert_true(v.holds && v.now && v.severity == SC_SEVERITY_ERROR);
  static const bool held[] = {false, false, true, true};
  for (size_t i = 0; i < 4; i++)
    assert_true(v.measured[i] == held[i]);
  assert_true(v.predicted[0] && v.predicted[1]);
  assert_true(v.emergence.value == 400 && v.emergence.low == 200 && v.emergence.high == 400);
  sc_question_clear(&v);
  from = 50; /* at all of them */
  v = judged(s);
  assert_true(v.emergence.value == 100 && v.emergence.low == 100 && v.emergence.high == 100);
  sc_question_clear(&v);
  from = 801;
  v = judged(s);
  assert_true(!v.now && !v.measured[3]);
  sc_question_clear(&v);
  end(s);
}

TEST(what_is_predicted_emerges_where_it_reaches_one)
{
  scene *s = begin(3000, 2, 1.21);
  sc_judgement v = judged(s);
  assert_true(v.holds && !v.now && v.predicted[0] && v.predicted[1]);
  assert_true(fabs(v.emergence.value / 3000 - 1) < 2e-6);
  assert_true(fabs(v.emergence.low / (3000 / 1.1) - 1) < 2e-6); /* where the upper end does */
  assert_true(fabs(v.emergence.high / (3000 * 1.1) - 1) < 2e-6);
  sc_question_clear(&v);
  from = 5000; /* between the targets */
  v = judged(s);
  assert_true(v.holds && v.predicted[0] && !v.predicted[1]);
  sc_question_clear(&v);
  from = 17000;
  v = judged(s);
  assert_true(!v.holds && !v.predicted[0] && !v.predicted[1]);
  sc_question_clear(&v);
  end(s);
}

/* Less than certain: the lower end is at half at least, or it is likelier than not by far. */
TEST(predictions_are_supported)
{
  scene *s = begin(8000, 1, 1); /* a score of 2 at 16,000 */
  static const struct {
    double score, wide;
    bool holds;
  } cases[] = {{1.001, 1.95, true}, {1.001, 2.01, false}, {4, 8.1, true}, {4, 1000, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    from = 16000 / cases[i].score, wide = cases[i].wide;
    bool probable = surely(cases[i].score, wide) >= 0.55;
    bool supported = cases[i].score / wide >= 0.5;
    sc_judgement v = judged(s);
    assert_true(v.predicted[0] == (probable || supported));
    if (i < 3)
      assert_true(v.predicted[0] == cases[i].holds);
    sc_question_clear(&v);
  }
  end(s);
}

/* Where only growth counts, the score has to be above that of the largest size measured. */
TEST(what_does_not_grow_is_not_predicted)
{
  scene *s = begin(1, 0, 1.01); /* a score of 1 everywhere, and nothing measured */
  seen = 0.9;
  sc_judgement v = judged(s);
  assert_true(v.holds);
  sc_question_clear(&v);
  s->q.growing = true;
  v = judged(s);
  assert_false(v.holds);
  sc_question_clear(&v);
  for (int above = 0; above < 2; above++) {
    slope = log(1.1 * (above ? 1.001 : 0.999)) / log(16000.0 / 800);
    from = 800, seen = 0.9; /* 1 at the largest size */
    v = judged(s);
    assert_true(v.predicted[0] == (above == 1) && !v.predicted[1]);
    sc_question_clear(&v);
  }
  seen = 1; /* it was measured */
  v = judged(s);
  assert_true(v.predicted[0] && v.now);
  sc_question_clear(&v);
  end(s);
}

/* What is as probably nothing alarms nobody: at the smallest target, with three quarters of the sizes that make it
 * sure. */
TEST(less_than_half_sure_is_a_note)
{
  scene *s = begin(0, 1, 1.5);
  double edge = gsl_cdf_ugaussian_Pinv(0.5 / 0.75) * log(wide) / gsl_cdf_ugaussian_Pinv(0.975);
  for (int above = 0; above < 2; above++) {
    from = 3200 / exp(edge * (above ? 1.01 : 0.99));
    sc_judgement v = judged(s);
    assert_true(v.predicted[1] && !v.now);
    assert_int_equal(v.severity, above ? SC_SEVERITY_ERROR : SC_SEVERITY_NOTE);
    sc_question_clear(&v);
  }
  end(s);
}

TEST(confidence_is_in_sizes_and_margin)
{
  scene *s = begin(2000, 1, 1.5);
  double sizes = 3.0 / 4;
  sc_judgement v = judged(s); /* about the smallest target at which it holds: a score of 1.6 */
  unit_near(v.confidence, sizes * surely(1.6, 1.5));
  assert_true(v.severity == (v.confidence >= 0.5 ? SC_SEVERITY_ERROR : SC_SEVERITY_NOTE));
  sc_question_clear(&v);
  s->q.timed = true;
  v = judged(s);
  unit_near(v.confidence, sizes * surely(1.6, 1.5) * sc_confidence_in_reach(4));
  sc_question_clear(&v);
  s->q.timed = false;
  from = 5000; /* at the larger target alone: 3.2 */
  v = judged(s);
  unit_near(v.confidence, sizes * surely(3.2, 1.5));
  assert_int_equal(v.severity, SC_SEVERITY_WARNING); /* not at the smallest */
  sc_question_clear(&v);
  s->m->r.starts[3] =
      7; /* one run of the largest size: of counts as good as more, but what did the machine add to times? */
  v = judged(s);
  unit_near(v.confidence, sizes * surely(3.2, 1.5));
  sc_question_clear(&v);
  s->q.timed = true;
  v = judged(s);
  unit_near(v.confidence, 0.4);
  sc_question_clear(&v);
  from = 15000, wide = 1.9; /* hardly more than 1: most probably nothing */
  v = judged(s);
  double confidence = sizes * surely(16.0 / 15, 1.9);
  unit_near(v.confidence, fmin(confidence * sc_confidence_in_reach(20), 0.4));
  assert_int_equal(v.severity, SC_SEVERITY_NOTE);
  sc_question_clear(&v);
  s->m->r.starts[3] = 6, s->q.timed = false;
  from = 790, wide = 1.9; /* seen */
  v = judged(s);
  unit_near(v.confidence, fmax(sizes * surely(3200.0 / 790, 1.9), 0.5 + sizes / 4));
  sc_question_clear(&v);
  wide = 1e9; /* whatever is predicted */
  v = judged(s);
  unit_near(v.confidence, 0.5 + sizes / 4);
  sc_question_clear(&v);
  end(s);
}

/* ---- at each bound ---- */

static sc_interval told[2]; /* the scores of the largest size and of the targets */

static int predict_told(const sc_question *q, double n, sc_interval *score)
{
  *score = told[n > q->r->sizes[q->r->size_count - 1]];
  return 0;
}

static double never(const sc_question *q, size_t size) { return q && size < 4 ? NAN : 1; }

/* Whether scores hold at a target, given that of the largest size measured. */
static bool holds_at(bool growing, double largest, sc_interval score)
{
  scene *s = begin(1, 1, 1);
  s->q.predict = predict_told;
  s->q.measure = never;
  s->q.growing = growing;
  told[0] = (sc_interval){largest, largest, largest};
  told[1] = score;
  sc_judgement v = judged(s);
  bool holds = v.holds;
  assert_true(v.predicted[0] == holds && v.predicted[1] == holds);
  assert_true(!v.now && !v.measured[0] && !v.measured[3]);
  assert_true(holds || v.confidence == 0);
  sc_question_clear(&v);
  end(s);
  return holds;
}

TEST(what_reaches_a_bound_holds)
{
  double below = nextafter(1, 0);
  assert_true(holds_at(false, 0, (sc_interval){1, 1, 1}));
  assert_false(holds_at(false, 0, (sc_interval){below, below, 9}));
  assert_true(holds_at(false, 0, (sc_interval){1, 0.5, 1})); /* as likely as not, but supported */
  assert_false(holds_at(false, 0, (sc_interval){1, nextafter(0.5, 0), 1}));
  assert_false(holds_at(false, 0, (sc_interval){9, 0, 9})); /* may be nothing at all */
  assert_true(holds_at(true, 1, (sc_interval){1.1, 1.1, 1.1}));
  assert_false(holds_at(true, 1, (sc_interval){nextafter(1.1, 0), 1.1, 1.1}));
  assert_true(holds_at(false, 1, (sc_interval){nextafter(1.1, 0), 1.1, 1.1}));
}

/* An interval of no width has a standard deviation of a thousandth; a score that has no end is as likely as not. */
TEST(nothing_is_known_to_less_than_a_thousandth)
{
  scene *s = begin(1, 1, 1);
  s->q.predict = predict_told;
  s->q.measure = never;
  for (int i = 0; i < 6; i++) {
    double score = 1 + 3e-4 * i;
    told[0] = told[1] = (sc_interval){score, score, score};
    sc_judgement v = judged(s);
    unit_near(v.confidence, 0.75 * gsl_cdf_ugaussian_P(log(score) / 1e-3));
    assert_int_equal(v.severity, v.confidence >= 0.5 ? SC_SEVERITY_ERROR : SC_SEVERITY_NOTE);
    sc_question_clear(&v);
  }
  told[1] = (sc_interval){INFINITY, 1, INFINITY};
  sc_judgement v = judged(s);
  unit_near(v.confidence, 0.75 * 0.5);
  sc_question_clear(&v);
  end(s);
}

/* Scores are parts of the limit. */
TEST(a_metric_is_scored_by_its_limit)
{
  scene *s = begin(1, 1, 1);
  sc_interval score;
  made_power(s->m, SC_RMETRIC_WAITS, 3, 2);
  unit_ok(sc_question_predict(&s->q, SC_RMETRIC_WAITS, 1000, 4, &score));
  assert_true(score.low <= score.value && score.value <= score.high);
  unit_near(score.value, 3e6 / 4);
  sc_interval whole;
  unit_ok(sc_question_predict(&s->q, SC_RMETRIC_WAITS, 1000, 1, &whole));
  unit_near(whole.value, 3e6);
  unit_near(whole.low / score.low, 4);
  unit_near(whole.high / score.high, 4);
  for (size_t run = 0; run < 8; run++)
    made_sum(s->m, 0, run, SC_USAGE_WAITS, run < 6 ? 12 : 20);
  unit_near(sc_question_measure(&s->q, SC_RMETRIC_WAITS, 2, 4), 3);
  unit_near(sc_question_measure(&s->q, SC_RMETRIC_WAITS, 3, 4), 5);
  assert_true(isnan(sc_question_measure(&s->q, SC_RMETRIC_HOLD, 3, 4)));
  end(s);
}
