/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/fuzz_target/target.h"

#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "base/buf.h"
#include "runner/fuzz_target/server.h"
#include "runner/process/scratch.h"
#include "runner/text/tuning.h"

/* Of the profile, for calling contexts: at first, and at most when they do not fit. */
static const uint64_t FIRST_BUDGET = UINT64_C(16) << 20, MOST_BUDGET = UINT64_C(1) << 30;

struct program {
  struct sc_fuzz_target base;
  struct sc_fuzz_spec spec;
  char *scratch, *folder; /* folder: of the profile, in scratch */
  bool own_scratch;
  int lock; /* of own_scratch, or -1 */
  sc_fuzz_input input;
  sc_graph *graph;
  sc_forks *server; /* NULL: to be started */
  uint64_t budget;
  bool defer; /* it is forked where it first looks at the input */
};

static struct program *program_of(const struct sc_fuzz_target *target)
{
  return (struct program *)(uintptr_t)target; /* base is its first member */
}

static void stop_server(struct program *program)
{
  sc_forks_stop(program->server);
  program->server = NULL;
  if (program->folder)
    sc_scratch_remove(program->folder);
}

/* *counts and *count: what ran before the first fork. */
static int start_counted(struct program *program, const struct sc_live_count **counts, size_t *count)
{
  if (mkdir(program->folder, 0700) < 0)
    return sc_err_set(SC_E_IO, "cannot make the folder %s", program->folder);
  SC_TRY(sc_forks_start(&program->spec, &program->input, program->folder, program->budget, program->defer,
                        program->graph, &program->server));
  SC_TRY(sc_live_read(sc_forks_live(program->server), counts, count));
  return program->defer ? sc_live_begun(sc_forks_live(program->server)) : 0;
}

static int start_server(struct program *program)
{
  const struct sc_live_count *counts;
  size_t count;
  return program->server ? 0 : start_counted(program, &counts, &count);
}

static int run_target_once(struct program *program, const void *bytes, size_t size, struct sc_fuzz_run *out)
{
  sc_forks_end end;
  SC_TRY(start_server(program));
  int err = sc_forks_run(program->server, &program->input, bytes, size, &end);
  if (err < 0) {
    stop_server(program);
    return err;
  }
  *out = (struct sc_fuzz_run){.outcome = sc_forks_outcome(&end, program->spec.memory),
                              .signal = end.signal,
                              .exit_status = end.exit_status,
                              .seconds = end.seconds};
  return sc_live_read(sc_forks_live(program->server), &out->counts, &out->count_count);
}

/* What fails in a harness, which has run others before, fails in a fresh one, too, or does not count. */
static int run_twice(struct program *program, const void *bytes, size_t size, struct sc_fuzz_run *out)
{
  SC_TRY(run_target_once(program, bytes, size, out));
  return program->spec.harness && out->outcome != SC_FUZZ_ENDED ? run_target_once(program, bytes, size, out) : 0;
}

/* A server that no longer answers is started again, and a profile that is full with more room: once each. */
static int run_program(struct sc_fuzz_target *target, const void *bytes, size_t size, struct sc_fuzz_run *out)
{
  struct program *program = program_of(target);
  int err = run_twice(program, bytes, size, out);
  if (err == SC_E_TARGET)
    err = run_twice(program, bytes, size, out);
  while (err == 0 && sc_live_is_full(sc_forks_live(program->server)) && program->budget < MOST_BUDGET) {
    stop_server(program);
    program->budget *= 4;
    err = run_twice(program, bytes, size, out);
  }
  return err;
}

/* What the change itself counted is of no input. */
static int change_input(struct sc_fuzz_target *target, unsigned char *bytes, size_t *size, size_t most, uint64_t seed)
{
  struct program *program = program_of(target);
  const struct sc_live_count *counts;
  size_t count;
  if (!program->spec.harness || !program->server) {
    *size = 0;
    return 0;
  }
  SC_TRY(sc_forks_change(program->server, bytes, size, most, seed));
  return sc_live_read(sc_forks_live(program->server), &counts, &count);
}

/* ---- where it is forked ---- */

/* Inputs that tell whether what a program does before it looks at them depends on them. */
static const char *const defer_samples[] = {"", "a b\n",
                                            "[1, {\"a\": (2)}]\n# <b>c</b> *d*\n\n- e; f = \"g\" / 0x10\n"};
