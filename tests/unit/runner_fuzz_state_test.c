/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A search that goes on does as one that was never ended. */
#include "fuzz_scene.h"

#include <stdio.h>
#include <unistd.h>

static char file[] = "/tmp/scale-state.XXXXXX";
static int make_file(void **state)
{
  int fd = mkstemp(file);
  return fd < 0 || close(fd) ? 1 : 0;
}
static int remove_file(void **state) { return unlink(file); }

/* Two loops that grow with different inputs, and a crash. */
static void cost_several(const char *bytes, size_t size, uint64_t counts[CONTEXTS])
{
  cost_open_brackets(bytes, size, counts);
  size_t open = 0, pairs = 0;
  for (size_t i = 0; i < size; i++) {
    open += bytes[i] == '(';
    pairs += i && bytes[i - 1] == '{' && bytes[i] == ';' ? open : 0;
  }
  counts[7] = pairs;
}

static int search_state(const sc_fuzz_options *options, sc_fuzz_finds *finds)
{
  made_target target = made(cost_several);
  sc_fuzz_tokens tokens = {0};
  target.crash_at = 2600;
  assert_int_equal(sc_fuzz_tokens_basic(&tokens), 0);
  int err = sc_fuzz_search(&target.base, &tokens, options, finds);
  sc_fuzz_tokens_free(&tokens);
  return err;
}

static void print_all(const sc_fuzz_finds *finds, sc_buf *out)
{
  sc_buf_printf(out, "%llu %llu %llu\n", (unsigned long long)finds->runs, (unsigned long long)finds->candidates,
                (unsigned long long)finds->confirmations);
  for (size_t i = 0; i < finds->count; i++) {
    const sc_fuzz_find *find = &finds->list[i];
    char model[200] = "";
    if (find->outcome == SC_FUZZ_ENDED)
      sc_model_format(&find->model, "n", model, sizeof model);
    sc_family_print(&find->family, out);
    sc_buf_printf(out, " %d %d %llu %s %s %s %.17g %.17g %.17g %d %llu %.17g %.17g", find->outcome, find->signal,
                  (unsigned long long)find->failed_at, find->where ? find->where : "-", find->path ? find->path : "-",
                  model, find->order, find->held_count, find->held_predicted, find->exact,
                  (unsigned long long)find->cap, find->per_count, find->reached[0].high);
    for (size_t k = 0; k < find->also_count; k++)
      sc_buf_printf(out, " also %s", find->also[k]);
    sc_buf_puts(out, "\n");
  }
  assert_int_equal(sc_buf_finish(out), 0);
}

/* In pieces of `step` candidates. */
static void search_in_pieces(uint64_t all, uint64_t step, sc_buf *out)
{
  sc_fuzz_finds finds = {0};
  (void)unlink(file);
  for (uint64_t candidates = step;; candidates += step) {
    const sc_fuzz_options options = {
        .candidates = candidates < all ? candidates : all, .seed = 4, .bytes = 1 << 16, .state = file, .resume = true};
    sc_fuzz_finds_free(&finds);
    assert_int_equal(search_state(&options, &finds), 0);
    if (candidates >= all)
      break;
  }
  assert_true(finds.count >= 3);
  print_all(&finds, out);
  sc_fuzz_finds_free(&finds);
}

TEST(a_search_in_pieces_is_the_same_search)
{
  sc_buf whole = {0};
  search_in_pieces(6000, 6000, &whole);
  static const uint64_t steps[] = {17, 1000, 5999};
  for (size_t i = 0; i < COUNT(steps); i++) {
    sc_buf pieces = {0};
    search_in_pieces(6000, steps[i], &pieces);
    assert_string_equal(pieces.text, whole.text);
    sc_buf_free(&pieces);
  }
  sc_buf_free(&whole);
}

/* Ends in the middle of anything, the longer the later. */
static volatile int stop;
static long runs_left;
static int run_until(struct sc_fuzz_target *base, const void *bytes, size_t size, struct sc_fuzz_run *out)
{
  if (--runs_left <= 0)
    stop = 1;
  return run_made(base, bytes, size, out);
}

TEST(a_search_that_is_interrupted_anywhere_is_the_same_search)
{
  static const struct sc_fuzz_target_ops until = {
      .run = run_until, .context_count = count_contexts, .place = place_made, .close = close_made};
  sc_buf whole = {0}, parts = {0};
  sc_fuzz_tokens tokens = {0};
  sc_fuzz_finds finds = {0};
  search_in_pieces(6000, 6000, &whole);
  (void)unlink(file);
  assert_int_equal(sc_fuzz_tokens_basic(&tokens), 0);
  for (long runs = 50; finds.candidates < 6000; runs += 7) {
    made_target target = made(cost_several);
    target.crash_at = 2600;
    target.base.ops = &until;
    const sc_fuzz_options options = {
        .candidates = 6000, .seed = 4, .bytes = 1 << 16, .state = file, .resume = true, .interrupted = &stop};
    stop = 0;
    runs_left = runs;
    sc_fuzz_finds_free(&finds);
    assert_int_equal(sc_fuzz_search(&target.base, &tokens, &options, &finds), 0);
  }
  print_all(&finds, &parts);
  assert_string_equal(parts.text, whole.text);
  sc_fuzz_finds_free(&finds);
  sc_fuzz_tokens_free(&tokens);
  sc_buf_free(&whole);
  sc_buf_free(&parts);
}

