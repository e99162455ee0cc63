/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/ask/ask.h"
#include "runner/text/json_parts.h"

/* A quantity over the sizes: what is drawn in a terminal, as SVG, or listed as JSON. */
typedef struct sc_curve_point {
  double n;
  sc_interval predicted, supposed;
} sc_curve_point;

enum sc_curve_line_kind { SC_CURVE_LIMIT, SC_CURVE_BUDGET };
typedef struct sc_curve_line { /* horizontal */
  enum sc_curve_line_kind kind;
  double value, n;         /* n: a budget's size; 0: any */
  double earliest, latest; /* of a limit: between which sizes it is reached; infinite: never */
} sc_curve_line;

typedef struct sc_curve {
  const sc_quantity *quantity; /* borrowed */
  const char *variable;
  sc_buf held;            /* " at threads = 64": what else holds; finished, "": nothing */
  double n_min, n_max;    /* measured, of the variable */
  bool supposed;          /* the points have that, too */
  sc_curve_point *points; /* [point_count] ascending, in equal steps */
  size_t point_count;
  sc_quantity_point *measured; /* [measured_count] */
  size_t measured_count;
  sc_curve_point *targets; /* [target_count] */
  size_t target_count;
  sc_curve_line *lines; /* [line_count] */
  size_t line_count;
  double x_low, x_high, y_low, y_high; /* what is to be seen */
  bool x_log, y_log;
} sc_curve;

/* The answer's first quantity (with limits and no --of: the first limit's), from the smallest size measured to the
 * largest of targets, sweep and what limits need. The answer must outlive the curve. To be released with sc_curve_free,
 * also after an error. */
int sc_curve_make(const sc_ask *ask, sc_curve *curve) SC_CHECK;
void sc_curve_free(sc_curve *curve);
/* The parts of a curve made elsewhere, over another variable than the size. Steps: makes room for `count` points from
 * x_low to x_high, in steps that are equal on the axis. Scale: chooses the other axis, once all values are there. */
int sc_curve_steps(sc_curve *curve, size_t count) SC_CHECK;
void sc_curve_scale(sc_curve *curve);
/* "Processor time over n at threads = 64" */
void sc_curve_title(const sc_curve *curve, sc_buf *out);
/* Draws it as the options ask: --plot on stdout (not with --json), --svg. */
int sc_curve_show(const sc_curve *curve, const sc_options *options, const sc_text_options *text) SC_CHECK;
/* 0..1 along the axes; outside of that what is not to be seen. */
double sc_curve_x(const sc_curve *curve, double n);
double sc_curve_y(const sc_curve *curve, double value);
/* Round numbers between two values: fills at most `room`, ascending. `wanted`: about how many. */
size_t sc_curve_ticks(double low, double high, bool logarithmic, enum sc_amount_kind kind, size_t wanted, double *ticks,
                      size_t room);

/* "plot" of an answer. */
void sc_curve_json(sc_json *json, const sc_curve *curve, cJSON *document);
/* `utf8`: braille and blocks; else ASCII. */
int sc_curve_print(FILE *out, const sc_curve *curve, bool utf8, const sc_text_options *options) SC_CHECK;
/* A document of its own, written to a file that appears when it is complete. */
int sc_curve_write_svg(const sc_curve *curve, const char *path) SC_CHECK;
