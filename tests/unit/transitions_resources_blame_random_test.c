/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who waits for whom, in wait-for graphs at random, against sums over all rows and pairs of all runs. */
#include "unit.h"

#include "transitions/resources/blame.h"
#include "transitions_resources_scene.h"

static const double sizes[] = {100, 400, 1600};
enum { SIZES = 3, REPEATS = 2, RUNS = SIZES * REPEATS, CONTEXTS = 3, LOCKS = 2, ROUNDS = 60, ROWS = 24 };

static uint32_t draw(uint32_t below) { return (uint32_t)(scene_uniform() * below); }

/* Rows at random of a few calls, some alike in all but one of their keys, and pairs of them. */
static sc_graph *random_graph(uint64_t seed, bool waiting, uint32_t locks[LOCKS])
{
  static const char *const vias[] = {"lock", "trylock"};
  scene_seed = seed;
  sc_graph *graph = scene_repeats(sizes, SIZES, REPEATS);
  uint32_t main = scene_main(graph), contexts[CONTEXTS];
  for (uint32_t i = 0; i < CONTEXTS; i++)
    contexts[i] = scene_function(graph, main, (char[]){(char)('a' + i), 0}, scene_one, 0);
  for (uint32_t i = 0; i < LOCKS; i++)
    locks[i] = scene_resource(graph, SC_RESOURCE_RWLOCK, i ? "second" : "first", 0);
  for (size_t run = 0; run < RUNS; run++) {
    uint32_t rows[ROWS], of[ROWS], count = draw(ROWS - 4) + 4;
    for (uint32_t i = 0; i < count; i++) {
      sc_usage row = {.via = vias[draw(2)],
                      .line = 10 + draw(2),
                      .column = draw(2),
                      .shared = draw(2),
                      .event = draw(4) ? SC_USAGE_EVENT_ACQUIRE : SC_USAGE_EVENT_RELEASE};
      row.buckets[draw(30)] = 1;
      row.values[SC_USAGE_ACQUIRES] = draw(9);
      row.values[SC_USAGE_HOLDS] = 1 + draw(9);
      row.values[SC_USAGE_HOLD_SECONDS] = 1 + draw(1000);
      row.values[SC_USAGE_WAITS] = waiting ? draw(5) : 0;
      row.values[SC_USAGE_WAIT_SECONDS] = waiting ? draw(50) + scene_uniform() : 0;
      of[i] = draw(LOCKS);
      rows[i] = scene_usage(graph, run, contexts[draw(CONTEXTS)], locks[of[i]], &row);
    }
    for (uint32_t i = 0; waiting && i < count; i++) {
      uint32_t waiter = draw(count), holder = draw(count);
      bool known = draw(5), nested = of[waiter] != of[holder]; /* what a holder waits for itself is not counted */
      sc_wait_pair pair = {rows[waiter], known ? rows[holder] : SC_USAGE_NONE, known && nested ? 0 : 1 + draw(3),
                           draw(9) + scene_uniform()};
      unit_ok(sc_usage_add_pair(graph, run, &pair));
    }
  }
  return graph;
}

static bool is_end(const sc_usage *row, const sc_blame_end *end)
{
  return row->context == end->context && strcmp(row->via, end->via) == 0 && row->line == end->line &&
         row->column == end->column && row->shared == end->shared;
}

static bool same_end(const sc_blame_end *a, const sc_blame_end *b)
{
  return a->context == b->context && a->via == b->via && a->line == b->line && a->column == b->column &&
         a->shared == b->shared;
}

/* The rows of a resource in all runs of the largest size. */
static size_t list_rows(const sc_graph *graph, uint32_t resource, const sc_usage *list[REPEATS * ROWS])
{
  size_t count = 0;
  for (size_t run = RUNS - REPEATS; run < RUNS; run++) {
    size_t rows;
    const sc_usage *row = sc_usage_rows(graph, run, &rows);
    for (; rows; rows--, row++)
      if (row->resource == resource)
        list[count++] = row;
  }
  return count;
}

