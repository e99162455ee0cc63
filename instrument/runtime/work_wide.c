/* SPDX-License-Identifier: MIT */
/* Of wide strings. In objects of their own, for few programs call them. */
#include "work.h"
#include <stdlib.h>

extern wchar_t *__wcpcpy_chk(wchar_t *to, const wchar_t *from, size_t room) __attribute__((weak));
extern wchar_t *__wcscat_chk(wchar_t *to, const wchar_t *from, size_t room) __attribute__((weak));
extern wchar_t *__wcscpy_chk(wchar_t *to, const wchar_t *from, size_t room) __attribute__((weak));

/* ---- comparing ------------------------------------------------------------------ */

/* How many wide characters two strings have in common, before either ends and of `count` at most. */
static size_t work_wide_prefix(const wchar_t *a, const wchar_t *b, size_t count)
{
  size_t equal = 0;

  while (equal < count && a[equal] == b[equal] && a[equal])
    equal++;
  return equal;
}

SC_WORK(wcscmp)(const wchar_t *a, const wchar_t *b)
{
  return SC_COMPARED(wcscmp(a, b), work_wide_prefix(a, b, SIZE_MAX));
}

SC_WORK(wcsncmp)(const wchar_t *a, const wchar_t *b, size_t count)
{
  return SC_COMPARED(wcsncmp(a, b, count), work_wide_prefix(a, b, count));
}

/* The same, for functions to which capitals are as good. */
static size_t work_wide_alike(const wchar_t *a, const wchar_t *b, size_t most)
{
  size_t equal = 0;

  while (equal < most && (a[equal] == b[equal] || wcsncasecmp(a + equal, b + equal, 1) == 0) && a[equal])
    equal++;
  return equal;
}

SC_WORK(wcscasecmp)(const wchar_t *a, const wchar_t *b)
{
  return SC_COMPARED(wcscasecmp(a, b), work_wide_alike(a, b, SIZE_MAX));
}

SC_WORK(wcsncasecmp)(const wchar_t *a, const wchar_t *b, size_t count)
{
  return SC_COMPARED(wcsncasecmp(a, b, count), work_wide_alike(a, b, count));
}

SC_WORK(wmemcmp)(const wchar_t *a, const wchar_t *b, size_t count)
{
  size_t equal = 0;

  while (equal < count && a[equal] == b[equal])
    equal++;
  return SC_COMPARED(wmemcmp(a, b, count), equal);
}

/* Those in front of the end and of what has no width. */
SC_WORK(wcswidth)(const wchar_t *text, size_t count)
{
  int width = wcswidth(text, count);
  size_t at = wcsnlen(text, count);

  for (size_t i = 0; width < 0 && i < at; i++)
    if (wcwidth(text[i]) < 0)
      at = i;
  return SC_COMPARED(width, at);
}

/* ---- copying --------------------------------------------------------------------- */

SC_WORK(wcscpy)(wchar_t *to, const wchar_t *from) { return SC_WORKED(to, wcpcpy(to, from) - to); }

SC_WORK(wcscat)(wchar_t *to, const wchar_t *from) { return SC_WORKED(to, wcpcpy(to + wcslen(to), from) - to); }

SC_WORK(wcsncat)(wchar_t *to, const wchar_t *from, size_t count)
{
  size_t old = wcslen(to), more = wcsnlen(from, count);

  wmemcpy(to + old, from, more);
  to[old + more] = 0;
  return SC_WORKED(to, old + more);
}

SC_WORK(wcsdup)(const wchar_t *text)
{
  size_t length = wcslen(text);
  wchar_t *copy = malloc((length + 1) * sizeof *copy);

  return SC_WORKED(copy ? wmemcpy(copy, text, length + 1) : NULL, length);
}

SC_WORK(__wcscpy_chk)(wchar_t *to, const wchar_t *from, size_t room)
{
  if (!__wcpcpy_chk)
    return SC_WORKED(__wcscpy_chk(to, from, room), wcslen(from));
  return SC_WORKED(to, __wcpcpy_chk(to, from, room) - to);
}

SC_WORK(__wcscat_chk)(wchar_t *to, const wchar_t *from, size_t room)
{
  size_t old = wcslen(to);

  if (!__wcpcpy_chk || old > room)
    return SC_WORKED(__wcscat_chk(to, from, room), wcslen(to));
  return SC_WORKED(to, __wcpcpy_chk(to + old, from, room - old) - to);
}

/* ---- searching --------------------------------------------------------------------- */

SC_WORK(wcschr)(const wchar_t *text, wchar_t character)
{
  const wchar_t *at = wcschr(text, character);

  return SC_WORKED(at, at ? (size_t)(at - text) : wcslen(text));
}

SC_WORK(wcsrchr)(const wchar_t *text, wchar_t character)
{
  size_t length = wcslen(text);

  return SC_WORKED(wcsrchr(text, character), length);
}

SC_WORK(wcsstr)(const wchar_t *text, const wchar_t *word)
{
  const wchar_t *at = wcsstr(text, word);

  return SC_WORKED(at, at ? (size_t)(at - text) : wcslen(text));
}

SC_WORK(wcspbrk)(const wchar_t *text, const wchar_t *any)
{
  size_t before = wcscspn(text, any);

  return SC_WORKED(text[before] ? text + before : NULL, before);
}

SC_WORK(wcstok)(wchar_t *text, const wchar_t *between, wchar_t **next)
{
  wchar_t *start = text ? text : *next, *token = wcstok(text, between, next);

  return SC_WORKED(token, !start || !token ? 0 : *next ? *next - start : token - start + (ptrdiff_t)wcslen(token));
}

SC_WORK(wmemchr)(const wchar_t *text, wchar_t character, size_t count)
{
  const wchar_t *at = wmemchr(text, character, count);

  return SC_WORKED(at, at ? (size_t)(at - text) : count);
}
