/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/fuzz/tokens.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/infile.h"
#include "base/number.h"
#include "runner/family/family.h"
#include "runner/text/tuning.h"

int sc_fuzz_tokens_add(sc_fuzz_tokens *tokens, const void *bytes, size_t size)
{
  if (size == 0 || size > SC_FUZZ_TOKEN_BYTES || tokens->count == SC_FUZZ_TOKENS)
    return 0;
  for (size_t i = 0; i < tokens->count; i++)
    if (tokens->list[i].size == size && memcmp(tokens->list[i].bytes, bytes, size) == 0)
      return 0;
  SC_TRY(sc_mem_grow(&tokens->list, &tokens->capacity, tokens->count + 1, sizeof *tokens->list));
  sc_fuzz_token *token = &tokens->list[tokens->count++];
  *token = (sc_fuzz_token){.size = (uint8_t)size};
  memcpy(token->bytes, bytes, size);
  return 0;
}

int sc_fuzz_tokens_basic(sc_fuzz_tokens *tokens)
{
  static const char basic[] = " \n\t!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~a1";
  for (const char *at = basic; *at; at++)
    SC_TRY(sc_fuzz_tokens_add(tokens, at, 1));
  return 0;
}

/* The value between the first quote and the one that ends the line, as AFL reads it: quotes in it need no backslash.
 * Some dictionaries have C's escapes, too. The number of its bytes, 0 if the line has no value. */
static size_t read_value(const char *at, const char *end, unsigned char *value, size_t room)
{
  size_t size = 0;
  while (end > at && isspace((unsigned char)end[-1]))
    end--;
  const char *quote = memchr(at, '"', (size_t)(end - at));
  if (!quote || quote + 1 >= end || end[-1] != '"')
    return 0;
  for (at = quote + 1, end--; at < end; at++) {
    unsigned char byte = (unsigned char)*at;
    if (size == room)
      return 0;
    if (byte == '\\') {
      bool hex = end - at > 3 && at[1] == 'x';
      int found = hex ? sc_number_hex(at + 2) : end - at > 1 ? sc_family_escaped(at[1]) : -1;
      if (found < 0)
        return 0;
      byte = (unsigned char)found;
      at += hex ? 3 : 1;
    }
    value[size++] = byte;
  }
  return size;
}

int sc_fuzz_tokens_dictionary(sc_fuzz_tokens *tokens, const char *text, size_t size, const char *name)
{
  unsigned char value[1024];
  size_t line = 1;
  for (const char *at = text, *end = text + size; at < end; line++) {
    const char *next = memchr(at, '\n', (size_t)(end - at));
    const char *stop = next ? next : end;
    while (at < stop && isspace((unsigned char)*at))
      at++;
    if (at < stop && *at != '#') {
      size_t bytes = read_value(at, stop, value, sizeof value);
      if (bytes == 0) {
        (void)sc_err_set(SC_E_INPUT, "%s:%zu: no entry of a dictionary", name, line);
        return sc_err_hint(SC_E_INPUT,
                           "lines are NAME=\"VALUE\", with \\\\, \\\", \\n, \\r, \\t and \\xHH in the value");
      }
      SC_TRY(sc_fuzz_tokens_add(tokens, value, bytes));
    }
    at = next ? next + 1 : end;
  }
  return 0;
}

static int byte_class(unsigned char c) { return isalpha(c) || c >= 0x80 ? 0 : isdigit(c) ? 1 : isspace(c) ? 2 : 3; }

int sc_fuzz_tokens_split(sc_fuzz_tokens *tokens, const void *input, size_t size)
{
  const unsigned char *bytes = input;
  for (size_t from = 0, to; from < size; from = to) {
    for (to = from + 1; to < size && byte_class(bytes[to]) == byte_class(bytes[from]); to++)
      ;
    SC_TRY(sc_fuzz_tokens_add(tokens, bytes + from, to - from));
    if (byte_class(bytes[from]) == 3) /* delimiters, each by itself, too */
      for (size_t i = from; i < to; i++)
        SC_TRY(sc_fuzz_tokens_add(tokens, bytes + i, 1));
  }
  return 0;
}

static int by_token_name(const struct dirent **a, const struct dirent **b)
{
  return strcmp((*a)->d_name, (*b)->d_name);
}

static int split_file(sc_fuzz_tokens *tokens, const char *folder, const char *name)
{
  enum { SEED_BYTES = 1 << 20 };
  sc_buf path = {0}, text = {0};
  sc_buf_printf(&path, "%s/%s", folder, name);
  int err = sc_buf_finish(&path);
  if (err == 0 && sc_infile_read(path.text, SC_E_INPUT, path.text, SEED_BYTES, &text) == 0) /* folders are no seeds */
    err = sc_fuzz_tokens_split(tokens, text.text, text.length);
  sc_buf_free(&text);
  sc_buf_free(&path);
  return err;
}

int sc_fuzz_tokens_seeds(sc_fuzz_tokens *tokens, const char *folder)
{
  struct dirent **names;
  int err = 0, count = scandir(folder, &names, NULL, by_token_name);
  if (count < 0)
    return sc_err_system(SC_E_INPUT, errno, "the folder of seeds %s cannot be read", folder);
  for (int i = 0; i < count; i++) {
    if (err == 0 && names[i]->d_name[0] != '.')
      err = split_file(tokens, folder, names[i]->d_name);
    free(names[i]);
  }
  free(names);
  return err;
}

void sc_fuzz_tokens_free(sc_fuzz_tokens *tokens)
{
  free(tokens->list);
  *tokens = (sc_fuzz_tokens){0};
}
