/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any text as a dictionary of tokens, as the section that the pass writes, and as an input to split. */
#include "fuzz.h"

#include <string.h>

#include "runner/fuzz/tokens.h"

static void check_tokens(const sc_fuzz_tokens *tokens, size_t most)
{
  must(tokens->count <= most);
  for (size_t i = 0; i < tokens->count; i++) {
    must(tokens->list[i].size > 0 && tokens->list[i].size <= SC_FUZZ_TOKEN_BYTES);
    for (size_t k = 0; k < i; k++)
      must(tokens->list[i].size != tokens->list[k].size ||
           memcmp(tokens->list[i].bytes, tokens->list[k].bytes, tokens->list[i].size) != 0);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  sc_fuzz_tokens read = {0}, noted = {0}, split = {0};
  if (size > 4096) /* each token is compared with all others */
    return 0;
  if (sc_fuzz_tokens_dictionary(&read, (const char *)data, size, "dictionary") < 0)
    must(strstr(sc_err_message(), "dictionary:") != NULL);
  check_tokens(&read, size);
  must(sc_fuzz_tokens_section(&noted, data, size) == 0);
  check_tokens(&noted, size);
  must(sc_fuzz_tokens_split(&split, data, size) == 0);
  check_tokens(&split, size + 1);
  sc_fuzz_tokens_free(&read);
  sc_fuzz_tokens_free(&noted);
  sc_fuzz_tokens_free(&split);
  return 0;
}
