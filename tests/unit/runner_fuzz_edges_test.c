/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches at the edges of their thresholds; what was found before, run again; and failures. */
#include "fuzz_scene.h"

static void open_scene(sc_fuzz_searching *s, made_target *target, sc_fuzz_finds *finds)
{
  static const sc_fuzz_options options = {.seed = 1, .bytes = 1 << 16};
  *finds = (sc_fuzz_finds){0};
  *s = (sc_fuzz_searching){.target = &target->base, .options = &options, .finds = finds};
  assert_int_equal(sc_fuzz_open_search(s), 0);
}

static void close_scene(sc_fuzz_searching *s, sc_fuzz_finds *finds)
{
  sc_fuzz_close_search(s);
  sc_fuzz_finds_free(finds);
}

static sc_family family_of(const char *text)
{
  sc_family family;
  assert_int_equal(sc_family_parse(text, &family), 0);
  return family;
}

/* Counts that a test says for each size of "[" * n. */
static double (*law)(double n);
static void cost_law(const char *bytes, size_t size, uint64_t counts[CONTEXTS])
{
  counts[2] = size;
  counts[4] = (uint64_t)llround(law((double)leading(bytes, '[')));
}

static double scale, exponent;
static double power(double n) { return scale * pow(n, exponent); }

static bool is_flagged(const char *text)
{
  made_target target = made(cost_law);
  sc_fuzz_searching s;
  sc_fuzz_finds finds;
  bool ended;
  sc_family family = family_of(text);
  open_scene(&s, &target, &finds);
  assert_int_equal(sc_fuzz_probe(&s, &family, &ended), 0);
  bool flagged = ended && s.flagged_count > 0;
  close_scene(&s, &finds);
  return flagged;
}

TEST(few_executions_for_each_repetition_are_no_loop)
{
  law = power;
  exponent = 2;
  for (int more = -1; more <= 1; more++) { /* at 64 repetitions */
    scale = (SC_FUZZ_PER_ITEM * 64 + more * 2) / (64. * 64);
    assert_int_equal(is_flagged("\"[\" * n"), more >= 0);
  }
}

TEST(candidates_that_are_too_long_are_not_tried)
{
  law = power;
  scale = exponent = 2;
  char text[64];
  for (int more = 0; more < 2; more++) {
    snprintf(text, sizeof text, "\"[\" * n . \"x\" * %d", SC_FUZZ_PROBE_BYTES - 64 + more);
    assert_int_equal(is_flagged(text), !more);
  }
}

static bool is_confirmed(sc_fuzz_find *find)
{
  made_target target = made(cost_law);
  sc_fuzz_searching s;
  sc_fuzz_finds finds;
  bool confirmed;
  sc_family family = family_of("\"[\" * n");
  open_scene(&s, &target, &finds);
  assert_int_equal(sc_fuzz_confirm(&s, &family, 4, find, &confirmed), 0);
  close_scene(&s, &finds);
  return confirmed;
}

TEST(a_confirmed_order_has_an_edge)
{
  sc_fuzz_find find;
  law = power;
  scale = 1000;
  exponent = SC_FUZZ_RISING + 0.02;
  assert_true(is_confirmed(&find));
  unit_near_by(find.order, exponent, 0.02);
  exponent = SC_FUZZ_RISING - 0.02; /* each step has to rise by that */
  assert_false(is_confirmed(&find));
}

/* Rises from the second size of a confirmation to the third as n^step does. */
static double step;
static double stepping(double n) { return n < 101 ? n : 50 + 25 * pow(51. / 25, step); }

TEST(a_step_is_no_growth)
{
  law = stepping;
  for (int more = -1; more <= 1; more += 2) {
    made_target target = made(cost_law);
    sc_fuzz_searching s;
    sc_fuzz_finds finds;
    sc_fuzz_find find;
    bool confirmed;
    sc_family family = family_of("\"[\" * n");
    step = SC_FUZZ_STEP + more * 0.05;
    open_scene(&s, &target, &finds);
    assert_int_equal(sc_fuzz_confirm(&s, &family, 4, &find, &confirmed), 0);
    assert_int_equal(finds.runs, more > 0 ? 3 : 4); /* it ends at the step, or behind it */
    close_scene(&s, &finds);
  }
}

