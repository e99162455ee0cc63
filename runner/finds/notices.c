/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds of a search for slow inputs as notices, which every review format prints. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "runner/finds/finds.h"
#include "runner/finds/found.h"
#include "runner/loaded/source.h"
#include "runner/review/build.h"
#include "runner/review/words.h"
#include "runner/text/tuning.h"

void sc_finds_judge_of(const char *program, sc_finds_judge *to)
{
  static char parameter[] = "n";
  *to = (sc_finds_judge){.workload = {.parameter = parameter, .kind = SC_PARAMETER_DATA}};
  to->workload.name = (char *)sc_path_last(program); /* nobody frees it */
  to->judge = (sc_judge){.study = program, .loaded = {.workload = &to->workload}};
}

const char *sc_finds_subject(const sc_fuzz_find *find)
{
  return find->step_count ? find->steps[find->step_count - 1].function : "";
}

int sc_finds_example(const sc_fuzz_find *find, sc_buf *out, double *n, double *bytes)
{
  enum { MOST = 1 << 20 };
  unsigned char *text = sc_mem_new(MOST, 1);
  bool readable = true;
  size_t size = 0;
  uint64_t at = find->failed_at ? find->failed_at : SC_FUZZ_EXAMPLE;
  if (!text)
    return SC_E_NOMEM;
  int err = sc_family_fill(&find->family, at, text, MOST, &size);
  size_t shown = size < SC_FUZZ_SHOWN ? size : SC_FUZZ_SHOWN;
  for (size_t i = 0; i < shown; i++)
    readable = readable && ((text[i] >= ' ' && text[i] < 0x7f) || strchr("\n\r\t", text[i])) && text[i];
  if (err == 0 && readable && shown) {
    sc_family part = {0};
    (void)sc_family_add(&part, text, shown, SC_FAMILY_FIXED, 1);
    sc_family_print(&part, out);
  }
  for (size_t i = 0; err == 0 && !readable && i < shown; i++)
    sc_buf_printf(out, "%s%02x", i ? " " : "", text[i]);
  if (err == 0 && shown < size)
    sc_buf_puts(out, " ...");
  *n = (double)at;
  *bytes = (double)size;
  free(text);
  return err;
}

static enum sc_rule rule_of(const sc_fuzz_find *find)
{
  static const enum sc_rule failures[] = {[SC_FUZZ_CRASHED] = SC_RULE_CRASHING_INPUT,
                                          [SC_FUZZ_TIMED_OUT] = SC_RULE_LASTING_INPUT,
                                          [SC_FUZZ_OUT_OF_MEMORY] = SC_RULE_MEMORY_INPUT};
  if (find->change == SC_FUZZ_GONE)
    return SC_RULE_GONE;
  if (find->change == SC_FUZZ_UNRUN)
    return SC_RULE_UNRUN_INPUT;
  if (find->outcome != SC_FUZZ_ENDED)
    return failures[find->outcome];
  return find->change == SC_FUZZ_WORSE ? SC_RULE_WORSE_ORDER : SC_RULE_SLOW_INPUT;
}

static enum sc_severity find_severity_of(const sc_fuzz_find *find)
{
  if (find->change == SC_FUZZ_GONE)
    return SC_SEVERITY_NOTE;
  if (find->change == SC_FUZZ_UNRUN)
    return SC_SEVERITY_WARNING;
  bool severe = find->outcome != SC_FUZZ_ENDED || find->change == SC_FUZZ_WORSE ||
                (find->cap == 0 && find->per_megabyte >= SC_FUZZ_SEVERE);
  return severe ? SC_SEVERITY_ERROR : SC_SEVERITY_WARNING;
}

/* Whether it has a model: what became of others is not known, or nothing. */
static bool is_growing(const sc_fuzz_find *find)
{
  return find->outcome == SC_FUZZ_ENDED && find->change != SC_FUZZ_GONE && find->change != SC_FUZZ_UNRUN;
}

static const char *metric_of(const sc_fuzz_find *find)
{
  int kind = find->step_count ? find->steps[find->step_count - 1].kind : SC_FUZZ_PLACE_OTHER;
  return kind == SC_FUZZ_PLACE_LOOP ? "iterations" : kind == SC_FUZZ_PLACE_CALL ? "calls" : "work";
}

