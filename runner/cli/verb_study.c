/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `scale-run study check`: whether a study is what was saved, part by part. */
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "profiles/study/study.h"
#include "runner/cli/verb.h"
#include "runner/text/format.h"
#include "runner/text/json_parts.h"
#include "runner/text/json_write.h"

struct check {
  const char *path;
  size_t runs, damaged;
  sc_json json;
  cJSON *parts; /* NULL: text is printed */
};

static int see_part(void *user, const char *part, int64_t run, const char *damage)
{
  struct check *check = user;
  check->runs += run != 0;
  check->damaged += damage != NULL;
  if (!damage)
    return 0;
  if (!check->parts) {
    sc_utf8_print(damage, stdout);
    putchar('\n');
    return 0;
  }
  cJSON *object = sc_json_object(&check->json, check->parts, NULL);
  sc_json_text(&check->json, object, "part", part);
  if (run)
    sc_json_number(&check->json, object, "run", (double)run);
  sc_json_text(&check->json, object, "message", damage);
  return 0;
}

static int print_study_json(struct check *check, int version, bool checksums, cJSON *document)
{
  sc_json_number(&check->json, document, "version", version);
  sc_json_bool(&check->json, document, "checksums", checksums);
  sc_json_number(&check->json, document, "runs", (double)check->runs);
  return sc_json_write(stdout, document, &check->json, 0);
}

static void print_study_text(const struct check *check, int version, bool checksums)
{
  if (!checksums || !check->damaged) {
    sc_utf8_print(check->path, stdout);
    fputs(": ", stdout);
  }
  if (!checksums)
    printf("version %d has no checksums; the next `scale-run run` or `scale-run report` that adds to it makes them\n",
           version);
  else if (!check->damaged)
    printf("%s and all that they rest on are as they were saved\n", sc_format_plural(check->runs, "run").s);
}

static int run_check(const char *path, bool json)
{
  sc_study *study;
  bool checksums;
  struct check check = {.path = path};
  cJSON *document = NULL;
  SC_TRY(sc_study_open(path, SC_STUDY_CHECK, &study));
  if (json) {
    document = cJSON_CreateObject();
    sc_json_number(&check.json, document, "schema_version", 1);
    sc_json_text(&check.json, document, "document", "study_check");
    sc_json_text(&check.json, document, "study", path);
    check.parts = sc_json_array(&check.json, document, "damaged");
  }
  int err = sc_study_check(study, see_part, &check);
  int version = sc_study_version(study, &checksums);
  sc_study_close(study);
  if (err < 0)
    cJSON_Delete(document);
  else if (json)
    err = print_study_json(&check, version, checksums, document);
  else
    print_study_text(&check, version, checksums);
  if (err == 0 && check.damaged) {
    (void)sc_err_set(SC_E_DAMAGED, "%s of %s %s damaged", sc_format_plural(check.damaged, "part").s, path,
                     check.damaged == 1 ? "is" : "are");
    err = sc_err_hint(SC_E_DAMAGED,
                      "restore a copy of the file, or measure again into another: scale-run run -o new.db ...");
  }
  return err;
}

int sc_verb_study(const sc_options *options)
{
  if (!options->operand || strcmp(options->operands[0], "check") != 0) {
    (void)sc_err_set(SC_E_USAGE, "say what to do with the study");
    return sc_err_hint(SC_E_USAGE, "scale-run study check scale.db");
  }
  return run_check(options->operand_count > 1 ? options->operands[1] : "scale.db", options->json);
}