/* Rises by enough at each step, and has a lower order: n^1.5 less a root. */
static double n_log_n(double n) { return 1000 * n * log2(n); }

TEST(n_log_n_is_no_find)
{
  sc_fuzz_find find;
  law = n_log_n;
  assert_false(is_confirmed(&find));
  assert_true(SC_FUZZ_ORDER < SC_FUZZ_RISING);
}

/* Quadratic up to `ends`, then constant. */
static double ends;
static double ending(double n) { return n <= ends ? n * n : ends * ends; }

TEST(the_size_held_out_is_the_edge_of_an_end)
{
  sc_fuzz_find find;
  law = ending;
  ends = SC_FUZZ_HELD_OUT;
  assert_true(is_confirmed(&find) && find.cap == 0);
  unit_near(find.held_n, SC_FUZZ_HELD_OUT);
  ends = SC_FUZZ_HELD_OUT - 60;
  assert_true(is_confirmed(&find));
  assert_in_range(find.cap, ends, SC_FUZZ_HELD_OUT);
}

static const double *order_of_context;
static void cost_two_orders(const char *bytes, size_t size, uint64_t counts[CONTEXTS])
{
  counts[2] = size;
  counts[4] = (uint64_t)llround(pow((double)leading(bytes, '['), 2));
  double n = (double)leading(bytes, '*');
  counts[4] += (uint64_t)llround(100 * pow(n, *order_of_context));
}

TEST(a_higher_order_of_the_same_loop_is_another_find)
{
  sc_fuzz_tokens tokens = {0};
  assert_int_equal(sc_fuzz_tokens_add(&tokens, "[", 1), 0);
  assert_int_equal(sc_fuzz_tokens_add(&tokens, "*", 1), 0);
  for (int more = -1; more <= 1; more += 2) {
    double order = 2 + SC_FUZZ_ORDERS_APART + more * 0.1;
    made_target target = made(cost_two_orders);
    order_of_context = &order;
    size_t most = 0;
    for (uint64_t seed = 1; seed <= 4; seed++) { /* the first token is another one at times */
      sc_fuzz_finds finds = search_with(&target, &tokens, 2, seed);
      most = finds.count > most ? finds.count : most;
      sc_fuzz_finds_free(&finds);
    }
    assert_int_equal(most, more > 0 ? 2 : 1);
  }
  sc_fuzz_tokens_free(&tokens);
}

/* Seems to grow up to 64, never more. */
static double brief(double n) { return fmin(n, 64) * fmin(n, 64); }

/* Then it waits, and is refused once each time. */
TEST(a_context_is_refused_a_number_of_times)
{
  made_target target = made(cost_law);
  law = brief;
  for (uint64_t seed = 1; seed <= 3; seed++) {
    sc_fuzz_finds few = search_for(&target, 500, seed), many = search_for(&target, 4000, seed);
    assert_int_equal(few.count + many.count, 0);
    assert_int_equal(few.confirmations, SC_FUZZ_REFUSALS);
    assert_in_range(many.confirmations, SC_FUZZ_REFUSALS + 1, SC_FUZZ_REFUSALS + 4000 / SC_FUZZ_REFUSED);
    sc_fuzz_finds_free(&few);
    sc_fuzz_finds_free(&many);
  }
}

/* Fails in as many ways as there are bytes behind "F". */
static uint64_t last_runs;
static int run_failing(struct sc_fuzz_target *base, const void *bytes, size_t size, struct sc_fuzz_run *out)
{
  const unsigned char *text = bytes;
  last_runs++;
  *out = (struct sc_fuzz_run){.outcome = SC_FUZZ_ENDED};
  if (size && text[0] == 'F') {
    out->outcome = SC_FUZZ_CRASHED;
    out->signal = (int)size;
  }
  return 0;
}

