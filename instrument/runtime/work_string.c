/* SPDX-License-Identifier: MIT */
/* Of std::string. */
#include "work.h"
#include <limits.h>
#include <string.h>

/* As std::string orders what begins alike: by the lengths, whose difference has to fit. */
static int work_by_length(size_t a, size_t b)
{
  ptrdiff_t more = (ptrdiff_t)(a - b);

  return more > INT_MAX ? INT_MAX : more < INT_MIN ? INT_MIN : (int)more;
}

static struct sc_worked work_compare(const struct sc_string *a, const char *b, size_t length)
{
  struct sc_worked result = __scale_work_memcmp(a->text, b, a->length < length ? a->length : length);

  if (result.result == 0)
    result.result = (uint64_t)(int64_t)work_by_length(a->length, length);
  return result;
}

SC_WORK(string_compare)(const struct sc_string *a, const struct sc_string *b)
{
  return work_compare(a, b->text, b->length);
}

SC_WORK(string_compare_chars)(const struct sc_string *a, const char *b)
{
  size_t length = strlen(b);
  struct sc_worked result = work_compare(a, b, length);

  result.units += length;
  return result;
}

/* ---- parts ------------------------------------------------------------------------ */

/* The library's, which throws. */
extern int beyond(const struct sc_string *a, size_t at, size_t most,
                  const char *b) __asm__("_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE7compareEmmPKc")
    __attribute__((weak));

static struct sc_string part_of(const struct sc_string *text, size_t at, size_t most)
{
  size_t rest = text->length - at;

  return (struct sc_string){text->text + at, most < rest ? most : rest};
}

SC_WORK(string_compare_part_bytes)(const struct sc_string *a, size_t at, size_t most, const char *b, size_t length)
{
  struct sc_string part;

  if (at > a->length)
    return SC_COMPARED(beyond(a, at, most, ""), 0);
  part = part_of(a, at, most);
  return work_compare(&part, b, length);
}

SC_WORK(string_compare_part_chars)(const struct sc_string *a, size_t at, size_t most, const char *b)
{
  size_t length = at > a->length ? 0 : strlen(b); /* it throws before it reads these */
  struct sc_worked result = __scale_work_string_compare_part_bytes(a, at, most, b, length);

  result.units += length;
  return result;
}

SC_WORK(string_compare_part)(const struct sc_string *a, size_t at, size_t most, const struct sc_string *b)
{
  return __scale_work_string_compare_part_bytes(a, at, most, b->text, b->length);
}

SC_WORK(string_compare_parts)
(const struct sc_string *a, size_t at, size_t most, const struct sc_string *b, size_t other, size_t most_other)
{
  if (at > a->length || other > b->length)
    return SC_COMPARED(beyond(at > a->length ? a : b, at > a->length ? at : other, 0, ""), 0);
  return __scale_work_string_compare_part_bytes(a, at, most, b->text + other, part_of(b, other, most_other).length);
}
