/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a search stood. The file is anybody's. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "base/infile.h"
#include "base/number.h"
#include "runner/fuzz/internal.h"

static int refuse_state(const sc_fuzz_searching *s, const char *what)
{
  (void)sc_err_set(SC_E_INPUT, "%s does not say where a search stands: %s", s->options->state, what);
  return sc_err_hint(SC_E_INPUT, "leave --resume out, and the search begins anew");
}

static int get_whole(const sc_fuzz_searching *s, const cJSON *object, const char *key, uint64_t most, uint64_t *value)
{
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  *value = 0;
  if (!item)
    return 0;
  return cJSON_IsString(item) && sc_number_whole(item->valuestring, value) && *value <= most ? 0 : refuse_state(s, key);
}

/* Absent: 0. */
static int get_number(const sc_fuzz_searching *s, const cJSON *item, const char *key, double *value)
{
  char *end = NULL;
  *value = 0;
  if (!item)
    return 0;
  if (!cJSON_IsString(item) || !*item->valuestring)
    return refuse_state(s, key);
  *value = strtod(item->valuestring, &end);
  return *end == '\0' && *value >= 0 ? 0 : refuse_state(s, key);
}

static int get_member(const sc_fuzz_searching *s, const cJSON *object, const char *key, double *value)
{
  return get_number(s, cJSON_GetObjectItemCaseSensitive(object, key), key, value);
}

static int get_state_text(const sc_fuzz_searching *s, const cJSON *object, const char *key, char **text)
{
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  if (!cJSON_IsString(item))
    return refuse_state(s, key);
  *text = sc_mem_copy_string(item->valuestring);
  return *text ? 0 : SC_E_NOMEM;
}

static int get_list(const sc_fuzz_searching *s, const cJSON *object, const char *key, const cJSON **list)
{
  *list = cJSON_GetObjectItemCaseSensitive(object, key);
  return cJSON_IsArray(*list) ? 0 : refuse_state(s, key);
}

static int get_family(const sc_fuzz_searching *s, const cJSON *object, sc_family *family)
{
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, "family");
  if (!cJSON_IsString(item) || sc_family_parse(item->valuestring, family) < 0 || sc_family_is_fixed(family))
    return refuse_state(s, "family");
  return 0;
}

static int get_elites(sc_fuzz_searching *s, const cJSON *document)
{
  const cJSON *list, *item;
  SC_TRY(get_list(s, document, "contexts", &list));
  cJSON_ArrayForEach(item, list)
  {
    sc_fuzz_elite elite = {0};
    uint64_t refused;
    SC_TRY(get_whole(s, item, "key", UINT64_MAX, &elite.key));
    SC_TRY(get_family(s, item, &elite.family));
    SC_TRY(get_member(s, item, "score", &elite.score));
    SC_TRY(get_whole(s, item, "refused", UINT32_MAX, &refused));
    SC_TRY(get_whole(s, item, "again", UINT64_MAX, &elite.again));
    elite.refused = (uint32_t)refused;
    elite.fixed = cJSON_GetObjectItemCaseSensitive(item, "fixed") != NULL;
    SC_TRY(get_whole(s, item, "fixed", UINT64_MAX, &elite.count));
    SC_TRY(sc_fuzz_add_elite(s, &elite));
  }
  return sc_fuzz_await_elites(s);
}

static int get_steps(sc_fuzz_searching *s, const cJSON *object, sc_fuzz_find *find)
{
  const cJSON *list, *item;
  SC_TRY(get_list(s, object, "steps", &list));
  SC_TRY(SC_NEW(find->steps, (size_t)cJSON_GetArraySize(list) + 1));
  cJSON_ArrayForEach(item, list)
  {
    sc_fuzz_step *step = &find->steps[find->step_count++];
    uint64_t line, kind;
    SC_TRY(get_state_text(s, item, "function", &step->function));
    SC_TRY(get_state_text(s, item, "file", &step->file));
    SC_TRY(get_whole(s, item, "line", UINT32_MAX, &line));
    SC_TRY(get_whole(s, item, "kind", SC_FUZZ_PLACE_OTHER, &kind));
    step->line = (unsigned)line;
    step->kind = (int)kind;
  }
  return sc_fuzz_describe_steps(find);
}