static void expect_refused(const sc_fuzz_options *options, int err, const char *part)
{
  sc_fuzz_finds finds;
  assert_int_equal(search_state(options, &finds), err);
  unit_has(sc_err_message(), part);
  unit_has(sc_err_hint_text(), "begins anew");
  sc_fuzz_finds_free(&finds);
}

static void write_state(const char *text, size_t size)
{
  FILE *out = fopen(file, "w");
  assert_non_null(out);
  assert_int_equal(fwrite(text, 1, size, out), size);
  fclose(out);
}

TEST(what_is_no_state_of_this_search_is_refused)
{
  sc_fuzz_options options = {.candidates = 100, .seed = 1, .bytes = 1 << 16, .state = file};
  sc_fuzz_finds finds;
  (void)unlink(file);
  assert_int_equal(search_state(&options, &finds), 0);
  sc_fuzz_finds_free(&finds);
  options.resume = true;
  options.seed = 2;
  expect_refused(&options, SC_E_MISMATCH, "is of another search");
  static const char *const wrong[] = {"", "{", "[]", "{\"document\": \"study\"}"};
  for (size_t i = 0; i < COUNT(wrong); i++) {
    write_state(wrong[i], strlen(wrong[i]));
    expect_refused(&options, SC_E_INPUT, "does not say where a search stands");
  }
  static const char later[] = "{\"document\": \"search\", \"schema_version\": 2}";
  write_state(later, strlen(later));
  expect_refused(&options, SC_E_VERSION, "another version");
}

/* A program that is built anew while it is searched is another one for the next search: the state is of what ran. */
static char program[] = "/tmp/scale-program.XXXXXX";
static void build_program(char what)
{
  const char text[] = {0x7f, 'E', 'L', 'F', what};
  FILE *out = fopen(program, "w");
  assert_non_null(out);
  assert_int_equal(fwrite(text, 1, sizeof text, out), sizeof text);
  fclose(out);
}

static int visit_program(const struct sc_fuzz_target *base, int (*take)(void *user, const char *path), void *user)
{
  return take(user, program);
}

static int run_and_build(struct sc_fuzz_target *base, const void *bytes, size_t size, struct sc_fuzz_run *out)
{
  build_program('b');
  return run_made(base, bytes, size, out);
}

static int search_program(const struct sc_fuzz_target_ops *ops, uint64_t candidates)
{
  const sc_fuzz_options options = {
      .candidates = candidates, .seed = 4, .bytes = 1 << 16, .state = file, .resume = true};
  made_target target = made(cost_several);
  sc_fuzz_tokens tokens = {0};
  sc_fuzz_finds finds;
  target.base.ops = ops;
  assert_int_equal(sc_fuzz_tokens_basic(&tokens), 0);
  int err = sc_fuzz_search(&target.base, &tokens, &options, &finds);
  sc_fuzz_finds_free(&finds);
  sc_fuzz_tokens_free(&tokens);
  return err;
}

TEST(a_state_is_of_the_program_that_the_search_began_with)
{
  static const struct sc_fuzz_target_ops building = {.run = run_and_build,
                                                     .context_count = count_contexts,
                                                     .place = place_made,
                                                     .close = close_made,
                                                     .each_file = visit_program};
  struct sc_fuzz_target_ops plain = building;
  plain.run = run_made;
  int fd = mkstemp(program);
  assert_true(fd >= 0 && close(fd) == 0);
  (void)unlink(file);
  build_program('a');
  assert_int_equal(search_program(&building, 10), 0);
  assert_int_equal(search_program(&plain, 20), SC_E_MISMATCH);
  build_program('a');
  assert_int_equal(search_program(&plain, 20), 0);
  assert_int_equal(unlink(program), 0);
}

/* Any byte may be another one: it is refused, or the search goes on. */
TEST(a_damaged_state_does_no_harm)
{
  static char text[1 << 16];
  sc_fuzz_options options = {.candidates = 3000, .seed = 4, .bytes = 1 << 16, .state = file};
  sc_fuzz_finds finds;
  (void)unlink(file);
  assert_int_equal(search_state(&options, &finds), 0);
  assert_true(finds.count > 0);
  sc_fuzz_finds_free(&finds);
  FILE *in = fopen(file, "r");
  assert_non_null(in);
  size_t size = fread(text, 1, sizeof text, in), refused = 0;
  fclose(in);
  assert_in_range(size, 2000, sizeof text - 1);
  options.resume = true;
  static const char others[] = "0-\"}z";
  for (size_t i = 0; i < size; i++) {
    char before = text[i];
    text[i] = others[i % strlen(others)];
    write_state(text, size);
    text[i] = before;
    options.candidates = 3001;
    int err = search_state(&options, &finds);
    assert_true(err == 0 || err == SC_E_INPUT || err == SC_E_MISMATCH || err == SC_E_VERSION);
    refused += err < 0;
    sc_fuzz_finds_free(&finds);
  }
  assert_true(refused > size / 4 && refused < size);
}

int main(void) { return unit_run(make_file, remove_file); }
