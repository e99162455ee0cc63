/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions that stand in for the C library's: the same results, and how much work it was, by counting bytes. */
#include "unit.h"

#include <stdlib.h>
#include <strings.h>
#include <sys/mman.h>
#include <wchar.h>

#include "instrument/runtime/work.h"

enum { PAGE = 4096, MOST = 700, ROUNDS = 40000 };

/* Two pages of their own, with nothing behind each: what reads too far crashes. */
static char *pages[2];

static int set_up(void **state)
{
  for (int i = 0; i < 2; i++) {
    pages[i] = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages[i] == MAP_FAILED || munmap(pages[i] + PAGE, PAGE) != 0)
      return -1;
  }
  return 0;
}

static size_t below(size_t most) { return (size_t)rand() % most; }

/* A string of letters, at the end of its page or anywhere near its start. */
static char *place(int page, size_t length)
{
  char *at = rand() & 1 ? pages[page] + PAGE - length - 1 : pages[page] + below(16);
  for (size_t i = 0; i < length; i++)
    at[i] = (char)("abAB"[below(4)]);
  at[length] = 0;
  return at;
}

/* Two strings that are equal for a while. */
static void place_both(char **a, char **b)
{
  size_t first = below(MOST), second = below(MOST), equal = below((first < second ? first : second) + 1);
  if (rand() % 4 == 0) /* mostly short ones */
    first = second = equal = below(MOST);
  *a = place(0, first);
  *b = place(1, second);
  memcpy(*b, *a, equal);
}

static size_t common(const char *a, const char *b, size_t most, int same(int, int))
{
  size_t at = 0;
  while (at < most && a[at] && same(a[at], b[at]))
    at++;
  return at;
}

static int is_equal(int a, int b) { return a == b; }
static int is_equal_letter(int a, int b) { return (a | 32) == (b | 32); }

static void expect(struct sc_worked got, int64_t result, size_t units)
{
  assert_int_equal((int64_t)got.result, result);
  assert_int_equal(got.units, units);
}

/* Of memcmp: what glibc's returns beside the sign is different from processor to processor. */
static void expect_sign(struct sc_worked got, int order, size_t units)
{
  int result = (int)got.result;
  assert_int_equal((result > 0) - (result < 0), (order > 0) - (order < 0));
  assert_int_equal(got.units, units);
}

TEST(test_comparing)
{
  for (int round = 0; round < ROUNDS; round++) {
    char *a, *b;
    place_both(&a, &b);
    size_t most = below(MOST), lesser = strlen(a) < strlen(b) ? strlen(a) : strlen(b), equal = 0;
    expect(__scale_work_strcmp(a, b), strcmp(a, b), common(a, b, SIZE_MAX, is_equal));
    expect(__scale_work_strncmp(a, b, most), strncmp(a, b, most), common(a, b, most, is_equal));
    expect(__scale_work_strcasecmp(a, b), strcasecmp(a, b), common(a, b, SIZE_MAX, is_equal_letter));
    expect(__scale_work_strncasecmp(a, b, most), strncasecmp(a, b, most), common(a, b, most, is_equal_letter));
    most = most < lesser ? most : lesser;
    while (equal < most && a[equal] == b[equal])
      equal++;
    expect_sign(__scale_work_memcmp(a, b, most), memcmp(a, b, most), equal);
  }
}

/* Bytes of all values, so that their order as numbers without a sign shows; mostly few of them. */
TEST(test_bytes)
{
  for (int round = 0; round < ROUNDS; round++) {
    size_t most = below(rand() & 1 ? 20 : 200), equal = 0;
    char *a = pages[0] + PAGE - most, *b = pages[1] + PAGE - most;
    for (size_t i = 0; i < most; i++)
      a[i] = b[i] = (char)rand();
    for (size_t i = below(most + 1); i < most; i += 1 + below(30))
      b[i] = (char)rand();
    while (equal < most && a[equal] == b[equal])
      equal++;
    expect_sign(__scale_work_memcmp(a, b, most), memcmp(a, b, most), equal);
  }
}

/* As strcmp, whose results under a sanitizer are other ones than glibc's; their signs are known. */
static void expect_order(const char *a, const char *b, int sign, size_t units)
{
  int order = strcmp(a, b);
  assert_int_equal((order > 0) - (order < 0), sign);
  expect(__scale_work_strcmp(a, b), order, units);
}

