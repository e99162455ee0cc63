/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A curve in a terminal: every cell holds one mark, or, for lines, dots of a braille character. Marks differ in shape,
 * so that nothing depends on colour. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "runner/ask/curve.h"

enum { HEIGHT = 20, LABEL = 9, TICKS = 12 };

/* The higher ones cover the lower ones. */
enum mark { EMPTY, BAND, LIMIT, REACHED, BUDGET, SUPPOSED, MODEL, TARGET, VERIFIED, MEASURED, MARKS };
static const char *const unicode[MARKS] = {" ", "\xe2\x96\x91", "\xe2\x95\x8c", "\xe2\x94\x81", "\xe2\x95\x90", "",
                                           "",  "\xe2\x97\x86", "\xe2\x9c\x95", "\xe2\x97\x8f"};
static const char *const ascii[MARKS] = {" ", ":", "-", "~", "=", "+", "*", "#", "x", "o"};

typedef struct canvas {
  const sc_curve *curve;
  int width, height; /* in cells */
  bool utf8;
  unsigned char *marks, *dots; /* [height][width] */
} canvas;

static int column_of(const canvas *c, double n)
{
  double at = sc_curve_x(c->curve, n);
  return at >= -1e-9 && at <= 1 + 1e-9 ? (int)lround(at * (c->width - 1)) : -1;
}

/* Rows count from the top; -1: not to be seen. */
static int row_of(const canvas *c, double value)
{
  double at = sc_curve_y(c->curve, value);
  return at >= -1e-9 && at <= 1 + 1e-9 ? (int)lround((1 - at) * (c->height - 1)) : -1;
}

static void put_plot(canvas *c, int column, int row, enum mark mark)
{
  if (column < 0 || row < 0 || column >= c->width || row >= c->height)
    return;
  unsigned char *at = &c->marks[row * c->width + column];
  *at = *at > mark ? *at : mark;
}

/* Of a cell, 2 dots wide and 4 high. */
static void plot_dot(canvas *c, int x, int y, enum mark mark)
{
  static const unsigned char bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
  if (x < 0 || y < 0 || x >= 2 * c->width || y >= 4 * c->height)
    return;
  size_t cell = (size_t)(y / 4) * (size_t)c->width + (size_t)x / 2;
  if (mark == SUPPOSED && c->marks[cell] == MODEL)
    return;
  if (c->marks[cell] < mark)
    c->dots[cell] = 0;
  put_plot(c, x / 2, y / 4, mark);
  c->dots[cell] |= bits[y % 4][x % 2];
}

static double at_size(const sc_curve *curve, double along, bool supposed)
{
  double position = along * (double)(curve->point_count - 1);
  size_t i = (size_t)fmin(floor(position), (double)curve->point_count - 2);
  const sc_curve_point *a = &curve->points[i], *b = &curve->points[i + 1];
  double from = supposed ? a->supposed.value : a->predicted.value,
         to = supposed ? b->supposed.value : b->predicted.value;
  double part = position - (double)i;
  if (curve->y_log && from > 0 && to > 0)
    return from * pow(to / from, part);
  return from + (to - from) * part;
}

/* Draws every dot column, joined upright to the one before. A line that is supposed is dashed. */
static void draw_line(canvas *c, bool supposed)
{
  int before = -1, wide = 2 * c->width, high = 4 * c->height;
  for (int x = 0; x < wide; x++) {
    double up = sc_curve_y(c->curve, at_size(c->curve, (double)x / (wide - 1), supposed));
    int y = up >= 0 && up <= 1 ? (int)lround((1 - up) * (high - 1)) : -1;
    bool gap = supposed && x % 6 >= 3;
    for (int at = y; y >= 0 && !gap; at += at < before ? 1 : -1) {
      plot_dot(c, x, at, supposed ? SUPPOSED : MODEL);
      if (before < 0 || abs(at - before) <= 1)
        break;
    }
    before = y;
  }
}

static void draw_band(canvas *c)
{
  for (int x = 0; x < c->width; x++) {
    size_t i = (size_t)lround((double)x / (c->width - 1) * (double)(c->curve->point_count - 1));
    const sc_interval *p = &c->curve->points[i].predicted;
    double low = sc_curve_y(c->curve, p->low), high = sc_curve_y(c->curve, p->high);
    for (int row = 0; row < c->height; row++) {
      double at = 1 - (double)row / (c->height - 1);
      if (at >= low && at <= high && p->high > p->low)
        put_plot(c, x, row, BAND);
    }
  }
}

