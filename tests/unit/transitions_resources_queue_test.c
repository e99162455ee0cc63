/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <math.h>

#include "transitions/resources/queue.h"

static void near_to(double value, double expected, double relative)
{
  if (!(fabs(value - expected) <= relative * fabs(expected) + 1e-15))
    fail_msg("%.12g is not %.12g", value, expected);
}

/* The machine repairman problem: N customers, exponential times. p(k) ~ N! / (N - k)! (h / z)^k. */
static double repairman_wait(double h, double z, int n)
{
  double p = 1, all = 1, queue = 0;
  for (int k = 1; k <= n; k++) {
    p *= (n - k + 1) * h / z;
    all += p;
    queue += k * p;
  }
  double length = queue / all, throughput = (1 - 1 / all) / h;
  return length / throughput - h;
}

TEST(few_customers_agree_with_the_closed_form)
{
  for (int n = 1; n <= 40; n++) {
    sc_queue q = {.hold = 0.3, .think = 2, .customers = n, .stations = 1, .servers = 1};
    near_to(sc_queue_solve(&q).wait, repairman_wait(0.3, 2, n), 1e-9);
  }
  sc_queue two = {.hold = 1, .think = 3, .customers = 2, .stations = 1, .servers = 1};
  near_to(sc_queue_solve(&two).wait, 1.0 / 4, 1e-12); /* the other one is in service with probability 1/4 */
}

TEST(saturation_is_where_demand_reaches_the_servers)
{
  sc_queue q = {.hold = 300e-6, .think = 10e-3, .customers = 1, .stations = 1, .servers = 1};
  near_to(sc_queue_saturation(&q), 10.3 / 0.3, 1e-12);
  q.customers = sc_queue_saturation(&q);
  near_to(sc_queue_offered(&q), 1, 1e-12);
  q.stations = 4;
  q.servers = 2;
  near_to(sc_queue_saturation(&q), 8 * 10.3 / 0.3, 1e-12);
  q.hold = 0;
  assert_true(isinf(sc_queue_saturation(&q)));
}

TEST(throughput_tends_to_what_one_server_can_do)
{
  double before = 0;
  for (double n = 1; n < 4000; n = ceil(1.7 * n)) {
    sc_queue q = {.hold = 1e-3, .think = 20e-3, .customers = n, .stations = 1, .servers = 1};
    sc_queue_result result = sc_queue_solve(&q);
    assert_true(result.throughput >= before * (1 - 1e-9) && result.throughput <= 1000 * (1 + 1e-9));
    assert_true(result.utilisation >= 0 && result.utilisation <= 1 && result.share >= 0 && result.share < 1);
    near_to(result.throughput * (q.hold + q.think + result.wait), n, 1e-9); /* Little */
    before = result.throughput;
  }
  near_to(before, 1000, 1e-6);
}

TEST(asymptotes_continue_the_recursion)
{
  sc_queue below = {.hold = 1e-3, .think = 20e-3, .customers = 4096, .stations = 1, .servers = 1}, above = below;
  above.customers = 4097;
  near_to(sc_queue_solve(&above).wait, sc_queue_solve(&below).wait, 1e-3);
  below.stations = above.stations = 1000; /* far from saturated */
  near_to(sc_queue_solve(&above).wait, sc_queue_solve(&below).wait, 0.02);
}

/* Customers who think for exponential times and are served in turn, for 1 each: the mean wait of many visits. */
static double simulated_wait(double think, int customers)
{
  enum { MOST = 64, VISITS = 400000 };
  double comes[MOST], free = 0, waited = 0;
  uint64_t state = 1;
  for (int i = 0; i < customers; i++)
    comes[i] = i * 0.1;
  for (int visit = 0; visit < VISITS; visit++) {
    int first = 0;
    for (int i = 1; i < customers; i++)
      first = comes[i] < comes[first] ? i : first;
    double begins = comes[first] > free ? comes[first] : free;
    waited += begins - comes[first];
    free = begins + 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    comes[first] = free - think * log(((double)(state >> 11) + 0.5) / 9007199254740992.0);
  }
  return waited / VISITS;
}