typedef struct sums {
  sc_blame_sum pairs, all; /* of the two; of the resource */
} sums;

/* Means over the runs of a size: of a waiter and a holder of a resource, who acquire. */
static sums sum(const sc_graph *graph, size_t size, uint32_t resource, const sc_blame_end *waiter,
                const sc_blame_end *holder)
{
  sums s = {0};
  for (size_t run = size * REPEATS; run < (size + 1) * REPEATS; run++) {
    size_t rows, pairs;
    const sc_usage *row = sc_usage_rows(graph, run, &rows);
    const sc_wait_pair *pair = sc_usage_pairs(graph, run, &pairs);
    for (size_t i = 0; i < rows; i++) {
      if (row[i].resource != resource)
        continue;
      s.all.count += row[i].values[SC_USAGE_WAITS] / REPEATS;
      s.all.seconds += row[i].values[SC_USAGE_WAIT_SECONDS] / REPEATS;
    }
    for (size_t i = 0; i < pairs; i++) {
      const sc_usage *w = &row[pair[i].waiter], *h = pair[i].holder < rows ? &row[pair[i].holder] : NULL;
      if (w->resource != resource || !is_end(w, waiter) || sc_usage_pair_nested(graph, row, &pair[i]) ||
          (holder ? !h || !is_end(h, holder) : h != NULL))
        continue;
      s.pairs.count += pair[i].waits / REPEATS;
      s.pairs.seconds += pair[i].seconds / REPEATS;
    }
  }
  return s;
}

/* Rows of one end may be of several events: their waits are told apart, so that ends are compared by what pairs say. */
TEST(edges_are_sums_of_pairs)
{
  size_t checked = 0;
  for (uint64_t round = 0; round < ROUNDS; round++) {
    uint32_t locks[LOCKS];
    sc_graph *graph = random_graph(round, true, locks);
    for (uint32_t l = 0; l < LOCKS; l++) {
      sc_blame b;
      unit_ok(sc_blame_new(graph, locks[l], NULL, &b));
      assert_true(b.sizes[0] == 100 && b.sizes[1] == 1600);
      double shares = 0;
      for (size_t i = 0; i < b.edge_count; i++) {
        const sc_blame_edge *e = &b.edges[i];
        shares += e->share;
        assert_true(e->resource == locks[l] && (i == 0 || e->share <= b.edges[i - 1].share));
        sums large = sum(graph, SIZES - 1, locks[l], &e->waiter, &e->holder);
        unit_near(b.waits[SC_BLAME_LARGE].count, large.all.count);
        unit_near(b.waits[SC_BLAME_LARGE].seconds, large.all.seconds);
        unit_near(e->share, e->waits[SC_BLAME_LARGE].seconds / large.all.seconds);
        if (e->holder.context == SC_USAGE_NONE) {
          assert_true(e->waits[SC_BLAME_LARGE].count >= 0.5);
          continue;
        }
        /* the same ends may stand there once for each pair of events */
        sc_blame_sum told = {0}, small = {0};
        for (size_t k = 0; k < b.edge_count; k++)
          if (same_end(&b.edges[k].waiter, &e->waiter) && same_end(&b.edges[k].holder, &e->holder)) {
            told.count += b.edges[k].waits[SC_BLAME_LARGE].count;
            told.seconds += b.edges[k].waits[SC_BLAME_LARGE].seconds;
            small.count += b.edges[k].waits[SC_BLAME_SMALL].count;
            small.seconds += b.edges[k].waits[SC_BLAME_SMALL].seconds;
          }
        unit_near(told.count + 1, large.pairs.count + 1);
        unit_near(told.seconds, large.pairs.seconds);
        sums before = sum(graph, 0, locks[l], &e->waiter, &e->holder);
        assert_true(small.count <= before.pairs.count + 1e-9 && small.seconds <= before.pairs.seconds + 1e-9);
        checked++;
      }
      sums all = sum(graph, 0, locks[l], &(sc_blame_end){.via = ""}, NULL);
      unit_near(b.waits[SC_BLAME_SMALL].count + 1, all.all.count + 1);
      unit_near(b.waits[SC_BLAME_SMALL].seconds + 1, all.all.seconds + 1);
      sc_blame_free(&b);
    }
    sc_graph_free(graph);
  }
  assert_true(checked > 100);
}

