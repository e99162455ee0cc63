/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a language model is asked, how much at a time, what of its answers is read, and which of them the code bears
 * out. */
#include "unit.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/hash.h"
#include "runner/discover/discover.h"
#include "runner/discover/internal.h"
#include "runner/discover/llm.h"

static char folder[64], facts_path[96], answers_path[96];
static sc_discovery *discovery;

static int set_up(void **state)
{
  strcpy(folder, "/tmp/scale-llm-XXXXXX");
  if (!mkdtemp(folder))
    return -1;
  snprintf(facts_path, sizeof facts_path, "%s/facts", folder);
  snprintf(answers_path, sizeof answers_path, "%s/answers", folder);
  return 0;
}

static int tear_down(void **state)
{
  sc_discovery_free(discovery);
  discovery = NULL;
  unlink(facts_path);
  unlink(answers_path);
  return rmdir(folder);
}

/* Discovers in the facts that are there, with the answers that are; dry: returns how many requests there would be. */
static size_t discover(bool dry)
{
  const char *const paths[] = {facts_path};
  char *text = NULL;
  size_t bytes = 0, lines = 0;
  FILE *out = dry ? open_memstream(&text, &bytes) : NULL;
  const sc_discover_llm llm = {.answers = answers_path, .dry = out};
  sc_discovery_free(discovery);
  unit_ok(sc_discover(paths, 1, NULL, &llm, &discovery));
  if (out)
    fclose(out);
  for (size_t i = 0; i < bytes; i++)
    lines += text[i] == '\n';
  free(text);
  return lines;
}

/* ---- how much at a time ---------------------------------------------------------------------------------------------
 */

/* Facts of `types` types, each with `functions` functions that get it and call something. */
static void write_types(unsigned types, unsigned functions)
{
  sc_buf text = {0};
  sc_buf_puts(&text, "{\"scale_facts\":1,\"unit\":\"p.c\",\"folder\":\"/s\",\"files\":[\"p.c\"],\"types\":[");
  for (unsigned i = 0; i < types; i++)
    sc_buf_printf(
        &text, "%s{\"name\":\"t%u\",\"kind\":\"struct\",\"fields\":[{\"name\":\"x\",\"type\":\"int\",\"pointers\":0}]}",
        i ? "," : "", i);
  sc_buf_puts(&text, "],\"functions\":[");
  for (unsigned i = 0; i < types; i++)
    for (unsigned k = 0; k < functions; k++)
      sc_buf_printf(
          &text,
          "%s{\"name\":\"f%u_%u\",\"file\":0,\"line\":1,\"result\":{\"type\":\"void\",\"pointers\":0},\"arguments\":"
          "[{\"name\":\"x\",\"type\":\"t%u\",\"pointers\":1}],\"calls\":[{\"callee\":\"g\",\"line\":2,\"arguments\":[]}"
          "]}",
          i || k ? "," : "", i, k, i);
  sc_buf_puts(&text, "]}\n");
  assert_int_equal(sc_buf_finish(&text), 0);
  unit_write_file(facts_path, text.text);
  sc_buf_free(&text);
}

/* Requests: those about types, and one or more about each one's functions. */
static void batches_have_so_many_questions(void **state)
{
  write_types(SC_LLM_TYPES - 1, SC_LLM_USERS);
  assert_int_equal(discover(true), 1 + SC_LLM_TYPES - 1);
  write_types(SC_LLM_TYPES, SC_LLM_USERS);
  assert_int_equal(discover(true), 1 + SC_LLM_TYPES);
  write_types(SC_LLM_TYPES + 1, SC_LLM_USERS);
  assert_int_equal(discover(true), 2 + SC_LLM_TYPES + 1);
  write_types(1, SC_LLM_FUNCTIONS - 1);
  assert_int_equal(discover(true), 1 + 1);
  write_types(1, SC_LLM_FUNCTIONS);
  assert_int_equal(discover(true), 1 + 1);
  write_types(1, SC_LLM_FUNCTIONS + 1);
  assert_int_equal(discover(true), 1 + 2);
}

static void types_that_few_deal_with_are_not_asked_about(void **state)
{
  write_types(1, SC_LLM_USERS - 1);
  assert_int_equal(discover(true), 0);
  write_types(1, SC_LLM_USERS);
  assert_int_equal(discover(true), 2);
  write_types(1, SC_LLM_USERS + 1);
  assert_int_equal(discover(true), 2);
}

static size_t names_of(unsigned functions)
{
  write_types(1, functions);
  discover(true);
  cJSON *item = sc_llm_type(discovery, 0);
  size_t count = (size_t)cJSON_GetArraySize(cJSON_GetObjectItem(item, "functions"));
  cJSON_Delete(item);
  return count;
}

static void questions_name_so_many_functions(void **state)
{
  assert_int_equal(names_of(2 * SC_LLM_NAMES - 1), 2 * SC_LLM_NAMES - 1);
  assert_int_equal(names_of(2 * SC_LLM_NAMES), 2 * SC_LLM_NAMES);
  assert_int_equal(names_of(2 * SC_LLM_NAMES + 1), 2 * SC_LLM_NAMES);
}