TEST(holds_that_are_alike_are_waited_for_less)
{
  static const int customers[] = {2, 4, 8, 16, 32};
  static const double think[] = {5, 10, 20};
  for (size_t z = 0; z < sizeof think / sizeof *think; z++)
    for (size_t i = 0; i < sizeof customers / sizeof *customers; i++) {
      sc_queue alike = {.hold = 1, .think = think[z], .customers = customers[i], .stations = 1, .servers = 1},
               varied = alike;
      alike.steady = 1;
      double wait = sc_queue_solve(&alike).wait, cycle = 1 + think[z];
      near_to(cycle + wait, cycle + simulated_wait(think[z], customers[i]), 0.005);
      assert_true(wait < sc_queue_solve(&varied).wait);
      alike.handover = 1e-9; /* solved otherwise, and the same */
      near_to(sc_queue_solve(&alike).wait, wait, 1e-3);
    }
}

/* Who comes while the other one is served finds half of a hold left if holds are alike, a whole one if exponential. */
TEST(holds_that_rarely_meet_are_waited_for_by_half)
{
  for (double think = 1e4; think <= 1e8; think *= 10) {
    sc_queue varied = {.hold = 1, .think = think, .customers = 2, .stations = 1, .servers = 1}, alike = varied;
    alike.steady = 1;
    double wait = sc_queue_solve(&alike).wait;
    near_to(wait * think, 0.5, 1e-3);
    near_to(wait / sc_queue_solve(&varied).wait, 0.5, 1e-3);
  }
}

TEST(customers_need_not_be_whole)
{
  sc_queue q = {.hold = 1, .think = 3, .customers = 2.5, .stations = 1, .servers = 1}, two = q, three = q;
  two.customers = 2;
  three.customers = 3;
  near_to(sc_queue_solve(&q).wait, (sc_queue_solve(&two).wait + sc_queue_solve(&three).wait) / 2, 1e-12);
}

TEST(more_stations_and_servers_share_the_work)
{
  sc_queue one = {.hold = 1, .think = 3, .customers = 6, .stations = 1, .servers = 1}, four = one, pool = one;
  four.stations = 4;
  pool.servers = 8;
  assert_true(sc_queue_solve(&four).wait < sc_queue_solve(&one).wait / 3);
  assert_true(sc_queue_solve(&pool).wait == 0); /* one for everybody */
}

TEST(nothing_to_do_is_no_wait)
{
  sc_queue none = {0}, held = {.hold = 1, .customers = 3}, idle = {.think = 1, .customers = 3};
  assert_true(sc_queue_solve(&none).wait == 0 && sc_queue_offered(&none) == 0);
  near_to(sc_queue_solve(&held).wait, 2, 1e-12); /* the others are always before it */
  assert_true(sc_queue_solve(&idle).wait == 0 && sc_queue_solve(&idle).share == 0);
  sc_queue huge = {.hold = 1e9, .think = 1e-9, .customers = 1e15, .stations = 1e6, .servers = 1};
  assert_true(isfinite(sc_queue_solve(&huge).wait));
}

TEST(readers_wait_for_what_is_left_of_a_hold)
{
  near_to(sc_queue_blocked(10, 1), 9.5, 1e-12);
  near_to(sc_queue_blocked(1, 10), 0.05, 1e-12);
  near_to(sc_queue_blocked(1, 1 + 1e-9), sc_queue_blocked(1, 1), 1e-6);
  assert_true(sc_queue_blocked(0, 1) == 0);
}