enum { DEFER_SAMPLES = sizeof defer_samples / sizeof *defer_samples };

typedef struct counts {
  struct sc_live_count *list; /* owned */
  size_t count;
  enum sc_fuzz_outcome outcome;
  int status;
} counts;

static int copy_counts(const struct sc_live_count *list, size_t count, counts *copy)
{
  SC_TRY(SC_NEW(copy->list, count + 1));
  if (count)
    memcpy(copy->list, list, count * sizeof *list);
  copy->count = count;
  return 0;
}

static double sum_counts(const counts *of)
{
  double sum = 0;
  for (size_t i = 0; i < of->count; i++)
    sum += (double)of->list[i].count;
  return sum;
}

/* One that does not end by itself is the last. */
static int run_samples(struct program *program, counts *samples)
{
  struct sc_fuzz_run run = {.outcome = SC_FUZZ_ENDED};
  for (size_t i = 0; i < DEFER_SAMPLES && run.outcome == SC_FUZZ_ENDED; i++) {
    SC_TRY(run_target_once(program, defer_samples[i], strlen(defer_samples[i]), &run));
    SC_TRY(copy_counts(run.counts, run.count_count, &samples[i]));
    samples[i].outcome = run.outcome;
    samples[i].status = run.signal ? -run.signal : run.exit_status;
  }
  return 0;
}

static void balance_counts(uint64_t *sums, const counts *of, bool less)
{
  for (size_t i = 0; i < of->count; i++)
    sums[of->list[i].context] += less ? -of->list[i].count : of->list[i].count;
}

/* *same: a run forked later is the same as a whole one, `whole` and what was counted `first`, before the program began,
 * being `before` and `after` together. */
static int compare_counts(const struct program *program, const counts *first, const counts *whole, const counts *before,
                          const counts *after, bool *same)
{
  uint32_t contexts = sc_graph_context_count(program->graph);
  uint64_t *sums;
  SC_TRY(SC_NEW(sums, contexts + 1));
  balance_counts(sums, first, false);
  balance_counts(sums, whole, false);
  balance_counts(sums, before, true);
  balance_counts(sums, after, true);
  *same = whole->outcome == SC_FUZZ_ENDED && after->outcome == SC_FUZZ_ENDED && whole->status == after->status;
  for (uint32_t i = 0; i < contexts; i++)
    *same = *same && !sums[i];
  free(sums);
  return 0;
}

static void free_samples(counts *samples, size_t count)
{
  for (size_t i = 0; i < count; i++)
    free(samples[i].list);
}

/* The server that is forked where the program first looks at its input. *worth: it saves much, and runs count what
 * `whole` ones from the start on do without what comes before. A program that looks unseen before finds no input. */
static int try_defer(struct program *program, const counts *first, const counts *whole, bool *worth)
{
  const struct sc_live_count *list;
  size_t count;
  counts before = {0}, after[DEFER_SAMPLES] = {0};
  int err;
  SC_GOTO(sc_fuzz_input_write(&program->input, "", 0));
  SC_GOTO(start_counted(program, &list, &count));
  SC_GOTO(copy_counts(list, count, &before));
  double saved = sum_counts(&before) - sum_counts(first);
  if (saved < SC_FUZZ_DEFER_LEAST || saved < SC_FUZZ_DEFER_SHARE * sum_counts(&whole[0]))
    goto out;
  SC_GOTO(run_samples(program, after));
  *worth = true;
  for (size_t i = 0; i < DEFER_SAMPLES && *worth; i++)
    SC_GOTO(compare_counts(program, first, &whole[i], &before, &after[i], worth));
out:
  free(before.list);
  free_samples(after, DEFER_SAMPLES);
  return err;
}

/* Starts the server anew, forked later, if that serves. `first`: counted before main() began, as constructors are. */
static int choose_fork(struct program *program, const counts *first)
{
  counts whole[DEFER_SAMPLES] = {0};
  bool worth = false;
  int err = run_samples(program, whole);
  if (err == 0 && whole[0].outcome == SC_FUZZ_ENDED && sum_counts(&whole[0]) >= SC_FUZZ_DEFER_LEAST) {
    stop_server(program);
    program->defer = true;
    err = try_defer(program, first, whole, &worth);
  }
  free_samples(whole, DEFER_SAMPLES);
  if (program->defer && !worth) {
    stop_server(program);
    program->defer = false;
  }
  return err == SC_E_NOMEM ? err : start_server(program);
}

