/* SPDX-License-Identifier: MIT */
#include "work.h"
#include "valgrind.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

extern char *__stpcpy_chk(char *to, const char *from, size_t room) __attribute__((weak));
extern char *__strcat_chk(char *to, const char *from, size_t room) __attribute__((weak));
extern char *__strcpy_chk(char *to, const char *from, size_t room) __attribute__((weak));

/* ---- comparing ------------------------------------------------------------------ */

enum { WORD = sizeof(uint64_t), BITS = 8, PAGE = 4096, CHUNK = 64, STEP = 256 };

extern void __asan_init(void) __attribute__((weak));
/* How far into a page a word may begin: within it. Negative where somebody watches which bytes are read: then nothing
   but the library's own functions reads the program's. */
static int32_t work_page = -1;

static __attribute__((constructor(101))) void work_begin(void)
{
  if (!__asan_init && !__scale_valgrind_checks_memory())
    work_page = PAGE - WORD;
}

/* Whether words can be read from there: they are in the same page as their first bytes. */
static inline int work_can_peek(const char *a, const char *b)
{
  return (int32_t)(((uintptr_t)a | (uintptr_t)b) & (PAGE - 1)) <= work_page;
}

static inline uint64_t work_peek(const char *at)
{
  uint64_t word;

  __builtin_memcpy(&word, at, WORD);
  return word;
}

