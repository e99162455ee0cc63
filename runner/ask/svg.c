/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A curve as SVG, written by libxml2's writer, which is linked anyway and escapes whatever a name may hold. Plotting
 * libraries (plplot, gnuplot, cairo) draw text as outlines or in fixed colours, without title and description. */
#include <libxml/xmlwriter.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "runner/ask/curve.h"
#include "runner/text/outfile.h"

enum { WIDTH = 860, HEIGHT = 500, LEFT = 92, RIGHT = 24, TOP = 56, BOTTOM = 104, TICKS = 14 };

static const char style[] =
    "\n:root{--back:#fff;--text:#1b1f24;--faint:#57606a;--grid:#d8dee4;--line:#0550ae;--band:#0550ae;--other:#8250df;"
    "--limit:#b35900}\n"
    "@media (prefers-color-scheme:dark){:root{--back:#0d1117;--text:#e6edf3;--faint:#9198a1;--grid:#30363d;"
    "--line:#79c0ff;--band:#79c0ff;--other:#d2a8ff;--limit:#ffa657}}\n"
    "text{font:13px system-ui,sans-serif;fill:var(--text)}\n"
    ".title{font-size:16px;font-weight:600}.faint{fill:var(--faint)}.end{text-anchor:end}.middle{text-anchor:middle}\n"
    ".back{fill:var(--back)}.grid{stroke:var(--grid);fill:none}.axis{stroke:var(--faint);fill:none}\n"
    ".seen{stroke:var(--text);stroke-width:4;fill:none}\n"
    ".band{fill:var(--band);fill-opacity:.16;stroke:none}\n"
    ".model{stroke:var(--line);stroke-width:2;fill:none}.supposed{stroke:var(--other);stroke-width:2;"
    "stroke-dasharray:7 4;fill:none}\n"
    ".limit{stroke:var(--limit);stroke-width:1.5;stroke-dasharray:2 3;fill:none}.limits{fill:var(--limit)}\n"
    ".reached{stroke:var(--limit);stroke-width:4;fill:none}\n"
    ".measured{fill:var(--text)}.verified{stroke:var(--text);stroke-width:2;fill:none}\n"
    ".target{fill:var(--back);stroke:var(--line);stroke-width:2}.bar{stroke:var(--line);stroke-width:1.5;fill:none}\n";

typedef struct svg {
  xmlTextWriterPtr out;
  const sc_curve *curve;
  bool failed;
} svg;

static void begin_element(svg *s, const char *name)
{
  s->failed |= xmlTextWriterStartElement(s->out, BAD_CAST name) < 0;
}

static void svg_end(svg *s) { s->failed |= xmlTextWriterEndElement(s->out) < 0; }

static void svg_attribute(svg *s, const char *name, const char *format, ...) SC_PRINTF(3, 4);
static void svg_attribute(svg *s, const char *name, const char *format, ...)
{
  char value[256];
  va_list list;
  va_start(list, format);
  vsnprintf(value, sizeof value, format, list);
  va_end(list);
  s->failed |= xmlTextWriterWriteAttribute(s->out, BAD_CAST name, BAD_CAST value) < 0;
}

static void svg_string(svg *s, const char *text) { s->failed |= xmlTextWriterWriteString(s->out, BAD_CAST text) < 0; }

static double svg_x_of(const svg *s, double n) { return LEFT + sc_curve_x(s->curve, n) * (WIDTH - LEFT - RIGHT); }

/* Clamped: what is not to be seen ends at the frame. */
static double y_of(const svg *s, double value)
{
  double at = sc_curve_y(s->curve, value);
  return TOP + (1 - fmin(1, fmax(0, isnan(at) ? 0 : at))) * (HEIGHT - TOP - BOTTOM);
}

static bool is_point_seen(const svg *s, double n, double value)
{
  double x = sc_curve_x(s->curve, n), y = sc_curve_y(s->curve, value);
  return x >= -1e-9 && x <= 1 + 1e-9 && y >= -1e-9 && y <= 1 + 1e-9;
}

static void svg_text(svg *s, const char *class, double x, double y, const char *what)
{
  begin_element(s, "text");
  svg_attribute(s, "class", "%s", class);
  svg_attribute(s, "x", "%.1f", x);
  svg_attribute(s, "y", "%.1f", y);
  svg_string(s, what);
  svg_end(s);
}

static void svg_path(svg *s, const char *class, const sc_buf *data)
{
  begin_element(s, "path");
  svg_attribute(s, "class", "%s", class);
  s->failed |=
      data->failed || !data->length || xmlTextWriterWriteAttribute(s->out, BAD_CAST "d", BAD_CAST data->text) < 0;
  svg_end(s);
}

