/* SPDX-License-Identifier: MIT */
/* What few programs call, in an object of its own: it would bring much of the C library into static ones. */
#include "work.h"
#include <string.h>
#include <strings.h>

/* How many bytes are alike to it, before either ends and of `most` at most. */
static size_t work_alike(const char *a, const char *b, size_t most, locale_t locale)
{
  size_t equal = 0;

  while (equal < most && a[equal] && strncasecmp_l(a + equal, b + equal, 1, locale) == 0)
    equal++;
  return equal;
}

SC_WORK(strcasecmp_l)(const char *a, const char *b, locale_t locale)
{
  return SC_COMPARED(strcasecmp_l(a, b, locale), work_alike(a, b, SIZE_MAX, locale));
}

SC_WORK(strncasecmp_l)(const char *a, const char *b, size_t bytes, locale_t locale)
{
  return SC_COMPARED(strncasecmp_l(a, b, bytes, locale), work_alike(a, b, bytes, locale));
}

SC_WORK(memccpy)(void *to, const void *from, int byte, size_t bytes)
{
  char *end = memccpy(to, from, byte, bytes);

  return SC_WORKED(end, end ? (size_t)(end - (char *)to) : bytes);
}

SC_WORK(strverscmp)(const char *a, const char *b)
{
  size_t equal = 0;

  while (a[equal] && a[equal] == b[equal])
    equal++;
  return SC_COMPARED(strverscmp(a, b), equal);
}

/* It looks for the end of the text first, if it isn't told. */
SC_WORK(regexec)(const regex_t *regex, const char *text, size_t count, regmatch_t *matches, int flags)
{
  size_t length = flags & REG_STARTEND && matches ? (size_t)(matches->rm_eo - matches->rm_so) : text ? strlen(text) : 0;

  return SC_COMPARED(regexec(regex, text, count, matches, flags), length);
}

SC_WORK(iconv)(iconv_t how, char **from, size_t *left, char **to, size_t *room)
{
  size_t before = left ? *left : 0;
  size_t result = iconv(how, from, left, to, room);

  return SC_COMPARED(result, left ? before - *left : 0);
}