/* Three customers, two servers, h = z: the states of none to all at the station have the weights 1, 3, 3, 3/2. */
TEST(a_pool_is_solved_exactly)
{
  sc_queue pool = {.hold = 1, .think = 1, .customers = 3, .stations = 1, .servers = 2};
  sc_queue_result result = sc_queue_solve(&pool);
  near_to(result.wait, 1.5 / 12, 1e-12); /* one waits in the last state; they ask at the rates 3, 2, 1, 0 */
  near_to(result.blocked, 3.0 / 12, 1e-12);
  near_to(result.throughput, 12 / 8.5, 1e-12);
  near_to(result.utilisation, (3 + 2 * 4.5) / 8.5 / 2, 1e-12);
}

/* A visit sees what the others make of it: the arrival theorem. */
TEST(visits_wait_where_the_others_are)
{
  for (int n = 1; n <= 20; n++) {
    sc_queue q = {.hold = 0.3, .think = 2, .customers = n, .stations = 1, .servers = 1}, less = q;
    less.customers = n - 1;
    near_to(sc_queue_solve(&q).blocked, sc_queue_solve(&less).utilisation, 1e-9);
  }
}

/* One customer asks every second for one of 16 units that come back 10 s later: 10 are out on average. */
TEST(detached_customers_hold_more_than_one)
{
  sc_queue q = {.hold = 10, .think = 1, .customers = 1, .stations = 1, .servers = 1000, .detached = true};
  near_to(sc_queue_offered(&q), 0.01, 1e-12);
  near_to(sc_queue_solve(&q).utilisation, 0.01, 1e-9);
  q.servers = 16;
  sc_queue_result result = sc_queue_solve(&q);
  assert_true(result.utilisation > 0.58 && result.utilisation < 0.625 && result.blocked < 0.1 && result.blocked > 0);
  near_to(result.throughput * q.hold / 16, result.utilisation, 1e-12);
  near_to(sc_queue_saturation(&q), 1.6, 1e-12);
  q.customers = 8; /* asks for five times as much */
  result = sc_queue_solve(&q);
  near_to(result.utilisation, 1, 1e-3);
  near_to(result.wait, 8 * 10 / 16.0 - 1, 1e-2);
  assert_true(result.blocked > 0.99 && result.blocked <= 1);
  q.think = 0;
  assert_true(isfinite(sc_queue_solve(&q).wait) && sc_queue_solve(&q).utilisation <= 1);
}

/* The machine repairman problem with several repairmen: work over time at the station, by the states' weights. */
static double repairmen_stretch(double work, double away, int processors, int n)
{
  double p = 1, there = 0, served = 0;
  for (int k = 1; k <= n; k++) {
    int busy = k < processors ? k : processors;
    p *= (n - k + 1) * work / away / busy;
    there += k * p;
    served += busy * p;
  }
  return there / served;
}

TEST(processors_agree_with_the_closed_form)
{
  for (int n = 1; n <= 40; n++)
    for (int processors = 1; processors <= 8; processors *= 2)
      near_to(sc_queue_stretch(n, 0.3, 2, processors, 0), repairmen_stretch(0.3, 2, processors, n), 1e-9);
  for (int n = 1; n <= 40; n++) /* one processor is the repairman's queue */
    near_to(sc_queue_stretch(n, 0.3, 2, 1, 0), 1 + repairman_wait(0.3, 2, n) / 0.3, 1e-9);
  assert_true(sc_queue_stretch(4, 0.3, 2, 4, 0) == 1 && sc_queue_stretch(4, 0, 2, 1, 9) == 1);
  near_to(sc_queue_stretch(10, 1, 0, 2, 0), 5, 1e-6); /* nobody is ever away */
  near_to(sc_queue_stretch(1, 1, 3, 2, 5), 3, 1e-12); /* one of six at two processors */
  near_to(sc_queue_stretch(4097, 1e-3, 0.1, 4, 0), sc_queue_stretch(4096, 1e-3, 0.1, 4, 0), 1e-2);
}

