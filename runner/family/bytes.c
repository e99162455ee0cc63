/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many bytes a family has, without writing them. */
#include <math.h>

#include "runner/family/family.h"

typedef struct sizing {
  const sc_family *family;
  double n, limit;
  bool alike; /* words have WORD bytes */
} sizing;
enum { WORD = 4 };

/* How often a part stands there in repetition k of `count`: `fixed` times, or k times, or as often as are left. */
static double all_times(const sizing *s, const sc_family_part *part, double count)
{
  if (part->times == SC_FAMILY_I || part->times == SC_FAMILY_I_DOWN)
    return count * (count + 1) / 2;
  return count * (part->times == SC_FAMILY_N ? s->n : (double)part->fixed);
}

/* The digits of all numbers from 1 to `count`, each as often as the part's word for it stands there. */
static double all_digits(const sizing *s, const sc_family_part *part, double count)
{
  bool rising = (part->times == SC_FAMILY_I) == (part->kind == SC_FAMILY_INDEX);
  bool varies = part->times == SC_FAMILY_I || part->times == SC_FAMILY_I_DOWN;
  double sum = 0, digits = 1;
  for (double from = 1; from <= count; from *= 10, digits++) {
    double to = fmin(from * 10 - 1, count), numbers = to - from + 1, each = (from + to) / 2;
    if (!varies)
      sum += digits * numbers * (all_times(s, part, count) / count);
    else
      sum += digits * numbers * (rising ? each : count + 1 - each);
  }
  return sum;
}

static double word_bytes(const sizing *s, int kind, double count)
{
  if (s->alike)
    return WORD;
  double bytes = 1;
  bool collides = kind == SC_FAMILY_COLLIDE31 || kind == SC_FAMILY_COLLIDE33;
  double base = collides ? 2 : 10;
  for (double rest = floor((collides ? count - 1 : count) / base); rest >= 1; rest = floor(rest / base))
    bytes++;
  return collides ? 2 * bytes : bytes;
}

/* The bytes of these parts in all repetitions 1 to `count` of what is around them; more than the limit is enough. */
static double all_parts(const sizing *s, unsigned from, unsigned to, double count)
{
  double sum = 0;
  for (unsigned i = from; i < to && sum <= s->limit; i = sc_family_next(s->family, i)) {
    const sc_family_part *part = &s->family->parts[i];
    unsigned end = sc_family_next(s->family, i) - 1;
    bool varies = part->times == SC_FAMILY_I || part->times == SC_FAMILY_I_DOWN;
    if (part->kind == SC_FAMILY_STRING)
      sum += all_times(s, part, count) * part->bytes;
    else if (!s->alike && (part->kind == SC_FAMILY_INDEX || part->kind == SC_FAMILY_DOWN))
      sum += all_digits(s, part, count);
    else if (part->kind != SC_FAMILY_OPEN)
      sum += all_times(s, part, count) * word_bytes(s, part->kind, count);
    else if (!varies)
      sum += count * all_parts(s, i + 1, end, all_times(s, part, 1));
    else
      for (double k = 1; k <= count && sum <= s->limit; k++)
        sum += all_parts(s, i + 1, end, k);
  }
  return sum;
}

static double size_family(const sc_family *family, uint64_t n, double limit, bool alike)
{
  sizing s = {family, (double)n, limit, alike};
  double bytes = all_parts(&s, 0, family->part_count, 1);
  return bytes <= limit ? bytes : INFINITY;
}

double sc_family_bytes(const sc_family *family, uint64_t n, double limit)
{
  return size_family(family, n, limit, false);
}

double sc_family_length(const sc_family *family, uint64_t n, double limit)
{
  return size_family(family, n, limit, true);
}
