/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bytes of a family at a size. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "runner/family/family.h"

typedef struct writing {
  const sc_family *family;
  uint64_t n, left; /* bytes */
  sc_family_put put;
  void *user;
} writing;

/* The repetition that words are of. */
typedef struct turn {
  uint64_t index, count; /* from 1 */
} turn;

static int hand_over(writing *w, const void *bytes, size_t size)
{
  if (size > w->left)
    return sc_err_set(SC_E_INPUT, "the family has more bytes at n = %" PRIu64 " than are allowed", w->n);
  w->left -= size;
  return w->put(w->user, bytes, size);
}

static uint64_t times_of(const writing *w, const sc_family_part *part, turn around)
{
  switch (part->times) {
  case SC_FAMILY_N:
    return w->n;
  case SC_FAMILY_I:
    return around.index;
  case SC_FAMILY_I_DOWN:
    return around.count - around.index + 1;
  default:
    return part->fixed;
  }
}

/* A digit of two for each bit of the repetition's number, as many as their count needs: two pairs of characters with
 * one hash. */
static int write_colliding(writing *w, turn around, const char pairs[2][3])
{
  for (uint64_t bit = 1, rest = around.count - 1; rest || bit == 1; bit <<= 1, rest >>= 1)
    SC_TRY(hand_over(w, pairs[((around.index - 1) & bit) != 0], 2));
  return 0;
}

static int write_word(writing *w, const sc_family_part *part, turn around)
{
  char text[32], width[32];
  uint64_t down = around.count - around.index + 1;
  int digits = snprintf(width, sizeof width, "%" PRIu64, around.count);
  switch (part->kind) {
  case SC_FAMILY_COLLIDE31:
    return write_colliding(w, around, (const char[2][3]){"Aa", "BB"});
  case SC_FAMILY_COLLIDE33:
    return write_colliding(w, around, (const char[2][3]){"Ez", "FY"});
  case SC_FAMILY_INDEX:
    snprintf(text, sizeof text, "%" PRIu64, around.index);
    break;
  case SC_FAMILY_DOWN:
    snprintf(text, sizeof text, "%" PRIu64, down);
    break;
  default:
    snprintf(text, sizeof text, "%0*" PRIu64, digits, part->kind == SC_FAMILY_SORTED ? around.index : down);
  }
  return hand_over(w, text, strlen(text));
}

/* Each repetition writes at least one byte, so that the limit ends all of them. */
static int write_family_parts(writing *w, unsigned from, unsigned to, turn around)
{
  const sc_family *family = w->family;
  for (unsigned i = from; i < to; i = sc_family_next(family, i)) {
    const sc_family_part *part = &family->parts[i];
    uint64_t times = times_of(w, part, around);
    for (uint64_t k = 1; k <= times; k++) {
      if (part->kind == SC_FAMILY_STRING)
        SC_TRY(hand_over(w, family->text + part->start, part->bytes));
      else if (part->kind == SC_FAMILY_OPEN)
        SC_TRY(write_family_parts(w, i + 1, sc_family_next(family, i) - 1, (turn){k, times}));
      else
        SC_TRY(write_word(w, part, around));
    }
  }
  return 0;
}

int sc_family_write(const sc_family *family, uint64_t n, uint64_t limit, sc_family_put put, void *user)
{
  writing w = {family, n, limit, put, user};
  if (n == 0)
    return sc_err_set(SC_E_INPUT, "a family begins at n = 1");
  return write_family_parts(&w, 0, family->part_count, (turn){1, 1});
}

typedef struct filling {
  unsigned char *bytes;
  size_t size;
} filling;

static int fill_bytes(void *user, const void *bytes, size_t size)
{
  filling *f = user;
  memcpy(f->bytes + f->size, bytes, size);
  f->size += size;
  return 0;
}

int sc_family_fill(const sc_family *family, uint64_t n, unsigned char *bytes, size_t limit, size_t *size)
{
  filling f = {bytes, 0};
  int err = sc_family_write(family, n, limit, fill_bytes, &f);
  *size = f.size;
  return err;
}
