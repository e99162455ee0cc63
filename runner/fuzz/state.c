/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a search stands, as JSON: numbers beyond 2^53 are texts, and so are those that have to be the same to the last
 * bit, which cJSON rounds. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/infile.h"
#include "runner/fuzz/internal.h"
#include "runner/text/json_write.h"
#include "runner/text/outfile.h"

static bool is_object_file(const char *path)
{
  char magic[4] = "";
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  ssize_t got = fd < 0 ? -1 : pread(fd, magic, sizeof magic, 0);
  if (fd >= 0)
    close(fd);
  return got == sizeof magic && memcmp(magic, "\177ELF", sizeof magic) == 0;
}

static int hash_file(void *user, const char *path)
{
  uint64_t *hash = user;
  sc_buf text = {0};
  if (is_object_file(path) && sc_infile_read(path, SC_E_INPUT, path, 0, &text) == 0)
    *hash = sc_hash_bytes(*hash, text.text, text.length);
  sc_buf_free(&text);
  return 0;
}

uint64_t sc_fuzz_state_of(const sc_fuzz_searching *s)
{
  uint64_t hash = sc_hash_mix(SC_HASH_START ^ s->options->seed);
  for (size_t i = 0; i < s->tokens->count; i++)
    hash = sc_hash_bytes(hash, &s->tokens->list[i], sizeof s->tokens->list[i]);
  if (s->target->ops->each_file && s->target->ops->each_file(s->target, hash_file, &hash) < 0)
    return 0;
  return hash;
}

static void put_whole(sc_json *json, cJSON *object, const char *key, uint64_t value)
{
  char text[24];
  snprintf(text, sizeof text, "%" PRIu64, value);
  sc_json_text(json, object, key, text);
}

static void put_state_number(sc_json *json, cJSON *object, const char *key, double value)
{
  char text[40];
  snprintf(text, sizeof text, "%a", value);
  sc_json_text(json, object, key, text);
}

static void put_family(sc_json *json, cJSON *object, const sc_family *family)
{
  sc_buf text = {0};
  sc_family_print(family, &text);
  if (sc_buf_finish(&text) < 0)
    json->failed = true;
  else
    sc_json_text(json, object, "family", text.text);
  sc_buf_free(&text);
}

static void put_elites(sc_json *json, cJSON *document, const sc_fuzz_searching *s)
{
  cJSON *list = sc_json_array(json, document, "contexts");
  for (size_t i = 0; i < s->elite_count; i++) {
    const sc_fuzz_elite *elite = s->elites[i];
    cJSON *object = sc_json_object(json, list, NULL);
    put_whole(json, object, "key", elite->key);
    put_family(json, object, &elite->family);
    put_state_number(json, object, "score", elite->score);
    if (sc_fuzz_is_fixed(s, elite))
      put_whole(json, object, "fixed", elite->count);
    if (elite->refused)
      put_whole(json, object, "refused", elite->refused);
    if (elite->again)
      put_whole(json, object, "again", elite->again);
  }
}

static void put_places(sc_json *json, cJSON *object, const sc_fuzz_find *find)
{
  cJSON *steps = sc_json_array(json, object, "steps"), *also = sc_json_array(json, object, "also");
  for (size_t i = 0; i < find->step_count; i++) {
    cJSON *step = sc_json_object(json, steps, NULL);
    sc_json_string(json, step, "function", find->steps[i].function);
    sc_json_string(json, step, "file", find->steps[i].file);
    put_whole(json, step, "line", find->steps[i].line);
    put_whole(json, step, "kind", (uint64_t)find->steps[i].kind);
  }
  for (size_t i = 0; i < find->also_count; i++) {
    cJSON *place = sc_json_object(json, also, NULL);
    sc_json_string(json, place, "where", find->also[i]);
    put_whole(json, place, "site", find->also_sites[i]);
  }
}

static void put_interval(sc_json *json, cJSON *object, const sc_interval *interval)
{
  put_state_number(json, object, "value", interval->value);
  put_state_number(json, object, "low", interval->low);
  put_state_number(json, object, "high", interval->high);
}