static void keep_crash(sc_fuzz_searching *s, int signal)
{
  char text[40];
  const struct sc_fuzz_run run = {.outcome = SC_FUZZ_CRASHED, .signal = signal};
  snprintf(text, sizeof text, "\"F\" * %d", signal);
  sc_family family = family_of(text);
  assert_int_equal(sc_fuzz_keep_failure(s, &family, 1, &run), 0);
}

TEST(failures_are_told_apart_by_signal_up_to_a_number)
{
  static const struct sc_fuzz_target_ops ops = {
      .run = run_failing, .context_count = count_contexts, .place = place_made, .close = close_made};
  made_target target = {.base = {&ops}};
  sc_fuzz_searching s;
  sc_fuzz_finds finds;
  open_scene(&s, &target, &finds);
  keep_crash(&s, 6);
  keep_crash(&s, 6);
  assert_int_equal(finds.count, 1);
  for (int signal = 7; signal < 40; signal++)
    keep_crash(&s, signal);
  assert_int_equal(finds.count, SC_FUZZ_FAILURES);
  close_scene(&s, &finds);
}

/* One crash in parse, and one in render with "R" in front: both with what is behind. */
static int run_two_crashes(struct sc_fuzz_target *base, const void *bytes, size_t size, struct sc_fuzz_run *out)
{
  static struct sc_live_count counts[3];
  const char *text = bytes;
  size_t count = 0;
  counts[count++] = (struct sc_live_count){1, size + 1};
  if (size && text[0] == 'R')
    counts[count++] = (struct sc_live_count){3, size};
  if (size > 2 && text[size - 1] == 'o') /* which is not needed */
    counts[count++] = (struct sc_live_count){6, size};
  *out = (struct sc_fuzz_run){.counts = counts, .count_count = count};
  for (size_t i = 0; i < size; i++)
    if (text[i] == '!') {
      out->outcome = SC_FUZZ_CRASHED;
      out->signal = 11;
    }
  return 0;
}

static void keep_text(sc_fuzz_searching *s, const char *text)
{
  struct sc_fuzz_run run;
  size_t size;
  sc_family family = family_of(text);
  assert_int_equal(sc_fuzz_run_at(s, &family, 20, &run, &size), 0);
  assert_int_equal(sc_fuzz_keep_failure(s, &family, 20, &run), 0);
}

TEST(crashes_are_told_apart_by_what_they_reach)
{
  static const struct sc_fuzz_target_ops ops = {
      .run = run_two_crashes, .context_count = count_contexts, .place = place_made, .close = close_made};
  made_target target = {.base = {&ops}};
  sc_fuzz_searching s;
  sc_fuzz_finds finds;
  open_scene(&s, &target, &finds);
  keep_text(&s, "\"a!\" * n");
  assert_int_equal(finds.count, 1);
  expect_family(&finds.list[0], "\"!\" * n");
  keep_text(&s, "\"a!o\" * n"); /* the same one, but for what is not needed */
  keep_text(&s, "\"a!b\" * n");
  assert_int_equal(finds.count, 1);
  uint64_t runs = finds.runs;
  keep_text(&s, "\"b!o\" * n"); /* looks like one that was looked at */
  assert_int_equal(finds.runs, runs + 1);
  close_scene(&s, &finds);
}

/* Each reaches as many calls of one function, in a context of its own place, as there are bytes. */
static int run_many_crashes(struct sc_fuzz_target *base, const void *bytes, size_t size, struct sc_fuzz_run *out)
{
  static const struct sc_live_count counts[] = {{1, 1}};
  *out = (struct sc_fuzz_run){.outcome = SC_FUZZ_CRASHED, .signal = 11, .counts = counts, .count_count = 1};
  return 0;
}
static unsigned crash_line;
static void place_crash(const struct sc_fuzz_target *base, uint32_t context, struct sc_fuzz_place *out)
{
  *out = (struct sc_fuzz_place){.function = "parse", .file = "made.c", .line = crash_line};
}

