/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Google Benchmark's JSON as `scale-run fit` reads it. */
#include "fit_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fit_fuzz(sc_benchmark_read, data, size); }
