/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Candidates from those that did most so far: parts changed, added, left out, wrapped, and taken from another. */
#include <string.h>

#include "runner/fuzz/internal.h"

enum { PIECE = 200 };

typedef struct piece {
  unsigned char bytes[PIECE];
  size_t size;
} piece;

/* Single bytes and longer words in turns, however many there are of either. */
static const sc_fuzz_token *some_token(sc_fuzz_searching *s)
{
  bool single = sc_fuzz_random(s) % 3 != 0;
  size_t from = sc_fuzz_below(s, s->tokens->count);
  for (size_t i = 0; i < s->tokens->count; i++) {
    const sc_fuzz_token *token = &s->tokens->list[(from + i) % s->tokens->count];
    if ((token->size == 1) == single)
      return token;
  }
  return &s->tokens->list[from];
}

static void append_token(sc_fuzz_searching *s, piece *to)
{
  const sc_fuzz_token *token = some_token(s);
  if (to->size + token->size > PIECE)
    return;
  memcpy(to->bytes + to->size, token->bytes, token->size);
  to->size += token->size;
}

/* One token mostly, two or three at times. */
static piece some_tokens(sc_fuzz_searching *s)
{
  piece made = {.size = 0};
  uint64_t dice = sc_fuzz_random(s) % 8;
  for (unsigned i = 0; i < (dice < 4 ? 1u : dice < 7 ? 2u : 3u); i++)
    append_token(s, &made);
  return made;
}

static void add_tokens(sc_fuzz_searching *s, enum sc_family_times times, sc_family *family)
{
  piece made = some_tokens(s);
  (void)sc_family_add(family, made.bytes, made.size, times, 1);
}

static void open_group(sc_family *family) { (void)sc_family_add_part(family, SC_FAMILY_OPEN, SC_FAMILY_N, 0); }
static void close_group(sc_family *family) { (void)sc_family_add_part(family, SC_FAMILY_CLOSE, SC_FAMILY_FIXED, 1); }

/* Records with keys, with or without text behind. */
static void make_records(sc_fuzz_searching *s, sc_family *family)
{
  enum sc_family_kind kind = SC_FAMILY_INDEX + (unsigned)sc_fuzz_below(s, SC_FAMILY_COLLIDE33 - SC_FAMILY_INDEX + 1);
  open_group(family);
  if (sc_fuzz_random(s) % 4)
    add_tokens(s, SC_FAMILY_FIXED, family);
  (void)sc_family_add_part(family, kind, SC_FAMILY_FIXED, 1);
  add_tokens(s, SC_FAMILY_FIXED, family);
  close_group(family);
}

static void make_ramp(sc_fuzz_searching *s, sc_family *family)
{
  open_group(family);
  add_tokens(s, SC_FAMILY_FIXED, family);
  add_tokens(s, sc_fuzz_random(s) % 2 ? SC_FAMILY_I : SC_FAMILY_I_DOWN, family);
  close_group(family);
}

static void make_fresh(sc_fuzz_searching *s, sc_family *family)
{
  uint64_t dice = sc_fuzz_random(s) % 16;
  *family = (sc_family){0};
  if (dice % 4 == 0)
    add_tokens(s, SC_FAMILY_FIXED, family);
  if (dice < 3)
    make_records(s, family);
  else if (dice < 5)
    make_ramp(s, family);
  else
    add_tokens(s, SC_FAMILY_N, family);
  if (dice >= 8)
    add_tokens(s, SC_FAMILY_FIXED, family);
  if (dice >= 6)
    add_tokens(s, SC_FAMILY_N, family);
  if (dice % 4 == 1)
    add_tokens(s, SC_FAMILY_FIXED, family);
}

static void copy_part(const sc_family *from, unsigned part, sc_family *to)
{
  const sc_family_part *p = &from->parts[part];
  if (p->kind == SC_FAMILY_STRING)
    (void)sc_family_add(to, from->text + p->start, p->bytes, p->times, p->fixed);
  else
    (void)sc_family_add_part(to, p->kind, p->times, p->fixed);
}

