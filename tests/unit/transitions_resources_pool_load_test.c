/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a pool has to do, from figures of each run made by hand. */
#include "unit.h"

#include "transitions/resources/pool_load.h"
#include "transitions_resources_made.h"

static const sc_resource conditions[] = {{SC_RESOURCE_CONDITION, "work", "a.c", 1},
                                         {SC_RESOURCE_CONDITION, "answer", "a.c", 2}};
enum { WORK, ANSWER, SIZES = 4 };

/* Four workers for 100, 200, 400 and 800 clients, which ask 10 times each within 10 s; answers are waited for. */
typedef struct scene {
  made_resources *m;
  sc_rload load;
  double columns[SC_RLOAD_COLUMNS][SIZES];
} scene;

static scene *begin(bool closed)
{
  scene *s = calloc(1, sizeof *s);
  assert_non_null(s);
  s->m = made_new(conditions, 2, SIZES, 1);
  s->load = (sc_rload){.r = &s->m->r,
                       .pool = {.resource = WORK, .answers = closed ? ANSWER : SC_USAGE_NONE, .closed = closed}};
  s->load.pool.as.capacity = 4;
  for (int column = 0; column < SC_RLOAD_COLUMNS; column++)
    s->load.columns[column] = s->columns[column];
  for (size_t run = 0; run < SIZES; run++) {
    double clients = s->m->sizes[run];
    s->columns[SC_RLOAD_CUSTOMERS][run] = clients;
    s->columns[SC_RLOAD_SPAN][run] = 10;
    s->columns[SC_RLOAD_REQUESTS][run] = s->columns[SC_RLOAD_ITEMS][run] = s->columns[SC_RLOAD_TAKES][run] =
        10 * clients;
    s->columns[SC_RLOAD_SHARE][run] = clients / 1000;
    s->columns[SC_RLOAD_BUSY][run] = 40 * clients / 1000;
    s->columns[SC_RLOAD_ANSWER][run] = 0.01;
    made_occupancy(s->m, ANSWER, run)->active_seconds = 9 * clients;
    made_sum(s->m, ANSWER, run, SC_USAGE_WAIT_SECONDS, clients);
  }
  return s;
}

static void end(scene *s)
{
  made_free(s->m);
  free(s);
}

TEST(clients_wait_for_what_is_not_their_service)
{
  scene *s = begin(true);
  assert_true(sc_rload_fits(&s->load));
  for (size_t run = 0; run < SIZES; run++) {
    double clients = s->m->sizes[run], waited = 0.01 * 10 * clients - 40 * clients / 1000;
    unit_near(s->columns[SC_RLOAD_WAITED][run], waited);
    /* between their requests for 8 s each, and once more: ten requests have nine times between them */
    unit_near(s->columns[SC_RLOAD_ACTIVE][run], waited + 40 * clients / 1000 + 8 * clients * 10 / 9);
  }
  for (size_t run = 0; run < SIZES; run++)
    s->columns[SC_RLOAD_ANSWER][run] = 0.001; /* less than it takes to serve: nobody waits for a worker */
  assert_true(sc_rload_fits(&s->load));
  assert_true(s->columns[SC_RLOAD_WAITED][3] == 0);
  for (size_t run = 0; run < SIZES; run++)
    s->columns[SC_RLOAD_CUSTOMERS][run] = 10 * s->m->sizes[run] / 2.9; /* fewer than three requests each */
  assert_true(sc_rload_fits(&s->load));
  unit_near(s->columns[SC_RLOAD_ACTIVE][3], 10 * s->columns[SC_RLOAD_CUSTOMERS][3]);
  for (size_t run = 0; run < SIZES; run++)
    s->columns[SC_RLOAD_CUSTOMERS][run] = 10 * s->m->sizes[run] / 3.1; /* 2.1 times between them */
  assert_true(sc_rload_fits(&s->load));
  unit_near(s->columns[SC_RLOAD_ACTIVE][3], 32 + 8 * 800 * 3.1 / 2.1);
  end(s);
  s = begin(false); /* nobody sees what they wait for: time away above that of sizes where workers are idle */
  assert_true(sc_rload_fits(&s->load));
  for (size_t run = 0; run < 3; run++)
    assert_true(s->columns[SC_RLOAD_WAITED][run] == 0);
  double between = (100 * 10 - 4) / 1000.0; /* the same at all of them */
  assert_true(s->columns[SC_RLOAD_WAITED][3] < 1e-9);
  s->columns[SC_RLOAD_ITEMS][3] = s->columns[SC_RLOAD_REQUESTS][3] = s->columns[SC_RLOAD_TAKES][3] = 6000;
  assert_true(sc_rload_fits(&s->load));
  unit_near(s->columns[SC_RLOAD_WAITED][3], 800 * 10 - 32 - between * 6000);
  s->columns[SC_RLOAD_SHARE][3] = 0.7; /* workers are idle enough to be asked */
  assert_true(sc_rload_fits(&s->load));
  assert_true(s->columns[SC_RLOAD_WAITED][3] == 0);
  end(s);
}

