/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Speedscope's own format: https://www.speedscope.app/file-format-schema.json. A profile for each metric. */
#include <stdlib.h>

#include "base/utf8.h"
#include "runner/export/export.h"
#include "runner/fit/emit.h"

typedef struct speedscope {
  FILE *stream;
  const sc_export *export;
  sc_buf out; /* what is not written yet */
  uint32_t *path;
  size_t capacity;
} speedscope;

static void text(speedscope *s, const char *text_as_it_is) { sc_emit_text(&s->out, text_as_it_is); }

static void string(speedscope *s, const char *value)
{
  sc_buf clean = {0};
  sc_utf8_show(value, &clean);
  s->out.failed |= sc_buf_finish(&clean) < 0;
  if (!s->out.failed)
    sc_emit_string(&s->out, (sc_view){clean.text, clean.length});
  sc_buf_free(&clean);
}

static int flush(speedscope *s)
{
  SC_TRY(sc_buf_finish(&s->out));
  (void)fwrite(s->out.text, 1, s->out.length, s->stream);
  s->out.length = 0;
  return 0;
}

static int write_frames(speedscope *s)
{
  text(s, "\"shared\": {\"frames\": [");
  for (uint32_t i = 0; i < s->export->frame_count; i++) {
    const sc_export_frame *frame = &s->export->frames[i];
    text(s, i ? ",\n{\"name\": " : "\n{\"name\": ");
    string(s, frame->name);
    if (*frame->at->file) {
      text(s, ", \"file\": ");
      string(s, frame->at->file);
    }
    if (frame->at->line)
      sc_buf_printf(&s->out, ", \"line\": %u", frame->at->line);
    if (frame->at->line && frame->at->column)
      sc_buf_printf(&s->out, ", \"col\": %u", frame->at->column);
    text(s, "}");
    SC_TRY(flush(s));
  }
  text(s, "\n]},\n");
  return flush(s);
}

/* Outermost frame first. */
static int write_stack(speedscope *s, uint32_t node)
{
  size_t depth = 0;
  for (uint32_t i = node; i != SC_EXPORT_NONE; i = s->export->nodes[i].parent) {
    SC_TRY(sc_mem_grow(&s->path, &s->capacity, depth + 1, sizeof *s->path));
    s->path[depth++] = s->export->nodes[i].frame;
  }
  text(s, "[");
  while (depth-- > 0)
    sc_buf_printf(&s->out, depth ? "%u," : "%u]", s->path[depth]);
  return flush(s);
}

static const char *unit_of(const sc_export *e, enum sc_export_metric metric)
{
  if (metric == SC_EXPORT_COST && e->seconds)
    return "seconds";
  return metric == SC_EXPORT_BYTES ? "bytes" : "none";
}

static int write_profile(speedscope *s, enum sc_export_metric metric)
{
  const sc_export *e = s->export;
  const char *separator = "\n";
  sc_buf name = {0};
  sc_export_title(e, &name);
  sc_buf_printf(&name, ": %s", sc_export_metric_name(e, metric));
  text(s, "{\"type\": \"sampled\", \"name\": ");
  string(s, sc_buf_finish(&name) < 0 ? "" : name.text);
  sc_buf_free(&name);
  sc_buf_printf(&s->out, ", \"unit\": \"%s\", \"startValue\": 0, \"endValue\": ", unit_of(e, metric));
  sc_emit_number(&s->out, e->total[metric]);
  text(s, ", \"samples\": [");
  for (uint32_t i = 0; i < e->count; i++) {
    if (sc_export_own(e, i, metric) <= 0)
      continue;
    text(s, separator);
    SC_TRY(write_stack(s, i));
    separator = ",\n";
  }
  text(s, "], \"weights\": [");
  separator = "\n";
  for (uint32_t i = 0; i < e->count; i++) {
    if (sc_export_own(e, i, metric) <= 0)
      continue;
    text(s, separator);
    sc_emit_number(&s->out, sc_export_own(e, i, metric));
    SC_TRY(flush(s));
    separator = ",\n";
  }
  text(s, "]}");
  return flush(s);
}

/* The number of the metric's profile. */
static unsigned place_of(const sc_export *e, enum sc_export_metric metric)
{
  unsigned place = 0;
  for (enum sc_export_metric m = 0; m < metric; m++)
    place += e->has[m];
  return place;
}

int sc_export_speedscope(FILE *stream, const sc_export *out)
{
  speedscope s = {.stream = stream, .export = out};
  int err;
  sc_buf title = {0};
  sc_export_title(out, &title);
  SC_GOTO(sc_buf_finish(&title));
  text(&s, "{\"$schema\": \"https://www.speedscope.app/file-format-schema.json\",\n"
           "\"exporter\": \"scale-run " SCALE_VERSION "\", \"name\": ");
  string(&s, title.text);
  sc_buf_printf(&s.out, ", \"activeProfileIndex\": %u,\n", place_of(out, out->first));
  SC_GOTO(write_frames(&s));
  text(&s, "\"profiles\": [\n");
  for (enum sc_export_metric m = 0; m < SC_EXPORT_METRICS; m++) {
    if (!out->has[m])
      continue;
    text(&s, place_of(out, m) ? ",\n" : "");
    SC_GOTO(write_profile(&s, m));
  }
  text(&s, "\n]}\n");
  err = flush(&s);
out:
  sc_buf_free(&title);
  sc_buf_free(&s.out);
  free(s.path);
  return err;
}