/* Threads that never share anything but processors: hardly any hold at all. */
TEST(threads_that_compute_get_what_processors_give)
{
  sc_queue q = {.hold = 1e-9, .hold_work = 1e-9, .think = 1e-3, .think_work = 1e-3, .customers = 16, .stations = 1};
  q.servers = 1;
  near_to(sc_queue_solve(&q).throughput, 16e3, 1e-3); /* a processor for everybody */
  q.processors = 4;
  near_to(sc_queue_solve(&q).throughput, 4e3, 1e-3);
  near_to(sc_queue_slowed(&q), 0.25, 1e-3);
  q.others = 4; /* one of five parts of the machine is theirs */
  near_to(sc_queue_solve(&q).throughput, 3.2e3, 1e-3);
}

/* Others have half of two processors: with threads in a group of its own a program gets no more of them. */
TEST(groups_get_the_same_however_many_threads_they_have)
{
  sc_queue q = {.hold = 1e-9, .hold_work = 1e-9, .think = 1e-3, .think_work = 1e-3, .stations = 1, .servers = 1};
  q.processors = q.others = 2;
  q.grouped = true;
  for (q.customers = 2; q.customers <= 64; q.customers *= 2) {
    near_to(sc_queue_solve(&q).throughput, 1e3, 1e-3);
    near_to(sc_queue_solve(&q).stretch, q.customers, 1e-3);
    near_to(sc_queue_slowed(&q), 1 / q.customers, 1e-3);
  }
  q.customers = 1; /* alone at half of a processor */
  near_to(sc_queue_solve(&q).throughput, 0.5e3, 1e-3);
  q.others = 0;
  near_to(sc_queue_solve(&q).throughput, 1e3, 1e-3);
}

typedef struct at_intervals {
  double used, waited, blocked; /* of the units' time; of each ask: seconds, share */
} at_intervals;

/* Threads ask for one of `units` every `think` seconds, exponential; another one gives back all that are out, once a
 * second. */
static at_intervals simulated_intervals(double think, int customers, int units)
{
  enum { MOST = 64, SECONDS = 40000 };
  double comes[MOST], out = 0, waited = 0, asks = 0, blocked = 0;
  uint64_t state = 7;
  for (int i = 0; i < customers; i++)
    comes[i] = 0.01 * i;
  for (int tick = 0; tick < SECONDS; tick++) {
    int left = units;
    for (;;) {
      int first = 0;
      for (int i = 1; i < customers; i++)
        first = comes[i] < comes[first] ? i : first;
      if (!left || comes[first] >= tick + 1)
        break;
      double at = comes[first] > tick ? comes[first] : tick; /* who had to wait gets one at once */
      left--;
      asks++;
      waited += at - comes[first];
      blocked += comes[first] < tick;
      out += tick + 1 - at;
      state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
      comes[first] = at - think * log(((double)(state >> 11) + 0.5) / 9007199254740992.0);
    }
  }
  return (at_intervals){out / SECONDS / units, waited / asks, blocked / asks};
}

/* At what is asked for seldom a unit is out for half of an interval, at what all wait for, a whole one: the capacity is
 * half of what the mean time out promises. */
TEST(units_that_come_back_at_intervals)
{
  static const double think[] = {40, 12, 6, 3};
  for (size_t i = 0; i < sizeof think / sizeof *think; i++) {
    at_intervals is = simulated_intervals(think[i], 64, 8);
    sc_queue q = {.hold = 0.5, .think = think[i], .customers = 64, .stations = 1, .servers = 8, .detached = true};
    sc_queue_result forgets = sc_queue_solve(&q);
    q.kept_out = 0.5;
    sc_queue_result r = sc_queue_solve(&q);
    near_to(r.utilisation, is.used, 0.1);
    near_to(think[i] + r.wait, think[i] + is.waited, 0.05);
    assert_true(fabs(r.blocked - is.blocked) < 0.15);
    if (think[i] < 8) /* saturated */
      assert_true(think[i] + forgets.wait < 0.75 * (think[i] + is.waited) || forgets.utilisation < 0.75);
    near_to(r.throughput * (q.think + r.wait), 64, 1e-6); /* Little */
  }
}