/* Bytes above 127 are compared without their sign. */
TEST(test_signs)
{
  expect_order("ab\x80longer than a word", "ab\x01longer than a word", 1, 2);
  expect_order("ab\x01longer than a word", "ab\xfflonger than a word", -1, 2);
  expect_order("", "\xff", -1, 0);
  expect_order("1234567", "1234567", 0, 7);
  expect_order("12345678", "12345678", 0, 8);
  expect_order("12345678", "123456789", -1, 8);
}

TEST(test_searching)
{
  for (int round = 0; round < ROUNDS / 4; round++) {
    char *text = place(0, below(MOST));
    int byte = "abABz"[below(5)];
    const char *found = strchr(text, byte), *word = rand() & 1 ? "aBa" : "z", *any = rand() & 1 ? "Bz" : "z";
    size_t length = strlen(text);
    expect(__scale_work_strchr(text, byte), (intptr_t)found, found ? (size_t)(found - text) : length);
    expect(__scale_work_strchr(text, 0), (intptr_t)(text + length), length);
    expect(__scale_work_strrchr(text, byte), (intptr_t)strrchr(text, byte), length);
    found = strstr(text, word);
    expect(__scale_work_strstr(text, word), (intptr_t)found, found ? (size_t)(found - text) : length);
    found = strcasestr(text, word);
    expect(__scale_work_strcasestr(text, word), (intptr_t)found, found ? (size_t)(found - text) : length);
    expect(__scale_work_strpbrk(text, any), (intptr_t)strpbrk(text, any), strcspn(text, any));
  }
}

TEST(test_copying)
{
  char to[100];
  wchar_t wide[20];
  expect(__scale_work_strcpy(to, "12345"), (intptr_t)to, 5);
  expect(__scale_work_strcat(to, "678"), (intptr_t)to, 8);
  expect(__scale_work_strncat(to, "9abc", 2), (intptr_t)to, 10);
  assert_string_equal(to, "123456789a");
  expect(__scale_work___strcpy_chk(to, "xyz", sizeof to), (intptr_t)to, 3);
  expect(__scale_work___strcat_chk(to, "12", sizeof to), (intptr_t)to, 5);
  assert_string_equal(to, "xyz12");
  struct sc_worked copy = __scale_work_strdup(to), part = __scale_work_strndup(to, 2);
  assert_string_equal((char *)(uintptr_t)copy.result, "xyz12");
  assert_string_equal((char *)(uintptr_t)part.result, "xy");
  assert_int_equal(copy.units, 5);
  assert_int_equal(part.units, 2);
  free((void *)(uintptr_t)copy.result);
  free((void *)(uintptr_t)part.result);
  expect(__scale_work_wcscpy(wide, L"abc"), (intptr_t)wide, 3);
  expect(__scale_work_wcscat(wide, L"de"), (intptr_t)wide, 5);
  assert_int_equal(wcscmp(wide, L"abcde"), 0);
}

TEST(test_wide)
{
  const wchar_t text[] = L"a wide text";
  expect(__scale_work_wcscmp(text, L"a wide text"), 0, 11);
  expect(__scale_work_wcscmp(text, L"a wide"), wcscmp(text, L"a wide"), 6);
  expect(__scale_work_wcsncmp(text, L"a wind", 4), 0, 4);
  expect(__scale_work_wcsncmp(text, L"a wind", 6), wcsncmp(text, L"a wind", 6), 4);
  expect(__scale_work_wcschr(text, L'd'), (intptr_t)(text + 4), 4);
  expect(__scale_work_wcschr(text, L'z'), 0, 11);
  expect(__scale_work_wcschr(text, 0), (intptr_t)(text + 11), 11);
  expect(__scale_work_wcsrchr(text, L't'), (intptr_t)(text + 10), 11);
  expect(__scale_work_wcsstr(text, L"text"), (intptr_t)(text + 7), 7);
  expect(__scale_work_wcsstr(text, L"next"), 0, 11);
}

TEST(test_taking_apart)
{
  char text[] = ",,one,two", *next, other[] = "a,bc", *rest = other;
  expect(__scale_work_strtok_r(text, ",", &next), (intptr_t)(text + 2), 6);
  expect(__scale_work_strtok_r(NULL, ",", &next), (intptr_t)(text + 6), 3);
  expect(__scale_work_strtok_r(NULL, ",", &next), 0, 0);
  expect(__scale_work_strsep(&rest, ","), (intptr_t)other, 2);
  expect(__scale_work_strsep(&rest, ","), (intptr_t)(other + 2), 2);
  expect(__scale_work_strsep(&rest, ","), 0, 0);
  expect(__scale_work_atoi("  -17x"), -17, 5);
  expect(__scale_work_atol("99999999999"), 99999999999, 11);
}

int main(void) { return unit_run(set_up, NULL); }