static void draw_lines(canvas *c)
{
  for (size_t i = 0; i < c->curve->line_count; i++) {
    const sc_curve_line *line = &c->curve->lines[i];
    int row = row_of(c, line->value), middle = line->n > 0 ? column_of(c, line->n) : -1;
    double from = sc_curve_x(c->curve, line->earliest), to = sc_curve_x(c->curve, line->latest);
    for (int x = 0; x < c->width; x++) {
      double at = (double)x / (c->width - 1);
      if (line->kind == SC_CURVE_LIMIT)
        put_plot(c, x, row, at >= from && at <= to ? REACHED : LIMIT);
      else if (middle >= 0 && abs(x - middle) <= 3)
        put_plot(c, x, row, BUDGET);
    }
  }
}

static void draw_points(canvas *c)
{
  for (size_t i = 0; i < c->curve->target_count; i++)
    put_plot(c, column_of(c, c->curve->targets[i].n), row_of(c, c->curve->targets[i].predicted.value), TARGET);
  for (size_t i = 0; i < c->curve->measured_count; i++)
    put_plot(c, column_of(c, c->curve->measured[i].n), row_of(c, c->curve->measured[i].value),
             c->curve->measured[i].verified ? VERIFIED : MEASURED);
}

static void print_cell(FILE *out, const canvas *c, int row, int column)
{
  size_t cell = (size_t)row * (size_t)c->width + (size_t)column;
  enum mark mark = (enum mark)c->marks[cell];
  if (!c->utf8) {
    fputs(ascii[mark], out);
  } else if (mark == MODEL || mark == SUPPOSED) {
    char text[5];
    size_t length = sc_utf8_write(0x2800u + c->dots[cell], text);
    fwrite(text, 1, length, out);
  } else {
    fputs(unicode[mark], out);
  }
}

static int last_mark(const canvas *c, int row)
{
  int last = c->width - 1;
  while (last >= 0 && c->marks[row * c->width + last] == EMPTY)
    last--;
  return last;
}

static void print_plot_rows(FILE *out, const canvas *c)
{
  double ticks[TICKS];
  size_t count =
      sc_curve_ticks(c->curve->y_low, c->curve->y_high, c->curve->y_log, c->curve->quantity->kind, 5, ticks, TICKS);
  for (int row = 0; row < c->height; row++) {
    const char *label = "";
    sc_text text;
    for (size_t i = 0; i < count; i++)
      if (row_of(c, ticks[i]) == row) {
        text = sc_amount_short(c->curve->quantity->kind, ticks[i]);
        label = text.s;
      }
    fprintf(out, "%*s %s", LABEL, label, c->utf8 ? (*label ? "\xe2\x94\xa4" : "\xe2\x94\x82") : (*label ? "+" : "|"));
    for (int x = 0, last = last_mark(c, row); x <= last; x++)
      print_cell(out, c, row, x);
    fputc('\n', out);
  }
}

/* The axis is thick along the sizes measured. */
static void print_axis(FILE *out, const canvas *c)
{
  char *labels = sc_mem_new((size_t)c->width + LABEL + 32, 1);
  double ticks[TICKS];
  size_t count = sc_curve_ticks(c->curve->x_low, c->curve->x_high, c->curve->x_log, SC_AMOUNT_COUNT, 6, ticks, TICKS);
  fprintf(out, "%*s %s", LABEL, "", c->utf8 ? "\xe2\x94\x94" : "+");
  for (int x = 0; x < c->width; x++) {
    bool measured = x >= column_of(c, c->curve->n_min) && x <= column_of(c, c->curve->n_max);
    fputs(c->utf8 ? (measured ? "\xe2\x94\x81" : "\xe2\x94\x80") : (measured ? "=" : "-"), out);
  }
  fputc('\n', out);
  int end = 0;
  for (size_t i = 0; labels && i < count; i++) {
    sc_text text = sc_amount_short(SC_AMOUNT_COUNT, ticks[i]);
    int length = (int)strlen(text.s), at = column_of(c, ticks[i]) + LABEL + 2 - length / 2;
    at = at + length > c->width + LABEL + 2 ? c->width + LABEL + 2 - length : at;
    if (at <= end && end)
      continue;
    memset(labels + end, ' ', (size_t)(at - end));
    memcpy(labels + at, text.s, (size_t)length);
    end = at + length;
  }
  if (labels)
    fprintf(out, "%s  %s\n", labels,
            end + 2 + (int)strlen(c->curve->variable) <= c->width + LABEL + 12 ? c->curve->variable : "");
  free(labels);
}