static void append_piece(const piece *more, piece *to)
{
  if (to->size + more->size > PIECE)
    return;
  memcpy(to->bytes + to->size, more->bytes, more->size);
  to->size += more->size;
}

/* A string with tokens in its place, in front of it or behind it, or several times: what is done for each few bytes
 * shows at small sizes only where an item is long. */
static void change_string(sc_fuzz_searching *s, const sc_family *from, unsigned part, sc_family *to)
{
  const sc_family_part *p = &from->parts[part];
  piece made = some_tokens(s), other = {.size = 0}, both = {.size = 0};
  if (p->bytes < PIECE)
    memcpy(other.bytes, from->text + p->start, other.size = p->bytes);
  switch (sc_fuzz_random(s) % 8) {
  case 0:
  case 1:
    both = made;
    break;
  case 2:
  case 3:
  case 4:
    both = made;
    append_piece(&other, &both);
    break;
  case 5:
  case 6:
    both = other;
    append_piece(&made, &both);
    break;
  default:
    for (size_t times = (size_t)2 << sc_fuzz_below(s, 3); times; times--)
      append_piece(&other, &both);
  }
  (void)sc_family_add(to, both.bytes, both.size, p->times, p->fixed);
}

enum change {
  CHANGE_STRING,
  CHANGE_TIMES,
  CHANGE_INSERT,
  CHANGE_REPEATED,
  CHANGE_WRAP,
  CHANGE_REMOVE,
  CHANGE_SPLICE,
  CHANGES
};

static void change_here(sc_fuzz_searching *s, const sc_family *from, unsigned part, enum change change, sc_family *to)
{
  const sc_family_part *p = &from->parts[part];
  if (change == CHANGE_STRING && p->kind == SC_FAMILY_STRING) {
    change_string(s, from, part, to);
    return;
  }
  if (change == CHANGE_INSERT || change == CHANGE_REPEATED)
    add_tokens(s, change == CHANGE_INSERT ? SC_FAMILY_FIXED : SC_FAMILY_N, to);
  if (change == CHANGE_WRAP && p->kind == SC_FAMILY_STRING) { /* "a" * n as ("a" . i . "b") * n */
    open_group(to);
    (void)sc_family_add(to, from->text + p->start, p->bytes, SC_FAMILY_FIXED, 1);
    if (sc_fuzz_random(s) % 2)
      (void)sc_family_add_part(to, SC_FAMILY_INDEX, SC_FAMILY_FIXED, 1);
    add_tokens(s, SC_FAMILY_FIXED, to);
    close_group(to);
    return;
  }
  copy_part(from, part, to);
  if (change == CHANGE_TIMES && p->kind == SC_FAMILY_STRING && to->part_count) {
    sc_family_part *last = &to->parts[to->part_count - 1];
    last->times = p->times == SC_FAMILY_N ? SC_FAMILY_FIXED : SC_FAMILY_N;
    last->fixed = last->times == SC_FAMILY_FIXED;
  }
}

/* The first parts of one, the last of another; whole parentheses. */
static void splice_families(sc_fuzz_searching *s, const sc_family *a, const sc_family *b, sc_family *to)
{
  unsigned keep = 1 + (unsigned)sc_fuzz_below(s, a->part_count), from = 0, end;
  for (unsigned i = 0; i < a->part_count && i < keep; i = end)
    for (end = sc_family_next(a, i); i < end; i++)
      copy_part(a, i, to);
  unsigned skip = (unsigned)sc_fuzz_below(s, b->part_count);
  while (from < skip)
    from = sc_family_next(b, from);
  for (; from < b->part_count; from++)
    copy_part(b, from, to);
}

/* What was reached last has been built upon least: a quarter is from the last eighth. */
static const sc_family *some_elite(sc_fuzz_searching *s)
{
  enum { DRAWS = 4 };
  size_t count = s->elite_count, at = 0;
  for (int i = 0; i < DRAWS; i++) {
    size_t among = sc_fuzz_random(s) % 4 == 0 ? (count + 7) / 8 : count;
    at = count - 1 - sc_fuzz_below(s, among);
    if (!sc_fuzz_is_fixed(s, s->elites[at]))
      break;
  }
  return &s->elites[at]->family;
}

