// SPDX-License-Identifier: GPL-3.0-or-later
/* As library_work.c: searching and sorting, trees, vectors of strings, locales, wide texts, messages, keys. The header's own bsearch() is a loop
 * of the program and counted as one; here it is the library's. flags: -D__NO_INLINE__ -lcrypt */
#define _GNU_SOURCE
#include <argz.h>
#include <crypt.h>
#include <envz.h>
#include <inttypes.h>
#include <locale.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <unistd.h>
#include <wchar.h>
#include <wordexp.h>

static long sum;
/* What nobody knows at compile time. */
static void *hide(void *pointer)
{
  __asm__ volatile("" : "+r"(pointer));
  return pointer;
}
static size_t number(size_t value)
{
  __asm__ volatile("" : "+r"(value));
  return value;
}
static long compared;
static int by_value(const void *a, const void *b)
{
  compared++;
  return *(const int *)a - *(const int *)b;
}
static int by_value_of(const void *a, const void *b, void *of) { return by_value(a, b) + (of == NULL); }

static void searching(void)
{
  int values[120], other = 1000, seven = 70;
  size_t count = 100;
  for (int i = 0; i < 100; i++)
    values[i] = 10 * i;
  sum += (int *)bsearch(&seven, values, number(100), sizeof *values, by_value) - values;
  sum += bsearch(&other, values, number(100), sizeof *values, by_value) == NULL;
  sum += bsearch(&other, values, number(0), sizeof *values, by_value) == NULL;
  printf("%ld comparisons\n", compared);
  sum += (int *)lfind(&seven, values, &count, number(sizeof *values), by_value) - values;
  sum += lfind(&other, values, &count, number(sizeof *values), by_value) == NULL;
  sum += (int *)lsearch(&other, values, &count, number(sizeof *values), by_value) - values;
  sum += (int *)lsearch(&other, values, &count, number(sizeof *values), by_value) - values + (long)count;
  sum += lfind(&other, values, &count, number(0), by_value) == NULL; /* the first one again and again */
  qsort_r(values, number(90), sizeof *values, by_value_of, &other);
}

static void tables(void)
{
  static char key[] = "a key";
  struct hsearch_data table = {0};
  ENTRY entry = {hide(key), NULL}, *found;
  if (!hcreate(10) || !hcreate_r(10, &table))
    exit(1);
  sum += hsearch(entry, number(ENTER)) != NULL;
  sum += hsearch_r(entry, number(ENTER), &found, &table);
  hdestroy();
  hdestroy_r(&table);
}

static void keys(void)
{
  struct crypt_data data = {0};
  sum += crypt(hide("secret"), "$1$salt$") != NULL;
  sum += crypt_r(hide("longer secret"), "$1$salt$", &data) != NULL;
}

static void locales(char *a)
{
  locale_t c = newlocale(LC_ALL_MASK, "C", NULL);
  char *end;
  strcpy(a, "  123 45.5 and a rest");
  sum += strtol_l(a, &end, 10, c);
  sum += strtod_l(end, NULL, c) > 45;
  sum += (long)strtoull_l(a, NULL, 10, c);
  sum += strcasecmp_l(a, hide("  123 45.5 AND SO ON"), c) < 0;
  sum += strncasecmp_l(a, hide("  123"), number(4), c);
  sum += strcoll_l(a, hide("  123"), c) > 0;
  sum += (long)strxfrm_l(a + 100, a, number(100), c);
  sum += strfromd(a, number(50), "%.3f", (double)number(25)) > 0;
  freelocale(c);
}

static void wide(void)
{
  wchar_t a[100], *end, *state;
  FILE *file = tmpfile();
  int value = 0;
  wcscpy(a, L"one two three");
  sum += (long)(wcschrnul(hide(a), number('t')) - a);
  for (wchar_t *word = wcstok(hide(a), L" ", &state); word; word = wcstok(NULL, L" ", &state))
    sum += *word;
  sum += (long)wcstol(hide(L" 123 4"), &end, 10) + (long)wcstoumax(end, NULL, 10) + (wcstof(end, NULL) > 1);
  sum += wcscoll(hide(L"abcd"), hide(L"abce")) < 0;
  sum += swscanf(hide(L"12 and more"), hide(L"%d"), &value) + value;
  sum += wcswidth(hide(L"abc def"), number(5)) + wcswidth(hide(L"abc"), number(5));
  sum += fputws(hide(L"a wide line\n"), file);
  rewind(file);
  sum += fgetws(a, (int)number(100), file) != NULL;
  fclose(file);
}