static bool is_mark_drawn(const canvas *c, enum mark mark)
{
  return memchr(c->marks, mark, (size_t)c->width * (size_t)c->height) != NULL;
}

static void add_plot_key(const canvas *c, sc_buf *text, enum mark mark, const char *what)
{
  static const char *const lines[] = {"\xe2\xa0\xa4\xe2\xa0\x80\xe2\xa0\xa4", "\xe2\xa0\xa4\xe2\xa0\xa4\xe2\xa0\xa4"};
  if (!is_mark_drawn(c, mark))
    return;
  const char *sign = !c->utf8 ? ascii[mark] : mark == SUPPOSED ? lines[0] : mark == MODEL ? lines[1] : unicode[mark];
  sc_buf_printf(text, "%s%s\xc2\xa0%s", text->length ? "  " : "", sign, what);
}

/* Blanks that hold a key together are blanks, when it is printed. */
static void print_key(FILE *out, const canvas *c, int width)
{
  sc_buf text = {0};
  sc_text low = sc_format_number(c->curve->n_min), high = sc_format_number(c->curve->n_max);
  add_plot_key(c, &text, MEASURED, "measured");
  add_plot_key(c, &text, VERIFIED, "run\xc2\xa0to\xc2\xa0verify");
  add_plot_key(c, &text, MODEL, "model");
  add_plot_key(c, &text, SUPPOSED, "supposed");
  add_plot_key(c, &text, BAND, "95%\xc2\xa0interval");
  add_plot_key(c, &text, TARGET, "target");
  for (size_t i = 0; i < c->curve->line_count; i++) {
    const sc_curve_line *line = &c->curve->lines[i];
    sc_buf_printf(
        &text, "  %s\xc2\xa0%s\xc2\xa0%s", (c->utf8 ? unicode : ascii)[line->kind == SC_CURVE_LIMIT ? LIMIT : BUDGET],
        line->kind == SC_CURVE_LIMIT ? "limit" : "budget", sc_amount_short(c->curve->quantity->kind, line->value).s);
  }
  add_plot_key(c, &text, REACHED, "where\xc2\xa0it\xc2\xa0is\xc2\xa0reached");
  sc_buf_printf(&text, "  %s\xc2\xa0sizes\xc2\xa0measured\xc2\xa0(%s\xc2\xa0to\xc2\xa0%s)",
                c->utf8 ? "\xe2\x94\x81" : "=", low.s, high.s);
  int at = 2;
  fputs("  ", out);
  for (char *key = sc_buf_finish(&text) == 0 ? text.text : NULL, *next; key; key = next) {
    next = strstr(key, "  ");
    if (next) {
      *next = '\0';
      next += 2;
    }
    int columns = sc_format_columns(key);
    if (at > 2 && at + columns + 2 > width) {
      fputs("\n  ", out);
      at = 2;
    }
    fputs(at > 2 ? "  " : "", out);
    at += columns + (at > 2 ? 2 : 0);
    for (const char *p = key; *p; p++) /* the blank that does not break has two bytes */
      if (strncmp(p, "\xc2\xa0", 2) == 0) {
        fputc(' ', out);
        p++;
      } else {
        fputc(*p, out);
      }
  }
  fputc('\n', out);
  sc_buf_free(&text);
}

int sc_curve_print(FILE *out, const sc_curve *curve, bool utf8, const sc_text_options *options)
{
  sc_buf title = {0};
  canvas c = {.curve = curve, .width = options->width - LABEL - 14, .height = HEIGHT, .utf8 = utf8};
  int err = 0;
  c.width = c.width < 24 ? 24 : c.width;
  size_t cells = (size_t)c.width * (size_t)c.height;
  c.marks = sc_mem_new(cells, 1);
  c.dots = sc_mem_new(cells, 1);
  if (!c.marks || !c.dots) {
    err = SC_E_NOMEM;
    goto out;
  }
  draw_band(&c);
  draw_lines(&c);
  if (curve->supposed)
    draw_line(&c, true);
  draw_line(&c, false);
  draw_points(&c);
  sc_curve_title(curve, &title);
  fputs(options->style.bold, out);
  sc_format_wrap(out, sc_buf_finish(&title) == 0 ? title.text : "", 0, 2, options->width);
  fputs(options->style.off, out);
  sc_buf_free(&title);
  print_plot_rows(out, &c);
  print_axis(out, &c);
  print_key(out, &c, options->width);
out:
  free(c.marks);
  free(c.dots);
  return err;
}
