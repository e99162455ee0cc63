/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scale-run export: a study at one size or several, as profiles of other tools. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "base/same.h"
#include "runner/cli/combinations.h"
#include "runner/cli/verb.h"
#include "runner/export/export.h"
#include "runner/several/open.h"
#include "runner/several/several.h"
#include "runner/text/outfile.h"

static sc_export_write_fn export_writer(const char *format)
{
  if (sc_same_text(format, "folded"))
    return sc_export_folded;
  if (sc_same_text(format, "callgrind"))
    return sc_export_callgrind;
  return sc_export_pprof;
}

/* What the options ask for together. */
static int check_export_options(const sc_options *options)
{
  const char *format = options->export_format ? options->export_format : "pprof";
  bool trace = sc_same_text(format, "trace"), series = sc_same_text(format, "extra-p");
  if (trace && !options->operand) {
    (void)sc_err_set(SC_E_USAGE, "say which raw profiles to take the trace from: a study keeps none");
    return sc_err_hint(SC_E_USAGE,
                       "scale-run run --trace 65536 --keep ..., then scale-run export --format trace FILE.scprof...");
  }
  if (!trace && options->operand_count > 1) {
    (void)sc_err_set(SC_E_USAGE, "one study is exported at a time, not %zu", options->operand_count);
    return sc_err_hint(SC_E_USAGE, "several files are for --format trace, which takes raw profiles");
  }
  if ((trace || series) && (options->at || options->metric))
    return sc_err_hint(sc_err_set(SC_E_USAGE, "--format %s takes no %s", format, options->at ? "--at" : "--metric"),
                       trace ? "it holds what one run did" : "it holds all sizes, executions and costs");
  if (sc_same_text(format, "pprof") && !options->out && isatty(STDOUT_FILENO))
    return sc_err_hint(sc_err_set(SC_E_USAGE, "a compressed profile is nothing for a terminal"), "-o profile.pb.gz");
  return 0;
}

/* What is exported: at each combination of further parameters in --at, at each of the sizes there. */
typedef struct exporting {
  const sc_options *options;
  const char *format;
  char **lists; /* [count] --at of each combination; NULL: the options' own */
  size_t count;
  sc_judge_cache cache;
  bool together;    /* the format has several profiles in one file */
  sc_judge *judges; /* [judge_count] those whose profiles are still to be written */
  sc_export *made;  /* [made_count] */
  size_t judge_count, made_count, capacity;
} exporting;

/* "callgrind.out" as Callgrind names several: "callgrind.out.n=1e6"; else in front of the ending, "p.n=1e6.pb.gz". */
static void name_file(const exporting *x, const sc_judge *judge, double n, sc_buf *out)
{
  const char *path = x->options->out, *base = sc_path_last(path);
  const char *dot = *base && !sc_same_text(x->format, "callgrind") ? strchr(base + 1, '.') : NULL;
  size_t stem = dot ? (size_t)(dot - path) : strlen(path);
  sc_buf_add(out, path, stem);
  sc_buf_puts(out, ".");
  sc_judge_describe_option(judge, n, out);
  sc_buf_puts(out, path + stem);
}

/* A file that holds all there is, or one of several, whose names are printed. */
static int write_export_file(const exporting *x, const sc_judge *judge, double n, bool several)
{
  sc_export made = {0};
  sc_buf name = {0};
  sc_outfile out = {0};
  int err;
  if (several)
    name_file(x, judge, n, &name);
  SC_GOTO(sc_buf_finish(&name));
  SC_GOTO(sc_export_make(judge, n, x->options->metric, &made));
  SC_GOTO(sc_outfile_open(several ? name.text : x->options->out, &out));
  err = sc_outfile_close(&out, export_writer(x->format)(out.stream, &made));
  if (err == 0 && several)
    printf("%s\n", name.text);
out:
  sc_export_free(&made);
  sc_buf_free(&name);
  return err;
}

static int add_profile(exporting *x, const sc_judge *judge, double n)
{
  SC_TRY(sc_mem_grow(&x->made, &x->capacity, x->made_count + 1, sizeof *x->made));
  return sc_export_make(judge, n, x->options->metric, &x->made[x->made_count++]);
}