/* The lock that threads compute under is never held by more than their processors' share of the time. */
TEST(processors_limit_a_lock)
{
  sc_queue q = {.hold = 0.2, .hold_work = 0.2, .think = 0.8, .think_work = 0.8, .customers = 64, .stations = 1};
  q.servers = 1;
  near_to(sc_queue_solve(&q).utilisation, 1, 1e-3);
  q.processors = 2;
  sc_queue_result result = sc_queue_solve(&q);
  assert_true(result.throughput < 2 * (1 + 1e-3) && result.throughput > 1.9);
  near_to(result.utilisation, 0.2 * result.throughput, 1e-9);
  near_to(result.throughput * (result.cycle + result.wait), 64, 1e-6); /* Little */
  assert_true(result.stretch > 1 && result.blocked <= 1);
  q.processors = 64;
  near_to(sc_queue_solve(&q).utilisation, 1, 1e-3);
}

/* One thread beside two others on one processor computes for 1 of a hold of 3, which takes 5. */
TEST(holds_that_sleep_are_stretched_in_part)
{
  sc_queue q = {.hold = 3, .hold_work = 1, .think = 9, .customers = 1, .stations = 1, .servers = 1, .others = 2};
  q.processors = 1;
  sc_queue_result result = sc_queue_solve(&q);
  near_to(result.throughput, 1.0 / 14, 1e-4);
  near_to(result.utilisation, 3.0 / 14, 1e-4); /* it was not held while no processor was there for the holder */
  q.hold_exposed = 1;
  near_to(sc_queue_solve(&q).utilisation, 5.0 / 14, 1e-4);
}

/* Two customers, h = 1, z = 1, 1 from a release to the next hold: weights 1, 2, 2 x 1 x 2. */
TEST(a_handover_takes_its_time)
{
  sc_queue q = {.hold = 1, .think = 1, .customers = 2, .stations = 1, .servers = 1, .handover = 1};
  sc_queue_result result = sc_queue_solve(&q);
  near_to(result.throughput, (2 + 4 * 0.5) / 7, 1e-9);
  q.customers = 50;
  result = sc_queue_solve(&q);
  near_to(result.utilisation, 0.5, 1e-3);
  near_to(result.blocked, 0.5, 1e-2); /* it is free half of the time */
}

/* Servers and stations that nobody counted are one of each. */
TEST(what_was_not_counted_is_one)
{
  sc_queue q = {.customers = 3, .hold = 2, .think = 4};
  unit_near(sc_queue_offered(&q), 3 * 2 / 6.0);
  unit_near(sc_queue_saturation(&q), 3);
  q.servers = 4;
  unit_near(sc_queue_offered(&q), 0.25);
  unit_near(sc_queue_saturation(&q), 12);
  q.servers = 0, q.stations = 2;
  unit_near(sc_queue_offered(&q), 0.5);
  unit_near(sc_queue_saturation(&q), 6);
}

/* ---- against states that are added up in another way ---- */

/* One station: by the logarithms of the weights of all states, from the largest one. */
static sc_queue_result by_states(const sc_queue *q, double stations)
{
  enum { MOST = 8192 };
  static double weight[MOST];
  int n = (int)q->customers, servers = (int)q->servers, last = n + (q->detached ? servers : 0);
  double think = q->think * stations, most = 0;
  for (int j = 1; j <= last; j++) { /* one comes, one goes */
    double free = n - (q->detached ? fmax(0, j - 1 - servers) : j - 1);
    double hold = (q->hold + (j - 1 >= servers ? q->handover : 0)) / fmin(j, servers);
    weight[j] = free > 0 ? weight[j - 1] + log(free / think * hold) : -INFINITY;
    most = fmax(most, weight[j]);
  }
  double come = 0, find = 0, wait = 0, served = 0;
  for (int j = 0; j <= last; j++) {
    double p = exp(weight[j] - most), free = n - (q->detached ? fmax(0, j - servers) : j), rate = p * free / think;
    come += rate;
    find += j >= servers ? rate : 0;
    wait += p * fmax(0, j - servers);
    served += p * fmin(j, servers);
  }
  return (sc_queue_result){.wait = wait / come + (q->handover > 0 ? served / come - q->hold : 0),
                           .blocked = find / come};
}

