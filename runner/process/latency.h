/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "profiles/study/study.h"
#include "transitions/model/latency.h"

/* Measures what the memory of this machine takes, in some 0.05 s of processor time and 32 MiB. What cannot be measured
 * (no memory) stays 0. */
void sc_latency_measure(sc_latency *latency);
/* Measures it, and keeps in the study what was found so far: means, and the least and most of all moments. */
int sc_latency_keep(sc_study *study) SC_CHECK;
/* As the study has it; all 0 where it has none. */
int sc_latency_load(sc_study *study, sc_latency *latency) SC_CHECK;