/* A profile for each would need a file for each. */
static int refuse_several(const exporting *x, const sc_judge *judge, double n)
{
  sc_buf one = {0};
  (void)sc_err_set(SC_E_USAGE, "--format %s has one profile in a file, and --at asks for several", x->format);
  sc_judge_describe_option(judge, n, &one);
  if (sc_buf_finish(&one) == 0)
    (void)sc_err_hint(
        SC_E_USAGE, "-o FILE writes a file for each; for one: scale-run export --format %s %s%s--at %.200s", x->format,
        x->options->operand ? x->options->operand : "", x->options->operand ? " " : "", one.text);
  sc_buf_free(&one);
  return SC_E_USAGE;
}

/* All sizes of a combination; without any in --at the largest one measured. */
static int export_sizes(exporting *x, const sc_judge *judge)
{
  const sc_analysis_options *asked = sc_analysis_get_options(judge->loaded.analysis);
  double low, largest;
  sc_analysis_range(judge->loaded.analysis, &low, &largest);
  const double *sizes = x->options->at ? asked->targets : &largest;
  size_t count = x->options->at ? asked->target_count : 1;
  bool several = x->count > 1 || count > 1;
  if (several && !x->together && !x->options->out)
    return refuse_several(x, judge, sizes[0]);
  for (size_t i = 0; i < count; i++)
    SC_TRY(x->together ? add_profile(x, judge, sizes[i]) : write_export_file(x, judge, sizes[i], several));
  return 0;
}

static int export_combination(exporting *x, size_t i)
{
  sc_options own = *x->options;
  sc_judge *judge = &x->judges[x->judge_count++];
  own.at = x->lists ? x->lists[i] : own.at;
  SC_TRY(sc_judge_open_in(x->count > 1 ? &x->cache : NULL, &own, judge));
  SC_TRY(export_sizes(x, judge));
  if (!x->together)
    sc_judge_close(&x->judges[--x->judge_count]);
  return 0;
}

static int write_together(const exporting *x)
{
  sc_outfile out;
  SC_TRY(sc_outfile_open(x->options->out, &out));
  return sc_outfile_close(&out, sc_export_speedscope_all(out.stream, x->made, x->made_count));
}

static int write_export_profiles(const sc_options *options)
{
  exporting x = {.options = options, .format = options->export_format ? options->export_format : "pprof", .count = 1};
  int err = 0, several = sc_several_asked(options);
  if (several < 0)
    return several;
  x.together = sc_same_text(x.format, "speedscope");
  if (several) {
    x.count = 0;
    SC_GOTO(sc_several_split(options, &x.lists, &x.count));
  }
  x.judges = sc_mem_new(x.count + 1, sizeof *x.judges);
  err = x.judges ? 0 : SC_E_NOMEM;
  SC_GOTO(err);
  for (size_t i = 0; i < x.count; i++)
    SC_GOTO(export_combination(&x, i));
  if (x.together)
    err = write_together(&x);
out:
  for (size_t i = 0; i < x.made_count; i++)
    sc_export_free(&x.made[i]);
  free(x.made);
  for (size_t i = 0; i < x.judge_count; i++)
    sc_judge_close(&x.judges[i]);
  free(x.judges);
  for (size_t i = 0; x.lists && i < x.count; i++)
    free(x.lists[i]);
  free(x.lists);
  sc_judge_cache_free(&x.cache);
  return err;
}

static int write_export_series(const sc_options *options, FILE *stream)
{
  sc_judge judge = {0};
  int err = sc_judge_open(options, &judge) ?: sc_export_series(stream, &judge);
  sc_judge_close(&judge);
  return err;
}

int sc_verb_export(const sc_options *options)
{
  bool trace = sc_same_text(options->export_format, "trace"), series = sc_same_text(options->export_format, "extra-p");
  sc_outfile out;
  SC_TRY(check_export_options(options));
  if (!trace && !series) {
    bool one = !options->out && !sc_same_text(options->export_format, "speedscope"); /* each needs a file of its own */
    return sc_combinations_at_targets(options, one, write_export_profiles);
  }
  SC_TRY(sc_outfile_open(options->out, &out));
  return sc_outfile_close(&out, trace ? sc_export_trace(out.stream, options->operands, options->operand_count)
                                      : write_export_series(options, out.stream));
}
