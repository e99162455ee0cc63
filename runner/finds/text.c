/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds for people. */
#include <string.h>

#include "base/utf8.h"
#include "runner/finds/finds.h"
#include "runner/finds/found.h"
#include "runner/review/words.h"

enum { LABEL = 12 };

static void print_labelled(FILE *out, const char *label, const char *text)
{
  fprintf(out, "    %-*s", LABEL, label);
  sc_utf8_print(text, out);
  fputc('\n', out);
}

static void print_find_headline(FILE *out, const sc_fuzz_find *find)
{
  char order[60];
  if (find->change == SC_FUZZ_GONE) {
    fputs("No longer there\n", out);
  } else if (find->change == SC_FUZZ_UNRUN) {
    fputs("Could not be run\n", out);
  } else if (find->outcome == SC_FUZZ_CRASHED) {
    fprintf(out, "The program crashes at n = %llu (signal %d)\n", (unsigned long long)find->failed_at, find->signal);
  } else if (find->outcome != SC_FUZZ_ENDED) {
    fprintf(out, "The program %s at n = %llu\n", sc_found_fails(find->outcome), (unsigned long long)find->failed_at);
  } else {
    sc_model_format_order(&find->model.order, "n", order, sizeof order);
    sc_utf8_print(find->where, out);
    fprintf(out, " grows as %s\n", order);
  }
}

static void print_change(FILE *out, const sc_fuzz_find *find)
{
  static const char *const words[] = {[SC_FUZZ_NEW] = NULL,
                                      [SC_FUZZ_STILL] = "as it was kept",
                                      [SC_FUZZ_WORSE] = "of a higher order than it was kept with",
                                      [SC_FUZZ_LESS] = "of a lower order than it was kept with",
                                      [SC_FUZZ_MOVED] = "at another place than it was kept with, or ending otherwise",
                                      [SC_FUZZ_GONE] = NULL,
                                      [SC_FUZZ_UNRUN] = NULL};
  if (words[find->change])
    print_labelled(out, "Kept", words[find->change]);
}

static int print_find_inputs(FILE *out, const sc_notice_inputs *inputs, const sc_fuzz_find *find)
{
  const char *label;
  char model[200];
  sc_buf text = {0};
  for (size_t i = 0; sc_notice_inputs_line(inputs, i, &label, &text); i++) {
    int err = sc_buf_finish(&text);
    bool takes = strncmp(label, "1 ", 2) == 0;
    if (err == 0 && text.length && takes)
      fprintf(out, "    Takes %-5s   %s\n", label, text.text);
    else if (err == 0 && text.length)
      print_labelled(out, label, text.text);
    sc_buf_free(&text);
    SC_TRY(err);
    if (i == 0 && *inputs->confirmed) {
      sc_model_format(&find->model, "n", model, sizeof model);
      print_labelled(out, "Model", model);
    }
  }
  return 0;
}

static int print_find(FILE *out, const sc_fuzz_find *find, const sc_notice *notice)
{
  print_find_headline(out, find);
  if (notice->accepted) {
    sc_buf text = {0};
    sc_buf_printf(&text, "until %s: %s", notice->accepted_until, notice->accepted);
    SC_TRY(sc_buf_finish(&text));
    print_labelled(out, "Accepted", text.text);
    sc_buf_free(&text);
  }
  print_change(out, find);
  SC_TRY(print_find_inputs(out, notice->inputs, find));
  if (find->path)
    print_labelled(out, find->outcome == SC_FUZZ_ENDED ? "Context" : "Most work", find->path);
  for (size_t i = 0; i < find->also_count; i++)
    print_labelled(out, i ? "" : "Also", find->also[i]);
  fputc('\n', out);
  return 0;
}

int sc_finds_print(FILE *out, const sc_fuzz_finds *finds, const sc_notices *notices)
{
  size_t gone = 0, unrun = 0;
  for (size_t i = 0; i < notices->count; i++) {
    const sc_fuzz_find *find = notices->list[i].about;
    SC_TRY(print_find(out, find, &notices->list[i]));
    gone += find->change == SC_FUZZ_GONE;
    unrun += find->change == SC_FUZZ_UNRUN;
  }
  fputs(finds->count > gone + unrun ? sc_format_plural(finds->count - gone - unrun, "find").s : "Nothing found", out);
  if (unrun)
    fprintf(out, ", %zu not run", unrun);
  fprintf(out, " in %s runs, %.0f s.\n", sc_format_number((double)finds->runs).s, finds->seconds);
  return 0;
}