TEST(pools_of_any_size_agree_with_their_states)
{
  static const int customers[] = {2, 3, 5, 40, 700, 4096}, servers[] = {2, 3, 16, 200};
  static const double think[] = {1e-3, 0.5, 3, 40};
  for (size_t c = 0; c < COUNT(customers); c++)
    for (size_t s = 0; s < COUNT(servers); s++)
      for (size_t t = 0; t < COUNT(think); t++) {
        sc_queue q = {.hold = 0.7, .think = think[t], .customers = customers[c], .stations = 1, .servers = servers[s]};
        sc_queue_result r = sc_queue_solve(&q), expected = by_states(&q, 1);
        if (customers[c] <= servers[s]) {
          assert_true(r.wait == 0 && r.blocked == 0);
        } else {
          near_to(r.wait, expected.wait, 1e-8);
          near_to(r.blocked, expected.blocked, 1e-8);
        }
        near_to(r.cycle, 0.7 + think[t], 1e-12);
        near_to(r.share, r.wait / (r.cycle + r.wait), 1e-12);
        near_to(r.throughput, customers[c] / (r.cycle + r.wait), 1e-12);
        near_to(r.utilisation, fmin(1, r.throughput * 0.7 / servers[s]), 1e-9);
        q.detached = true;
        for (double stations = 1; stations <= 3; stations += 2) {
          q.stations = stations;
          r = sc_queue_solve(&q), expected = by_states(&q, stations);
          near_to(r.wait, expected.wait, 1e-8);
          near_to(r.blocked, expected.blocked, 1e-8);
          near_to(r.throughput, customers[c] / (think[t] + r.wait), 1e-9);
          near_to(r.utilisation, fmin(1, r.throughput * 0.7 / servers[s] / stations), 1e-9);
        }
      }
}

TEST(handovers_agree_with_their_states)
{
  static const int customers[] = {2, 5, 40, 900};
  static const double handover[] = {0.1, 0.7, 4}, think[] = {0.5, 3, 100};
  for (size_t c = 0; c < COUNT(customers); c++)
    for (size_t h = 0; h < COUNT(handover); h++)
      for (size_t t = 0; t < COUNT(think); t++) {
        sc_queue q = {.hold = 0.7, .think = think[t], .customers = customers[c], .handover = handover[h]};
        q.stations = q.servers = 1;
        sc_queue_result r = sc_queue_solve(&q), expected = by_states(&q, 1);
        near_to(r.wait, expected.wait, 1e-8);
        /* who comes while nobody has it yet finds it free */
        near_to(r.blocked, expected.blocked * 0.7 / (0.7 + handover[h] * expected.blocked), 1e-8);
        near_to(r.utilisation, r.throughput * 0.7, 1e-9);
      }
}

/* Several locks: the recursion of mean values, a station's length each time a customer is added. */
TEST(several_locks_are_visited_at_random)
{
  for (int stations = 1; stations <= 5; stations += 2)
    for (int servers = 1; servers <= 3; servers += 2)
      for (int n = 1; n <= 12; n++) {
        if (stations == 1 && servers > 1)
          continue; /* a pool */
        sc_queue q = {.hold = 0.6, .think = 1.1, .customers = n, .stations = stations, .servers = servers};
        double length = 0, wait = 0, service = 0.6 / servers, busy = 0, found = 0;
        for (int i = 1; i <= n; i++) { /* Seidmann: one server as fast as all, and a delay */
          double response = service + service * length, throughput = i / (1.1 + (0.6 - service) + response);
          wait = response - service;
          found = busy;
          length = throughput / stations * response;
          busy = throughput / stations * service;
        }
        sc_queue_result r = sc_queue_solve(&q);
        near_to(r.wait, wait, 1e-10);
        near_to(r.blocked, found, 1e-10);
        near_to(r.throughput, n / (1.7 + wait), 1e-10);
      }
}