TEST(a_pool_gets_more_to_do)
{
  static const double busier[][2] = {{1.149, 0}, {1.151, 1}};
  for (size_t i = 0; i < 2; i++) {
    scene *s = begin(false);
    for (size_t run = 0; run < SIZES; run++)
      s->columns[SC_RLOAD_SHARE][run] = run < 2 ? 0.2 : 0.2 * busier[i][0];
    assert_true(sc_rload_fits(&s->load) == (busier[i][1] > 0));
    /* saturated from the second size on: then from the smallest one */
    for (size_t run = 0; run < SIZES; run++)
      s->columns[SC_RLOAD_SHARE][run] = run ? 0.8 : 0.8 / busier[i][0];
    s->columns[SC_RLOAD_SHARE][1] = 0.8 * 1.2;
    assert_true(sc_rload_fits(&s->load) == (busier[i][1] > 0));
    for (size_t run = 0; run < SIZES; run++)
      s->columns[SC_RLOAD_SHARE][run] *= 0.99;
    assert_false(sc_rload_fits(&s->load));
    end(s);
  }
  scene *s = begin(true); /* no busier, but answers come half as much later again */
  for (size_t later = 0; later < 2; later++) {
    for (size_t run = 0; run < SIZES; run++) {
      s->columns[SC_RLOAD_SHARE][run] = 0.5;
      s->columns[SC_RLOAD_ANSWER][run] = run < 2 ? 0.01 : later ? 0.01501 : 0.01499;
    }
    assert_true(sc_rload_fits(&s->load) == (later == 1));
  }
  s->load.pool.answers = SC_USAGE_NONE;
  s->load.pool.closed = false;
  assert_false(sc_rload_fits(&s->load));
  end(s);
  s = begin(false); /* open ones get more requests with the size: as its root at least */
  for (size_t root = 0; root < 2; root++) {
    for (size_t run = 0; run < SIZES; run++)
      s->columns[SC_RLOAD_ITEMS][run] = 1000 * pow(2, (double)run * (root ? 0.51 : 0.49));
    assert_true(sc_rload_fits(&s->load) == (root == 1));
  }
  for (size_t few = 0; few < 2; few++) {
    for (size_t run = 0; run < SIZES; run++)
      s->columns[SC_RLOAD_ITEMS][run] = (few ? 15.9 : 16) * pow(2, (double)run - 3);
    assert_true(sc_rload_fits(&s->load) == !few);
  }
  end(s);
}

