/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Speedscope's own format: https://www.speedscope.app/file-format-schema.json. A profile for each place and metric. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/utf8.h"
#include "profiles/graph/index.h"
#include "runner/export/export.h"
#include "runner/fit/emit.h"

typedef struct speedscope {
  FILE *stream;
  const sc_export *list; /* [count] */
  size_t count;
  sc_buf out;         /* what is not written yet */
  uint32_t **numbers; /* [count] of each export's frames the number in the file, which has each once */
  sc_index index;
  char **frames; /* [frame_count] as they are written */
  size_t frame_count, frame_capacity;
  uint32_t *path;
  size_t capacity;
} speedscope;

static void speedscope_text(speedscope *s, const char *text_as_it_is) { sc_emit_text(&s->out, text_as_it_is); }

static void compose_frame(speedscope *s, const sc_export_frame *frame)
{
  speedscope_text(s, "{\"name\": ");
  sc_emit_shown(&s->out, frame->name);
  if (*frame->at->file) {
    speedscope_text(s, ", \"file\": ");
    sc_emit_shown(&s->out, frame->at->file);
  }
  if (frame->at->line)
    sc_buf_printf(&s->out, ", \"line\": %u", frame->at->line);
  if (frame->at->line && frame->at->column)
    sc_buf_printf(&s->out, ", \"col\": %u", frame->at->column);
  speedscope_text(s, "}");
}

/* The frame composed last, which is written if it is new. */
static int number_frame(speedscope *s, uint32_t *number)
{
  SC_TRY(sc_buf_finish(&s->out));
  uint32_t hash = sc_hash_key(s->out.text, s->out.length);
  SC_TRY(sc_index_reserve(&s->index, s->frame_count + 1));
  sc_index_slot *slot = sc_index_first(&s->index, hash);
  while (slot->number && strcmp(s->frames[slot->number - 1], s->out.text) != 0)
    slot = sc_index_next(&s->index, slot);
  if (!slot->number) {
    SC_TRY(sc_mem_grow(&s->frames, &s->frame_capacity, s->frame_count + 1, sizeof *s->frames));
    s->frames[s->frame_count] = sc_mem_copy_string(s->out.text);
    if (!s->frames[s->frame_count])
      return SC_E_NOMEM;
    fprintf(s->stream, "%s\n%s", s->frame_count ? "," : "", s->out.text);
    s->frame_count++;
    sc_index_take(&s->index, slot, hash, (uint32_t)s->frame_count);
  }
  s->out.length = 0;
  *number = slot->number - 1;
  return 0;
}

static int write_frames(speedscope *s)
{
  speedscope_text(s, "\"shared\": {\"frames\": [");
  SC_TRY(sc_emit_flush(&s->out, s->stream));
  for (size_t e = 0; e < s->count; e++) {
    s->numbers[e] = sc_mem_new(s->list[e].frame_count + 1, sizeof **s->numbers);
    if (!s->numbers[e])
      return SC_E_NOMEM;
    for (uint32_t i = 0; i < s->list[e].frame_count; i++) {
      compose_frame(s, &s->list[e].frames[i]);
      SC_TRY(number_frame(s, &s->numbers[e][i]));
    }
  }
  speedscope_text(s, "\n]},\n");
  return sc_emit_flush(&s->out, s->stream);
}

/* Outermost frame first. */
static int write_speedscope_stack(speedscope *s, size_t at, uint32_t node)
{
  const sc_export *e = &s->list[at];
  size_t depth = 0;
  for (uint32_t i = node; i != SC_EXPORT_NONE; i = e->nodes[i].parent) {
    SC_TRY(sc_mem_grow(&s->path, &s->capacity, depth + 1, sizeof *s->path));
    s->path[depth++] = s->numbers[at][e->nodes[i].frame];
  }
  speedscope_text(s, "[");
  while (depth-- > 0)
    sc_buf_printf(&s->out, depth ? "%u," : "%u]", s->path[depth]);
  return sc_emit_flush(&s->out, s->stream);
}

