/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Few locks of a name that have most of the work. */
#include "unit.h"

#include "transitions/resources/hot.h"
#include "transitions_resources_made.h"

static const sc_resource kinds[] = {{SC_RESOURCE_MUTEX, "stripe", "a.c", 1}, {SC_RESOURCE_HEAP, "heap", "", 0}};

/* A run in which 16 stripes were held for 10 s, one of them for 4 and two hot ones for 7 together. */
static void stripes(made_resources *m, uint32_t resource, size_t run, double hot)
{
  made_sum(m, resource, run, SC_USAGE_HOLD_SECONDS, 12);
  made_sum(m, resource, run, SC_RSUM_SHARED_SECONDS, 2);
  *made_occupancy(m, resource, run) =
      (sc_occupancy){resource, 16, 1, 1, 1, 0, .busiest_seconds = 4, .hot = hot, .hot_seconds = hot > 0 ? 7 : 0};
}

TEST(a_stripe_is_hot_at_the_largest_size)
{
  made_resources *m = made_new(kinds, 2, 2, 2);
  sc_resource_hot hot;
  assert_false(sc_resources_hot(&m->r, 0, &hot)); /* nothing was held */
  stripes(m, 0, 0, 9);
  stripes(m, 0, 2, 2);
  stripes(m, 0, 3, 0);
  assert_false(sc_resources_hot(&m->r, 0, &hot)); /* in one of two runs: not in most */
  stripes(m, 0, 3, 3);
  made_occupancy(m, 0, 3)->instances = 17;
  assert_true(sc_resources_hot(&m->r, 0, &hot));
  assert_true(hot.instances == 17 && hot.hot == 3); /* 2.5 on average */
  unit_near(hot.share, 14.0 / 20);
  unit_near(hot.busiest, 8.0 / 20);
  sc_buf text = {0};
  sc_resource_hot_text(&hot, &text);
  scene_says(&text, "3 of 17 instances have 70% of the hold time of all");
  hot.hot = 1;
  sc_resource_hot_text(&hot, &text);
  scene_says(&text, "1 of 17 instances has 70% of the hold time of all");
  unit_near(sc_rhot_stations(&m->r, &m->cells[0], 2, 16), 2.5); /* as busy as the busiest: 4 of 10 s */
  unit_near(sc_rhot_stations(&m->r, &m->cells[0], 2, 2), 2);
  unit_near(sc_rhot_stations(&m->r, &m->cells[0], 1, 16), 16); /* nothing is known of it */
  unit_near(sc_rhot_stations_large(&m->r, &m->cells[0], 16), 2.5);
  made_occupancy(m, 0, 3)->busiest_seconds = 20; /* more than was seen in holds that ended */
  unit_near(sc_rhot_stations(&m->r, &m->cells[0], 3, 16), 1);
  unit_near(sc_rhot_stations_large(&m->r, &m->cells[0], 16), 30.0 / 24);
  stripes(m, 1, 2, 2);
  stripes(m, 1, 3, 2);
  assert_false(sc_resources_hot(&m->r, 1, &hot)); /* no lock */
  assert_false(sc_resources_hot(&m->r, 2, &hot)); /* none at all */
  assert_true(sc_rhot_stations(&m->r, &m->cells[1], 2, 16) == 16);
  assert_true(sc_rhot_stations_large(&m->r, &m->cells[1], 16) == 16);
  made_free(m);
}
