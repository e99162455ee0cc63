/* SPDX-License-Identifier: MIT */
#include "work.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

extern char *__stpcpy_chk(char *to, const char *from, size_t room) __attribute__((weak));
extern char *__strcat_chk(char *to, const char *from, size_t room) __attribute__((weak));
extern char *__strcpy_chk(char *to, const char *from, size_t room) __attribute__((weak));

#define WORKED(result, units)   ((struct sc_worked){(uint64_t)(uintptr_t)(result), (uint64_t)(units)})
#define COMPARED(result, units) ((struct sc_worked){(uint64_t)(int64_t)(result), (uint64_t)(units)})

/* ---- comparing ------------------------------------------------------------------ */

/* Words at multiples of their size lie in pages that their bytes are in; Valgrind, too, lets them be read whole. */
enum { WORD = sizeof(uint64_t), BITS = 8, CHUNK = 64 };

/* The bytes of the word from `at` on, lowest first; how many bits they are in *bits. */
static inline uint64_t work_peek(const char *at, unsigned *bits)
{
  unsigned skipped = (uintptr_t)at % WORD * BITS;

  *bits = WORD * BITS - skipped;
  return *(const uint64_t *)(uintptr_t)(at - (uintptr_t)at % WORD) >> skipped;
}

/* Where two first bytes that can be told at once differ; WORD: they don't. */
static inline size_t work_differ(const char *a, const char *b)
{
  unsigned of_a, of_b, bits, least;
  uint64_t differ = work_peek(a, &of_a) ^ work_peek(b, &of_b);

  least = of_a < of_b ? of_a : of_b;
  bits = differ ? (unsigned)__builtin_ctzll(differ) : WORD * BITS;
  return bits < least ? bits / BITS : WORD;
}

typedef int work_compare(const char *a, const char *b, size_t bytes);

/* How many bytes of two strings that differ are equal to `compare`: by chunks, and by halves in the one that differs.
 */
static __attribute__((noinline)) size_t work_prefix(const char *a, const char *b, work_compare *compare)
{
  size_t equal = 0, chunk = CHUNK;

  while (compare(a + equal, b + equal, chunk) == 0) {
    equal += chunk;
    chunk *= 2;
  }
  while (chunk > 1) {
    chunk /= 2;
    if (compare(a + equal, b + equal, chunk) == 0)
      equal += chunk;
  }
  return equal;
}

/* The same of bytes that are compared as they are: mostly the first few tell. */
static inline size_t work_common(const char *a, const char *b)
{
  size_t at = work_differ(a, b);

  return __builtin_expect(at < WORD, 1) ? at : work_prefix(a, b, strncmp);
}

SC_WORK(strcmp)(const char *a, const char *b)
{
  int order = strcmp(a, b);

  return COMPARED(order, order ? work_common(a, b) : strlen(a));
}

SC_WORK(strncmp)(const char *a, const char *b, size_t bytes)
{
  int order = strncmp(a, b, bytes);

  return COMPARED(order, order ? work_common(a, b) : strnlen(a, bytes));
}

SC_WORK(strcasecmp)(const char *a, const char *b)
{
  int order = strcasecmp(a, b);

  return COMPARED(order, order ? work_prefix(a, b, strncasecmp) : strlen(a));
}

SC_WORK(strncasecmp)(const char *a, const char *b, size_t bytes)
{
  int order = strncasecmp(a, b, bytes);

  return COMPARED(order, order ? work_prefix(a, b, strncasecmp) : strnlen(a, bytes));
}

/* How many bytes of two that differ within `bytes` are equal. */
static __attribute__((noinline)) size_t work_equal(const char *a, const char *b, size_t bytes)
{
  size_t equal = 0, chunk = CHUNK;

  while (chunk < bytes - equal && memcmp(a + equal, b + equal, chunk) == 0) {
    equal += chunk;
    chunk *= 2;
  }
  while (chunk > 1) {
    chunk /= 2;
    if (chunk <= bytes - equal && memcmp(a + equal, b + equal, chunk) == 0)
      equal += chunk;
  }
  return equal;
}

