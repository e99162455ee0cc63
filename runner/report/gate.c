/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/report/gate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 64 }; /* bytes of the longest word */

static const char COST[] = "cost";

/* The next word of the list, without its ratio; *ratio: where that begins, or NULL. */
static bool next_word(const char **rest, char word[static WORD], const char **ratio)
{
  const char *at = *rest;
  if (!at || !*at)
    return false;
  size_t length = strcspn(at, ","), name = strcspn(at, ",>=");
  snprintf(word, WORD, "%.*s", (int)(name < WORD ? name : WORD - 1), at);
  *ratio = name < length ? at + name + 1 : NULL;
  *rest = at + length + (at[length] == ',');
  return true;
}

bool sc_gate_any(const char *fail_on, sc_gate_fn applies, const void *user)
{
  char word[WORD];
  const char *ratio;
  while (next_word(&fail_on, word, &ratio))
    if (applies(user, word))
      return true;
  return false;
}

double sc_gate_cost_ratio(const char *fail_on)
{
  char word[WORD];
  const char *ratio;
  while (next_word(&fail_on, word, &ratio))
    if (ratio && strcmp(word, COST) == 0)
      return strtod(ratio, NULL);
  return 0;
}