static int get_also(sc_fuzz_searching *s, const cJSON *object, sc_fuzz_find *find)
{
  const cJSON *list, *item;
  SC_TRY(get_list(s, object, "also", &list));
  cJSON_ArrayForEach(item, list)
  {
    if (find->also_count == SC_FUZZ_ALSO)
      return refuse_state(s, "also");
    SC_TRY(get_whole(s, item, "site", UINT64_MAX, &find->also_sites[find->also_count]));
    SC_TRY(get_state_text(s, item, "where", &find->also[find->also_count]));
    find->also_count++;
  }
  return 0;
}

static int get_numbers(sc_fuzz_searching *s, const cJSON *object, const char *key, double *values)
{
  const cJSON *list, *item;
  int count = 0;
  SC_TRY(get_list(s, object, key, &list));
  if (cJSON_GetArraySize(list) != SC_FUZZ_FITTED)
    return refuse_state(s, key);
  cJSON_ArrayForEach(item, list)
  {
    SC_TRY(get_number(s, item, key, &values[count]));
    if (!isfinite(values[count++]))
      return refuse_state(s, key);
  }
  return 0;
}

static int get_reached(sc_fuzz_searching *s, const cJSON *object, sc_fuzz_find *find)
{
  const cJSON *list, *item;
  int count = 0;
  SC_TRY(get_list(s, object, "reached", &list));
  cJSON_ArrayForEach(item, list)
  {
    if (count == SC_FUZZ_GOALS)
      return refuse_state(s, "reached");
    SC_TRY(get_member(s, item, "value", &find->reached[count].value));
    SC_TRY(get_member(s, item, "low", &find->reached[count].low));
    SC_TRY(get_member(s, item, "high", &find->reached[count].high));
    count++;
  }
  return 0;
}

static int get_growth(sc_fuzz_searching *s, const cJSON *object, sc_fuzz_find *find)
{
  uint64_t status;
  SC_TRY(get_numbers(s, object, "n", find->n));
  SC_TRY(get_numbers(s, object, "counts", find->counts));
  for (int i = 0; i < SC_FUZZ_FITTED; i++)
    if (!(find->n[i] > (i ? find->n[i - 1] : 0)))
      return refuse_state(s, "n");
  SC_TRY(get_reached(s, object, find));
  SC_TRY(get_member(s, object, "order", &find->order));
  SC_TRY(get_member(s, object, "held_n", &find->held_n));
  SC_TRY(get_member(s, object, "held_count", &find->held_count));
  SC_TRY(get_member(s, object, "held_predicted", &find->held_predicted));
  find->exact = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, "exact"));
  SC_TRY(get_whole(s, object, "cap", UINT64_MAX, &find->cap));
  SC_TRY(get_member(s, object, "bytes", &find->bytes));
  SC_TRY(get_whole(s, object, "exit_status", 255, &status));
  SC_TRY(get_member(s, object, "per_megabyte", &find->per_megabyte));
  SC_TRY(get_member(s, object, "per_count", &find->per_count));
  find->exit_status = (int)status;
  SC_TRY(sc_fuzz_fit_counts(s, find));
  return find->model.verdict == SC_VERDICT_MODEL && find->step_count && find->order > 0 ? 0 : refuse_state(s, "counts");
}

static int get_failure(sc_fuzz_searching *s, const cJSON *object, sc_fuzz_find *find)
{
  uint64_t signal;
  SC_TRY(get_whole(s, object, "signal", 64, &signal));
  SC_TRY(get_whole(s, object, "failed_at", UINT64_MAX, &find->failed_at));
  find->signal = (int)signal;
  double bytes = find->failed_at ? sc_family_bytes(&find->family, find->failed_at, SC_FUZZ_INPUT) : INFINITY;
  return isfinite(bytes) ? 0 : refuse_state(s, "failed_at");
}