/* From 4,097 customers on: what an open queue of several servers makes them wait (Sakasegawa), no more than what the
 * root of their number or saturation makes, and behind saturation that. */
TEST(thousands_wait_as_asymptotes_say)
{
  static const struct {
    double think, stations, servers, handover;
  } cases[] = {{5e4, 1, 1, 0}, {6e3, 1, 1, 0}, {5002, 1, 1, 0},   {4000, 1, 1, 0}, {3000, 1, 2, 0}, {900, 1, 5, 0},
               {900, 3, 2, 0}, {500, 3, 2, 0}, {6e3, 1, 1, 0.25}, {5e4, 1, 1, 2},  {4999, 1, 1, 0}, {4999.5, 1, 1, 0}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    double n = 5000, places = cases[i].stations * cases[i].servers, hold = 1 + cases[i].handover;
    sc_queue q = {.hold = 1,
                  .think = cases[i].think,
                  .customers = n,
                  .stations = cases[i].stations,
                  .servers = cases[i].servers,
                  .handover = cases[i].handover};
    double offered = n * hold / (hold + q.think) / places, wait = n * hold / places - 1 - q.think, blocked = 1;
    if (offered < 1) {
      blocked = pow(offered, sqrt(2 * (q.servers + 1)) - 1);
      wait = fmin(blocked / q.servers / (1 - offered), fmax(wait, sqrt(n)));
    }
    sc_queue_result r = sc_queue_solve(&q);
    near_to(r.wait, wait, 1e-9);
    near_to(r.blocked, blocked / (1 + cases[i].handover * blocked), 1e-9);
    near_to(r.throughput, n / (1 + q.think + wait), 1e-9);
  }
  sc_queue pool = {.hold = 1, .think = 100, .customers = 4000, .stations = 2, .servers = 4097}; /* many servers, too */
  near_to(sc_queue_solve(&pool).blocked, pow(4000 / 101.0 / 2 / 4097, sqrt(2 * 4098) - 1), 1e-9);
}

/* The wait of n who find holds of any variation: from the length of a busy period with a root of the transform, here
 * for two customers, where the second finds the first with what is left of its hold. */
TEST(two_wait_for_what_is_left_of_a_hold)
{
  static const double steady[] = {0.25, 0.5, 0.9};
  for (size_t i = 0; i < COUNT(steady); i++)
    for (double think = 0.5; think <= 32; think *= 4) {
      /* With the other one away at the rate 1 / z when a hold begins, it comes within the hold H with the chance 1 - L,
       * L = E exp(-H / z) = (1 + v h / z)^(-1 / v) for a gamma distribution, and waits H - z (1 - exp(-H / z)) of it
       * on average: h - z (1 - L). Each hold that begins so alternates with one of the other's. */
      double v = 1 - steady[i], left = pow(1 + v * 0.8 / think, -1 / v);
      sc_queue q = {.hold = 0.8, .think = think, .customers = 2, .steady = steady[i]};
      q.stations = q.servers = 1;
      near_to(sc_queue_solve(&q).wait, 0.8 - think * (1 - left), 1e-9);
    }
}

TEST(processors_are_shared_in_thousands_and_in_parts)
{
  double two = sc_queue_stretch(2, 0.3, 0.5, 1, 0.5), three = sc_queue_stretch(3, 0.3, 0.5, 1, 0.5);
  near_to(sc_queue_stretch(2.25, 0.3, 0.5, 1, 0.5), two + (three - two) / 4, 1e-12);
  near_to(sc_queue_stretch(0.5, 0.3, 0.5, 1, 3), sc_queue_stretch(1, 0.3, 0.5, 1, 3), 1e-12);
  near_to(sc_queue_stretch(5000, 0.25, 100, 4, 0), 5000 / 4.0 - 400, 1e-12);
  near_to(sc_queue_stretch(5000, 0.25, 1e4, 4, 0), 1, 1e-12);
  assert_true(sc_queue_stretch(4, 1, 0, 8, 4) == 1 && sc_queue_stretch(4, 1, 0, 8, 4.01) > 1);
  assert_true(sc_queue_stretch(0, 1, 0, 8, 9) == 1 && sc_queue_stretch(9, 1, 0, 0, 9) == 1);
  /* the weights of their states overflow: all are there */
  near_to(sc_queue_stretch(3000, 1, 1e-3, 4, 0), 3000 / 4.0, 1e-3);
  near_to(sc_queue_stretch(3000, 1, 1e-3, 4, 1000), 4000 / 4.0, 1e-3);
}