static void change_once(sc_fuzz_searching *s, sc_family *family)
{
  const sc_family from = *family;
  enum change change = (enum change)sc_fuzz_below(s, CHANGES);
  unsigned at = (unsigned)sc_fuzz_below(s, from.part_count + (change == CHANGE_INSERT || change == CHANGE_REPEATED));
  *family = (sc_family){0};
  if (change == CHANGE_SPLICE) {
    splice_families(s, &from, some_elite(s), family);
    return;
  }
  if (change == CHANGE_REMOVE) {
    *family = from;
    if (from.parts[at].kind != SC_FAMILY_CLOSE)
      sc_family_remove(family, at);
    return;
  }
  for (unsigned i = 0; i < from.part_count; i++) {
    if (i == at)
      change_here(s, &from, i, change, family);
    else
      copy_part(&from, i, family);
  }
  if (at == from.part_count)
    add_tokens(s, change == CHANGE_INSERT ? SC_FAMILY_FIXED : SC_FAMILY_N, family);
}

/* What did not fit may have left parentheses open. */
static bool is_closed(const sc_family *family)
{
  int depth = 0;
  for (unsigned i = 0; i < family->part_count && depth >= 0; i++) {
    depth += family->parts[i].kind == SC_FAMILY_OPEN;
    depth -= family->parts[i].kind == SC_FAMILY_CLOSE;
  }
  return depth == 0 && family->part_count > 0;
}

/* Whether no parentheses are empty, and what needs some stands in them. */
static bool is_whole_family(const sc_family *family)
{
  int depth = 0;
  for (unsigned i = 0; i < family->part_count; i++) {
    const sc_family_part *part = &family->parts[i];
    depth += part->kind == SC_FAMILY_OPEN;
    depth -= part->kind == SC_FAMILY_CLOSE;
    if ((part->kind == SC_FAMILY_OPEN && part[1].kind == SC_FAMILY_CLOSE) ||
        (depth == 0 && (part->kind > SC_FAMILY_CLOSE || part->times > SC_FAMILY_N)))
      return false;
  }
  return !sc_family_is_fixed(family);
}

/* A small input of a family, as the program's own mutator changes it, with a piece of that repeated. False: it has no
 * such mutator, or made nothing. */
static bool change_by_program(sc_fuzz_searching *s, sc_family *family)
{
  unsigned char bytes[PIECE];
  size_t size = 0, most = sizeof bytes;
  if (s->elite_count && sc_family_fill(some_elite(s), 1 + sc_fuzz_below(s, 3), bytes, most, &size) < 0)
    size = 0;
  if (s->target->ops->change(s->target, bytes, &size, most, sc_fuzz_random(s)) < 0 || size == 0)
    return false;
  size_t from = sc_fuzz_below(s, size), some = 1 + sc_fuzz_below(s, size - from < 16 ? size - from : 16);
  *family = (sc_family){0};
  if (from)
    (void)sc_family_add(family, bytes, from, SC_FAMILY_FIXED, 1);
  (void)sc_family_add(family, bytes + from, some, SC_FAMILY_N, 1);
  if (from + some < size)
    (void)sc_family_add(family, bytes + from + some, size - from - some, SC_FAMILY_FIXED, 1);
  return true;
}

void sc_fuzz_mutate(sc_fuzz_searching *s, sc_family *family)
{
  if (s->target && s->target->ops->change && sc_fuzz_random(s) % 8 == 0 && change_by_program(s, family))
    return;
  do {
    if (s->elite_count == 0 || sc_fuzz_random(s) % 5 == 0) {
      make_fresh(s, family);
      continue;
    }
    *family = *some_elite(s);
    for (uint64_t changes = 1 + sc_fuzz_random(s) % 3; changes && is_closed(family); changes--)
      change_once(s, family);
  } while (!is_closed(family) || !is_whole_family(family));
}
