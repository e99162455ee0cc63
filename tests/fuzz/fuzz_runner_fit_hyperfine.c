/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hyperfine's JSON and CSV as `scale-run fit` reads them. */
#include "fit_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  return fit_fuzz(size && *data == '{' ? sc_hyperfine_read : sc_hyperfine_csv_read, data, size);
}