static size_t reason_length(size_t bytes)
{
  char reason[SC_LLM_REASON + 8];
  memset(reason, 'x', sizeof reason);
  reason[bytes] = '\0';
  assert_int_equal(sc_llm_put(discovery, &(sc_llm_answer){.type = discovery->facts.types[0].name, .reason = reason}),
                   0);
  return strlen(sc_llm_find(discovery->llm, discovery->facts.types[0].name, NULL)->reason);
}

static void reasons_are_cut(void **state)
{
  write_types(1, SC_LLM_USERS);
  discover(true);
  assert_int_equal(reason_length(SC_LLM_REASON - 1), SC_LLM_REASON - 1);
  assert_int_equal(reason_length(SC_LLM_REASON), SC_LLM_REASON);
  assert_int_equal(reason_length(SC_LLM_REASON + 1), SC_LLM_REASON);
}

/* ---- what is read
 * ---------------------------------------------------------------------------------------------------- */

static int count(void *user, const sc_answer_one *one)
{
  ++*(size_t *)user;
  return strcmp(one->name, "asked") == 0;
}

static sc_answer_sum read_answer(const char *body, bool functions)
{
  size_t seen = 0;
  sc_answer_sum sum;
  assert_int_equal(sc_answer_read(body, strlen(body), functions, count, &seen, &sum), 0);
  assert_int_equal(seen, sum.taken + sum.strange);
  return sum;
}

#define SAID(content, rest) "{\"choices\":[{\"message\":{\"content\":\"" content "\"}" rest "}]}"
#define ROW(name, word)     "{\\\"function\\\":\\\"" name "\\\",\\\"event\\\":\\\"" word "\\\",\\\"reason\\\":\\\"r\\\"}"

static void answers_have_a_form(void **state)
{
  sc_answer_sum sum = read_answer(
      SAID("{\\\"functions\\\":[" ROW("asked", "wait") "," ROW("other", "none") "," ROW("asked", "shared") ",7]}", ""),
      true);
  assert_int_equal(sum.taken, 1);
  assert_int_equal(sum.strange, 1);
  assert_int_equal(sum.invalid, 2);
  assert_null(sum.fault);
  assert_non_null(read_answer(SAID("{\\\"functions\\\":[]}", ""), false).fault);
  assert_non_null(read_answer(SAID("{\\\"functions\\\":[]", ""), true).fault);
  assert_non_null(read_answer(SAID("{\\\"functions\\\":[]} so", ""), true).fault);
  assert_non_null(read_answer(SAID("{\\\"functions\\\":[]}", ",\"finish_reason\":\"length\""), true).fault);
  assert_null(read_answer(SAID("```json\\n{\\\"functions\\\":[]}\\n``` \\n", ""), true).fault);
  assert_null(read_answer(SAID("{\\\"functions\\\":[]}", ",\"finish_reason\":\"stop\""), true).fault);
  assert_non_null(read_answer("{\"choices\":[]}", true).fault);
  assert_non_null(read_answer("{\"choices\":{\"message\":{}}}", true).fault);
  assert_non_null(read_answer("", true).fault);
}

/* ---- what is believed
 * ------------------------------------------------------------------------------------------------ */

/* A pool, whose functions "fetch" and "cede" are; what only calls them, under no name that says anything, is "use" and
 * "unuse"; "idle" does nothing of the kind. */
static const char pool[] =
    "{\"scale_facts\":1,\"unit\":\"p.c\",\"folder\":\"/s\",\"files\":[\"p.c\"],\"types\":["
    "{\"name\":\"node\",\"kind\":\"struct\",\"fields\":[{\"name\":\"next\",\"type\":\"node\",\"pointers\":1}]},"
    "{\"name\":\"pool\",\"kind\":\"struct\",\"fields\":[{\"name\":\"free\",\"type\":\"node\",\"pointers\":1}]}],"
    "\"functions\":["
    "{\"name\":\"fetch\",\"file\":0,\"line\":1,\"result\":{\"type\":\"node\",\"pointers\":1},\"arguments\":[{\"type\":"
    "\"pool\","
    "\"pointers\":1}],\"returns\":[\"a0:pool.free\"],\"links\":[{\"kind\":\"pop\",\"head\":\"pool.free\",\"link\":"
    "\"node.next\","
    "\"unit\":\"a0:pool.free\",\"base\":\"a0\",\"line\":2}]},"
    "{\"name\":\"cede\",\"file\":0,\"line\":3,\"result\":{\"type\":\"void\",\"pointers\":0},\"arguments\":[{\"type\":"
    "\"pool\","
    "\"pointers\":1},{\"type\":\"node\",\"pointers\":1}],\"links\":[{\"kind\":\"push\",\"head\":\"pool.free\",\"link\":"
    "\"node.next\","
    "\"unit\":\"a1\",\"base\":\"a0\",\"line\":4}]},"
    "{\"name\":\"bind\",\"file\":0,\"line\":5,\"result\":{\"type\":\"void\",\"pointers\":0},\"arguments\":[{\"type\":"
    "\"node\","
    "\"pointers\":1,\"out\":true}],\"calls\":[{\"callee\":\"fetch\",\"line\":6,\"arguments\":[\"?\"],\"conditional\":"
    "true,\"result\":\"stored\"}]},"
    "{\"name\":\"idle\",\"file\":0,\"line\":7,\"result\":{\"type\":\"node\",\"pointers\":1},\"arguments\":[{\"type\":"
    "\"node\","
    "\"pointers\":1}],\"calls\":[{\"callee\":\"g\",\"line\":8,\"arguments\":[]}]}]}\n";