static int set_steps(sc_notice *notice, const sc_fuzz_find *find)
{
  SC_TRY(SC_NEW(notice->steps, find->step_count ? find->step_count : 1));
  for (size_t i = 0; i < find->step_count; i++) {
    const sc_fuzz_step *from = &find->steps[i];
    sc_notice_step *step = &notice->steps[notice->step_count++];
    sc_buf text = {0};
    *step = (sc_notice_step){.line = from->line, .telling = true};
    if (from->kind == SC_FUZZ_PLACE_LOOP && from->line)
      sc_buf_printf(&text, "loop in %s, line %u", from->function, from->line);
    else if (from->kind == SC_FUZZ_PLACE_LOOP)
      sc_buf_printf(&text, "loop in %s", from->function);
    else
      sc_buf_printf(&text, "%s%s", from->kind == SC_FUZZ_PLACE_WORK ? "work of " : "", from->function);
    SC_TRY(sc_notice_set(&step->text, &text));
    step->file = *from->file ? sc_source_relative(from->file) : sc_mem_copy_string("");
    if (!step->file)
      return SC_E_NOMEM;
  }
  if (!notice->step_count)
    return 0;
  const sc_notice_step *last = &notice->steps[notice->step_count - 1];
  notice->line = last->line;
  return sc_notice_copy(&notice->file, last->file);
}

static void say_confirmed(const sc_fuzz_find *find, sc_buf *out)
{
  if (find->exact)
    sc_buf_puts(out, "exactly");
  else
    sc_buf_printf(out, "within %s", sc_format_percent(SC_FUZZ_WITHIN).s);
  sc_buf_printf(out, " at n = %s, %s bytes: %s (%s)", sc_format_number(find->held_n).s, sc_format_number(find->bytes).s,
                sc_format_number(find->held_count).s,
                sc_format_number(find->exact ? find->held_predicted : round(find->held_predicted)).s);
}

static int set_inputs(sc_notice *notice, const sc_fuzz_find *find, const char *file)
{
  bool grows = is_growing(find);
  sc_buf text = {0};
  SC_TRY(SC_NEW(notice->inputs, 1));
  sc_notice_inputs *inputs = notice->inputs;
  *inputs = (sc_notice_inputs){.order = grows ? find->order : NAN,
                               .ends = grows && find->cap ? (double)find->cap : INFINITY,
                               .per_megabyte = grows && find->per_megabyte > 0 ? find->per_megabyte : NAN};
  for (int i = 0; i < SC_NOTICE_GOALS; i++)
    inputs->reached[i] = find->reached[i].value > 0 ? find->reached[i] : (sc_interval){NAN, NAN, NAN};
  sc_family_print(&find->family, &text);
  SC_TRY(sc_notice_set(&inputs->family, &text));
  int err = sc_finds_example(find, &text, &inputs->example_n, &inputs->example_bytes);
  if (err < 0)
    sc_buf_free(&text);
  SC_TRY(err);
  SC_TRY(sc_notice_set(&inputs->example, &text));
  if (grows)
    say_confirmed(find, &text);
  SC_TRY(sc_notice_set(&inputs->confirmed, &text));
  return sc_notice_copy(&inputs->file, file);
}

static void say_find_change(const sc_fuzz_find *find, sc_buf *out)
{
  switch (find->change) {
  case SC_FUZZ_STILL:
    sc_buf_puts(out, "; as it was kept");
    break;
  case SC_FUZZ_WORSE:
    sc_buf_printf(out, "; worse than it was kept, with order %.2f of bytes", find->order_before);
    break;
  case SC_FUZZ_LESS:
    sc_buf_printf(out, "; kept with order %.2f of bytes", find->order_before);
    break;
  case SC_FUZZ_MOVED:
    sc_buf_puts(out, "; kept with another end or place");
    break;
  case SC_FUZZ_NEW:
  case SC_FUZZ_GONE:
  case SC_FUZZ_UNRUN:
    break;
  }
}

static void say_failure(const sc_fuzz_find *find, const sc_notice_inputs *inputs, sc_buf *out)
{
  if (find->outcome == SC_FUZZ_CRASHED)
    sc_buf_printf(out, "the program crashes with signal %d (%s)", find->signal, strsignal(find->signal));
  else
    sc_buf_printf(out, "the program %s", sc_found_fails(find->outcome));
  sc_buf_printf(out, " with %s, n = %s", inputs->family, sc_format_number((double)find->failed_at).s);
}

