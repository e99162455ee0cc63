/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Budgets: how they are written, and what becomes of them in a study whose truth is known. */
#include "unit.h"

#include "review_scene.h"

#include "runner/quantity/budget.h"
#include "runner/review/review.h"

static sc_budget parsed(const char *text)
{
  sc_budget budget;
  if (sc_workload_parse_budget(text, "n", &budget) != 0)
    fail_msg("%s: %s", text, sc_err_message());
  return budget;
}

TEST(budgets_are_read)
{
  static const struct {
    const char *text, *metric, *subject;
    double n, limit;
  } rows[] = {{"time at n=1e6 <= 2 s", "time", NULL, 1e6, 2},
              {" time  at\n n = 64k \xe2\x89\xa4 200ms ", "time", NULL, 64000, 0.2},
              {"time at 100 <= 1min", "time", NULL, 100, 60},
              {"time of parse() at n=10 <= 1 s", "time", "parse", 10, 1},
              {"utilisation of order_lock at n=64 <= 0.7", "utilisation", "order_lock", 64, 0.7},
              {"utilisation of order_lock at n=64 <= 70%", "utilisation", "order_lock", 64, 0.7},
              {"memory at n=1e6 <= 1 GiB", "memory", NULL, 1e6, 1073741824},
              {"calls of std::map<a, b>::at at n=10 <= 1e3", "calls", "std::map<a, b>::at", 10, 1000},
              {"calls of operator<= at n=10 <= 7", "calls", "operator<=", 10, 7},
              {"mean wait time of queue of orders at n=8 <= 1 ms", "mean wait time", "queue of orders", 8, 0.001},
              {"failed acquires of x at n=8 <= 0", "failed acquires", "x", 8, 0},
              {"page-faults at n=8 <= 5k", "page-faults", NULL, 8, 5000}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    sc_budget b = parsed(rows[i].text);
    assert_string_equal(b.metric, rows[i].metric);
    assert_true((b.subject == NULL) == (rows[i].subject == NULL));
    if (b.subject)
      assert_string_equal(b.subject, rows[i].subject);
    assert_true(b.n == rows[i].n && b.limit == rows[i].limit);
    sc_workload_free_budget(&b);
  }
  sc_budget order = parsed("order of parse() <= n log n");
  assert_string_equal(order.subject, "parse");
  assert_true(order.order.exponent == 1 && order.order.log_exponent == 1);
  sc_workload_free_budget(&order);
}

TEST(what_is_no_budget_is_told)
{
  static const struct {
    const char *text, *message;
  } rows[] = {{"time at n=1e6", "no <="},
              {"", "no <="},
              {"time <= 2 s", "no size"},
              {"at n=5 <= 2 s", "no size"},
              {"time at n=5 <= ", "a word is missing"},
              {"time of  at n=5 <= 1s", "a word is missing"},
              {"time at m=5 <= 2 s", "another parameter"},
              {"time at n=-5 <= 2 s", "not a size"},
              {"time at n=5 <= 2 apples", "not a time"},
              {"memory at n=5 <= 2 s", "not an amount of memory"},
              {"utilisation of x at n=5 <= much", "not a share"},
              {"order <= n", "an order is of a function"},
              {"order of f at n=5 <= n", "an order is of a function"},
              {"order of f <= n!", ""}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    sc_budget budget;
    if (sc_workload_parse_budget(rows[i].text, "n", &budget) != SC_E_INPUT)
      fail_msg("\"%s\" is taken for a budget", rows[i].text);
    if (!strstr(sc_err_message(), rows[i].message) || !*sc_err_hint_text())
      fail_msg("%s: %s (%s)", rows[i].text, sc_err_message(), sc_err_hint_text());
    sc_workload_free_budget(&budget);
  }
}

static void set_budget(sc_judge *judge, const char *text)
{
  sc_workload *workload = judge->loaded.workload;
  for (size_t i = 0; i < workload->budget_count; i++)
    sc_workload_free_budget(&workload->budgets[i]);
  free(workload->budgets);
  workload->budgets = calloc(1, sizeof *workload->budgets);
  assert_non_null(workload->budgets);
  workload->budgets[0] = parsed(text);
  workload->budget_count = 1;
}