static void put_growth(sc_json *json, cJSON *object, const sc_fuzz_find *find)
{
  cJSON *n = sc_json_array(json, object, "n"), *counts = sc_json_array(json, object, "counts"),
        *reached = sc_json_array(json, object, "reached");
  for (int i = 0; i < SC_FUZZ_FITTED; i++) {
    put_state_number(json, n, NULL, find->n[i]);
    put_state_number(json, counts, NULL, find->counts[i]);
  }
  for (int i = 0; i < SC_FUZZ_GOALS; i++)
    put_interval(json, sc_json_object(json, reached, NULL), &find->reached[i]);
  put_state_number(json, object, "order", find->order);
  put_state_number(json, object, "held_n", find->held_n);
  put_state_number(json, object, "held_count", find->held_count);
  put_state_number(json, object, "held_predicted", find->held_predicted);
  sc_json_bool(json, object, "exact", find->exact);
  put_whole(json, object, "cap", find->cap);
  put_state_number(json, object, "bytes", find->bytes);
  put_whole(json, object, "exit_status", (uint64_t)find->exit_status);
  put_state_number(json, object, "per_megabyte", find->per_megabyte);
  put_state_number(json, object, "per_count", find->per_count);
}

static void put_finds(sc_json *json, cJSON *document, const sc_fuzz_searching *s, size_t count)
{
  cJSON *list = sc_json_array(json, document, "finds");
  for (size_t i = 0; i < count; i++) {
    const sc_fuzz_find *find = &s->finds->list[i];
    cJSON *object = sc_json_object(json, list, NULL);
    put_family(json, object, &find->family);
    put_whole(json, object, "outcome", (uint64_t)find->outcome);
    put_whole(json, object, "site", find->site);
    put_places(json, object, find);
    if (find->outcome == SC_FUZZ_ENDED) {
      put_growth(json, object, find);
      continue;
    }
    put_whole(json, object, "signal", (uint64_t)find->signal);
    put_whole(json, object, "failed_at", find->failed_at);
  }
}

/* Of a candidate that was cut off nothing has happened but that it was made. */
static void compose_state(sc_json *json, cJSON *document, const sc_fuzz_searching *s)
{
  bool cut = s->pending.part_count > 0;
  sc_json_text(json, document, "document", "search");
  sc_json_number(json, document, "schema_version", SC_FUZZ_STATE_VERSION);
  put_whole(json, document, "of", s->of);
  put_whole(json, document, "random", cut ? s->mark.random : s->random);
  put_whole(json, document, "next", cut ? s->mark.next : s->next);
  sc_json_bool(json, document, "exhausted", s->exhausted);
  put_whole(json, document, "runs", cut ? s->mark.runs : s->finds->runs);
  put_whole(json, document, "candidates", cut ? s->mark.candidates : s->finds->candidates);
  put_whole(json, document, "confirmations", cut ? s->mark.confirmations : s->finds->confirmations);
  put_state_number(json, document, "seconds", s->before + sc_clock_now() - s->began);
  if (cut)
    put_family(json, sc_json_object(json, document, "pending"), &s->pending);
  cJSON *crashes = sc_json_array(json, document, "crashes");
  for (size_t i = 0; i < (cut ? s->mark.crash_count : s->crash_count); i++)
    put_whole(json, sc_json_object(json, crashes, NULL), "looks", s->crashes[i]);
  put_elites(json, document, s);
  put_finds(json, document, s, cut ? s->mark.find_count : s->finds->count);
}

int sc_fuzz_save(sc_fuzz_searching *s)
{
  sc_json json = {0};
  sc_outfile out;
  SC_TRY(sc_outfile_open(s->options->state, &out));
  cJSON *document = cJSON_CreateObject();
  json.failed = !document;
  compose_state(&json, document, s);
  return sc_outfile_close(&out, sc_json_write(out.stream, document, &json, 0));
}
