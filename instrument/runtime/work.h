/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Library functions whose work shows neither in their arguments nor in what they return: called in their place, each
 * does what it is named after, with the same arguments, and tells how much work that was
 * (instrument/events/library_work.def). In every link unit there is a copy of its own.
 */
#include <glob.h>
#include <iconv.h>
#include <regex.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

/* Both in registers. */
struct sc_worked {
  uint64_t result; /* a pointer, or an integer sign-extended */
  uint64_t units;  /* bytes, wide characters or elements */
};
/* A pointer, or an integer that fits; a signed one. */
#define SC_WORKED(result, units)   ((struct sc_worked){(uint64_t)(uintptr_t)(result), (uint64_t)(units)})
#define SC_COMPARED(result, units) ((struct sc_worked){(uint64_t)(int64_t)(result), (uint64_t)(units)})
/* How a std::string of libstdc++ begins. */
struct sc_string {
  const char *text;
  size_t length;
};
/* What a comparison of the program gets as its first argument, while its calls are counted. */
struct sc_called {
  uint64_t times;
  const void *first; /* what it would get */
  int (*function)(const void *, const void *);
};
/* Called in its place. What the program throws or jumps out of it passes. */
__attribute__((visibility("hidden"))) int __scale_work_called(struct sc_called *called, const void *element);
#define SC_WORK(name) __attribute__((visibility("hidden"))) struct sc_worked __scale_work_##name

SC_WORK(memcmp)(const char *a, const char *b, size_t bytes);
SC_WORK(strcmp)(const char *a, const char *b);
SC_WORK(strncmp)(const char *a, const char *b, size_t bytes);
SC_WORK(strcasecmp)(const char *a, const char *b);
SC_WORK(strverscmp)(const char *a, const char *b);
SC_WORK(strncasecmp)(const char *a, const char *b, size_t bytes);
SC_WORK(strcasecmp_l)(const char *a, const char *b, locale_t locale);
SC_WORK(strncasecmp_l)(const char *a, const char *b, size_t bytes, locale_t locale);
SC_WORK(strcpy)(char *to, const char *from);
SC_WORK(strcat)(char *to, const char *from);
SC_WORK(strncat)(char *to, const char *from, size_t bytes);
SC_WORK(__strcpy_chk)(char *to, const char *from, size_t room);
SC_WORK(__strcat_chk)(char *to, const char *from, size_t room);
SC_WORK(strchr)(const char *text, int byte);
SC_WORK(strrchr)(const char *text, int byte);
SC_WORK(strstr)(const char *text, const char *word);
SC_WORK(strcasestr)(const char *text, const char *word);
SC_WORK(strpbrk)(const char *text, const char *any);
SC_WORK(strdup)(const char *text);
SC_WORK(strndup)(const char *text, size_t most);
SC_WORK(strtok)(char *text, const char *between);
SC_WORK(strtok_r)(char *text, const char *between, char **next);
SC_WORK(strsep)(char **text, const char *between);
SC_WORK(wcscpy)(wchar_t *to, const wchar_t *from);
SC_WORK(wcscat)(wchar_t *to, const wchar_t *from);
SC_WORK(wcscmp)(const wchar_t *a, const wchar_t *b);
SC_WORK(wcsncmp)(const wchar_t *a, const wchar_t *b, size_t count);
SC_WORK(wcschr)(const wchar_t *text, wchar_t character);
SC_WORK(wcsrchr)(const wchar_t *text, wchar_t character);
SC_WORK(wcsstr)(const wchar_t *text, const wchar_t *word);
SC_WORK(wcsncat)(wchar_t *to, const wchar_t *from, size_t count);
SC_WORK(wcsdup)(const wchar_t *text);
SC_WORK(wcspbrk)(const wchar_t *text, const wchar_t *any);
SC_WORK(wcscasecmp)(const wchar_t *a, const wchar_t *b);
SC_WORK(wcsncasecmp)(const wchar_t *a, const wchar_t *b, size_t count);
SC_WORK(wcstok)(wchar_t *text, const wchar_t *between, wchar_t **next);
SC_WORK(wcswidth)(const wchar_t *text, size_t count);
SC_WORK(wmemchr)(const wchar_t *text, wchar_t character, size_t count);
SC_WORK(wmemcmp)(const wchar_t *a, const wchar_t *b, size_t count);
SC_WORK(__wcscpy_chk)(wchar_t *to, const wchar_t *from, size_t room);
SC_WORK(__wcscat_chk)(wchar_t *to, const wchar_t *from, size_t room);
SC_WORK(memccpy)(void *to, const void *from, int byte, size_t bytes);
SC_WORK(regexec)(const regex_t *regex, const char *text, size_t count, regmatch_t *matches, int flags);
SC_WORK(iconv)(iconv_t how, char **from, size_t *left, char **to, size_t *room);
SC_WORK(argz_next)(const char *vector, size_t bytes, const char *entry);
SC_WORK(argz_insert)(char **vector, size_t *bytes, char *before, const char *entry);
SC_WORK(argz_delete)(char **vector, size_t *bytes, char *entry);
SC_WORK(envz_get)(const char *vector, size_t bytes, const char *name);
SC_WORK(envz_add)(char **vector, size_t *bytes, const char *name, const char *value);
SC_WORK(envz_remove)(char **vector, size_t *bytes, const char *name);
SC_WORK(getenv)(const char *name);
SC_WORK(secure_getenv)(const char *name);
SC_WORK(setenv)(const char *name, const char *value, int replace);
SC_WORK(unsetenv)(const char *name);
SC_WORK(putenv)(char *entry);
SC_WORK(glob)(const char *pattern, int flags, int (*error)(const char *, int), glob_t *found);
SC_WORK(atoi)(const char *text);
SC_WORK(atol)(const char *text);
/* std::string's compare() with another string and with characters, whole and in part. */
SC_WORK(string_compare)(const struct sc_string *a, const struct sc_string *b);
SC_WORK(string_compare_chars)(const struct sc_string *a, const char *b);
SC_WORK(string_compare_part)(const struct sc_string *a, size_t at, size_t most, const struct sc_string *b);
SC_WORK(string_compare_parts)
(const struct sc_string *a, size_t at, size_t most, const struct sc_string *b, size_t other, size_t most_other);
SC_WORK(string_compare_part_chars)(const struct sc_string *a, size_t at, size_t most, const char *b);
SC_WORK(string_compare_part_bytes)(const struct sc_string *a, size_t at, size_t most, const char *b, size_t length);
