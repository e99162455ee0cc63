// SPDX-License-Identifier: GPL-3.0-or-later
/* How much work library functions do, each in a line of its own (library_work.expect): the same at every level, for the
 * optimiser knows neither lengths nor what the strings are. */
#define _GNU_SOURCE
#include <fnmatch.h>
#include <glob.h>
#include <iconv.h>
#include <regex.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

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
static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int print(char *to, size_t room, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  int length = vsnprintf(to, room, format, list);
  va_end(list);
  return length;
}

static void memory(char *a, char *b)
{
  memcpy(a, b, number(100));
  memmove(a + 1, a, number(50));
  memset(a, 'x', number(70));
  sum += memchr(a, 'y', number(60)) != NULL;
  a[20] = 'y';
  sum += (char *)memchr(a, 'y', number(60)) - a;
  sum += (char *)memrchr(a, 'y', number(60)) - a;
  sum += memcmp(a, b, number(40)) != 0;
  memcpy(a, b, number(64));
  sum += memcmp(a, b, number(64));
  a[33] = 'z';
  sum += memcmp(a, b, number(64)) != 0;
  sum += mempcpy(a, b, number(9)) != NULL;
  memcpy(a, b, 16); /* the same each time: not counted */
}

static void strings(char *a, char *b)
{
  strcpy(a, hide("0123456789"));
  sum += strlen(a);
  strcat(a, hide("abcde"));
  sum += stpcpy(b, a) - b;
  sum += strcmp(a, b);
  b[12] = '!';
  sum += strcmp(a, b) > 0;
  sum += strncmp(a, b, number(10));
  sum += strcasecmp(a, hide("0123456789ABCDE"));
  sum += strchr(a, 'd') - a;
  sum += strchr(a, number('x')) != NULL;
  sum += strrchr(a, '0') != NULL;
  sum += strstr(a, hide("cd")) - a;
  sum += strstr(a, hide("zz")) != NULL;
  sum += strspn(a, hide("0123"));
  sum += strcspn(a, hide("c"));
  sum += *strpbrk(a, hide("xyzab"));
  strncpy(b, a, number(40));
  strncat(b, a, number(3));
  char *copy = strdup(a);
  sum += *(char *)hide(copy);
  free(copy);
  copy = strndup(a, number(4));
  sum += *(char *)hide(copy);
  free(copy);
  sum += strnlen(a, number(7));
}

static void parts(char *a)
{
  char *next, *all = a;
  strcpy(a, hide("one,two,three"));
  for (char *word = strtok(a, ","); word; word = strtok(NULL, ","))
    sum += *word;
  strcpy(a, hide("one,two,three"));
  for (char *word = strtok_r(a, ",", &next); word; word = strtok_r(NULL, ",", &next))
    sum += *word;
  strcpy(a, hide("one,two,three"));
  while ((next = strsep(&all, ",")))
    sum += *next;
}

static void numbers(char *a)
{
  char *end;
  int value;
  strcpy(a, hide("  123 45 and a rest"));
  sum += strtol(a, &end, 10);
  sum += strtoul(end, NULL, 10);
  sum += strtod(a, NULL) > 1;
  sum += sscanf(a, hide("%d"), &value) + value;
}

static void output(char *a)
{
  FILE *file = tmpfile();
  sum += sprintf(a, hide("%d-%s"), (int)number(12345), (char *)hide("abc"));
  sum += snprintf(a, number(4), hide("%08d"), (int)number(7));
  sum += print(a, number(100), hide("%s"), "0123456789");
  sum += fprintf(file, hide("%d\n"), (int)number(100));
  sum += fwrite(a, number(2), number(5), file);
  sum += fputs(hide("a line\n"), file);
  rewind(file);
  sum += fgets(a, (int)number(100), file) != NULL;
  sum += fread(a, 1, number(100), file);
  fclose(file);
  int ends[2];
  if (pipe(ends) == 0) {
    sum += write(ends[1], a, number(30));
    sum += read(ends[0], a, number(100));
    close(ends[0]);
    close(ends[1]);
  }
}

static void others(void)
{
  int values[50];
  wchar_t wide[20];
  for (int i = 0; i < 50; i++)
    values[i] = i * 7 % 50;
  qsort(values, number(50), sizeof *values, by_value);
  wcscpy(wide, hide(L"wide"));
  wcscat(wide, hide(L"string"));
  sum += wcslen(wide);
  char *block = calloc(number(10), number(8));
  sum += *(char *)hide(block) + values[0];
  free(block);
}