/* The lowest byte of a word that is 0, by its highest bit; those above it may be wrong. */
static inline uint64_t work_zero(uint64_t word)
{
  return (word - UINT64_C(0x0101010101010101)) & ~word & UINT64_C(0x8080808080808080);
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

/* Compares the next eight bytes of two strings that are equal up to `at`. 1: *result says how they compare, as it
 * mostly does at the first eight; 0: both go on. */
static inline int work_tells(const char *a, const char *b, size_t at, struct sc_worked *result)
{
  uint64_t first = work_peek(a + at), second = work_peek(b + at);
  uint64_t tells = (first ^ second) | work_zero(first);
  uint64_t byte;

  if (!tells)
    return 0;
  byte = (uint64_t)__builtin_ctzll(tells) & ~UINT64_C(7);
  *result = SC_COMPARED((int64_t)(uint8_t)(first >> byte) - (uint8_t)(second >> byte), at + byte / BITS);
  return 1;
}

/* Compares at most `bytes` of two strings that are known to be equal up to `at`. */
static __attribute__((noinline)) struct sc_worked work_rest(const char *a, const char *b, size_t at, size_t bytes)
{
  struct sc_worked result;
  int order;

  for (; at < CHUNK && at + WORD <= bytes && work_can_peek(a + at, b + at); at += WORD)
    if (work_tells(a, b, at, &result))
      return result;
  order = strncmp(a + at, b + at, bytes - at);
  return SC_COMPARED(order, at + (order ? work_prefix(a + at, b + at, strncmp) : strnlen(a + at, bytes - at)));
}

static __attribute__((noinline)) struct sc_worked work_strcmp(const char *a, const char *b)
{
  int order;

  if (work_page >= 0)
    return work_rest(a, b, 0, SIZE_MAX);
  order = strcmp(a, b);
  return SC_COMPARED(order, order ? work_prefix(a, b, strncmp) : strlen(a));
}

SC_WORK(strcmp)(const char *a, const char *b)
{
  struct sc_worked result;

  if (!__builtin_expect(work_can_peek(a, b), 1))
    return work_strcmp(a, b);
  return __builtin_expect(work_tells(a, b, 0, &result), 1) ? result : work_rest(a, b, WORD, SIZE_MAX);
}

SC_WORK(strncmp)(const char *a, const char *b, size_t bytes)
{
  struct sc_worked result;

  if (bytes < WORD || !__builtin_expect(work_can_peek(a, b), 1))
    return work_rest(a, b, 0, bytes);
  return __builtin_expect(work_tells(a, b, 0, &result), 1) ? result : work_rest(a, b, WORD, bytes);
}

SC_WORK(strcasecmp)(const char *a, const char *b)
{
  int order = strcasecmp(a, b);

  return SC_COMPARED(order, order ? work_prefix(a, b, strncasecmp) : strlen(a));
}

SC_WORK(strncasecmp)(const char *a, const char *b, size_t bytes)
{
  int order = strncasecmp(a, b, bytes);

  return SC_COMPARED(order, order ? work_prefix(a, b, strncasecmp) : strnlen(a, bytes));
}

/* As work_equal() below, where the first chunk is equal and more follows. */
static __attribute__((noinline)) size_t work_equal_far(const char *a, const char *b, size_t bytes)
{
  size_t equal = CHUNK;

  while (equal + STEP < bytes && memcmp(a + equal, b + equal, STEP) == 0)
    equal += STEP;
  while (equal + WORD < bytes && work_peek(a + equal) == work_peek(b + equal))
    equal += WORD;
  while (a[equal] == b[equal])
    equal++;
  return equal;
}

/* How many bytes of two that differ within `bytes` are equal. */
static inline size_t work_equal(const char *a, const char *b, size_t bytes)
{
  size_t equal = 0, words = bytes < CHUNK ? bytes & ~(size_t)(WORD - 1) : CHUNK;

  for (; equal < words; equal += WORD) {
    uint64_t differ = work_peek(a + equal) ^ work_peek(b + equal);

    if (differ)
      return equal + (unsigned)__builtin_ctzll(differ) / BITS;
  }
  if (bytes > CHUNK)
    return work_equal_far(a, b, bytes);
  while (a[equal] == b[equal])
    equal++;
  return equal;
}

static __attribute__((noinline)) struct sc_worked work_memcmp(const char *a, const char *b, size_t bytes)
{
  int order = memcmp(a, b, bytes);

  return SC_COMPARED(order, order ? work_equal(a, b, bytes) : bytes);
}

/* The eight bytes there. 1: they differ, and *result is set. */
static inline int work_differs(const char *a, const char *b, size_t at, struct sc_worked *result)
{
  uint64_t differ = work_peek(a + at) ^ work_peek(b + at);

  if (!differ)
    return 0;
  at += (uint64_t)__builtin_ctzll(differ) / BITS;
  *result = SC_COMPARED((int64_t)(uint8_t)a[at] - (uint8_t)b[at], at);
  return 1;
}

/* Few bytes are compared here: the library's function would be called, and then the place be looked for all the same.
 */
SC_WORK(memcmp)(const char *a, const char *b, size_t bytes)
{
  struct sc_worked result;

  if (bytes < WORD || bytes > CHUNK || work_page < 0)
    return work_memcmp(a, b, bytes);
  for (size_t at = 0; at + WORD <= bytes; at += WORD)
    if (work_differs(a, b, at, &result))
      return result;
  return work_differs(a, b, bytes - WORD, &result) ? result : SC_COMPARED(0, bytes);
}

/* ---- copying --------------------------------------------------------------------- */

SC_WORK(strcpy)(char *to, const char *from) { return SC_WORKED(to, stpcpy(to, from) - to); }

SC_WORK(strcat)(char *to, const char *from) { return SC_WORKED(to, stpcpy(to + strlen(to), from) - to); }

SC_WORK(strncat)(char *to, const char *from, size_t bytes)
{
  size_t old = strlen(to), more = strnlen(from, bytes);

  memcpy(to + old, from, more);
  to[old + more] = 0;
  return SC_WORKED(to, old + more);
}

SC_WORK(__strcpy_chk)(char *to, const char *from, size_t room)
{
  if (!__stpcpy_chk)
    return SC_WORKED(__strcpy_chk(to, from, room), strlen(from));
  return SC_WORKED(to, __stpcpy_chk(to, from, room) - to);
}

SC_WORK(__strcat_chk)(char *to, const char *from, size_t room)
{
  size_t old = strlen(to);

  if (!__stpcpy_chk || old > room)
    return SC_WORKED(__strcat_chk(to, from, room), strlen(to));
  return SC_WORKED(to, __stpcpy_chk(to + old, from, room - old) - to);
}

SC_WORK(strdup)(const char *text)
{
  size_t length = strlen(text);
  char *copy = malloc(length + 1);

  return SC_WORKED(copy ? memcpy(copy, text, length + 1) : NULL, length);
}

SC_WORK(strndup)(const char *text, size_t most)
{
  size_t length = strnlen(text, most);
  char *copy = malloc(length + 1);

  if (copy) {
    memcpy(copy, text, length);
    copy[length] = 0;
  }
  return SC_WORKED(copy, length);
}

/* ---- searching --------------------------------------------------------------------- */

SC_WORK(strchr)(const char *text, int byte)
{
  const char *at = strchrnul(text, byte);

  return SC_WORKED(*at == (char)byte ? at : NULL, at - text);
}

SC_WORK(strrchr)(const char *text, int byte)
{
  size_t length = strlen(text);

  return SC_WORKED(memrchr(text, byte, length + 1), length);
}

SC_WORK(strstr)(const char *text, const char *word)
{
  const char *at = strstr(text, word);

  return SC_WORKED(at, at ? (size_t)(at - text) : strlen(text));
}

SC_WORK(strcasestr)(const char *text, const char *word)
{
  const char *at = strcasestr(text, word);

  return SC_WORKED(at, at ? (size_t)(at - text) : strlen(text));
}

SC_WORK(strpbrk)(const char *text, const char *any)
{
  size_t before = strcspn(text, any);

  return SC_WORKED(text[before] ? text + before : NULL, before);
}

/* ---- taking apart -------------------------------------------------------------------- */

/* Where the function goes on next time, only the library knows: without what it skips in front of a token. */
SC_WORK(strtok)(char *text, const char *between)
{
  char *token = strtok(text, between);

  return SC_WORKED(token, token ? strlen(token) + (text ? (size_t)(token - text) : 0) : 0);
}

SC_WORK(strtok_r)(char *text, const char *between, char **next)
{
  char *start = text ? text : *next, *token = strtok_r(text, between, next);

  return SC_WORKED(token, start && *next ? *next - start : 0);
}

SC_WORK(strsep)(char **text, const char *between)
{
  char *token = strsep(text, between);

  return SC_WORKED(token, !token ? 0 : *text ? (size_t)(*text - token) : strlen(token));
}

SC_WORK(atol)(const char *text)
{
  char *end;
  long number = strtol(text, &end, 10);

  return SC_COMPARED(number, end - text);
}

SC_WORK(atoi)(const char *text)
{
  struct sc_worked all = __scale_work_atol(text);

  return SC_COMPARED((int)all.result, all.units);
}
