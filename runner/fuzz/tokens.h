/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "runner/fuzz_target/target.h"

/* What families are made of, each once, of 1 to SC_FUZZ_TOKEN_BYTES bytes. Longer ones are left out. */
enum { SC_FUZZ_TOKEN_BYTES = 32 };
typedef struct sc_fuzz_token {
  uint8_t size;
  unsigned char bytes[SC_FUZZ_TOKEN_BYTES];
} sc_fuzz_token;
typedef struct sc_fuzz_tokens {
  sc_fuzz_token *list; /* [count] */
  size_t count, capacity;
} sc_fuzz_tokens;

/* Copied, unless it is there or its length is left out. SC_E_NOMEM. */
int sc_fuzz_tokens_add(sc_fuzz_tokens *tokens, const void *bytes, size_t size) SC_CHECK;
/* Punctuation, blanks, a letter and a digit. */
int sc_fuzz_tokens_basic(sc_fuzz_tokens *tokens) SC_CHECK;
/* A dictionary as AFL and libFuzzer have them: lines NAME="VALUE" or "VALUE" with \\, \", \n, \r, \t and \xHH; # begins
 * a comment.
 * SC_E_INPUT with the line for others. */
int sc_fuzz_tokens_dictionary(sc_fuzz_tokens *tokens, const char *text, size_t size, const char *name) SC_CHECK;
/* Words and delimiters of an input that is right: runs of letters, of digits and of other bytes. */
int sc_fuzz_tokens_split(sc_fuzz_tokens *tokens, const void *bytes, size_t size) SC_CHECK;
/* All files of a folder, split. SC_E_INPUT if it cannot be read. */
int sc_fuzz_tokens_seeds(sc_fuzz_tokens *tokens, const char *folder) SC_CHECK;
/* What the program compares with, as its files tell: characters first, then strings that it looks for, then others,
 * SC_FUZZ_PROGRAM_TOKENS of a file at most. A file that says nothing, or cannot be read, adds none. */
int sc_fuzz_tokens_program(sc_fuzz_tokens *tokens, const struct sc_fuzz_target *target) SC_CHECK;
int sc_fuzz_tokens_file(sc_fuzz_tokens *tokens, const char *path) SC_CHECK;
/* The same from the bytes of the section; malformed entries are skipped. */
int sc_fuzz_tokens_section(sc_fuzz_tokens *tokens, const void *text, size_t size) SC_CHECK;
void sc_fuzz_tokens_free(sc_fuzz_tokens *tokens);
