/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which families, at which sizes, with which noise. */
#include <stddef.h>
#include <string.h>

#include "bench.h"

/* The first three are the public suite's. */
static const sc_layout tuning_layouts[] = {{"5", 20, 1280, 5},
                                           {"7", 20, 1280, 7},
                                           {"9", 20, 1280, 9},
                                           {"4", 20, 1280, 4},
                                           {"12", 20, 1280, 12},
                                           {"6 to 10000", 100, 10000, 6},
                                           {"7 to 1e6", 1000, 1e6, 7},
                                           {"8 random", 25, 2500, 8, true},
                                           {0}};
static const sc_noise tuning_noises[] = {{"0", SC_NOISE_NONE, 0},
                                         {"1%", SC_NOISE_NORMAL, 0.01},
                                         {"5%", SC_NOISE_NORMAL, 0.05},
                                         {"1% lognormal", SC_NOISE_LOGNORMAL, 0.01},
                                         {"5% lognormal", SC_NOISE_LOGNORMAL, 0.05},
                                         {"2% uneven", SC_NOISE_UNEVEN, 0.02},
                                         {"1% outliers", SC_NOISE_OUTLIERS, 0.01},
                                         {0}};
static const sc_layout holdout_layouts[] = {{"5 to 32000", 500, 32000, 5},   {"6 to 4096", 16, 4096, 6},
                                            {"8 to 5000", 50, 5000, 8},      {"10 to 2000", 10, 2000, 10},
                                            {"7 random", 30, 3000, 7, true}, {0}};
static const sc_noise holdout_noises[] = {{"0", SC_NOISE_NONE, 0},
                                          {"1%", SC_NOISE_NORMAL, 0.01},
                                          {"5%", SC_NOISE_NORMAL, 0.05},
                                          {"3% lognormal", SC_NOISE_LOGNORMAL, 0.03},
                                          {"2% outliers", SC_NOISE_OUTLIERS, 0.02},
                                          {0}};
/* For the test. */
static const sc_layout quick_layouts[] = {{"5", 20, 1280, 5}, {"7", 20, 1280, 7}, {"9", 20, 1280, 9}, {0}};
static const sc_noise quick_noises[] = {
    {"0", SC_NOISE_NONE, 0}, {"1%", SC_NOISE_NORMAL, 0.01}, {"5%", SC_NOISE_NORMAL, 0.05}, {0}};

enum { TUNING_SEED = 20260, HOLDOUT_SEED = 977, INSTANCES = 12, QUICK_INSTANCES = 6, QUICK_HOLDOUT = 4 };

static const sc_set sets[] = {
    {"tuning", SC_FAMILIES_TUNING, tuning_layouts, tuning_noises, INSTANCES, TUNING_SEED},
    {"tuning", SC_COUNTS_TUNING, tuning_layouts, tuning_noises, INSTANCES, TUNING_SEED},
    {"outside", SC_FAMILIES_OUTSIDE, tuning_layouts, tuning_noises, INSTANCES, TUNING_SEED},
    {"outside", SC_COUNTS_OUTSIDE, tuning_layouts, tuning_noises, INSTANCES, TUNING_SEED},
    {"holdout", SC_FAMILIES_HOLDOUT, holdout_layouts, holdout_noises, INSTANCES, HOLDOUT_SEED},
    {"holdout", SC_COUNTS_HOLDOUT, holdout_layouts, holdout_noises, INSTANCES, HOLDOUT_SEED},
};
static const sc_set quick_sets[] = {
    {"tuning", SC_FAMILIES_TUNING, quick_layouts, quick_noises, QUICK_INSTANCES, TUNING_SEED},
    {"tuning", SC_COUNTS_TUNING, quick_layouts, quick_noises, QUICK_INSTANCES, TUNING_SEED},
    {"outside", SC_FAMILIES_OUTSIDE, quick_layouts, quick_noises, QUICK_INSTANCES, TUNING_SEED},
    {"outside", SC_COUNTS_OUTSIDE, quick_layouts, quick_noises, QUICK_INSTANCES, TUNING_SEED},
    {"holdout", SC_FAMILIES_HOLDOUT, holdout_layouts, quick_noises, QUICK_HOLDOUT, HOLDOUT_SEED},
    {"holdout", SC_COUNTS_HOLDOUT, holdout_layouts, quick_noises, QUICK_HOLDOUT, HOLDOUT_SEED},
};

const sc_set *sc_sets_find(const char *name, bool quick)
{
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i += 2)
    if (!strcmp(sets[i].name, name))
      return quick ? quick_sets + i : sets + i;
  return NULL;
}