static const char *speedscope_unit_of(const sc_export *e, enum sc_export_metric metric)
{
  if (metric == SC_EXPORT_COST && e->seconds)
    return "seconds";
  return metric == SC_EXPORT_BYTES ? "bytes" : "none";
}

static int write_speedscope_profile(speedscope *s, size_t at, enum sc_export_metric metric)
{
  const sc_export *e = &s->list[at];
  const char *separator = "\n";
  sc_buf name = {0};
  sc_export_title(e, &name);
  sc_buf_printf(&name, ": %s", sc_export_metric_name(e, metric));
  speedscope_text(s, "{\"type\": \"sampled\", \"name\": ");
  sc_emit_shown(&s->out, sc_buf_finish(&name) < 0 ? "" : name.text);
  sc_buf_free(&name);
  sc_buf_printf(&s->out, ", \"unit\": \"%s\", \"startValue\": 0, \"endValue\": ", speedscope_unit_of(e, metric));
  sc_emit_number(&s->out, e->total[metric]);
  speedscope_text(s, ", \"samples\": [");
  for (uint32_t i = 0; i < e->count; i++) {
    if (sc_export_own(e, i, metric) <= 0)
      continue;
    speedscope_text(s, separator);
    SC_TRY(write_speedscope_stack(s, at, i));
    separator = ",\n";
  }
  speedscope_text(s, "], \"weights\": [");
  separator = "\n";
  for (uint32_t i = 0; i < e->count; i++) {
    if (sc_export_own(e, i, metric) <= 0)
      continue;
    speedscope_text(s, separator);
    sc_emit_number(&s->out, sc_export_own(e, i, metric));
    SC_TRY(sc_emit_flush(&s->out, s->stream));
    separator = ",\n";
  }
  speedscope_text(s, "]}");
  return sc_emit_flush(&s->out, s->stream);
}

/* The number of the metric's profile. */
static unsigned speedscope_place_of(const sc_export *e, enum sc_export_metric metric)
{
  unsigned place = 0;
  for (enum sc_export_metric m = 0; m < metric; m++)
    place += e->has[m];
  return place;
}

static int write_speedscope_profiles(speedscope *s)
{
  size_t written = 0;
  speedscope_text(s, "\"profiles\": [\n");
  for (size_t e = 0; e < s->count; e++)
    for (enum sc_export_metric m = 0; m < SC_EXPORT_METRICS; m++) {
      if (!s->list[e].has[m])
        continue;
      speedscope_text(s, written++ ? ",\n" : "");
      SC_TRY(write_speedscope_profile(s, e, m));
    }
  speedscope_text(s, "\n]}\n");
  return sc_emit_flush(&s->out, s->stream);
}

int sc_export_speedscope_all(FILE *stream, const sc_export *list, size_t count)
{
  speedscope s = {.stream = stream, .list = list, .count = count};
  int err = SC_E_NOMEM;
  sc_buf title = {0};
  s.numbers = sc_mem_new(count, sizeof *s.numbers);
  if (!s.numbers)
    goto out;
  if (count == 1)
    sc_export_title(list, &title);
  else
    sc_utf8_show(list->judge->study, &title);
  SC_GOTO(sc_buf_finish(&title));
  speedscope_text(&s, "{\"$schema\": \"https://www.speedscope.app/file-format-schema.json\",\n"
                      "\"exporter\": \"scale-run " SCALE_VERSION "\", \"name\": ");
  sc_emit_shown(&s.out, title.text);
  sc_buf_printf(&s.out, ", \"activeProfileIndex\": %u,\n", speedscope_place_of(list, list->first));
  SC_GOTO(write_frames(&s));
  err = write_speedscope_profiles(&s);
out:
  for (size_t e = 0; s.numbers && e < count; e++)
    free(s.numbers[e]);
  free(s.numbers);
  for (size_t i = 0; i < s.frame_count; i++)
    free(s.frames[i]);
  free(s.frames);
  sc_index_free(&s.index);
  sc_buf_free(&title);
  sc_buf_free(&s.out);
  free(s.path);
  return err;
}
