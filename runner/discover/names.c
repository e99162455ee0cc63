/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a function's name says. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "runner/discover/internal.h"
#include "runner/discover/names.h"

enum { ROLE_EITHER = SC_ROLE_COUNT, ROLE_GETTER, ROLE_MODIFIER };

static const struct {
  const char *word;
  int role;
  double weight;
} lexicon[] = {
#define ACQUIRE                  SC_ROLE_ACQUIRE
#define RELEASE                  SC_ROLE_RELEASE
#define WAIT                     SC_ROLE_WAIT
#define EITHER                   ROLE_EITHER
#define GETTER                   ROLE_GETTER
#define MODIFIER                 ROLE_MODIFIER
#define WORD(word, role, weight) {#word, role, weight},
#define NOUN(word)
#include "runner/discover/words.def"
#undef WORD
#undef NOUN
#undef ACQUIRE
#undef RELEASE
#undef WAIT
#undef EITHER
#undef GETTER
#undef MODIFIER
};

static int lexicon_find(const char *word)
{
  for (size_t i = 0; i < sizeof lexicon / sizeof *lexicon; i++)
    if (strcmp(lexicon[i].word, word) == 0)
      return (int)i;
  return -1;
}

static const char *const nouns[] = {
#define WORD(word, role, weight)
#define NOUN(word) #word,
#include "runner/discover/words.def"
#undef WORD
#undef NOUN
};

static bool is_noun(const char *word)
{
  for (size_t i = 0; i < sizeof nouns / sizeof *nouns; i++)
    if (strcmp(nouns[i], word) == 0)
      return true;
  return false;
}

/* The function's own name: behind the scopes, before template arguments and parameters. */
static void own_name(const char *shown, const char **start, size_t *length)
{
  int depth = 0;
  const char *at = strncmp(shown, "(anonymous", 10) == 0 && strchr(shown, ')') ? strchr(shown, ')') + 1 : shown;
  *start = at;
  for (; *at && !(depth == 0 && *at == '('); at++) {
    depth += (*at == '<') - (*at == '>' && depth > 0);
    if (depth == 0 && at[0] == ':' && at[1] == ':')
      *start = at + 2;
  }
  *length = (size_t)(at - *start);
  const char *angle = memchr(*start, '<', *length);
  if (angle && angle > *start)
    *length = (size_t)(angle - *start);
}

/* Whether a word begins here: at a change of case ("freeClient", "HTTPServer"). */
static bool word_begins(const char *text, size_t at, size_t length)
{
  if (!isupper((unsigned char)text[at]))
    return false;
  return !isupper((unsigned char)text[at - 1]) || (at + 1 < length && islower((unsigned char)text[at + 1]));
}

size_t sc_names_split(const char *shown, char words[SC_NAMES_WORDS][SC_NAMES_BYTES])
{
  const char *text;
  size_t length, count = 0, bytes = 0;
  own_name(shown, &text, &length);
  for (size_t i = 0; i <= length; i++) {
    bool inside = i < length && isalpha((unsigned char)text[i]);
    if (bytes && (!inside || word_begins(text, i, length))) {
      words[count++][bytes] = '\0';
      bytes = 0;
    }
    if (count == SC_NAMES_WORDS)
      break;
    if (inside && bytes < SC_NAMES_BYTES - 1)
      words[count][bytes++] = (char)tolower((unsigned char)text[i]);
  }
  return count;
}

/* "Pool::Pool" and "Pool::~Pool". */
static bool name_constructs(const char *shown, sc_name *name)
{
  const char *text;
  size_t length;
  own_name(shown, &text, &length);
  if (*text == '~') {
    *name = (sc_name){.role = SC_ROLE_RELEASE, .weight = 2, .word = "~"};
    return true;
  }
  if (text < shown + length + 2 || strncmp(text - 2 - length, text, length) != 0)
    return false;
  if (text - 2 - length != shown && text[-3 - (ptrdiff_t)length] != ':')
    return false;
  *name = (sc_name){.role = SC_ROLE_ACQUIRE, .weight = 2, .word = "constructor"};
  return true;
}

/* The head verb is the first word or the last, whichever is more of a verb: "queue_pop", "freeClient"; another one only
 * where neither is one, or it is a noun as well: "OwnerForgetRelationRef". */