TEST(so_many_crashes_are_made_smaller)
{
  static const struct sc_fuzz_target_ops ops = {
      .run = run_many_crashes, .context_count = count_contexts, .place = place_crash, .close = close_made};
  made_target target = {.base = {&ops}};
  sc_fuzz_searching s;
  sc_fuzz_finds finds;
  open_scene(&s, &target, &finds);
  for (crash_line = 1; crash_line <= SC_FUZZ_CRASHES + 2; crash_line++) {
    for (size_t i = 0; i < s.known_count; i++)
      s.known[i].site = 0;
    for (size_t i = 0; i < finds.count; i++)
      finds.list[i].site = 1; /* none of them is among those that are kept */
    finds.count = finds.count > 1 ? 1 : finds.count;
    uint64_t runs = finds.runs;
    sc_family family = family_of("\"a\" * n");
    const struct sc_live_count counts[] = {{1, 1}};
    const struct sc_fuzz_run run = {.outcome = SC_FUZZ_CRASHED, .signal = 11, .counts = counts, .count_count = 1};
    assert_int_equal(sc_fuzz_keep_failure(&s, &family, 20, &run), 0);
    assert_int_equal(finds.runs > runs, crash_line <= SC_FUZZ_CRASHES);
    for (size_t i = 1; i < finds.count; i++)
      sc_fuzz_find_free(&finds.list[i]);
  }
  close_scene(&s, &finds);
}

/* Too long for as many runs as `busy` from 20 brackets on. */
static int busy;
static int run_lasting(struct sc_fuzz_target *base, const void *bytes, size_t size, struct sc_fuzz_run *out)
{
  static const struct sc_live_count counts[] = {{2, 10}, {4, 1000}};
  last_runs++;
  *out = (struct sc_fuzz_run){.counts = counts, .count_count = 2};
  size_t n = 0;
  for (size_t i = 0; i < size; i++)
    n += ((const char *)bytes)[i] == '[';
  if (n >= 20 && busy-- > 0)
    out->outcome = SC_FUZZ_TIMED_OUT;
  return 0;
}

static size_t keep_lasting(const char *text, int first_busy, sc_fuzz_find *find)
{
  static const struct sc_fuzz_target_ops ops = {
      .run = run_lasting, .context_count = count_contexts, .place = place_made, .close = close_made};
  made_target target = {.base = {&ops}};
  sc_fuzz_searching s;
  sc_fuzz_finds finds;
  sc_family family = family_of(text);
  struct sc_fuzz_run run;
  size_t size;
  open_scene(&s, &target, &finds);
  busy = first_busy;
  last_runs = 0;
  assert_int_equal(sc_fuzz_run_at(&s, &family, 100, &run, &size), 0);
  assert_int_equal(run.outcome, SC_FUZZ_TIMED_OUT);
  assert_int_equal(sc_fuzz_keep_failure(&s, &family, 100, &run), 0);
  size_t count = finds.count;
  if (count) {
    *find = finds.list[0];
    finds.list[0] = (sc_fuzz_find){0};
  }
  close_scene(&s, &finds);
  return count;
}

TEST(what_took_too_long_on_a_busy_machine_is_no_find)
{
  sc_fuzz_find find;
  assert_int_equal(keep_lasting("\"[\" * n", 1, &find), 0);
  assert_int_equal(last_runs, 2);
}

TEST(what_takes_too_long_again_is_made_smaller)
{
  sc_fuzz_find find;
  assert_int_equal(keep_lasting("\"x\" . \"[\" * n", 1000, &find), 1);
  assert_int_equal(find.outcome, SC_FUZZ_TIMED_OUT);
  assert_int_equal(find.failed_at, 20);
  assert_string_equal(find.where, "loop made.c:40 in render"); /* most of its work */
  assert_true(last_runs <= 2 + SC_FUZZ_SHRINK_LASTING);
  expect_family(&find, "\"[\" * n");
  sc_fuzz_find_free(&find);
}