/* Each row's waits are in edges to known holders, or one to nobody with what these leave. */
TEST(waits_without_a_holder_are_what_is_left)
{
  for (uint64_t round = 0; round < ROUNDS; round++) {
    uint32_t locks[LOCKS];
    sc_graph *graph = random_graph(1000 + round, true, locks);
    const sc_usage *rows[REPEATS * ROWS];
    size_t row_count = list_rows(graph, locks[0], rows);
    sc_blame b;
    unit_ok(sc_blame_new(graph, locks[0], NULL, &b));
    for (size_t i = 0; i < b.edge_count; i++) {
      const sc_blame_end *waiter = &b.edges[i].waiter;
      double waits[8] = {0}, told = 0, left = 0; /* by event */
      if (b.edges[i].holder.context != SC_USAGE_NONE)
        continue;
      for (size_t k = 0; k < row_count; k++)
        if (is_end(rows[k], waiter))
          waits[rows[k]->event] += rows[k]->values[SC_USAGE_WAITS] / REPEATS;
      for (size_t k = 0; k < b.edge_count; k++)
        if (same_end(&b.edges[k].waiter, waiter))
          *(b.edges[k].holder.context == SC_USAGE_NONE ? &left : &told) += b.edges[k].waits[SC_BLAME_LARGE].count;
      double all = 0;
      for (size_t e = 0; e < COUNT(waits); e++)
        all += waits[e];
      assert_true(left <= all + 1e-9 && left >= all - told - 1 - 1e-9); /* less than half a wait each is no edge */
    }
    sc_blame_free(&b);
    sc_graph_free(graph);
  }
}

static int descending(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (y > x) - (y < x);
}

/* Nobody waits: the eight pairs of calls that acquire most, of those that hold longest, but of two readers none. */
TEST(who_would_wait_acquires_and_holds_most)
{
  for (uint64_t round = 0; round < ROUNDS; round++) {
    uint32_t locks[LOCKS];
    sc_graph *graph = random_graph(2000 + round, false, locks);
    sc_blame b;
    unit_ok(sc_blame_new(graph, locks[1], NULL, &b));
    const sc_usage *rows[REPEATS * ROWS];
    sc_usage calls[REPEATS * ROWS];
    size_t count = 0, row_count = list_rows(graph, locks[1], rows);
    for (size_t i = 0; i < row_count; i++) {
      const sc_usage *row = rows[i];
      size_t k = 0;
      if (row->event != SC_USAGE_EVENT_ACQUIRE)
        continue;
      for (; k < count; k++)
        if (is_end(row,
                   &(sc_blame_end){calls[k].context, calls[k].via, calls[k].line, calls[k].column, calls[k].shared}))
          break;
      if (k == count)
        calls[count++] = (sc_usage){
            .context = row->context, .via = row->via, .line = row->line, .column = row->column, .shared = row->shared};
      calls[k].values[SC_USAGE_ACQUIRES] += row->values[SC_USAGE_ACQUIRES] / REPEATS;
      calls[k].values[SC_USAGE_HOLD_SECONDS] += row->values[SC_USAGE_HOLD_SECONDS] / REPEATS;
    }
    double products[4 * ROWS * ROWS], all = 0;
    size_t products_count = 0;
    for (size_t w = 0; w < count; w++)
      for (size_t h = 0; h < count; h++) {
        double product = calls[w].values[SC_USAGE_ACQUIRES] * calls[h].values[SC_USAGE_HOLD_SECONDS];
        if (!(product > 0) || (calls[w].shared && calls[h].shared))
          continue;
        products[products_count++] = product;
        all += product;
      }
    qsort(products, products_count, sizeof *products, descending);
    assert_int_equal(b.edge_count, products_count < 8 ? products_count : 8);
    assert_true(b.expected == (products_count > 0) && b.chain_count == 0 && b.end == SC_BLAME_NOBODY_WAITS);
    for (size_t i = 0; i < b.edge_count; i++)
      unit_near(b.edges[i].share, products[i] / all);
    sc_blame_free(&b);
    sc_graph_free(graph);
  }
}