void sc_names_judge(const char *shown, sc_name *name)
{
  char words[SC_NAMES_WORDS][SC_NAMES_BYTES];
  size_t count = sc_names_split(shown, words), order[SC_NAMES_WORDS], places = 0;
  *name = (sc_name){.role = SC_ROLE_COUNT};
  if (name_constructs(shown, name) || count == 0)
    return;
  order[places++] = 0;
  if (count > 1)
    order[places++] = count - 1;
  for (size_t i = 1; i + 1 < count; i++)
    order[places++] = i;
  for (size_t i = 0; i < places; i++) {
    int found = lexicon_find(words[order[i]]);
    if (found < 0)
      continue;
    int role = lexicon[found].role;
    if (role == ROLE_MODIFIER && order[i] + 1 < count) {
      name->getter = true;
      return;
    }
    if (role == ROLE_GETTER) {
      name->getter = true;
      continue;
    }
    double weight = lexicon[found].weight * (i < 2 ? 1 : SC_DISCOVER_MIDDLE_WORD);
    bool better = !name->word || (is_noun(name->word) && !is_noun(lexicon[found].word)) ||
                  (i < 2 && weight > name->weight && is_noun(lexicon[found].word) <= is_noun(name->word));
    if (role > ROLE_EITHER || !better)
      continue;
    name->either = role == ROLE_EITHER;
    name->role = name->either ? SC_ROLE_COUNT : (enum sc_role)role;
    name->weight = weight;
    name->word = lexicon[found].word;
  }
}

int sc_discovery_name(sc_discovery *d)
{
  SC_TRY(SC_NEW(d->names, d->facts.functions_count + 1));
  for (size_t i = 0; i < d->facts.functions_count; i++)
    sc_names_judge(d->facts.functions[i].shown, &d->names[i]);
  return 0;
}

/* ---- verbs that a program has of its own ------------------------------------------------------------------ */

typedef struct learnt {
  const char *word;
  unsigned functions, roles[2];
} learnt;

typedef struct learnt_list {
  SC_FACTS_ARRAY(learnt, words);
  sc_index index;
} learnt_list;

static int learnt_of(sc_discovery *d, learnt_list *list, const char *text, learnt **found)
{
  const char *word = sc_pool_intern(&d->facts.strings, text);
  if (!word)
    return SC_E_NOMEM;
  uint32_t hash = sc_hash_key(&word, sizeof word);
  SC_TRY(sc_index_reserve(&list->index, list->words_count + 1));
  sc_index_slot *slot = sc_index_first(&list->index, hash);
  while (slot->number && list->words[slot->number - 1].word != word)
    slot = sc_index_next(&list->index, slot);
  if (!slot->number) {
    SC_TRY(sc_mem_grow_zeroed(&list->words, &list->words_capacity, list->words_count + 1, sizeof *list->words));
    list->words[list->words_count++].word = word;
    sc_index_take(&list->index, slot, hash, (uint32_t)list->words_count);
  }
  *found = &list->words[slot->number - 1];
  return 0;
}

/* The words that may be a function's head: its first and its last. */
static size_t head_words(const sc_discovery *d, uint32_t function, char words[SC_NAMES_WORDS][SC_NAMES_BYTES])
{
  size_t count = sc_names_split(d->facts.functions[function].shown, words);
  if (count > 2)
    memcpy(words[1], words[count - 1], sizeof *words);
  return count < 2 ? count : 2;
}

static int learn_from(sc_discovery *d, learnt_list *list, uint32_t function, unsigned roles)
{
  char words[SC_NAMES_WORDS][SC_NAMES_BYTES];
  size_t count = head_words(d, function, words);
  for (size_t i = 0; i < count; i++) {
    learnt *found;
    SC_TRY(learnt_of(d, list, words[i], &found));
    found->functions++;
    for (unsigned role = 0; role < 2; role++)
      found->roles[role] += roles >> role & 1;
  }
  return 0;
}

static int learn_use(sc_discovery *d, learnt_list *list, uint32_t function)
{
  char words[SC_NAMES_WORDS][SC_NAMES_BYTES];
  size_t count = head_words(d, function, words);
  sc_name *name = &d->names[function];
  for (size_t i = 0; i < count && !name->word && !name->getter; i++) {
    learnt *found;
    if (lexicon_find(words[i]) >= 0)
      continue;
    SC_TRY(learnt_of(d, list, words[i], &found));
    for (unsigned role = 0; role < 2; role++)
      if (found->functions >= SC_DISCOVER_LEARN_FUNCTIONS &&
          found->roles[role] > SC_DISCOVER_LEARN_SHARE * found->functions)
        *name = (sc_name){
            .role = (enum sc_role)role, .weight = SC_DISCOVER_LEARN_WEIGHT, .word = found->word, .learnt = true};
  }
  return 0;
}

int sc_discovery_learn(sc_discovery *d)
{
  learnt_list list = {0};
  unsigned char *roles;
  int err = SC_NEW(roles, d->facts.functions_count + 1);
  for (size_t i = 0; err == 0 && i < d->evidence_count; i++)
    if (d->evidence[i].role < SC_ROLE_WAIT && d->evidence[i].shape < SC_SEEN_FORWARD_RESULT)
      roles[d->evidence[i].function] |= (unsigned char)(1U << d->evidence[i].role);
  for (uint32_t i = 0; err == 0 && i < d->facts.functions_count; i++)
    err = learn_from(d, &list, i, roles[i] == 3 ? 0 : roles[i]);
  for (uint32_t i = 0; err == 0 && i < d->facts.functions_count; i++)
    err = learn_use(d, &list, i);
  free(roles);
  free(list.words);
  sc_index_free(&list.index);
  return err;
}
