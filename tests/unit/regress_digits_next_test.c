/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which change of pieces may be a number's next digit, and what comes after it: by hand. The digits of the numbers
 * 0 .. n - 1 are n up to 10, 2 n - 10 up to 100, 3 n - 110 up to 1,000, and so on. */
#include "unit.h"

#include <math.h>

#include "regress/core/term.h"
#include "regress/exact/digits.h"

/* Two pieces: `before` n^3 + a n^2 + b n + c up to `until`, and from there on with a square and a line more. */
typedef struct change {
  double cube, square, line, constant;          /* before */
  double more_square, more_line, more_constant; /* after */
  double until, low, high;
  double last; /* the largest size */
} change;

static size_t terms_of(double cube, double square, double line, double constant, sc_term *terms)
{
  const double coefficients[] = {constant, line, square, cube};
  size_t count = 0;
  for (int e = 3; e >= 0; e--)
    if (coefficients[e] != 0)
      terms[count++] = (sc_term){.coefficient = coefficients[e], .exponent = e};
  return count;
}

static bool next_of(const change *c, sc_exact_model *digits, double *bits)
{
  double n[] = {5, c->last};
  const sc_points points = {.n = n, .count = 2};
  sc_exact_model pieces = {.piece_count = 1};
  sc_term before[4];
  size_t count = terms_of(c->cube, c->square, c->line, c->constant, before);
  if (count > 3)
    return false; /* a piece has three */
  memcpy(pieces.pieces[0].terms, before, count * sizeof *before);
  pieces.pieces[0].term_count = count;
  pieces.pieces[0].until = c->until;
  pieces.pieces[0].until_low = c->low, pieces.pieces[0].until_high = c->high;
  pieces.term_count = terms_of(c->cube, c->square + c->more_square, c->line + c->more_line,
                               c->constant + c->more_constant, pieces.terms);
  return sc_exact_digits(&points, &pieces, digits, bits);
}

/* A line that gets steeper by `rise` where it passes 100 less an offset. */
static change line(double slope, double rise, double at)
{
  return (change){.line = slope,
                  .constant = -10,
                  .more_line = rise,
                  .more_constant = -rise * at,
                  .until = at,
                  .low = at - 5,
                  .high = at + 5,
                  .last = 500};
}

TEST(digits_go_on)
{
  sc_exact_model d;
  double bits;
  change c = line(2, 1, 100);
  assert_true(next_of(&c, &d, &bits));
  assert_true(bits == 2 && d.piece_count == 3);
  static const double until[] = {100, 1000, 10000}, slopes[] = {2, 3, 4, 5}, constants[] = {-10, -110, -1110, -11110};
  for (size_t i = 0; i < 4; i++) {
    const sc_term *terms = i < 3 ? d.pieces[i].terms : d.terms;
    assert_int_equal(i < 3 ? d.pieces[i].term_count : d.term_count, 2);
    assert_true(terms[0].exponent == 1 && terms[0].coefficient == slopes[i] && terms[1].coefficient == constants[i]);
    if (i < 3)
      assert_true(d.pieces[i].until == until[i]);
    if (i == 1 || i == 2)
      assert_true(d.pieces[i].until_low == until[i] && d.pieces[i].until_high == until[i]);
  }
}

TEST(two_changes_a_digit_apart_are_surer)
{
  double n[] = {5, 500}, bits;
  const sc_points points = {.n = n, .count = 2};
  sc_exact_model d;
  sc_exact_model pieces = {.pieces = {{.terms = {{1, 1}}, .term_count = 1, .until = 10},
                                      {.terms = {{2, 1}, {-10, 0}}, .term_count = 2, .until = 100}},
                           .piece_count = 2,
                           .terms = {{3, 1}, {-110, 0}},
                           .term_count = 2};
  assert_true(sc_exact_digits(&points, &pieces, &d, &bits) && bits == 6);
  assert_true(d.piece_count == 3 && d.pieces[2].until == 1000 && d.terms[0].coefficient == 4 &&
              d.terms[1].coefficient == -1110);
  pieces.pieces[0].terms[0].coefficient = 0.5; /* by half more, not by one: at 20/3 it would meet */
  pieces.pieces[0].until = 20.0 / 3;
  assert_true(sc_exact_digits(&points, &pieces, &d, &bits) && bits == 2);
  pieces.piece_count = 3;
  assert_false(sc_exact_digits(&points, &pieces, &d, &bits)); /* there is no room for another */
  pieces.piece_count = 0;
  assert_false(sc_exact_digits(&points, &pieces, &d, &bits));
}

TEST(a_line_changes_near_a_power_of_ten)
{
  static const struct {
    double slope, rise, at;
    bool digit;
  } cases[] = {{2, 1, 93, true},  {2, 1, 85, true},     {2, 1, 84, false},   {2, 1, 101, true},     {2, 1, 102, false},
               {1, 1, 100, true}, {0.9, 1, 100, false}, {2, -1, 100, false}, {5, 0, 100, false},    {2, 1, 9, true},
               {2, 1, 8, false},  {2, 1, 1, false},     {2, 1, 10, true},    {1.9, 1, 1000, false}, {2, 1, 1000, true}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_exact_model d;
    double bits, power = pow(10, round(log10(cases[i].at)));
    change c = line(cases[i].slope, cases[i].rise, cases[i].at);
    c.last = 5 * power;
    bool digit = next_of(&c, &d, &bits);
    if (digit != cases[i].digit)
      fail_msg("case %zu", i);
    if (digit)
      assert_true(d.pieces[1].until == 9 * power + cases[i].at); /* as far from the next power */
  }
  sc_exact_model d;
  double bits;
  change c = line(0.5, 1, 100);
  c.square = 1; /* beside what grows faster, a line may begin */
  assert_true(next_of(&c, &d, &bits));
}