static sc_fuzz_find check_one(cost_function *cost, const char *text, double order, const char *function, int kind)
{
  made_target target = made(cost);
  static char file[] = "made.c";
  const sc_fuzz_options options = {.bytes = 1 << 16};
  const sc_fuzz_stored stored = {
      .family = family_of(text), .order = order, .function = (char *)function, .file = file, .kind = kind};
  sc_fuzz_finds finds;
  assert_int_equal(sc_fuzz_check(&target.base, &options, &stored, 1, &finds), 0);
  assert_int_equal(finds.count, 1);
  sc_fuzz_find find = finds.list[0];
  finds.list[0] = (sc_fuzz_find){0};
  sc_fuzz_finds_free(&finds);
  return find;
}

static void expect_change(double order, const char *function, enum sc_fuzz_change change)
{
  sc_fuzz_find find = check_one(cost_open_brackets, "\"[\" * n", order, function, SC_FUZZ_PLACE_LOOP);
  assert_int_equal(find.change, change);
  sc_fuzz_find_free(&find);
}

TEST(what_was_found_is_still_there_or_gone)
{
  expect_change(2, "render", SC_FUZZ_STILL);
  expect_change(2 - SC_FUZZ_ORDER_SAME + 0.01, "render", SC_FUZZ_STILL);
  expect_change(2 - SC_FUZZ_ORDER_SAME - 0.01, "render", SC_FUZZ_WORSE);
  expect_change(2 + SC_FUZZ_ORDER_SAME - 0.01, "render", SC_FUZZ_STILL);
  expect_change(2 + SC_FUZZ_ORDER_SAME + 0.01, "render", SC_FUZZ_LESS);
  expect_change(2, "parse", SC_FUZZ_MOVED);
  sc_fuzz_find find = check_one(cost_linear, "\"[\" * n", 2, "render", SC_FUZZ_PLACE_LOOP);
  assert_int_equal(find.change, SC_FUZZ_GONE);
  assert_int_equal(find.step_count, 1);
  assert_string_equal(find.steps[0].function, "render");
  sc_fuzz_find_free(&find);
}

TEST(a_failure_that_was_kept_is_still_of_its_function)
{
  for (int fixed = 0; fixed < 2; fixed++) {
    made_target target = made(cost_linear);
    target.crash_at = fixed ? 0 : 5;
    char function[] = "render", file[] = "made.c";
    const sc_fuzz_options options = {.bytes = 1 << 16};
    const sc_fuzz_stored stored = {.family = family_of("\"[\" * n"),
                                   .outcome = SC_FUZZ_CRASHED,
                                   .signal = 11,
                                   .failed_at = 5,
                                   .function = function,
                                   .file = file,
                                   .kind = SC_FUZZ_PLACE_LOOP};
    sc_fuzz_finds finds;
    assert_int_equal(sc_fuzz_check(&target.base, &options, &stored, 1, &finds), 0);
    assert_int_equal(finds.count, 1);
    assert_int_equal(finds.list[0].change, fixed ? SC_FUZZ_GONE : SC_FUZZ_STILL);
    assert_int_equal(finds.list[0].step_count, 1);
    assert_string_equal(finds.list[0].steps[0].function, "render"); /* which an accepted find is named by */
    sc_fuzz_finds_free(&finds);
  }
}

TEST(what_cannot_be_run_is_not_said_to_be_gone)
{
  made_target target = made(cost_linear);
  char text[40], name[] = "render";
  const sc_fuzz_options options = {.bytes = 1 << 16};
  sc_fuzz_finds finds;
  snprintf(text, sizeof text, "\"[\" * n . \"x\" * %d", SC_FUZZ_PROBE_BYTES);
  const sc_fuzz_stored stored[2] = {
      {.family = family_of(text), .order = 2, .function = name, .file = name},
      {.family = family_of("\"[\" * n"), .order = 2, .function = name, .file = name, .kind = SC_FUZZ_PLACE_LOOP}};
  assert_int_equal(sc_fuzz_check(&target.base, &options, stored, 2, &finds), 0);
  assert_int_equal(finds.count, 2);
  assert_int_equal(finds.list[0].change, SC_FUZZ_UNRUN);
  assert_int_equal(finds.list[1].change, SC_FUZZ_GONE); /* the others are looked at */
  sc_fuzz_finds_free(&finds);
}