/* Takes that get ever more, in the same time each. */
TEST(batches_are_no_pool)
{
  scene *s = begin(false);
  for (size_t more = 0; more < 2; more++)
    for (size_t each = 0; each < 2; each++) {
      for (size_t run = 0; run < SIZES; run++) {
        double requests = s->columns[SC_RLOAD_REQUESTS][run], batch = run < 3 ? 1 : more ? 1.06 : 1.04;
        s->columns[SC_RLOAD_TAKES][run] = requests / batch;
        s->columns[SC_RLOAD_BUSY][run] = each ? 0.01 * requests / batch : 0.01 * requests;
      }
      assert_true(sc_rload_fits(&s->load) == !(more && each));
    }
  end(s);
}

/* Four workers that waited `idle` of ten seconds; work came for `loaded` of them. */
static double busy_of(double idle, double active, double loaded)
{
  return sc_pool_busy(&(sc_pool_times){.threads = 4, .span = 10, .idle = idle, .active = active, .loaded = loaded});
}

/* Nobody is idle before the first request comes, nor after the last one is served. */
TEST(a_pool_is_busy_while_there_is_work)
{
  sc_pool_times t = {.threads = 4, .span = 10, .idle = 24, .active = 40, .loaded = 4.5, .items = 32};
  unit_near(sc_pool_busy(&t), 16);
  unit_near(sc_pool_loaded(&t, 16), 5); /* the last request takes half a second */
  t.answered = 64;
  unit_near(sc_pool_loaded(&t, 16), 6.5); /* or is answered after two */
  t.answered = 0, t.loaded = 2;
  unit_near(sc_pool_loaded(&t, 16), 4); /* they are not busier than always */
  t.loaded = 9.8;
  unit_near(sc_pool_loaded(&t, 16), 10);
  t.loaded = 0; /* not known */
  unit_near(sc_pool_loaded(&t, 16), 10);
  unit_near(busy_of(24, 36, 8), 16 - 4 + 4 * 0.5); /* workers that began late: half of that was idle, as they are */
  unit_near(busy_of(24, 36, 0), 16);
  unit_near(busy_of(8, 8, 8), 32); /* busy all the time after their first waits */
}

TEST(a_pool_is_written_as_a_resource)
{
  scene *s = begin(true);
  assert_true(sc_rload_fits(&s->load));
  s->columns[SC_RLOAD_WAITS][1] = 1500;
  s->columns[SC_RLOAD_ITEMS][3] = 3;
  sc_rload_write(&s->m->r, &s->load);
  const sc_resource_cell *cell = &s->m->cells[WORK];
  assert_true(cell->exclusive && !cell->used);
  static const int counts[] = {SC_USAGE_ACQUIRES, SC_USAGE_UNITS,          SC_USAGE_HOLDS,
                               SC_USAGE_RETURNED, SC_USAGE_RETURNED_UNITS, SC_USAGE_RELEASES};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    assert_true(sc_resource_cell_sum(cell, 1, counts[i]) == 2000);
  unit_near(sc_resource_cell_sum(cell, 1, SC_USAGE_HOLD_SECONDS), 8);
  unit_near(sc_resource_cell_sum(cell, 1, SC_USAGE_WAIT_SECONDS), 12);
  assert_true(sc_resource_cell_sum(cell, 1, SC_USAGE_WAITS) == 500); /* those that found no worker idle */
  assert_true(sc_resource_cell_sum(cell, 1, SC_USAGE_PEAK) == 4 && sc_resource_cell_sum(cell, 3, SC_USAGE_PEAK) == 3);
  const sc_occupancy *o = made_occupancy(s->m, WORK, 1);
  assert_true(o->instances == 1 && o->threads == 200 && o->span_seconds == 10);
  unit_near(o->active_seconds, s->columns[SC_RLOAD_ACTIVE][1]);
  end(s);
  assert_true(busy_of(15, 0, 0) == 25 && busy_of(50, 0, 0) == 0 && busy_of(-1, 0, 0) == 40);
  assert_true(sc_pool_waited(true, 7, 3) == 4 && sc_pool_waited(true, 3, 7) == 0 && sc_pool_waited(false, 7, 3) == 7);
}