TEST(sizes_beyond_the_next_power_would_show_it)
{
  sc_exact_model d;
  double bits;
  change c = line(2, 1, 93);
  c.last = 993;
  assert_true(next_of(&c, &d, &bits));
  c.last = 994;
  assert_false(next_of(&c, &d, &bits));
}

/* Lines that do not meet change somewhere between two sizes: at a power of ten that lies there. */
TEST(lines_that_jump_change_between_sizes)
{
  static const struct {
    double low, high;
    bool digit;
  } cases[] = {{80, 113, true}, {80, 100, true}, {80, 99, false}, {99, 113, true}, {100, 113, false}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_exact_model d;
    double bits;
    change c = line(2, 1, 95);
    c.more_constant += 0.51;
    c.low = cases[i].low, c.high = cases[i].high;
    assert_int_equal(next_of(&c, &d, &bits), cases[i].digit);
    if (cases[i].digit)
      assert_true(d.pieces[1].until == 1000);
    c.more_constant -= 0.02; /* by less than half of one they meet, seven sizes and more below the power */
    assert_true(next_of(&c, &d, &bits) && d.pieces[1].until == 995);
  }
}

/* What goes over all digits so far: (n - 100) (n - 99) more from 100 on. */
TEST(sums_of_digits_go_on)
{
  static const struct {
    double before, rise, root, off;
    bool digit;
  } cases[] = {{1, 1, 100, 0, true},  {0.9, 1, 100, 0, false}, {1, 1, 93, 0, true},   {1, 1, 84, 0, false},
               {1, 1, 100, 1, false}, {2, 2, 100, 0, true},    {1, -1, 100, 0, false}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_exact_model d;
    double bits, root = cases[i].root, rise = cases[i].rise;
    change c = {.square = cases[i].before,
                .line = 5,
                .more_square = rise,
                .more_line = rise * (1 - 2 * root),
                .more_constant = rise * root * (root - 1) + cases[i].off,
                .until = root,
                .last = 500};
    if (next_of(&c, &d, &bits) != cases[i].digit)
      fail_msg("case %zu", i);
    if (!cases[i].digit)
      continue;
    double next = 900 + root; /* n = 2,000 is behind it */
    assert_true(d.pieces[1].until == next && d.pieces[2].until == 9900 + root);
    double n = 2000, value = cases[i].before * n * n + 5 * n + rise * (n - root) * (n - root + 1) +
                             rise * (n - next) * (n - next + 1);
    assert_true(fabs(sc_term_sum(d.pieces[2].terms, d.pieces[2].term_count, n) - value) < 1e-6);
  }
}

TEST(other_terms_are_no_digits)
{
  sc_exact_model d;
  double bits;
  change c = line(2, 1, 100);
  c.cube = 7;
  assert_true(next_of(&c, &d, &bits)); /* beside it, n and a constant */
  double n[] = {5, 500};
  const sc_points points = {.n = n, .count = 2};
  sc_exact_model pieces = {.pieces = {{.terms = {{7, 3}, {2, 1}, {-10, 0}}, .term_count = 3, .until = 100}},
                           .piece_count = 1,
                           .terms = {{8, 3}, {3, 1}, {-110, 0}},
                           .term_count = 3};
  assert_false(sc_exact_digits(&points, &pieces, &d, &bits)); /* a cube more */
  pieces.terms[0].coefficient = 7;
  assert_true(sc_exact_digits(&points, &pieces, &d, &bits));
  pieces.terms[0].exponent = 1.5, pieces.pieces[0].terms[0].exponent = 1.5;
  pieces.terms[0].shape = SC_SHAPE_FLOOR_ROOT;
  assert_false(sc_exact_digits(&points, &pieces, &d, &bits));
  pieces.terms[0].shape = SC_SHAPE_PLAIN, pieces.pieces[0].terms[0].shape = SC_SHAPE_FLOOR_ROOT;
  assert_false(sc_exact_digits(&points, &pieces, &d, &bits));
  pieces = (sc_exact_model){.pieces = {{.terms = {{7, 3}, {1, 2}, {2, 1}}, .term_count = 3, .until = 100}},
                            .piece_count = 1,
                            .terms = {{7, 3}, {1, 2}, {3, 1}, {-100, 0}},
                            .term_count = 4};
  assert_false(sc_exact_digits(&points, &pieces, &d, &bits)); /* as many terms as a model has */
}

/* Digits of 2 i, 3 i, ... 9 i get one more at 1,000 / 2, 1,000 / 3, ...; the next at ten times that. */
TEST(multiples_reach_the_next_power_earlier)
{
  static const double first[] = {500, 334, 250, 200, 167, 143, 125, 112};
  static const double next[] = {5000, 3334, 2500, 2000, 1667, 1429, 1250, 1112};
  for (size_t i = 0; i < 8; i++)
    for (int from = 0; from <= 1; from++) {
      sc_exact_model digits;
      double bits, at = first[i] - from;
      change c = line(3, 1, at);
      c.last = 1000;
      assert_true(next_of(&c, &digits, &bits));
      assert_true(digits.pieces[1].until == next[i] - from);
      c.line = 2; /* of numbers with three digits: two steps at least */
      assert_true(next_of(&c, &digits, &bits));
      c.line = 1.9;
      assert_false(next_of(&c, &digits, &bits));
    }
}

/* Nothing round is no digit. */
TEST(other_changes_are_no_multiples)
{
  static const double at[] = {100 - 20, 300, 498, 502, 335, 332, 251, 201};
  for (size_t i = 0; i < 8; i++) {
    sc_exact_model digits;
    double bits;
    change c = line(3, 1, at[i]);
    c.last = 700;
    assert_false(next_of(&c, &digits, &bits));
  }
}