/* The slice begins with the call that waits longest, behind the holder for whom it does so longest. */
TEST(the_slice_begins_with_who_waits_most)
{
  for (uint64_t round = 0; round < ROUNDS; round++) {
    uint32_t locks[LOCKS];
    sc_graph *graph = random_graph(3000 + round, true, locks);
    sc_blame b;
    unit_ok(sc_blame_new(graph, locks[0], NULL, &b));
    if (b.chain_count) {
      const sc_blame_step *first = &b.chain[0];
      double most = 0, longest = 0;
      for (size_t i = 0; i < b.edge_count; i++)
        if (same_end(&b.edges[i].waiter, &first->waiter) && b.edges[i].holder.context != SC_USAGE_NONE)
          most = fmax(most, b.edges[i].waits[SC_BLAME_LARGE].seconds);
      if (first->holder.context != SC_USAGE_NONE) {
        assert_true(first->waits[SC_BLAME_LARGE].seconds <= most + 1e-9);
        const sc_usage *rows[REPEATS * ROWS];
        size_t row_count = list_rows(graph, locks[0], rows);
        for (size_t i = 0; i < row_count; i++)
          for (int k = 0; k < SC_USAGE_BUCKETS && is_end(rows[i], &first->holder); k++)
            longest = rows[i]->buckets[k] > 0 ? fmax(longest, ldexp(1e-9, k)) : longest;
        assert_true(first->longest > 0 && first->longest <= longest && first->holds[SC_BLAME_LARGE].count >= 0.5);
      }
      for (size_t i = 0; i < b.chain_count; i++)
        assert_true(b.chain[i].waiting >= 0 && b.chain[i].waiting <= 1);
    }
    sc_blame_free(&b);
    sc_graph_free(graph);
  }
}

/* Of the runs with these values of further parameters, all of them; those made at targets tell nothing. */
TEST(blame_is_of_runs_with_the_same_values)
{
  for (uint64_t round = 0; round < 20; round++) {
    uint32_t locks[LOCKS];
    sc_graph *graph = random_graph(2000 + round, true, locks);
    for (size_t run = 0; run < RUNS; run++) {
      double *others = sc_graph_run(graph, run)->others;
      others[0] = 3;
      others[SC_RUN_OTHERS - 1] = run % REPEATS ? 7 : 5;
    }
    for (size_t repeat = 0; repeat <= REPEATS; repeat++) {
      double values[SC_RUN_OTHERS] = {3};
      values[SC_RUN_OTHERS - 1] = repeat ? 7 : 5;
      if (repeat == REPEATS) /* the last run is one at a target now: the first repeat of its size is left */
        sc_graph_run(graph, RUNS - 1)->role = SC_RUN_TARGET;
      sc_blame b;
      unit_ok(sc_blame_new(graph, locks[0], repeat == REPEATS ? NULL : values, &b));
      size_t rows, run = RUNS - REPEATS + repeat % REPEATS;
      const sc_usage *row = sc_usage_rows(graph, run, &rows);
      double waits = 0, seconds = 0;
      for (; rows; rows--, row++)
        if (row->resource == locks[0])
          waits += row->values[SC_USAGE_WAITS], seconds += row->values[SC_USAGE_WAIT_SECONDS];
      assert_true(b.sizes[0] == 100 && b.sizes[1] == 1600);
      unit_near(b.waits[SC_BLAME_LARGE].count + 1, waits + 1);
      unit_near(b.waits[SC_BLAME_LARGE].seconds + 1, seconds + 1);
      sc_blame_free(&b);
    }
    sc_graph_free(graph);
  }
}