TEST(shrinking_has_a_limit_of_runs)
{
  made_target target = made(cost_open_brackets);
  sc_fuzz_searching s;
  sc_fuzz_finds finds;
  bool ended;
  sc_family family = family_of("\"[\" * n");
  char rest[801];
  memset(rest, 'x', sizeof rest - 1);
  rest[sizeof rest - 1] = '\0';
  for (const char *at = rest; *at; at++) /* one part after the other that only a try each can drop */
    if ((at - rest) % 20 == 0)
      (void)sc_family_add(&family, at, 20, SC_FAMILY_FIXED, 1);
  open_scene(&s, &target, &finds);
  assert_int_equal(sc_fuzz_probe(&s, &family, &ended), 0);
  uint64_t before = finds.runs;
  assert_int_equal(sc_fuzz_minimise(&s, &family, sc_fuzz_site(&s, 4)), 0);
  assert_true(finds.runs - before <= 3 * SC_FUZZ_SHRINK);
  assert_int_equal(family.part_count, 1);
  close_scene(&s, &finds);
}

TEST(tokens_have_a_limit)
{
  sc_fuzz_tokens tokens = {0};
  for (int i = 0; i < SC_FUZZ_TOKENS + 10; i++) {
    char text[20];
    int size = snprintf(text, sizeof text, "t%d", i);
    assert_int_equal(sc_fuzz_tokens_add(&tokens, text, (size_t)size), 0);
  }
  assert_int_equal(tokens.count, SC_FUZZ_TOKENS);
  sc_fuzz_tokens_free(&tokens);
}

/* Seconds of one count, and a part that any run takes. */
static double each, overhead;
static int run_timed(struct sc_fuzz_target *base, const void *bytes, size_t size, struct sc_fuzz_run *out)
{
  int err = run_made(base, bytes, size, out);
  double n = (double)size;
  out->seconds = overhead + each * n * (n - 1) / 2;
  return err;
}

static sc_fuzz_find timed_find(double seconds)
{
  static const struct sc_fuzz_target_ops ops = {
      .run = run_timed, .context_count = count_contexts, .place = place_made, .close = close_made};
  made_target target = {.base = {&ops}, .cost = cost_open_brackets};
  each = seconds;
  overhead = 0.001;
  sc_fuzz_finds finds = confirm_brackets(&target);
  assert_int_equal(finds.count, 1);
  sc_fuzz_find find = finds.list[0];
  finds.list[0] = (sc_fuzz_find){0};
  sc_fuzz_finds_free(&finds);
  return find;
}

TEST(times_need_a_run_that_takes_some)
{ /* 65,536 bytes at most: n = 41,632 = 1,301 * 2^5 */
  double most = 41632. * 41631 / 2;
  sc_fuzz_find find = timed_find(1.1 * SC_FUZZ_TIME_LEAST / most);
  unit_near_by(find.per_count, 1.1 * SC_FUZZ_TIME_LEAST / most, 0.01);
  assert_true(isinf(find.reached[1].value) || find.reached[1].value > find.reached[0].value);
  sc_fuzz_find_free(&find);
  find = timed_find(0.9 * SC_FUZZ_TIME_LEAST / most);
  assert_true(find.per_count == 0 && find.per_megabyte == 0);
  sc_fuzz_find_free(&find);
  /* a run that takes SC_FUZZ_TIMED is the last */
  double held = 1301. * 1300 / 2;
  find = timed_find(SC_FUZZ_TIMED / held);
  unit_near_by(find.per_count, SC_FUZZ_TIMED / held, 0.01);
  unit_near_by(find.per_megabyte, SC_FUZZ_TIMED / held * 1e6 * 1e6 / 2, 0.01);
  sc_fuzz_find_free(&find);
}

int main(void) { return unit_run(NULL, NULL); }