static void wide(void)
{
  wchar_t *a = hide(L"wide string"), *b = hide(L"wide stripe");
  sum += wcscmp(a, b) < 0;
  sum += wcscmp(a, a);
  sum += wcsncmp(a, b, number(6));
  sum += wcschr(a, number('s')) - a;
  sum += wcschr(a, number('x')) == NULL;
  sum += wcsrchr(a, number('i')) - a;
  sum += wcsstr(a, hide(L"str")) - a;
  sum += (long)wcsspn(a, hide(L"diew"));
}

static void wide_copies(void)
{
  wchar_t a[40], *copy;
  sum += wcpcpy(a, hide(L"wide")) - a;
  wcsncat(a, hide(L"string"), number(3));
  copy = wcsdup(a);
  sum += *(wchar_t *)hide(copy);
  free(copy);
  sum += wcspbrk(a, hide(L"rs")) - a;
  sum += wcscasecmp(a, hide(L"WIDESTONE"));
  sum += wcsncasecmp(a, hide(L"WIDESTONE"), number(5));
  sum += wmemchr(a, L's', number(7)) - a;
  sum += wmemchr(a, L'x', number(7)) != NULL;
  sum += wmemcmp(a, hide(L"widen"), number(5)) > 0;
  sum += wcstol(hide(L" 123 4"), NULL, 10);
}

static void texts(char *a, char *b)
{
  regex_t regex;
  struct tm day = {.tm_year = 100, .tm_mday = 1};
  char *from = a, *to = b;
  size_t left, room = 100;
  strcpy(a, hide("some text, 3.25 and more"));
  sum += (long)(atof(a + number(11)) * 4);
  sum += (char *)memccpy(b, a, ',', number(30)) - b;
  sum += memccpy(b, a, 'z', number(12)) != NULL;
  swab(a, b, (ssize_t)number(10));
  if (regcomp(&regex, "t.x", 0) == 0)
    sum += regexec(&regex, a, number(0), NULL, 0);
  regfree(&regex);
  sum += fnmatch(hide("*z"), a, (int)number(0)) + strverscmp(a, hide("some text, 10"));
  iconv_t how = iconv_open("UTF-16LE", "UTF-8");
  left = number(9);
  sum += how == (iconv_t)-1 || iconv(how, &from, &left, &to, &room) != 0 || room != 82;
  iconv_close(how);
  sum += (long)strftime(b, number(100), hide("%Y-%m-%d"), &day);
  sum += strptime(b, hide("%Y-%m-%d"), &day) - b;
}

/* It begins with what is set here: A to E. */
static void environment(void)
{
  static char entry[] = "F=6", name[] = "B";
  glob_t found;
  clearenv();
  setenv("A", "1", 1), setenv("B", "2", 1), setenv("C", "3", 1), setenv("D", "4", 1), setenv("E", "5", 1); /* 0 to 4 */
  sum += *getenv(hide("D"));
  sum += getenv(hide("none")) == NULL;
  sum += *secure_getenv(hide("B"));
  setenv(hide("C"), "33", 1);
  setenv(hide("C"), "34", 0);
  sum += setenv(hide("C=D"), "35", 1);
  unsetenv(hide("A"));
  putenv(hide(entry));
  putenv(hide(name));
  sum += glob(hide("/dev/[nz][ue][lr][lo]"), (int)number(0), NULL, &found); // null and zero
  sum += glob(hide("/dev/nul?"), (int)number(GLOB_APPEND), NULL, &found);
  sum += glob(hide("/dev/nothing?"), (int)number(GLOB_APPEND), NULL, &found) + (long)found.gl_pathc;
  globfree(&found);
}

/* Functions of the program's own are not the library's, whatever their names. */
unsigned long adler32(unsigned long sum, const unsigned char *bytes, unsigned count);
unsigned long adler32(unsigned long before, const unsigned char *bytes, unsigned count)
{
  return before + bytes[count];
}

int main(void)
{
  char *a = hide(calloc(1, 1000)), *b = hide(calloc(1, 1000));
  memory(a, b);
  strings(a, b);
  parts(a);
  numbers(a);
  output(a);
  others();
  wide();
  wide_copies();
  texts(a, b);
  environment();
  sum += (long)adler32(number(1), hide(a), (unsigned)number(5));
  for (int i = 0; i < 100; i++) { /* of a string that grows */
    a[i] = 'g';
    a[i + 1] = 0;
    sum += strlen(hide(a));
  }
  printf("%ld\n", sum);
  return 0;
}