/* main 1, its loop n, scan n, the loop in scan n (n - 1) / 2, each iteration 1 us. */
TEST(budgets_are_judged)
{
  static const struct {
    const char *text;
    enum sc_budget_state state;
    const char *words;
  } rows[] = {{"time at n=20000 <= 600 s", SC_BUDGET_KEPT, "predicted 3.3 min"},
              {"time at n=20000 <= 100 s", SC_BUDGET_BROKEN, "predicted 3.3 min"},
              {"time at n=20000 <= 200.01 s", SC_BUDGET_CANNOT_TELL, "the limit lies inside the interval"},
              {"time of scan at n=20000 <= 100 s", SC_BUDGET_BROKEN, "predicted 3.3 min"},
              {"calls of scan at n=20000 <= 20000", SC_BUDGET_KEPT, "predicted 20,000 (exactly)"},
              {"calls of scan() at n=20000 <= 19999", SC_BUDGET_BROKEN, "predicted 20,000 (exactly)"},
              {"iterations of scan at n=100 <= 4950", SC_BUDGET_KEPT, "predicted 4,950 (exactly)"},
              {"iterations of scan at n=100 <= 4949", SC_BUDGET_BROKEN, "predicted 4,950 (exactly)"},
              {"order of scan() <= n^2", SC_BUDGET_KEPT, "n^2"},
              {"order of scan() <= n log n", SC_BUDGET_BROKEN, "n^2"},
              {"order of main <= n^3", SC_BUDGET_KEPT, "n^2"},
              {"memory at n=100 <= 1 GiB", SC_BUDGET_CANNOT_TELL, "nothing of memory was recorded"}};
  review_scene *scene = review_open("scan", "src/scan.c", false);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    sc_budget_verdict verdict;
    sc_buf words = {0};
    set_budget(&scene->head, rows[i].text);
    if (sc_budget_judge(&scene->head, 0, &verdict) != 0)
      fail_msg("%s: %s", rows[i].text, sc_err_message());
    sc_budget_words(&verdict, &words);
    assert_int_equal(sc_buf_finish(&words), 0);
    if (verdict.state != rows[i].state || !strstr(words.text, rows[i].words))
      fail_msg("%s: %s, %s", rows[i].text, sc_budget_state_name(verdict.state), words.text);
    sc_buf_free(&words);
  }
  review_close(scene);
}

TEST(unknown_names_are_told_with_the_nearest)
{
  static const struct {
    const char *text, *message, *hint;
  } rows[] = {{"order of scann() <= n", "the budget \"order of scann() <= n\"", "scan"},
              {"calls of scam at n=10 <= 5", "the budget \"calls of scam at n=10 <= 5\"", "scan"},
              {"calls at n=10 <= 5", "the budget", "name a function"},
              {"callz of scan at n=10 <= 5", "the budget", ""}};
  review_scene *scene = review_open("scan", "src/scan.c", false);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    sc_budget_verdict verdict;
    set_budget(&scene->head, rows[i].text);
    assert_true(sc_budget_judge(&scene->head, 0, &verdict) < 0);
    if (!strstr(sc_err_message(), rows[i].message) || !strstr(sc_err_hint_text(), rows[i].hint))
      fail_msg("%s: %s (%s)", rows[i].text, sc_err_message(), sc_err_hint_text());
  }
  review_close(scene);
}

TEST(a_broken_budget_is_a_notice)
{
  review_scene *scene = review_open("scan", "src/scan.c", false);
  set_budget(&scene->head, "order of scan() <= n log n");
  sc_notices_free(&scene->notices);
  assert_int_equal(sc_notices_of_study(&scene->head, &scene->notices), 0);
  const sc_notice *first = &scene->notices.list[0];
  assert_int_equal(first->rule, SC_RULE_BUDGET);
  assert_int_equal(first->severity, SC_SEVERITY_ERROR);
  assert_string_equal(first->subject, "order of scan() <= n log n");
  assert_string_equal(first->message, "budget broken: order of scan() <= n log n; it grows as n^2");
  assert_string_equal(first->file, "src/scan.c");
  assert_int_equal(first->line, 4); /* the loop, whose order it is */
  assert_int_equal(sc_notices_status(&scene->notices, "budget"), 1);
  set_budget(&scene->head, "order of scan() <= n^2");
  sc_notices_free(&scene->notices);
  assert_int_equal(sc_notices_of_study(&scene->head, &scene->notices), 0);
  assert_int_equal(sc_notices_status(&scene->notices, "budget"), 0);
  review_close(scene);
}