static size_t count_contexts(const struct sc_fuzz_target *target)
{
  return sc_graph_context_count(program_of(target)->graph);
}

static void tell_place(const struct sc_fuzz_target *target, uint32_t context, struct sc_fuzz_place *out)
{
  const sc_graph *graph = program_of(target)->graph;
  const sc_location *at = sc_graph_at(graph, context);
  *out = (struct sc_fuzz_place){.function = at->display,
                                .file = at->file,
                                .line = at->line,
                                .column = at->column,
                                .nth = at->nth,
                                .parent = sc_graph_parent(graph, context),
                                .kind = at->kind == SC_LOCATION_FUNCTION ? SC_FUZZ_PLACE_CALL
                                        : at->kind == SC_LOCATION_LOOP   ? SC_FUZZ_PLACE_LOOP
                                        : at->kind == SC_LOCATION_WORK   ? SC_FUZZ_PLACE_WORK
                                                                         : SC_FUZZ_PLACE_OTHER};
}

static int each_program_file(const struct sc_fuzz_target *target, int (*take)(void *user, const char *path), void *user)
{
  const struct program *program = program_of(target);
  return program->server ? sc_forks_each_file(program->server, take, user) : 0;
}

static void close_program(struct sc_fuzz_target *target)
{
  struct program *program = program_of(target);
  stop_server(program);
  sc_fuzz_input_close(&program->input);
  sc_graph_free(program->graph);
  if (program->own_scratch)
    sc_scratch_remove(program->scratch);
  if (program->lock >= 0)
    close(program->lock);
  free(program->scratch);
  free(program->folder);
  free(program);
}

static const struct sc_fuzz_target_ops operations = {
    .run = run_program,
    .context_count = count_contexts,
    .place = tell_place,
    .each_file = each_program_file,
    .change = change_input,
    .close = close_program,
};

/* Where files are written fastest: NULL, where temporary files are. */
static const char *memory_folder(void)
{
  static const char folder[] = "/dev/shm";
  struct statfs status;
  return statfs(folder, &status) == 0 && status.f_type == TMPFS_MAGIC && access(folder, W_OK | X_OK) == 0 ? folder
                                                                                                          : NULL;
}

static int open_scratch(struct program *program)
{
  const char *parent = memory_folder();
  program->own_scratch = !program->spec.scratch;
  if (program->own_scratch) {
    sc_scratch_collect(parent);
    return sc_scratch_make(parent, &program->scratch, &program->lock);
  }
  program->scratch = sc_mem_copy_string(program->spec.scratch);
  return program->scratch ? 0 : SC_E_NOMEM;
}

static int join_path(const char *folder, const char *name, char **path)
{
  sc_buf joined = {0};
  sc_buf_printf(&joined, "%s/%s", folder, name);
  SC_TRY(sc_buf_finish(&joined));
  *path = sc_buf_take(&joined);
  return 0;
}

static int open_target_program(struct program *program)
{
  const struct sc_live_count *list;
  size_t count;
  counts first = {0};
  char *input = NULL;
  SC_TRY(open_scratch(program));
  SC_TRY(join_path(program->scratch, "profile", &program->folder));
  SC_TRY(join_path(program->scratch, "input", &input));
  int err = sc_fuzz_input_open(&program->spec, input, &program->input);
  free(input);
  SC_TRY(err);
  SC_TRY(sc_graph_new(&program->graph));
  SC_TRY(start_counted(program, &list, &count));
  if (program->input.way != SC_FUZZ_BY_FILE && program->input.way != SC_FUZZ_BY_STDIN)
    return 0;
  SC_TRY(copy_counts(list, count, &first));
  err = choose_fork(program, &first);
  free(first.list);
  return err;
}

int sc_fuzz_target_open(const struct sc_fuzz_spec *spec, struct sc_fuzz_target **target)
{
  *target = NULL;
  struct program *program = sc_mem_new(1, sizeof *program);
  if (!program)
    return SC_E_NOMEM;
  program->base.ops = &operations;
  program->spec = *spec;
  program->input.file = program->lock = -1;
  program->budget = FIRST_BUDGET;
  int err = open_target_program(program);
  if (err < 0) {
    close_program(&program->base);
    return err;
  }
  *target = &program->base;
  return 0;
}
