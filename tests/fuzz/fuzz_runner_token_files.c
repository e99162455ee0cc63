/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any file as a program that tokens are read from. */
#include "fuzz.h"

#include "runner/fuzz/tokens.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  sc_fuzz_tokens tokens = {0};
  must(sc_fuzz_tokens_file(&tokens, fuzz_file(data, size, 1)) == 0);
  for (size_t i = 0; i < tokens.count; i++)
    must(tokens.list[i].size > 0 && tokens.list[i].size <= SC_FUZZ_TOKEN_BYTES);
  sc_fuzz_tokens_free(&tokens);
  return 0;
}