static void messages(char *a)
{
  struct {
    long type;
    char text[40];
  } message = {1, "text"};
  int queue = msgget(IPC_PRIVATE, 0600);
  if (queue < 0)
    exit(1);
  sum += msgsnd(queue, &message, number(21), 0);
  sum += msgrcv(queue, &message, number(40), 1, 0);
  msgctl(queue, IPC_RMID, NULL);
  memfrob(a, number(33));
  sum += getentropy(a, number(20));
}

/* Comparisons of the program and one of the library's; what is in the tree is what was put there. */
static void trees(void)
{
  static int values[] = {50, 20, 80, 70, 20};
  static char words[] = "def\0abc\0ghi";
  void *root = NULL, *texts = NULL;
  int missing = 75;
  for (int i = 0; i < 5; i++)
    sum += **(int **)tsearch(&values[i], &root, by_value) == values[i];
  sum += *(int **)tsearch(&values[4], &root, by_value) == &values[1];
  sum += **(int **)tfind(&values[3], &root, by_value);
  sum += tfind(&missing, &root, by_value) == NULL;
  sum += tdelete(&missing, &root, by_value) == NULL;
  sum += tdelete(&values[0], &root, by_value) != NULL;
  for (int i = 0; i < 3; i++)
    sum += *(char **)tsearch(hide(words + 4 * i), &texts, (__compar_fn_t)strcmp) == words + 4 * i;
  sum += **(char **)tfind(hide("ghi"), &texts, (__compar_fn_t)strcmp);
  printf("%ld comparisons\n", compared);
  while (root)
    tdelete(*(void **)root, &root, by_value);
  while (texts)
    tdelete(*(void **)texts, &texts, (__compar_fn_t)strcmp);
}

static void vectors(void)
{
  char *argz, *entry = NULL, *list[10], *some[] = {hide("one"), hide("three"), NULL};
  size_t length;
  sum += argz_create(some, &argz, &length);
  sum += argz_add(&argz, &length, hide("five"));
  sum += argz_add_sep(&argz, &length, hide("a:bc"), (int)number(':'));
  sum += argz_append(&argz, &length, hide("xyz"), number(4));
  sum += (long)argz_count(argz, length);
  argz_extract(argz, length, list);
  while ((entry = argz_next(argz, length, entry)))
    sum += *entry;
  sum += argz_insert(&argz, &length, list[1], hide("two"));
  argz_delete(&argz, &length, argz + number(0));
  argz_delete(&argz, &length, NULL);
  sum += envz_add(&argz, &length, hide("key"), hide("value"));
  sum += *envz_get(argz, length, hide("key")) + (envz_get(argz, length, hide("two")) == NULL);
  sum += envz_entry(argz, length, hide("two")) - argz + (envz_entry(argz, length, hide("no")) == NULL);
  sum += envz_add(&argz, &length, hide("bc"), NULL);
  envz_remove(&argz, &length, hide("key"));
  envz_remove(&argz, &length, hide("no"));
  argz_stringify(argz, length, (int)number(' '));
  puts(argz);
  free(argz);
  sum += argz_create_sep(hide("a b"), (int)number(' '), &argz, &length);
  free(argz);
}

static void words(void)
{
  wordexp_t found;
  sum += wordexp(hide("a $HOME/b"), &found, 0) + (long)found.we_wordc;
  wordfree(&found);
  char *text = strdup(hide("anagrams"));
  sum += *strfry(text) > 0;
  free(text);
}

int main(void)
{
  char *a = hide(calloc(1, 1000));
  trees();
  vectors();
  words();
  searching();
  tables();
  keys();
  locales(a);
  wide();
  messages(a);
  printf("%ld\n", sum > 0);
  return 0;
}
