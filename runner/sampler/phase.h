/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdint.h>

/*
 * When samples fall. A thread's first one comes a period after its start, so that in runs of a few milliseconds all of
 * them would fall into the same piece of code, run after run, and that would look dear. Each run has a period of its
 * own instead, between 1/sqrt(2) and sqrt(2) times the one asked for; and each sample is weighed by how likely one was
 * to fall there, so that on average over the runs every moment counts the same, but for the first 0.7 periods of a
 * thread, which have no samples.
 */

/* A period for one run: random, by its logarithm evenly spread around `period`. */
uint64_t sc_sampler_phase_period(uint64_t period);
/* What the `number`th sample (from 1) of a thread stands for, in units of its period, which is `ratio` times the one
 * asked for. 1 on average over many samples. */
double sc_sampler_phase_weight(uint32_t number, double ratio);
