/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/report/gate.h"

#include <ctype.h>
#include <math.h>
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

bool sc_gate_has_ratio(const char *word, int length, const char *choice, int choice_length)
{
  int name = (int)strcspn(choice, "=:|");
  char digits[WORD], *end;
  if (name >= choice_length || choice[name] != '=' || length <= name + 1 || length - name > WORD ||
      strncmp(word, choice, (size_t)name) != 0 || !strchr(">=", word[name]))
    return false;
  snprintf(digits, sizeof digits, "%.*s", length - name - 1, word + name + 1);
  double ratio = strtod(digits, &end);
  return isdigit((unsigned char)*digits) && isfinite(ratio) && ratio > 1 && (!*end || strcmp(end, "x") == 0);
}