SC_WORK(memcmp)(const char *a, const char *b, size_t bytes)
{
  int order = memcmp(a, b, bytes);
  size_t at = order ? work_differ(a, b) : bytes;

  return COMPARED(order, order && at == WORD ? work_equal(a, b, bytes) : at);
}

/* ---- copying --------------------------------------------------------------------- */

SC_WORK(strcpy)(char *to, const char *from) { return WORKED(to, stpcpy(to, from) - to); }

SC_WORK(strcat)(char *to, const char *from) { return WORKED(to, stpcpy(to + strlen(to), from) - to); }

SC_WORK(strncat)(char *to, const char *from, size_t bytes)
{
  size_t old = strlen(to), more = strnlen(from, bytes);

  memcpy(to + old, from, more);
  to[old + more] = 0;
  return WORKED(to, old + more);
}

SC_WORK(__strcpy_chk)(char *to, const char *from, size_t room)
{
  if (!__stpcpy_chk)
    return WORKED(__strcpy_chk(to, from, room), strlen(from));
  return WORKED(to, __stpcpy_chk(to, from, room) - to);
}

SC_WORK(__strcat_chk)(char *to, const char *from, size_t room)
{
  size_t old = strlen(to);

  if (!__stpcpy_chk || old > room)
    return WORKED(__strcat_chk(to, from, room), strlen(to));
  return WORKED(to, __stpcpy_chk(to + old, from, room - old) - to);
}

SC_WORK(strdup)(const char *text)
{
  size_t length = strlen(text);
  char *copy = malloc(length + 1);

  return WORKED(copy ? memcpy(copy, text, length + 1) : NULL, length);
}

SC_WORK(strndup)(const char *text, size_t most)
{
  size_t length = strnlen(text, most);
  char *copy = malloc(length + 1);

  if (copy) {
    memcpy(copy, text, length);
    copy[length] = 0;
  }
  return WORKED(copy, length);
}

SC_WORK(wcscpy)(wchar_t *to, const wchar_t *from) { return WORKED(to, wcpcpy(to, from) - to); }

SC_WORK(wcscat)(wchar_t *to, const wchar_t *from) { return WORKED(to, wcpcpy(to + wcslen(to), from) - to); }

/* ---- searching --------------------------------------------------------------------- */

SC_WORK(strchr)(const char *text, int byte)
{
  const char *at = strchrnul(text, byte);

  return WORKED(*at == (char)byte ? at : NULL, at - text);
}

SC_WORK(strrchr)(const char *text, int byte)
{
  size_t length = strlen(text);

  return WORKED(memrchr(text, byte, length + 1), length);
}

SC_WORK(strstr)(const char *text, const char *word)
{
  const char *at = strstr(text, word);

  return WORKED(at, at ? (size_t)(at - text) : strlen(text));
}

SC_WORK(strcasestr)(const char *text, const char *word)
{
  const char *at = strcasestr(text, word);

  return WORKED(at, at ? (size_t)(at - text) : strlen(text));
}

SC_WORK(strpbrk)(const char *text, const char *any)
{
  size_t before = strcspn(text, any);

  return WORKED(text[before] ? text + before : NULL, before);
}

/* ---- taking apart -------------------------------------------------------------------- */

/* Where the function goes on next time, only the library knows: without what it skips in front of a token. */
SC_WORK(strtok)(char *text, const char *between)
{
  char *token = strtok(text, between);

  return WORKED(token, token ? strlen(token) + (text ? (size_t)(token - text) : 0) : 0);
}

SC_WORK(strtok_r)(char *text, const char *between, char **next)
{
  char *start = text ? text : *next, *token = strtok_r(text, between, next);

  if (token)
    return WORKED(token, token - start + (ptrdiff_t)strlen(token));
  return WORKED(NULL, start && *next ? *next - start : 0);
}

SC_WORK(strsep)(char **text, const char *between)
{
  char *token = strsep(text, between);

  return WORKED(token, !token ? 0 : *text ? (size_t)(*text - token) : strlen(token));
}

SC_WORK(atol)(const char *text)
{
  char *end;
  long number = strtol(text, &end, 10);

  return COMPARED(number, end - text);
}

SC_WORK(atoi)(const char *text)
{
  struct sc_worked all = __scale_work_atol(text);

  return COMPARED((int)all.result, all.units);
}