/* Of a list that has room for it, so that it is freed if it is not read to its end. */
static int get_find(sc_fuzz_searching *s, const cJSON *object)
{
  sc_fuzz_find *find = &s->finds->list[s->finds->count++];
  uint64_t outcome;
  SC_TRY(get_family(s, object, &find->family));
  SC_TRY(get_whole(s, object, "outcome", SC_FUZZ_OUT_OF_MEMORY, &outcome));
  SC_TRY(get_whole(s, object, "site", UINT64_MAX, &find->site));
  find->outcome = (enum sc_fuzz_outcome)outcome;
  SC_TRY(get_steps(s, object, find));
  SC_TRY(get_also(s, object, find));
  return find->outcome == SC_FUZZ_ENDED ? get_growth(s, object, find) : get_failure(s, object, find);
}

static int get_finds(sc_fuzz_searching *s, const cJSON *document)
{
  const cJSON *list, *item;
  SC_TRY(get_list(s, document, "finds", &list));
  SC_TRY(sc_mem_grow_zeroed(&s->finds->list, &s->finds->capacity, (size_t)cJSON_GetArraySize(list) + 1,
                            sizeof *s->finds->list));
  cJSON_ArrayForEach(item, list) SC_TRY(get_find(s, item));
  return 0;
}

static int get_crashes(sc_fuzz_searching *s, const cJSON *document)
{
  const cJSON *list, *item;
  SC_TRY(get_list(s, document, "crashes", &list));
  cJSON_ArrayForEach(item, list)
  {
    if (s->crash_count == SC_FUZZ_CRASHES)
      return refuse_state(s, "crashes");
    SC_TRY(get_whole(s, item, "looks", UINT64_MAX, &s->crashes[s->crash_count++]));
  }
  return 0;
}

static int check_head(sc_fuzz_searching *s, const cJSON *document)
{
  const cJSON *name = cJSON_GetObjectItemCaseSensitive(document, "document"),
              *version = cJSON_GetObjectItemCaseSensitive(document, "schema_version");
  uint64_t of;
  if (!cJSON_IsString(name) || strcmp(name->valuestring, "search") != 0)
    return refuse_state(s, "it is no JSON of a search");
  if (!cJSON_IsNumber(version) || version->valueint != SC_FUZZ_STATE_VERSION) {
    (void)sc_err_set(SC_E_VERSION, "%s was written by another version of scale-run", s->options->state);
    return sc_err_hint(SC_E_VERSION, "leave --resume out, and the search begins anew");
  }
  SC_TRY(get_whole(s, document, "of", UINT64_MAX, &of));
  if (of == s->of)
    return 0;
  (void)sc_err_set(SC_E_MISMATCH, "%s is of another search: the program, --seed, --seeds or --dict differ",
                   s->options->state);
  return sc_err_hint(SC_E_MISMATCH, "leave --resume out, and the search begins anew");
}

static int take_state(sc_fuzz_searching *s, const cJSON *document)
{
  const cJSON *pending = cJSON_GetObjectItemCaseSensitive(document, "pending");
  SC_TRY(check_head(s, document));
  SC_TRY(get_whole(s, document, "random", UINT64_MAX, &s->random));
  SC_TRY(get_whole(s, document, "next", UINT64_MAX, &s->next));
  s->exhausted = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(document, "exhausted"));
  SC_TRY(get_whole(s, document, "runs", UINT64_MAX, &s->finds->runs));
  SC_TRY(get_whole(s, document, "candidates", UINT64_MAX, &s->finds->candidates));
  SC_TRY(get_whole(s, document, "confirmations", UINT64_MAX, &s->finds->confirmations));
  SC_TRY(get_member(s, document, "seconds", &s->before));
  if (pending)
    SC_TRY(get_family(s, pending, &s->pending));
  SC_TRY(get_crashes(s, document));
  SC_TRY(get_elites(s, document));
  return get_finds(s, document);
}

int sc_fuzz_load(sc_fuzz_searching *s)
{
  sc_buf text = {0};
  if (access(s->options->state, F_OK) != 0 && errno == ENOENT)
    return 0;
  int err = sc_infile_read(s->options->state, SC_E_INPUT, s->options->state, SC_FUZZ_STATE, &text);
  cJSON *document = err == 0 ? cJSON_ParseWithLength(text.text ? text.text : "", text.length) : NULL;
  if (err == 0)
    err = document ? take_state(s, document) : refuse_state(s, "it is no JSON of a search");
  cJSON_Delete(document);
  sc_buf_free(&text);
  return err;
}
