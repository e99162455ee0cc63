/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/judge/judge.h"
#include "runner/quantity/places.h"
#include "runner/workload/amount.h"
#include "transitions/suppose/portion.h"

/* What a question is about. */
enum sc_subject_kind { SC_SUBJECT_TOTAL, SC_SUBJECT_FUNCTION, SC_SUBJECT_RESOURCE };
typedef struct sc_subject {
  enum sc_subject_kind kind;
  sc_places places;          /* FUNCTION: a function or loop, in all contexts asked for */
  sc_resource_spot resource; /* RESOURCE */
} sc_subject;

/* A number that can be predicted at any size and limited: the total's time, a function's calls, a lock's utilisation.
 */
typedef struct sc_quantity {
  const sc_judge *judge;
  char metric[64]; /* "time", "own time", "calls", "memory", "mean hold time" */
  char *title;     /* for people: "calls of parse (parse.c:12)", "utilisation of order_lock (book.c:16)" */
  enum sc_amount_kind kind;
  sc_portion *portion; /* NULL: of resources */
  bool whole, costs;   /* of the portion */
  bool units;          /* of work: its counts as they are */
  bool elapsed;        /* of the whole: elapsed time, which includes costs */
  bool waiting;        /* seconds that calls wait */
  uint32_t *contexts;  /* [context_count] of the portion; NULL: everything */
  size_t context_count;
  sc_resource_spot *resources; /* [resource_count] that are added up */
  size_t resource_count;
  enum sc_resource_metric resource_metric;
} sc_quantity;

/* Reads "METRIC" or "METRIC(NAME)", the first `length` bytes of text. Metrics: time (or the cost event's name), wall
 * (elapsed time), waiting (seconds that calls in it wait), own (time in a function without what it calls), calls,
 * iterations, units of library functions' work (bytes), memory, and those of resources, whose beginning is
 * enough. Without a NAME it is one of the subject. `length` 0: what is asked first of the subject. `suppose`: NULL, or
 * what is supposed. SC_E_USAGE with a hint for what the study does not have. To be released with sc_quantity_free, also
 * after an error. */
int sc_quantity_parse(const sc_judge *judge, const sc_subject *subject, const sc_suppose *suppose, const char *text,
                      size_t length, sc_quantity *quantity) SC_CHECK;
/* "1.0 s of processor time", "100 calls of parse (parse.c:12)": an amount of it. */
void sc_quantity_phrase(const sc_quantity *quantity, const char *amount, sc_buf *out);
void sc_quantity_free(sc_quantity *quantity);
int sc_quantity_predict(const sc_quantity *quantity, double n, sc_interval *out) SC_CHECK;
/* False for times and shares of resources: they are measured, and never known exactly. */
bool sc_quantity_is_count(const sc_quantity *quantity);
/* The largest size that it is reasonable to predict it at. */
double sc_quantity_farthest(const sc_quantity *quantity);
/* The model that its interval at n owes most to; NULL: none. */
const sc_model *sc_quantity_widest(const sc_quantity *quantity, double n);

/* What was measured at one size: mean of the runs, the least and the most of them. */
typedef struct sc_quantity_point {
  double n, value, low, high;
  bool verified; /* not fitted: run to compare with the prediction */
} sc_quantity_point;
/* *points [*count], ascending by size, verified ones last; to be freed by the caller. */
int sc_quantity_measured(const sc_quantity *quantity, sc_quantity_point **points, size_t *count) SC_CHECK;
