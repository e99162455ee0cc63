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
