/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
/* A target for searches: a function in this process that has a known cost in contexts with names. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>

#include "runner/fuzz/internal.h"

enum { CONTEXTS = 8 };
typedef struct made_target {
  struct sc_fuzz_target base;
  void (*cost)(const char *bytes, size_t size, uint64_t counts[CONTEXTS]);
  size_t crash_at; /* crash_at: bytes from which on it crashes; 0: never */
  struct sc_live_count counts[CONTEXTS];
} made_target;

static inline int run_made(struct sc_fuzz_target *base, const void *bytes, size_t size, struct sc_fuzz_run *out)
{
  made_target *target = (made_target *)base;
  uint64_t counts[CONTEXTS] = {0};
  *out = (struct sc_fuzz_run){.counts = target->counts};
  char *text = malloc(size + 1);
  assert_non_null(text);
  memcpy(text, bytes, size);
  text[size] = '\0';
  target->cost(text, size, counts);
  free(text);
  if (target->crash_at && size >= target->crash_at) {
    out->outcome = SC_FUZZ_CRASHED;
    out->signal = 11;
  }
  for (uint32_t i = 0; i < CONTEXTS; i++) {
    out->seconds += 1e-8 * (double)counts[i];
    if (counts[i])
      target->counts[out->count_count++] = (struct sc_live_count){i, counts[i]};
  }
  return 0;
}

static inline size_t count_contexts(const struct sc_fuzz_target *base) { return CONTEXTS; }

/* Contexts 2 and 4 are loops in functions 1 and 3, context 5 a loop in loop 4. */
static inline void place_made(const struct sc_fuzz_target *base, uint32_t context, struct sc_fuzz_place *out)
{
  static const char *const functions[CONTEXTS] = {"root",   "parse",  "parse", "render",
                                                  "render", "render", "other", "other"};
  static const uint32_t parents[CONTEXTS] = {0, 0, 1, 0, 3, 4, 0, 6};
  bool loop = context == 2 || context == 4 || context == 5 || context == 7;
  *out = (struct sc_fuzz_place){.function = functions[context],
                                .file = "made.c",
                                .line = 10 * context,
                                .parent = parents[context],
                                .kind = context == 0 ? SC_FUZZ_PLACE_OTHER
                                        : loop       ? SC_FUZZ_PLACE_LOOP
                                                     : SC_FUZZ_PLACE_CALL};
}

static inline void close_made(struct sc_fuzz_target *base) {}

static const struct sc_fuzz_target_ops made_ops = {
    .run = run_made, .context_count = count_contexts, .place = place_made, .close = close_made};

typedef void cost_function(const char *bytes, size_t size, uint64_t counts[CONTEXTS]);

static inline made_target made(cost_function *cost) { return (made_target){.base = {&made_ops}, .cost = cost}; }

static inline sc_fuzz_finds search_with(made_target *target, const sc_fuzz_tokens *tokens, uint64_t candidates,
                                        uint64_t seed)
{
  const sc_fuzz_options options = {.candidates = candidates, .seed = seed, .bytes = 1 << 16};
  sc_fuzz_finds finds;
  assert_int_equal(sc_fuzz_search(&target->base, tokens, &options, &finds), 0);
  return finds;
}

static inline sc_fuzz_finds search_for(made_target *target, uint64_t candidates, uint64_t seed)
{
  sc_fuzz_tokens tokens = {0};
  assert_int_equal(sc_fuzz_tokens_basic(&tokens), 0);
  sc_fuzz_finds finds = search_with(target, &tokens, candidates, seed);
  sc_fuzz_tokens_free(&tokens);
  return finds;
}

/* What is confirmed of "[" * n, the one candidate. */
static inline sc_fuzz_finds confirm_brackets(made_target *target)
{
  sc_fuzz_tokens tokens = {0};
  assert_int_equal(sc_fuzz_tokens_add(&tokens, "[", 1), 0);
  sc_fuzz_finds finds = search_with(target, &tokens, 1, 1);
  sc_fuzz_tokens_free(&tokens);
  return finds;
}

static inline void expect_family(const sc_fuzz_find *find, const char *expected)
{
  sc_buf out = {0};
  sc_family_print(&find->family, &out);
  assert_int_equal(sc_buf_finish(&out), 0);
  assert_string_equal(out.text, expected);
  sc_buf_free(&out);
}

static inline size_t leading(const char *bytes, char c) { return strspn(bytes, (char[2]){c, '\0'}); }

static inline void cost_linear(const char *bytes, size_t size, uint64_t counts[CONTEXTS])
{
  counts[1] = 1;
  counts[2] = size;
  counts[4] = size > 40 ? 3 * size : 0; /* begins late */
}

/* Brackets that are never closed are looked through at each one: 0.5 n^2 - 0.5 n. */
static inline void cost_open_brackets(const char *bytes, size_t size, uint64_t counts[CONTEXTS])
{
  cost_linear(bytes, size, counts);
  size_t n = leading(bytes, '[');
  counts[4] = n * (n - (n > 0)) / 2;
}
