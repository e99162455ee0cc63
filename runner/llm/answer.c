/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/llm/answer.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

static const char *const words[SC_ANSWER_VERDICTS] = {"none", "exclusive", "shared", "acquire", "release", "wait"};

const char *sc_answer_word(enum sc_answer_verdict verdict) { return words[verdict]; }

bool sc_answer_verdict_of(const char *word, bool function, enum sc_answer_verdict *verdict)
{
  for (enum sc_answer_verdict i = SC_ANSWER_NONE; i < SC_ANSWER_VERDICTS; i++)
    if (strcmp(words[i], word) == 0 && (i == SC_ANSWER_NONE || (i >= SC_ANSWER_ACQUIRE) == function)) {
      *verdict = i;
      return true;
    }
  return false;
}

/* The text that the model said. */
static const char *answer_text(const cJSON *root, sc_answer_sum *sum)
{
  const cJSON *choice = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(root, "choices"), 0);
  const cJSON *message = cJSON_GetObjectItemCaseSensitive(choice, "message");
  const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(message, "content"));
  const char *end = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(choice, "finish_reason"));
  double tokens = cJSON_GetNumberValue(
      cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(root, "usage"), "total_tokens"));
  sum->tokens = isfinite(tokens) && tokens > 0 ? tokens : 0;
  if (!text)
    sum->fault = "it has no choices[0].message.content";
  else if (end && strcmp(end, "length") == 0)
    sum->fault = "it was cut off at the limit of tokens";
  return sum->fault ? NULL : text;
}

/* Models like to put JSON between the marks of Markdown. */
static const char *answer_unwrap(const char *text, size_t *length)
{
  static const char space[] = " \t\r\n";
  text += strspn(text, space);
  bool wrapped = strncmp(text, "```", 3) == 0;
  if (wrapped)
    text += strcspn(text, "\n");
  *length = strlen(text);
  while (*length && (strchr(space, text[*length - 1]) || (wrapped && text[*length - 1] == '`')))
    --*length;
  return text;
}

static int answer_element(const cJSON *element, bool functions, sc_answer_fn visit, void *user, sc_answer_sum *sum)
{
  const char *word = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(element, functions ? "event" : "resource"));
  sc_answer_one one = {
      .name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(element, functions ? "function" : "type")),
      .reason = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(element, "reason"))};
  if (!one.name || !word || !one.reason || !sc_answer_verdict_of(word, functions, &one.verdict)) {
    sum->invalid++;
    return 0;
  }
  int taken = visit(user, &one);
  *(taken > 0 ? &sum->taken : &sum->strange) += taken >= 0;
  return taken < 0 ? taken : 0;
}

static int answer_list(const cJSON *root, bool functions, sc_answer_fn visit, void *user, sc_answer_sum *sum)
{
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, functions ? "functions" : "types");
  if (!cJSON_IsArray(list)) {
    sum->fault = "it is not the JSON that was asked for";
    return 0;
  }
  for (const cJSON *element = list->child; element; element = element->next)
    SC_TRY(answer_element(element, functions, visit, user, sum));
  return 0;
}

int sc_answer_read(const char *body, size_t length, bool functions, sc_answer_fn visit, void *user, sc_answer_sum *sum)
{
  *sum = (sc_answer_sum){0};
  cJSON *outer = cJSON_ParseWithLength(body, length), *inner = NULL;
  const char *text = NULL;
  size_t bytes = 0;
  int err = 0;
  if (!outer)
    sum->fault = "it is no JSON";
  else
    text = answer_text(outer, sum);
  if (text) {
    const char *end = NULL;
    text = answer_unwrap(text, &bytes);
    inner = cJSON_ParseWithLengthOpts(text, bytes, &end, false);
    if (end != text + bytes) { /* prose behind it */
      cJSON_Delete(inner);
      inner = NULL;
    }
    err = answer_list(inner, functions, visit, user, sum);
  }
  cJSON_Delete(inner);
  cJSON_Delete(outer);
  return err;
}
