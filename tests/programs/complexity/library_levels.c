/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls that LLVM takes apart or replaces, each in a function of its own: each has the same count at every level of
 * optimisation. `text` is 20 bytes and ends with the only b, `word` begins with 15 of its bytes.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>
#define OP(name) __attribute__((noinline)) static void name(void)
#define HIDE(p)                                        \
  ({                                                   \
    __typeof__(p) hidden_ = (p);                       \
    __asm__ volatile("" : "+r"(hidden_) : : "memory"); \
    hidden_;                                           \
  })
static char to[4096], text[256], word[256];
static wchar_t wide_to[512], wide[64];
static long sum;
static FILE *null;
#define D    HIDE(&to[0])
#define S    HIDE(&text[0])
#define N(n) HIDE((size_t)(n))
/* 50 bytes */
static void reset(void)
{
  for (int i = 0; i < 50; i++)
    to[i] = 'x';
  to[50] = 0;
}
#define BEHIND(name, call) \
  OP(name)                 \
  {                        \
    reset();               \
    call;                  \
  }
/* In an array of its own. */
#define LOCAL(name, calls) \
  OP(name)                 \
  {                        \
    char t[100];           \
    calls;                 \
    sum += HIDE(&t[0])[1]; \
  }
BEHIND(strcat_lit, strcat(D, "abc"))
BEHIND(strcat_lit7, strcat(D, "abcdefg"))
BEHIND(strcat_empty, strcat(D, ""))
BEHIND(strcat_var, strcat(D, S))
BEHIND(strncat_lit, strncat(D, "abcdef", 4))
BEHIND(strncat_lit_long, strncat(D, "abcdef", 100))
BEHIND(strncat_lit_n, strncat(D, "abcdef", N(4)))
BEHIND(strncat_var, strncat(D, S, 7))
BEHIND(strncat_zero, strncat(D, S, 0))
OP(strcpy_lit) { strcpy(D, "abc"); }
OP(strcpy_lit7) { strcpy(D, "abcdefg"); }
OP(strcpy_var) { strcpy(D, S); }
OP(stpcpy_lit) { sum += stpcpy(D, "abc") - to; }
OP(stpcpy_var) { sum += stpcpy(D, S) - to; }
OP(stpcpy_unused) { stpcpy(D, S); }
OP(strncpy_lit) { strncpy(D, "abc", 10); }
OP(strncpy_lit_n) { strncpy(D, "abc", N(10)); }
OP(strncpy_var) { strncpy(D, S, 10); }
OP(strncpy_var_n) { strncpy(D, S, N(10)); }
OP(strncpy_empty_n) { strncpy(D, "", N(10)); }
OP(stpncpy_lit) { sum += *stpncpy(D, "abc", 10); }
OP(stpncpy_var_n) { sum += *stpncpy(D, S, N(10)); }
OP(sprintf_s) { sprintf(D, "%s", S); }
OP(sprintf_s_ret) { sum += sprintf(D, "%s", S); }
OP(sprintf_lit) { sprintf(D, "hello there"); }
OP(sprintf_lit_ret) { sum += sprintf(D, "hello there"); }
OP(sprintf_s_lit) { sprintf(D, "%s", "literal"); }
OP(sprintf_c) { sprintf(D, "%c", (int)N('x')); }
OP(sprintf_d) { sum += sprintf(D, "%d", (int)N(12345)); }
OP(sprintf_mixed) { sum += sprintf(D, "<%s>", S); }
OP(snprintf_s) { snprintf(D, 100, "%s", S); }
OP(snprintf_s_lit) { snprintf(D, 100, "%s", "literal"); }
OP(snprintf_lit) { snprintf(D, 100, "hello there"); }
OP(snprintf_lit_ret) { sum += snprintf(D, 100, "hello there"); }
OP(snprintf_lit_cut) { sum += snprintf(D, 5, "hello there"); }
OP(snprintf_c) { snprintf(D, 100, "%c", (int)N('x')); }
OP(snprintf_zero) { sum += snprintf(NULL, 0, "%s", S); }
OP(printf_lit_nl) { printf("hello there\n"); }
OP(printf_lit) { printf("hello there"); }
OP(printf_lit_1) { printf("x"); }
OP(printf_empty) { printf(""); }
OP(printf_s_nl) { printf("%s\n", S); }
OP(printf_s) { printf("%s", S); }
OP(printf_s_lit) { printf("%s", "literal"); }
OP(printf_s_lit_nl) { printf("%s\n", "literal"); }
OP(printf_c) { printf("%c", (int)N('x')); }
OP(printf_d) { printf("%d\n", (int)N(123)); }
OP(puts_lit) { puts("hello there"); }
OP(puts_empty) { puts(""); }
OP(puts_var) { puts(S); }
OP(fprintf_lit) { fprintf(null, "hello there\n"); }
OP(fprintf_lit_1) { fprintf(null, "x"); }
OP(fprintf_s) { fprintf(null, "%s", S); }
OP(fprintf_s_lit) { fprintf(null, "%s", "literal"); }
OP(fprintf_c) { fprintf(null, "%c", (int)N('x')); }
OP(fprintf_s_nl) { fprintf(null, "%s\n", S); }
OP(fputs_lit) { fputs("hello there", null); }
OP(fputs_lit_1) { fputs("x", null); }
OP(fputs_empty) { fputs("", null); }
OP(fputs_var) { fputs(S, null); }
OP(fwrite_const) { fwrite(S, 1, 10, null); }
OP(fwrite_1) { fwrite(S, 1, 1, null); }
OP(fwrite_0) { fwrite(S, 1, 0, null); }
OP(fwrite_n) { fwrite(S, 1, N(10), null); }
OP(fwrite_n2) { fwrite(S, 2, N(5), null); }
OP(strcmp_empty) { sum += strcmp(S, ""); }
OP(strcmp_empty2) { sum += strcmp("", S); }
OP(strcmp_1) { sum += strcmp(S, "a"); }
OP(strcmp_lit) { sum += strcmp(S, "aaab"); }
OP(strcmp_lit_eq) { sum += strcmp(S, "aaab") == 0; }
OP(strcmp_long_eq) { sum += strcmp(S, "aaaaaaaaaaaaaaaaaaab") == 0; }
OP(strcmp_lits) { sum += strcmp("abc", "abd"); }
OP(strcmp_same)
{
  char *p = S;
  sum += strcmp(p, p);
}
OP(strcmp_var) { sum += strcmp(S, HIDE(&word[0])); }
OP(strncmp_lit) { sum += strncmp(S, "aaab", 4); }
OP(strncmp_lit_eq) { sum += strncmp(S, "aaaa", 4) == 0; }
OP(strncmp_1) { sum += strncmp(S, HIDE(&word[0]), 1); }
OP(strncmp_0) { sum += strncmp(S, HIDE(&word[0]), 0); }
OP(strncmp_8) { sum += strncmp(S, HIDE(&word[0]), 8); }
OP(strncmp_n) { sum += strncmp(S, HIDE(&word[0]), N(8)); }
OP(strncmp_lit_n) { sum += strncmp(S, "aaab", N(8)); }
OP(strcasecmp_lit) { sum += strcasecmp(S, "AAAB"); }
OP(strncasecmp_lit) { sum += strncasecmp(S, "AAAB", 3); }
OP(memcmp_1) { sum += memcmp(S, HIDE(&word[0]), 1); }
OP(memcmp_4) { sum += memcmp(S, HIDE(&word[0]), 4); }
OP(memcmp_4_eq) { sum += memcmp(S, HIDE(&word[0]), 4) == 0; }
OP(memcmp_lit_eq) { sum += memcmp(S, "aaaa", 4) == 0; }
OP(memcmp_8_eq) { sum += memcmp(S, HIDE(&word[0]), 8) == 0; }
OP(memcmp_20) { sum += memcmp(S, HIDE(&word[0]), 20); }
OP(memcmp_20_eq) { sum += memcmp(S, HIDE(&word[0]), 20) == 0; }
OP(memcmp_n) { sum += memcmp(S, HIDE(&word[0]), N(20)); }
OP(memcmp_n_eq) { sum += memcmp(S, HIDE(&word[0]), N(20)) == 0; }
OP(memcmp_0) { sum += memcmp(S, HIDE(&word[0]), 0); }
OP(bcmp_n) { sum += bcmp(S, HIDE(&word[0]), N(20)); }
OP(bcmp_4) { sum += bcmp(S, HIDE(&word[0]), 4); }
OP(strstr_1) { sum += strstr(S, "b") != 0; }
OP(strstr_1_none) { sum += strstr(S, "z") != 0; }
OP(strstr_empty) { sum += strstr(S, "") != 0; }
OP(strstr_2) { sum += strstr(S, "ab") - text; }
OP(strstr_prefix_lit)
{
  char *p = S;
  sum += strstr(p, "aa") == p;
}
OP(strstr_same)
{
  char *p = S;
  sum += strstr(p, p) == p;
}
OP(strstr_lits) { sum += strstr("hello", "l") != 0; }
OP(strlen_lit) { sum += strlen("literal"); }
OP(strlen_var) { sum += strlen(S); }
OP(strlen_const_array)
{
  static const char constant[] = "constant";
  sum += strlen(constant);
}
OP(strlen_tern_same) { sum += strlen(N(1) ? "abc" : "def"); }
OP(strnlen_lit) { sum += strnlen("literal", 3); }
OP(strnlen_1) { sum += strnlen(S, 1); }
OP(strnlen_5) { sum += strnlen(S, 5); }
OP(strnlen_n) { sum += strnlen(S, N(5)); }
OP(strnlen_lit_n) { sum += strnlen("literal", N(5)); }
OP(memchr_const) { sum += memchr(S, 'b', 30) != 0; }
OP(memchr_n) { sum += memchr(S, 'b', N(30)) != 0; }
OP(memchr_1) { sum += memchr(S, 'b', 1) != 0; }
OP(memchr_lit) { sum += memchr("abcdef", (int)N('d'), 6) != 0; }
OP(memchr_lit_null) { sum += memchr("\r\n", (int)N('d'), 2) != NULL; }
OP(memrchr_n) { sum += memrchr(S, 'b', N(30)) != 0; }
OP(memrchr_1) { sum += memrchr(S, 'b', 1) != 0; }
OP(memrchr_lit) { sum += memrchr("abcdef", (int)N('d'), N(6)) != 0; }
OP(strchr_0) { sum += strchr(S, 0) - text; }
OP(strchr_b) { sum += strchr(S, 'b') - text; }
OP(strchr_none) { sum += strchr(S, 'z') != 0; }
OP(strchr_lit) { sum += strchr("abcdef", (int)N('d')) != 0; }
OP(strchr_first)
{
  char *p = S;
  sum += strchr(p, 'a') == p;
}
OP(index_b) { sum += index(S, 'b') - text; }
OP(strrchr_0) { sum += strrchr(S, 0) - text; }
OP(strrchr_b) { sum += strrchr(S, 'b') - text; }
OP(strrchr_none) { sum += strrchr(S, 'z') != 0; }
OP(strrchr_lit) { sum += strrchr("abcdef", (int)N('d')) != 0; }
OP(strchrnul_b) { sum += strchrnul(S, 'b') - text; }
OP(strspn_empty) { sum += strspn(S, ""); }
OP(strspn_a) { sum += strspn(S, "a"); }
OP(strspn_lit) { sum += strspn("", S); }
OP(strspn_lits) { sum += strspn("aab", "a"); }
OP(strcspn_empty) { sum += strcspn(S, ""); }
OP(strcspn_b) { sum += strcspn(S, "b"); }
OP(strcspn_lit) { sum += strcspn("", S); }
OP(strpbrk_empty) { sum += strpbrk(S, "") != 0; }
OP(strpbrk_1) { sum += strpbrk(S, "b") != 0; }
OP(strpbrk_2) { sum += strpbrk(S, "bz") != 0; }
OP(memcpy_c) { memcpy(D, S, 16); }
OP(memcpy_n) { memcpy(D, S, N(16)); }
OP(memcpy_0) { memcpy(D, S, 0); }
OP(mempcpy_c) { sum += (char *)mempcpy(D, S, 16) - to; }
OP(mempcpy_n) { sum += (char *)mempcpy(D, S, N(16)) - to; }
OP(memmove_c) { memmove(D, S, 16); }
OP(memmove_n) { memmove(D, S, N(16)); }
OP(memset_c) { memset(D, 'x', 16); }
OP(memset_n) { memset(D, 'x', N(16)); }
OP(bzero_c) { bzero(D, 16); }
OP(bzero_n) { bzero(D, N(16)); }
OP(bcopy_c) { bcopy(S, D, 16); }
OP(bcopy_n) { bcopy(S, D, N(16)); }
OP(memccpy_c) { sum += memccpy(D, S, 'b', 30) != 0; }
OP(memccpy_n) { sum += memccpy(D, S, 'b', N(30)) != 0; }
OP(memccpy_lit) { sum += memccpy(D, "aab", 'b', 3) != 0; }
OP(memmem_n) { sum += memmem(S, N(20), "b", 1) != 0; }
OP(strdup_lit) { free(HIDE(strdup("literal"))); }
OP(strdup_var) { free(HIDE(strdup(S))); }
OP(strndup_lit) { free(HIDE(strndup("literal", 3))); }
OP(strndup_var) { free(HIDE(strndup(S, 5))); }
OP(calloc_n) { free(HIDE(calloc(N(10), 10))); }
OP(calloc_c) { free(HIDE(calloc(10, 10))); }
OP(malloc_memset)
{
  char *p = malloc(N(100));
  memset(p, 0, N(100));
  free(HIDE(p));
}
OP(atoi_lit) { sum += atoi("123"); }
OP(strtol_lit) { sum += strtol("123", NULL, 10); }
OP(strtol_var) { sum += strtol(HIDE(&word[0]) + 30, NULL, 10); }
OP(wcslen_lit) { sum += wcslen(L"literal"); }
OP(wcslen_var) { sum += wcslen(HIDE(&wide[0])); }
OP(wcscpy_lit) { wcscpy(HIDE(&wide_to[0]), L"abc"); }
OP(wcscat_lit)
{
  wide_to[0] = 'x';
  wide_to[1] = 0;
  wcscat(HIDE(&wide_to[0]), L"abc");
}
OP(wmemcpy_c) { wmemcpy(HIDE(&wide_to[0]), HIDE(&wide[0]), 4); }
OP(wmemcpy_n) { wmemcpy(HIDE(&wide_to[0]), HIDE(&wide[0]), N(4)); }
OP(wmemset_c) { wmemset(HIDE(&wide_to[0]), L'x', 4); }
OP(wmemset_n) { wmemset(HIDE(&wide_to[0]), L'x', N(4)); }
OP(loop_memset)
{
  char *p = D;
  size_t n = N(40);
  for (size_t i = 0; i < n; i++)
    p[i] = 0;
}
OP(loop_memcpy)
{
  char *restrict p = D, *restrict q = S;
  size_t n = N(40);
  for (size_t i = 0; i < n; i++)
    p[i] = q[i];
}
OP(loop_strlen)
{
  const char *p = S;
  while (*p)
    p++;
  sum += p - text;
}
/* What is constant only where these are inlined. */
static void add(char *d, const char *s) { strcat(d, s); }
static inline void copy(char *d, const char *s) { strcpy(d, s); }
static void addn(char *d, const char *s, size_t n) { strncat(d, s, n); }
static int same(const char *s, const char *p) { return strcmp(s, p) == 0; }
static void say(const char *s) { fputs(s, null); }
BEHIND(wrap_strcat, add(D, "abc"))
BEHIND(wrap_strcat3, add(D, "abcd"))
OP(wrap_strcpy) { copy(D, "abc"); }
BEHIND(wrap_strncat, addn(D, "abc", 2))
OP(wrap_same) { sum += same(S, "aaa"); }
OP(wrap_say) { say("hello there"); }
OP(local_strcat)
{
  const char *sep = ", ";
  reset();
  strcat(D, sep);
}
OP(local_array)
{
  char sep[] = ", ";
  reset();
  strcat(D, sep);
}
OP(strcmp_2_eq) { sum += strcmp(S, "aa") == 0; }
OP(strcmp_2_ne)
{
  if (strcmp("aa", S))
    sum++;
}
OP(strncmp_2_eq) { sum += strncmp(S, "aa", 2) == 0; }
OP(strncmp_3_eq) { sum += strncmp(S, "aaaaaa", 3) == 0; }
OP(wrap_same2) { sum += same(S, "aa"); }
LOCAL(sprintf_s_local, sprintf(t, "%s", S))
OP(strcat_local)
{
  char t[100] = "x";
  strcat(t, S);
  sum += HIDE(&t[0])[1];
}
OP(strcat_local_lit)
{
  char t[100] = "x";
  HIDE(&t[0]);
  strcat(t, "hello");
  sum += HIDE(&t[0])[1];
}
LOCAL(strcpy_local, strcpy(t, S))
LOCAL(memcpy_local_n, memcpy(t, S, N(20)))
LOCAL(memset_local_n, memset(t, 1, N(20)))
LOCAL(strncpy_local_n, strncpy(t, S, N(20)))
LOCAL(strncat_local_n, t[0] = 0; strncat(t, S, N(20)))
LOCAL(snprintf_local, snprintf(t, sizeof t, "%s+", S))
OP(printf_nl) { printf("\n"); }
OP(printf_s_1) { printf("%s", "x"); }
OP(printf_s_0_nl) { printf("%s\n", ""); }
OP(fprintf_s_1) { fprintf(null, "%s", "x"); }
OP(builtin_strlen) { sum += __builtin_strlen(S); }
OP(builtin_memcpy) { __builtin_memcpy(D, S, N(9)); }
OP(builtin_memcpy_inline) { __builtin_memcpy_inline(D, S, 8); }
OP(strcat_both_lit) { strcat(strcpy(D, "abc"), "de"); }
OP(strcpy_strlen)
{
  strcpy(D, S);
  sum += strlen(D);
}
BEHIND(strcat_ret, sum += strlen(strcat(D, S)))
int main(void)
{
  for (int i = 0; i < 19; i++)
    text[i] = 'a';
  text[19] = 'b';
  for (int i = 0; i < 15; i++)
    word[i] = 'a';
  word[15] = 'z';
  for (int i = 30; i < 35; i++)
    word[i] = '1';
  for (int i = 0; i < 10; i++)
    wide[i] = L'w';
  null = fopen("/dev/null", "w");
  strcat_lit(), strcat_lit7(), strcat_empty(), strcat_var(), strncat_lit(), strncat_lit_long(), strncat_lit_n(),
      strncat_var(), strncat_zero(), strcpy_lit(), strcpy_lit7(), strcpy_var(), stpcpy_lit(), stpcpy_var(),
      stpcpy_unused(), strncpy_lit(), strncpy_lit_n(), strncpy_var(), strncpy_var_n(), strncpy_empty_n(), stpncpy_lit(),
      stpncpy_var_n(), sprintf_s(), sprintf_s_ret(), sprintf_lit(), sprintf_lit_ret(), sprintf_s_lit(), sprintf_c(),
      sprintf_d(), sprintf_mixed(), snprintf_s(), snprintf_s_lit(), snprintf_lit(), snprintf_lit_ret(),
      snprintf_lit_cut(), snprintf_c(), snprintf_zero(), printf_lit_nl(), printf_lit(), printf_lit_1(), printf_empty(),
      printf_s_nl(), printf_s(), printf_s_lit(), printf_s_lit_nl(), printf_c(), printf_d(), puts_lit(), puts_empty(),
      puts_var(), fprintf_lit(), fprintf_lit_1(), fprintf_s(), fprintf_s_lit(), fprintf_c(), fprintf_s_nl(),
      fputs_lit(), fputs_lit_1(), fputs_empty(), fputs_var(), fwrite_const(), fwrite_1(), fwrite_0(), fwrite_n(),
      fwrite_n2(), strcmp_empty(), strcmp_empty2(), strcmp_1(), strcmp_lit(), strcmp_lit_eq(), strcmp_long_eq(),
      strcmp_lits(), strcmp_same(), strcmp_var(), strncmp_lit(), strncmp_lit_eq(), strncmp_1(), strncmp_0(),
      strncmp_8(), strncmp_n(), strncmp_lit_n(), strcasecmp_lit(), strncasecmp_lit(), memcmp_1(), memcmp_4(),
      memcmp_4_eq(), memcmp_lit_eq(), memcmp_8_eq(), memcmp_20(), memcmp_20_eq(), memcmp_n(), memcmp_n_eq(), memcmp_0(),
      bcmp_n(), bcmp_4(), strstr_1(), strstr_1_none(), strstr_empty(), strstr_2(), strstr_prefix_lit(), strstr_same(),
      strstr_lits(), strlen_lit(), strlen_var(), strlen_const_array(), strlen_tern_same(), strnlen_lit(), strnlen_1(),
      strnlen_5(), strnlen_n(), strnlen_lit_n(), memchr_const(), memchr_n(), memchr_1(), memchr_lit(),
      memchr_lit_null(), memrchr_n(), memrchr_1(), memrchr_lit(), strchr_0(), strchr_b(), strchr_none(), strchr_lit(),
      strchr_first(), index_b(), strrchr_0(), strrchr_b(), strrchr_none(), strrchr_lit(), strchrnul_b(), strspn_empty(),
      strspn_a(), strspn_lit(), strspn_lits(), strcspn_empty(), strcspn_b(), strcspn_lit(), strpbrk_empty(),
      strpbrk_1(), strpbrk_2(), memcpy_c(), memcpy_n(), memcpy_0(), mempcpy_c(), mempcpy_n(), memmove_c(), memmove_n(),
      memset_c(), memset_n(), bzero_c(), bzero_n(), bcopy_c(), bcopy_n(), memccpy_c(), memccpy_n(), memccpy_lit(),
      memmem_n(), strdup_lit(), strdup_var(), strndup_lit(), strndup_var(), calloc_n(), calloc_c(), malloc_memset(),
      atoi_lit(), strtol_lit(), strtol_var(), wcslen_lit(), wcslen_var(), wcscpy_lit(), wcscat_lit(), wmemcpy_c(),
      wmemcpy_n(), wmemset_c(), wmemset_n(), loop_memset(), loop_memcpy(), loop_strlen(), wrap_strcat(), wrap_strcat3(),
      wrap_strcpy(), wrap_strncat(), wrap_same(), wrap_say(), local_strcat(), local_array(), strcmp_2_eq(),
      strcmp_2_ne(), strncmp_2_eq(), strncmp_3_eq(), wrap_same2(), sprintf_s_local(), strcat_local(),
      strcat_local_lit(), strcpy_local(), memcpy_local_n(), memset_local_n(), strncpy_local_n(), strncat_local_n(),
      snprintf_local(), printf_nl(), printf_s_1(), printf_s_0_nl(), fprintf_s_1(), builtin_strlen(), builtin_memcpy(),
      builtin_memcpy_inline(), strcat_both_lit(), strcpy_strlen(), strcat_ret();
  fprintf(stderr, "%ld\n", sum);
  return 0;
}