static void svg_line(svg *s, const char *class, double x1, double y1, double x2, double y2)
{
  sc_buf data = {0};
  sc_buf_printf(&data, "M%.1f %.1fL%.1f %.1f", x1, y1, x2, y2);
  svg_path(s, class, &data);
  sc_buf_free(&data);
}

static void title_of(svg *s, const char *words)
{
  begin_element(s, "title");
  svg_string(s, words);
  svg_end(s);
}

static void svg_axes(svg *s)
{
  const sc_curve *c = s->curve;
  double ticks[TICKS];
  size_t count = sc_curve_ticks(c->y_low, c->y_high, c->y_log, c->quantity->kind, 6, ticks, TICKS);
  for (size_t i = 0; i < count; i++) {
    svg_line(s, "grid", LEFT, y_of(s, ticks[i]), WIDTH - RIGHT, y_of(s, ticks[i]));
    svg_text(s, "faint end", LEFT - 8, y_of(s, ticks[i]) + 4, sc_amount_short(c->quantity->kind, ticks[i]).s);
  }
  count = sc_curve_ticks(c->x_low, c->x_high, c->x_log, SC_AMOUNT_COUNT, 8, ticks, TICKS);
  for (size_t i = 0; i < count; i++) {
    svg_line(s, "grid", svg_x_of(s, ticks[i]), TOP, svg_x_of(s, ticks[i]), HEIGHT - BOTTOM);
    svg_text(s, "faint middle", svg_x_of(s, ticks[i]), HEIGHT - BOTTOM + 20,
             sc_amount_short(SC_AMOUNT_COUNT, ticks[i]).s);
  }
  svg_line(s, "axis", LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM);
  svg_line(s, "seen", svg_x_of(s, c->n_min), HEIGHT - BOTTOM, svg_x_of(s, c->n_max), HEIGHT - BOTTOM);
  svg_text(s, "middle", (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - BOTTOM + 40, c->variable);
}

static void svg_band(svg *s)
{
  sc_buf data = {0};
  for (size_t i = 0; i < s->curve->point_count; i++)
    sc_buf_printf(&data, "%s%.1f %.1f", i ? "L" : "M", svg_x_of(s, s->curve->points[i].n),
                  y_of(s, s->curve->points[i].predicted.high));
  for (size_t i = s->curve->point_count; i-- > 0;)
    sc_buf_printf(&data, "L%.1f %.1f", svg_x_of(s, s->curve->points[i].n), y_of(s, s->curve->points[i].predicted.low));
  sc_buf_puts(&data, "Z");
  svg_path(s, "band", &data);
  sc_buf_free(&data);
}

static void svg_model(svg *s, const char *class, bool supposed)
{
  sc_buf data = {0};
  bool pen = false;
  for (size_t i = 0; i < s->curve->point_count; i++) {
    const sc_curve_point *p = &s->curve->points[i];
    double value = supposed ? p->supposed.value : p->predicted.value;
    if (!is_point_seen(s, p->n, value)) {
      pen = false;
      continue;
    }
    sc_buf_printf(&data, "%s%.1f %.1f", pen ? "L" : "M", svg_x_of(s, p->n), y_of(s, value));
    pen = true;
  }
  if (data.length)
    svg_path(s, class, &data);
  sc_buf_free(&data);
}

static void svg_limits(svg *s)
{
  const sc_curve *c = s->curve;
  for (size_t i = 0; i < c->line_count; i++) {
    const sc_curve_line *l = &c->lines[i];
    double y = y_of(s, l->value), from = LEFT, to = WIDTH - RIGHT;
    char words[96];
    if (l->n > 0) {
      from = fmax(LEFT, svg_x_of(s, l->n) - 40);
      to = fmin(WIDTH - RIGHT, svg_x_of(s, l->n) + 40);
    }
    if (sc_curve_y(c, l->value) > 1 || sc_curve_y(c, l->value) < 0 || !(from < to))
      continue;
    snprintf(words, sizeof words, "%s %.60s", l->kind == SC_CURVE_LIMIT ? "limit" : "budget",
             sc_amount_text(c->quantity->kind, l->value).s);
    svg_line(s, "limit", from, y, to, y);
    if (l->earliest <= c->x_high && l->latest >= c->x_low)
      svg_line(s, "reached", svg_x_of(s, fmax(l->earliest, c->x_low)), y, svg_x_of(s, fmin(l->latest, c->x_high)), y);
    svg_text(s, "limits", from + 4, y - 5, words);
  }
}

static void words_of(const sc_curve *c, double n, double value, const char *what, char *words, size_t size)
{
  snprintf(words, size, "%s = %s: %s%s", c->variable, sc_format_number(n).s, sc_amount_text(c->quantity->kind, value).s,
           what);
}

static void svg_targets(svg *s)
{
  const sc_curve *c = s->curve;
  for (size_t i = 0; i < c->target_count; i++) {
    const sc_curve_point *t = &c->targets[i];
    double x = svg_x_of(s, t->n), y = y_of(s, t->predicted.value);
    char words[200];
    sc_buf data = {0};
    if (!is_point_seen(s, t->n, t->predicted.value))
      continue;
    if (t->predicted.high > t->predicted.low)
      svg_line(s, "bar", x, y_of(s, t->predicted.low), x, y_of(s, t->predicted.high));
    begin_element(s, "g");
    words_of(c, t->n, t->predicted.value, " predicted", words, sizeof words);
    title_of(s, words);
    sc_buf_printf(&data, "M%.1f %.1fl6 6l-6 6l-6 -6Z", x, y - 6);
    svg_path(s, "target", &data);
    sc_buf_free(&data);
    svg_end(s);
  }
}

static void svg_measured(svg *s)
{
  const sc_curve *c = s->curve;
  for (size_t i = 0; i < c->measured_count; i++) {
    const sc_quantity_point *p = &c->measured[i];
    double x = svg_x_of(s, p->n), y = y_of(s, p->value);
    char words[200];
    if (!is_point_seen(s, p->n, p->value))
      continue;
    begin_element(s, "g");
    words_of(c, p->n, p->value, p->verified ? " run to verify" : " measured", words, sizeof words);
    title_of(s, words);
    if (p->verified) {
      svg_line(s, "verified", x - 5, y - 5, x + 5, y + 5);
      svg_line(s, "verified", x - 5, y + 5, x + 5, y - 5);
    } else {
      begin_element(s, "circle");
      svg_attribute(s, "class", "measured");
      svg_attribute(s, "cx", "%.1f", x);
      svg_attribute(s, "cy", "%.1f", y);
      svg_attribute(s, "r", "4");
      svg_end(s);
    }
    svg_end(s);
  }
}

static void key_sign(svg *s, int which, double x, double y)
{
  sc_buf data = {0};
  if (which == 0) {
    begin_element(s, "circle");
    svg_attribute(s, "class", "measured");
    svg_attribute(s, "cx", "%.1f", x + 12);
    svg_attribute(s, "cy", "%.1f", y);
    svg_attribute(s, "r", "4");
    svg_end(s);
  } else if (which == 3) {
    sc_buf_printf(&data, "M%.1f %.1fh24v12h-24Z", x, y - 6);
    svg_path(s, "band", &data);
  } else if (which == 4) {
    sc_buf_printf(&data, "M%.1f %.1fl6 6l-6 6l-6 -6Z", x + 12, y - 6);
    svg_path(s, "target", &data);
  } else if (which == 6) {
    svg_line(s, "verified", x + 7, y - 5, x + 17, y + 5);
    svg_line(s, "verified", x + 7, y + 5, x + 17, y - 5);
  } else {
    svg_line(s, which == 1 ? "model" : which == 2 ? "supposed" : which == 5 ? "seen" : "reached", x, y, x + 24, y);
  }
  sc_buf_free(&data);
}

static void svg_key(svg *s)
{
  const sc_curve *c = s->curve;
  bool fitted = false, verified = false, reached = false;
  for (size_t i = 0; i < c->line_count; i++)
    reached |= c->lines[i].earliest <= c->x_high && c->lines[i].latest >= c->x_low;
  for (size_t i = 0; i < c->measured_count; i++)
    *(c->measured[i].verified ? &verified : &fitted) = true;
  const struct {
    const char *words;
    bool shown;
  } entries[] = {{"measured", fitted},
                 {"model", true},
                 {"supposed", c->supposed},
                 {"95% interval", true},
                 {"target", c->target_count > 0},
                 {"sizes measured", true},
                 {"run to verify", verified},
                 {"where the limit is reached", reached}};
  double x = LEFT, y = HEIGHT - 40;
  for (int i = 0; i < (int)(sizeof entries / sizeof *entries); i++) {
    if (!entries[i].shown)
      continue;
    double wide = 52 + 7.2 * (double)strlen(entries[i].words);
    if (x + wide > WIDTH) {
      x = LEFT;
      y += 22;
    }
    key_sign(s, i, x, y);
    svg_text(s, "", x + 30, y + 4, entries[i].words);
    x += wide;
  }
}

/* What a screen reader says in place of the picture. */
static void svg_description(const sc_curve *c, sc_buf *out)
{
  const sc_quantity_point *last = NULL;
  for (size_t i = 0; i < c->measured_count; i++)
    last = c->measured[i].verified ? last : &c->measured[i];
  sc_buf_printf(out, "Measured at %s = %s to %s", c->variable, sc_format_number(c->n_min).s,
                sc_format_number(c->n_max).s);
  if (last)
    sc_buf_printf(out, ", where it is %s", sc_amount_text(c->quantity->kind, last->value).s);
  sc_buf_puts(out, ".");
  for (size_t i = 0; i < c->target_count; i++) {
    const sc_interval *p = &c->targets[i].predicted;
    sc_buf_printf(out, " Predicted at %s = %s: %s, 95%% interval %s.", c->variable, sc_format_number(c->targets[i].n).s,
                  sc_amount_text(c->quantity->kind, p->value).s, sc_amount_interval(c->quantity->kind, p).s);
    if (c->supposed)
      sc_buf_printf(out, " With what is supposed: %s.",
                    sc_amount_text(c->quantity->kind, c->targets[i].supposed.value).s);
  }
  for (size_t i = 0; i < c->line_count; i++)
    sc_buf_printf(out, " %s: %s.", c->lines[i].kind == SC_CURVE_LIMIT ? "Limit" : "Budget",
                  sc_amount_text(c->quantity->kind, c->lines[i].value).s);
}

static void svg_head(svg *s)
{
  sc_buf title = {0}, words = {0};
  sc_curve_title(s->curve, &title);
  svg_description(s->curve, &words);
  s->failed |= sc_buf_finish(&title) < 0 || sc_buf_finish(&words) < 0;
  begin_element(s, "svg");
  svg_attribute(s, "xmlns", "http://www.w3.org/2000/svg");
  svg_attribute(s, "viewBox", "0 0 %d %d", WIDTH, HEIGHT);
  svg_attribute(s, "width", "%d", WIDTH);
  svg_attribute(s, "height", "%d", HEIGHT);
  svg_attribute(s, "role", "img");
  svg_attribute(s, "aria-labelledby", "title desc");
  begin_element(s, "title");
  svg_attribute(s, "id", "title");
  svg_string(s, s->failed ? "" : title.text);
  svg_end(s);
  begin_element(s, "desc");
  svg_attribute(s, "id", "desc");
  svg_string(s, s->failed ? "" : words.text);
  svg_end(s);
  begin_element(s, "style");
  svg_string(s, style);
  svg_end(s);
  begin_element(s, "rect");
  svg_attribute(s, "class", "back");
  svg_attribute(s, "width", "100%%");
  svg_attribute(s, "height", "100%%");
  svg_end(s);
  svg_text(s, "title", LEFT, 30, s->failed ? "" : title.text);
  sc_buf_free(&title);
  sc_buf_free(&words);
}

static int compose_svg(const sc_curve *curve, xmlBufferPtr buffer)
{
  svg s = {.out = xmlNewTextWriterMemory(buffer, 0), .curve = curve};
  if (!s.out)
    return sc_err_set(SC_E_NOMEM, "out of memory");
  s.failed |= xmlTextWriterStartDocument(s.out, NULL, "UTF-8", NULL) < 0;
  svg_head(&s);
  svg_axes(&s);
  svg_band(&s);
  svg_limits(&s);
  if (curve->supposed)
    svg_model(&s, "supposed", true);
  svg_model(&s, "model", false);
  svg_targets(&s);
  svg_measured(&s);
  svg_key(&s);
  svg_end(&s);
  s.failed |= xmlTextWriterEndDocument(s.out) < 0;
  xmlFreeTextWriter(s.out);
  return s.failed ? sc_err_set(SC_E_NOMEM, "out of memory while composing SVG") : 0;
}

int sc_curve_write_svg(const sc_curve *curve, const char *path_name)
{
  xmlBufferPtr buffer = xmlBufferCreate();
  if (!buffer)
    return sc_err_set(SC_E_NOMEM, "out of memory");
  sc_outfile file = {0};
  int err = compose_svg(curve, buffer) ?: sc_outfile_open(path_name, &file);
  if (err == 0) {
    fwrite(xmlBufferContent(buffer), 1, (size_t)xmlBufferLength(buffer), file.stream);
    err = sc_outfile_close(&file, 0);
  }
  xmlBufferFree(buffer);
  return err;
}
