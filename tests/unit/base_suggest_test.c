/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which word was meant. */
#include "unit.h"

#include "base/suggest.h"

/* Edits, by trying all: of the beginnings of a and b. */
static unsigned edits(const char *a, size_t x, const char *b, size_t y)
{
  if (!x || !y)
    return (unsigned)(x + y);
  unsigned least = edits(a, x - 1, b, y - 1) + (a[x - 1] != b[y - 1]);
  unsigned without = edits(a, x - 1, b, y) + 1, with = edits(a, x, b, y - 1) + 1;
  least = without < least ? without : least;
  least = with < least ? with : least;
  if (x > 1 && y > 1 && a[x - 1] == b[y - 2] && a[x - 2] == b[y - 1]) {
    unsigned swapped = edits(a, x - 2, b, y - 2) + 1;
    least = swapped < least ? swapped : least;
  }
  return least;
}

TEST(distances_are_numbers_of_edits)
{
  static const char *const words[] = {"",      "a",       "ab",   "ba",   "report", "reprot",
                                      "repot", "reports", "page", "pgae", "ask"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
      assert_int_equal(sc_suggest_distance(words[i], words[k]),
                       edits(words[i], strlen(words[i]), words[k], strlen(words[k])));
  assert_int_equal(sc_suggest_distance("report", "report"), 0);
  assert_int_equal(sc_suggest_distance("reprot", "report"), 1);
  assert_int_equal(sc_suggest_distance("", "abc"), 3);
  assert_int_equal(sc_suggest_distance("kitten", "sitting"), 3);
  char longest[64], longer[65];
  memset(longest, 'x', 63), longest[63] = '\0';
  memset(longer, 'x', 64), longer[64] = '\0';
  assert_int_equal(sc_suggest_distance(longest, longest), 0);
  assert_int_equal(sc_suggest_distance(longest, ""), 63);
  assert_int_equal(sc_suggest_distance("", longest), 63);
  assert_int_equal(sc_suggest_distance(longer, "x"), 100);
  assert_int_equal(sc_suggest_distance("x", longer), 100);
}

static const char *best_of(const char *word, const char *const *candidates, unsigned *distance)
{
  const char *best = NULL;
  *distance = 100;
  for (; *candidates; candidates++)
    sc_suggest_consider(word, *candidates, &best, distance);
  return best;
}

TEST(the_nearest_word_is_meant)
{
  static const char *const verbs[] = {"run", "report", "resources", "page", "pages", NULL};
  unsigned distance;
  assert_string_equal(best_of("reprot", verbs, &distance), "report");
  assert_int_equal(distance, 1);
  assert_string_equal(best_of("page", verbs, &distance), "page");
  assert_int_equal(distance, 0);                                       /* a beginning of another one is no better */
  assert_string_equal(best_of("reso", verbs, &distance), "resources"); /* a beginning is one edit */
  assert_int_equal(distance, 1);
  assert_string_equal(best_of("r", verbs, &distance), "run"); /* but not of one letter */
  assert_int_equal(distance, 2);
  assert_string_equal(best_of("re", verbs, &distance), "report");
  assert_int_equal(distance, 1);
  assert_true(sc_suggest_near("reprot", 1));
  assert_false(sc_suggest_near("ab", 2));
  static const unsigned most[] = {1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5}; /* by length */
  char word[13] = "";
  for (size_t length = 0; length < sizeof most / sizeof *most; length++) {
    assert_true(sc_suggest_near(word, most[length]) && !sc_suggest_near(word, most[length] + 1));
    if (length < 12)
      strcat(word, "x");
  }
}
