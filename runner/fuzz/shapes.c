/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Candidates in a fixed order: each token, lists in brackets, each token with keys of records, then two, then three. */
#include <string.h>

#include "runner/fuzz/internal.h"

static void put_token(const sc_fuzz_searching *s, size_t token, enum sc_family_times times, sc_family *family)
{
  const sc_fuzz_token *t = &s->tokens->list[token];
  (void)sc_family_add(family, t->bytes, t->size, times, 1);
}

/* The shape of two tokens: repeated one behind the other, or in turns. */
static void put_pair(const sc_fuzz_searching *s, size_t a, size_t c, bool turns, sc_family *family)
{
  if (!turns) {
    put_token(s, a, SC_FAMILY_N, family);
    put_token(s, c, SC_FAMILY_N, family);
    return;
  }
  (void)sc_family_add_part(family, SC_FAMILY_OPEN, SC_FAMILY_N, 0);
  put_token(s, a, SC_FAMILY_FIXED, family);
  put_token(s, c, SC_FAMILY_FIXED, family);
  (void)sc_family_add_part(family, SC_FAMILY_CLOSE, SC_FAMILY_FIXED, 1);
}

static void put_three(const sc_fuzz_searching *s, const size_t token[3], bool turns, sc_family *family)
{
  if (turns)
    (void)sc_family_add_part(family, SC_FAMILY_OPEN, SC_FAMILY_N, 0);
  put_token(s, token[0], turns ? SC_FAMILY_FIXED : SC_FAMILY_N, family);
  put_token(s, token[1], SC_FAMILY_FIXED, family);
  put_token(s, token[2], turns ? SC_FAMILY_FIXED : SC_FAMILY_N, family);
  if (turns)
    (void)sc_family_add_part(family, SC_FAMILY_CLOSE, SC_FAMILY_FIXED, 1);
}

/* Records that are nothing but a key and a token, in front of it or behind it. */
enum { KEYS = SC_FAMILY_COLLIDE33 - SC_FAMILY_INDEX + 1 };
static void put_record(const sc_fuzz_searching *s, size_t token, enum sc_family_kind key, bool behind,
                       sc_family *family)
{
  (void)sc_family_add_part(family, SC_FAMILY_OPEN, SC_FAMILY_N, 0);
  if (!behind)
    put_token(s, token, SC_FAMILY_FIXED, family);
  (void)sc_family_add_part(family, key, SC_FAMILY_FIXED, 1);
  if (behind)
    put_token(s, token, SC_FAMILY_FIXED, family);
  (void)sc_family_add_part(family, SC_FAMILY_CLOSE, SC_FAMILY_FIXED, 1);
}

static void put_text(const char *text, sc_family *family)
{
  (void)sc_family_add(family, text, strlen(text), SC_FAMILY_FIXED, 1);
}

static void put_character(const char *at, enum sc_family_times times, sc_family *family)
{
  (void)sc_family_add(family, at, 1, times, 1);
}

/* Lists in brackets, as data and code have them: what a program accepts as a whole, and then works on, is hardly ever
 * hit on token by token. NULL: an element whose key is its number. */
static const char *const list_elements[] = {"1", "\"a\"", "\"a\":1", NULL};
static const char list_brackets[] = "[](){}<>", list_separators[] = ",; ";
enum {
  ELEMENTS = sizeof list_elements / sizeof *list_elements,
  SEPARATORS = sizeof list_separators - 1,
  LISTS = ELEMENTS * SEPARATORS * (sizeof list_brackets / 2),
  NESTINGS = sizeof list_brackets / 2 /* each around the first element */
};

static void put_nesting(size_t at, sc_family *family)
{
  put_character(&list_brackets[2 * at], SC_FAMILY_N, family);
  put_text(list_elements[0], family);
  put_character(&list_brackets[2 * at + 1], SC_FAMILY_N, family);
}

static void put_list(unsigned at, sc_family *family)
{
  const char *element = list_elements[at % ELEMENTS], *separator = &list_separators[at / ELEMENTS % SEPARATORS];
  const char *bracket = &list_brackets[2 * (at / ELEMENTS / SEPARATORS)];
  put_character(bracket, SC_FAMILY_FIXED, family);
  (void)sc_family_add_part(family, SC_FAMILY_OPEN, SC_FAMILY_N, 0);
  if (element) {
    put_text(element, family);
  } else {
    put_text("\"", family);
    (void)sc_family_add_part(family, SC_FAMILY_INDEX, SC_FAMILY_FIXED, 1);
    put_text("\":1", family);
  }
  put_character(separator, SC_FAMILY_FIXED, family);
  (void)sc_family_add_part(family, SC_FAMILY_CLOSE, SC_FAMILY_FIXED, 1);
  put_text(element ? element : "\"a\":1", family);
  put_character(bracket + 1, SC_FAMILY_FIXED, family);
}

bool sc_fuzz_singles_left(const sc_fuzz_searching *s) { return s->next < s->tokens->count + LISTS + NESTINGS; }

bool sc_fuzz_next(sc_fuzz_searching *s, sc_family *family)
{
  size_t count = s->tokens->count;
  uint64_t at = s->next++;
  *family = (sc_family){0};
  if (at < count) {
    put_token(s, at, SC_FAMILY_N, family);
    return true;
  }
  at -= count;
  if (at < LISTS) {
    put_list((unsigned)at, family);
    return true;
  }
  at -= LISTS;
  if (at < NESTINGS) {
    put_nesting(at, family);
    return true;
  }
  at -= NESTINGS;
  uint64_t records = 2 * KEYS * (uint64_t)count;
  if (at < records) {
    put_record(s, at / KEYS / 2, SC_FAMILY_INDEX + (unsigned)(at / 2 % KEYS), at % 2 == 0, family);
    return true;
  }
  at -= records;
  uint64_t pairs = 2 * (uint64_t)count * count;
  if (at < pairs) {
    put_pair(s, at / 2 % count, at / 2 / count, at % 2, family);
    return true;
  }
  at -= pairs;
  if (at >= pairs * count)
    return false;
  put_three(s, (size_t[3]){at / 2 % count, at / 2 / count % count, at / 2 / count / count}, at % 2, family);
  return true;
}