/* Weights of the machine's states beside threads that always run, j of j + o parts of the processors being theirs. */
TEST(others_take_their_part_of_processors)
{
  for (int n = 1; n <= 30; n++)
    for (int others = 0; others <= 6; others += 3)
      for (int processors = 1; processors <= 4; processors++) {
        double p = 1, there = 0, served = 0;
        for (int j = 1; j <= n; j++) {
          double rate = fmin(j, (double)processors * j / (j + others));
          p *= (n - j + 1) * (0.3 / 2) / rate;
          there += j * p;
          served += rate * p;
        }
        near_to(sc_queue_stretch(n, 0.3, 2, processors, others), n + others <= processors ? 1 : there / served, 1e-9);
      }
}

TEST(what_processors_slow_down)
{
  sc_queue q = {.hold = 0.5, .think = 2, .hold_work = 0.25, .think_work = 1.5, .customers = 6, .processors = 2};
  q.stations = q.servers = 1;
  double stretch = sc_queue_stretch(6, 1.75, 0.75, 2, 0);
  near_to(sc_queue_slowed(&q), 2.5 / (2.5 + 1.75 * (stretch - 1)), 1e-12);
  q.others = 3;
  stretch = sc_queue_stretch(6, 1.75, 0.75, 2, 3);
  near_to(sc_queue_slowed(&q), 2.5 / (2.5 + 1.75 * (stretch - 1)), 1e-12);
  q.detached = true;
  assert_true(sc_queue_slowed(&q) == 1);
  q.detached = false, q.processors = 0;
  assert_true(sc_queue_slowed(&q) == 1);
  q.processors = 2, q.hold = q.think = 0;
  assert_true(sc_queue_slowed(&q) == 1);
}

/* The fixed point: the queue's times are stretched by what those make of the processors who do not wait in it. */
TEST(queue_and_processors_agree_with_each_other)
{
  static const double customers[] = {1, 2, 3, 8, 20, 100}, others[] = {0, 2.5};
  for (size_t c = 0; c < COUNT(customers); c++)
    for (size_t o = 0; o < COUNT(others); o++) {
      sc_queue q = {.hold = 0.5, .think = 2, .hold_work = 0.25, .think_work = 1.5, .customers = customers[c]};
      q.stations = q.servers = 1, q.processors = 2, q.others = others[o], q.hold_exposed = 0.25;
      sc_queue_result r = sc_queue_solve(&q);
      sc_queue slow = {.hold = 0.5 + 0.25 * (r.stretch - 1), .think = 2 + 1.5 * (r.stretch - 1)};
      slow.customers = customers[c], slow.stations = slow.servers = 1;
      sc_queue_result alone = sc_queue_solve(&slow);
      near_to(r.wait, alone.wait, 1e-9);
      near_to(r.throughput, alone.throughput, 1e-9);
      near_to(r.cycle, slow.hold + slow.think, 1e-9);
      double running = fmax(fmin(1, customers[c]), customers[c] * (1 - r.share));
      near_to(r.stretch, sc_queue_stretch(running, 1.75, 0.75, 2, others[o]), 1e-3);
      near_to(r.blocked, alone.blocked * 0.5 / slow.hold, 1e-9);
      near_to(r.utilisation, fmin(1, r.throughput * (0.5 + 0.25 * (slow.hold - 0.5))), 1e-9);
    }
}