static int set_find_message(sc_notice *notice, const sc_fuzz_find *find)
{
  sc_buf text = {0};
  char order[60], model[200];
  const sc_notice_inputs *inputs = notice->inputs;
  if (find->change == SC_FUZZ_GONE) {
    sc_buf_printf(&text, "%s no longer %s", inputs->family,
                  find->outcome == SC_FUZZ_ENDED ? "makes anything grow faster than its bytes" : "fails");
  } else if (find->change == SC_FUZZ_UNRUN) {
    sc_buf_printf(&text, "%s could not be run: more than %d bytes at n = 64, or out of time", inputs->family,
                  SC_FUZZ_PROBE_BYTES);
  } else if (find->outcome != SC_FUZZ_ENDED) {
    say_failure(find, inputs, &text);
  } else {
    sc_model_format_order(&find->model.order, "n", order, sizeof order);
    sc_model_format(&find->model, "n", model, sizeof model);
    sc_buf_printf(&text, "%s: %s %s as %s with %s: %s", notice->subject, notice->metric,
                  strcmp(notice->metric, "work") == 0 ? "grows" : "grow", order, inputs->family, model);
    if (isfinite(inputs->reached[0].value)) {
      sc_buf_puts(&text, "; takes 1 s at ");
      sc_notice_reached(&inputs->reached[0], &text);
    }
    SC_TRY(sc_notice_formula(&notice->after, &find->model, "n", notice->metric));
  }
  say_find_change(find, &text);
  return sc_notice_set(&notice->message, &text);
}

/* What was counted at the size held out. */
static int set_find_prediction(sc_notice *notice, const sc_fuzz_find *find)
{
  if (!is_growing(find))
    return 0;
  SC_TRY(SC_NEW(notice->predictions, 1));
  notice->predictions[notice->prediction_count++] =
      (sc_notice_prediction){.n = find->held_n,
                             .has_after = true,
                             .after = {find->held_count, fmin(find->held_count, find->held_predicted),
                                       fmax(find->held_count, find->held_predicted)}};
  return 0;
}

static int add_find(sc_notices *notices, const sc_fuzz_find *find, const char *file)
{
  sc_notice *notice;
  SC_TRY(sc_notice_add(notices, rule_of(find), find_severity_of(find), &notice));
  notice->about = find;
  SC_TRY(set_inputs(notice, find, file));
  SC_TRY(set_steps(notice, find));
  SC_TRY(sc_notice_copy(&notice->subject, sc_finds_subject(find)));
  if (!*notice->subject)
    SC_TRY(sc_notice_copy(&notice->subject, notices->judge->loaded.workload->name));
  SC_TRY(sc_notice_copy(&notice->metric, find->outcome == SC_FUZZ_ENDED ? metric_of(find) : ""));
  SC_TRY(set_find_message(notice, find));
  SC_TRY(set_find_prediction(notice, find));
  SC_TRY(sc_notice_copy(&notice->evidence, notice->inputs->confirmed));
  SC_TRY(sc_notice_copy(&notice->advice, find->change == SC_FUZZ_GONE ? "" : sc_rule_help(notice->rule)));
  notice->superlinear = is_growing(find);
  notice->confidence = find->change == SC_FUZZ_UNRUN                   ? 0
                       : find->exact || find->outcome != SC_FUZZ_ENDED ? 1
                                                                       : SC_FUZZ_CONFIDENCE;
  return 0;
}

int sc_finds_notices(const sc_judge *judge, const sc_fuzz_finds *finds, char *const *files, sc_notices *notices)
{
  *notices = (sc_notices){.judge = judge};
  for (size_t i = 0; i < finds->count; i++)
    SC_TRY(add_find(notices, &finds->list[i], files && files[i] ? files[i] : ""));
  sc_buf effort = {0}; /* in the place of what findings explain of a study */
  sc_buf_printf(&effort, "%s runs, %.0f s.", sc_format_number((double)finds->runs).s, finds->seconds);
  SC_TRY(sc_notice_set(&notices->coverage, &effort));
  return sc_notices_finish(notices);
}
