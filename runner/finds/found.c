/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/finds/found.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runner/finds/finds.h"
#include "runner/text/tuning.h"
#include "runner/workload/workload.h"

static const struct {
  const char *what, *prefix, *fails;
} words[] = {[SC_FUZZ_ENDED] = {"grows", "slow", "is slow"},
             [SC_FUZZ_CRASHED] = {"crashes", "crash", "crashes"},
             [SC_FUZZ_TIMED_OUT] = {"lasts", "lasting", "takes too long"},
             [SC_FUZZ_OUT_OF_MEMORY] = {"memory", "memory", "takes too much memory"}};
enum { OUTCOMES = sizeof words / sizeof *words };

static const char *const places[] = {
    [SC_FUZZ_PLACE_CALL] = "call", [SC_FUZZ_PLACE_LOOP] = "loop", [SC_FUZZ_PLACE_WORK] = "work"};
enum { PLACES = sizeof places / sizeof *places };

const char *sc_found_what(enum sc_fuzz_outcome outcome) { return words[outcome].what; }
const char *sc_found_prefix(enum sc_fuzz_outcome outcome) { return words[outcome].prefix; }
const char *sc_found_fails(enum sc_fuzz_outcome outcome) { return words[outcome].fails; }
const char *sc_found_place(int kind) { return kind < PLACES ? places[kind] : NULL; }

static int take_found(const char *path, const sc_workload *workload, sc_fuzz_stored *stored)
{
  const sc_workload_found *found = workload->found;
  if (!found) {
    (void)sc_err_set(SC_E_INPUT, "%s: no find of scale-run fuzz: <found> is missing", path);
    return sc_err_hint(SC_E_INPUT, "scale-run fuzz -o FOLDER writes such files; others belong elsewhere");
  }
  SC_TRY(sc_family_parse(workload->generators[0].family, &stored->family));
  for (int i = 0; i < OUTCOMES; i++)
    if (strcmp(found->what, words[i].what) == 0)
      stored->outcome = (enum sc_fuzz_outcome)i;
  stored->kind = SC_FUZZ_PLACE_OTHER;
  for (int i = 0; found->place && i < PLACES; i++)
    if (strcmp(found->place, places[i]) == 0)
      stored->kind = i;
  stored->signal = found->signal;
  stored->order = found->order;
  stored->function = sc_mem_copy_string(found->function ? found->function : "");
  stored->file = sc_mem_copy_string(found->file ? found->file : "");
  if (!stored->function || !stored->file)
    return SC_E_NOMEM;
  if (isinf(sc_family_bytes(&stored->family, (uint64_t)found->size, SC_FUZZ_INPUT))) {
    (void)sc_err_set(SC_E_INPUT, "%s: at the size of <found> the family has more bytes than an input can have", path);
    return sc_err_hint(SC_E_INPUT, "inputs have at most %d bytes", SC_FUZZ_INPUT);
  }
  stored->failed_at = (uint64_t)found->size;
  if (stored->outcome == SC_FUZZ_ENDED ? stored->order > 0 : stored->failed_at > 0)
    return 0;
  return sc_err_set(SC_E_INPUT, "%s: <found> lacks %s", path, stored->outcome == SC_FUZZ_ENDED ? "order" : "size");
}

int sc_found_read(const char *path, sc_fuzz_stored *stored)
{
  sc_workload *workload = NULL;
  *stored = (sc_fuzz_stored){.outcome = SC_FUZZ_ENDED};
  int err = sc_workload_load(path, &workload) ?: take_found(path, workload, stored);
  sc_workload_free(workload);
  return err;
}

void sc_found_free(sc_fuzz_stored *stored)
{
  free(stored->function);
  free(stored->file);
  *stored = (sc_fuzz_stored){0};
}

static int is_workload(const struct dirent *entry)
{
  size_t length = strlen(entry->d_name);
  return length > 4 && entry->d_name[0] != '.' && strcmp(entry->d_name + length - 4, ".xml") == 0;
}

static int by_found_name(const struct dirent **a, const struct dirent **b)
{
  return strcmp((*a)->d_name, (*b)->d_name);
}

static int load_find(const char *folder, const char *name, sc_finds_kept *kept)
{
  sc_buf path = {0};
  sc_buf_printf(&path, "%s/%s", folder, name);
  SC_TRY(sc_buf_finish(&path));
  kept->files[kept->count] = sc_buf_take(&path);
  int err = sc_found_read(kept->files[kept->count], &kept->list[kept->count]);
  if (err < 0)
    sc_found_free(&kept->list[kept->count]);
  else
    kept->count++;
  return err;
}

int sc_finds_load(const char *folder, sc_finds_kept *kept)
{
  struct dirent **names;
  *kept = (sc_finds_kept){0};
  int count = scandir(folder, &names, is_workload, by_found_name);
  if (count < 0)
    return sc_err_system(SC_E_INPUT, errno, "the folder %s of kept families cannot be read", folder);
  int err = SC_NEW(kept->list, (size_t)count + 1) ?: SC_NEW(kept->files, (size_t)count + 1);
  for (int i = 0; i < count; i++) {
    err = err ?: load_find(folder, names[i]->d_name, kept);
    free(names[i]);
  }
  free(names);
  if (err == 0 && count == 0) {
    (void)sc_err_set(SC_E_INPUT, "the folder %s keeps no families", folder);
    return sc_err_hint(SC_E_INPUT, "scale-run fuzz -o %s -- ./prog {file} fills it", folder);
  }
  return err;
}

void sc_finds_kept_free(sc_finds_kept *kept)
{
  for (size_t i = 0; i < kept->count; i++)
    sc_found_free(&kept->list[i]);
  free(kept->list);
  if (kept->files)
    sc_mem_free_list(kept->files);
  *kept = (sc_finds_kept){0};
}
