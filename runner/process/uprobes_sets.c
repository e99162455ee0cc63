/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Probe sets as a study keeps them, so that what is measured later is the same: a list of names and texts. */
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/infile.h"
#include "runner/process/uprobes_events.h"

static int add_set(cJSON *all, const char *path)
{
  sc_buf text = {0};
  sc_probes checked = {0};
  cJSON *one = cJSON_CreateObject();
  int err = sc_infile_read(path, SC_E_IO, "the probe set", SC_PROBES_FILE_BYTES, &text);
  if (err < 0)
    (void)sc_err_prefix(err, "--probes %s", path);
  else
    err = sc_buf_finish(&text) ?: sc_probes_parse(&checked, text.text, text.length, path);
  if (err == 0 && strlen(text.text) != text.length)
    err = sc_err_set(SC_E_INPUT, "--probes %s: it has a NUL", path);
  if (err == 0 &&
      !(one && cJSON_AddStringToObject(one, "name", path) && cJSON_AddStringToObject(one, "text", text.text)))
    err = sc_err_set(SC_E_NOMEM, "out of memory");
  if (err == 0 && cJSON_AddItemToArray(all, one))
    one = NULL;
  cJSON_Delete(one);
  sc_probes_free(&checked);
  sc_buf_free(&text);
  return err;
}

int sc_uprobes_sets(const char *files, char **sets)
{
  char *copy = sc_mem_copy_string(files), *rest = copy;
  cJSON *all = cJSON_CreateArray();
  int err = copy && all ? 0 : SC_E_NOMEM;
  *sets = NULL;
  for (const char *path; err == 0 && (path = strsep(&rest, ";"));)
    err = *path ? add_set(all, path) : sc_err_set(SC_E_USAGE, "--probes names no file");
  if (err == 0 && !(*sets = cJSON_PrintUnformatted(all)))
    err = sc_err_set(SC_E_NOMEM, "out of memory");
  cJSON_Delete(all);
  free(copy);
  return err;
}

int sc_uprobes_sets_parse(const char *sets, sc_probes *probes)
{
  cJSON *all = cJSON_Parse(sets);
  const cJSON *one;
  int err = cJSON_IsArray(all) ? 0 : sc_err_set(SC_E_DAMAGED, "the study's probe sets cannot be read");
  cJSON_ArrayForEach(one, all)
  {
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(one, "name"));
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(one, "text"));
    if (err == 0)
      err = name && text ? sc_probes_parse(probes, text, strlen(text), name)
                         : sc_err_set(SC_E_DAMAGED, "the study's probe sets cannot be read");
  }
  cJSON_Delete(all);
  return err;
}