static unsigned long long hash_of(cJSON *question)
{
  char *text = cJSON_PrintUnformatted(question);
  unsigned long long hash = sc_hash_string(SC_HASH_START, text);
  cJSON_free(text);
  cJSON_Delete(question);
  return hash;
}

static uint32_t function_of(const char *name)
{
  uint32_t i = 0;
  while (strcmp(discovery->facts.functions[i].name, name) != 0)
    i++;
  return i;
}

/* Discovers with these answers to the questions as they are now. */
static void answer(const char *resource, const char *function, const char *event)
{
  sc_buf text = {0};
  unit_write_file(facts_path, pool);
  unlink(answers_path);
  assert_true(discover(true) > 0);
  sc_buf_printf(&text,
                "{\"schema_version\":1,\"document\":\"llm-answers\",\"types\":[{\"type\":\"node\",\"resource\":\"%s\","
                "\"reason\":\"r\",\"question\":\"%016llx\"}],\"functions\":[{\"type\":\"node\",\"function\":\"%s\","
                "\"event\":\"%s\",\"reason\":\"r\",\"question\":\"%016llx\"}]}",
                resource, hash_of(sc_llm_type(discovery, 0)), function, event,
                hash_of(sc_llm_function(discovery, function_of(function))));
  assert_int_equal(sc_buf_finish(&text), 0);
  unit_write_file(answers_path, text.text);
  sc_buf_free(&text);
  discover(false);
}

static double score(const char *function)
{
  for (size_t i = 0; i < discovery->events_count; i++)
    if (discovery->events[i].function == function_of(function))
      return discovery->events[i].score;
  return 0;
}

static bool is_unseen(const char *function)
{
  for (size_t i = 0; i < discovery->rejected_count; i++)
    if (discovery->rejected[i].function == function_of(function) && discovery->rejected[i].why == SC_REJECT_UNSEEN)
      return true;
  return false;
}

static void what_the_code_bears_out_is_believed(void **state)
{
  answer("shared", "idle", "none");
  double alone = score("fetch");
  assert_true(alone > 0);
  assert_float_equal(score("bind"), 0, 0);
  answer("shared", "fetch", "acquire");
  assert_float_equal(score("fetch"), alone + 1.5, 1e-9);
  answer("shared", "fetch", "release");
  assert_float_equal(score("fetch"), alone - 1, 1e-9);
  assert_true(is_unseen("fetch"));
  answer("shared", "fetch", "none");
  assert_float_equal(score("fetch"), alone - 1, 1e-9);
  assert_false(is_unseen("fetch"));
  answer("shared", "bind", "acquire"); /* calls what does */
  assert_true(score("bind") > 0);
  answer("shared", "bind", "release");
  assert_float_equal(score("bind"), 0, 0);
  assert_true(is_unseen("bind"));
  answer("shared", "idle", "acquire");
  assert_float_equal(score("idle"), 0, 0);
  assert_true(is_unseen("idle"));
  answer("shared", "fetch", "wait");
  assert_true(is_unseen("fetch"));
}

static void types_move_their_resources(void **state)
{
  answer("exclusive", "idle", "none");
  double taken = discovery->resources[0].rank;
  answer("none", "idle", "none");
  assert_float_equal(discovery->resources[0].rank, taken - 2 * SC_LLM_RANK, 1e-9);
  discovery->llm->answers[0].type_number = SC_FACTS_NONE; /* nobody asked about the type */
  sc_discovery_order(discovery);
  assert_float_equal(discovery->resources[0].rank, taken - SC_LLM_RANK, 1e-9);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(batches_have_so_many_questions, set_up, tear_down),
      cmocka_unit_test_setup_teardown(types_that_few_deal_with_are_not_asked_about, set_up, tear_down),
      cmocka_unit_test_setup_teardown(questions_name_so_many_functions, set_up, tear_down),
      cmocka_unit_test_setup_teardown(reasons_are_cut, set_up, tear_down),
      cmocka_unit_test(answers_have_a_form),
      cmocka_unit_test_setup_teardown(what_the_code_bears_out_is_believed, set_up, tear_down),
      cmocka_unit_test_setup_teardown(types_move_their_resources, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
