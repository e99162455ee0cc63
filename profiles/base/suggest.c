/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The nearest known word to one that is mistyped. */
#include "base/suggest.h"

#include <string.h>

enum { LONGEST = 63, FAR = 100 };

static unsigned least_of_three(unsigned a, unsigned b) { return a < b ? a : b; }

unsigned sc_suggest_distance(const char *a, const char *b)
{
  size_t la = strlen(a), lb = strlen(b);
  if (la > LONGEST || lb > LONGEST)
    return FAR;
  unsigned rows[3][LONGEST + 1]; /* two rows back are needed for a swap of neighbours */
  for (size_t j = 0; j <= lb; j++)
    rows[0][j] = (unsigned)j;
  for (size_t i = 1; i <= la; i++) {
    unsigned *row = rows[i % 3], *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
    row[0] = (unsigned)i;
    for (size_t j = 1; j <= lb; j++) {
      row[j] = above[j - 1] + (a[i - 1] != b[j - 1]);
      row[j] = least_of_three(row[j], least_of_three(above[j], row[j - 1]) + 1);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = least_of_three(row[j], before[j - 2] + 1);
    }
  }
  return rows[la % 3][lb];
}

void sc_suggest_consider(const char *word, const char *candidate, const char **best, unsigned *distance)
{
  unsigned edits = sc_suggest_distance(word, candidate);
  size_t length = strlen(word);
  if (edits && length >= 2 && strncmp(word, candidate, length) == 0)
    edits = 1; /* a beginning of the word is as good as a slip of the finger */
  if (edits < *distance) {
    *distance = edits;
    *best = candidate;
  }
}

int sc_suggest_near(const char *word, unsigned distance)
{
  size_t length = strlen(word);
  return distance <= (length < 3 ? 1 : length < 6 ? 2 : length / 3 + 1);
}
