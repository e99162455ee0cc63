/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_RUNNER_NOTICE_H
#define SC_RUNNER_NOTICE_H
#include "runner/judge.h"
#include "transitions/compare/compare.h"

/*
 * What there is to tell a reader, whatever found it: a complexity finding, one about a resource, a broken budget, or a
 * change between two studies. Every output format prints this list and nothing else, so that all say the same.
 */
typedef struct sc_notice_step { /* of the calling context, outermost first */
  char *text;                   /* "main", "loop blocks.c:1075:3" */
  char *file;                   /* relative to the sources' root where it is below it; "" if unknown */
  uint32_t line, column;        /* 0: unknown */
} sc_notice_step;

typedef struct sc_notice_prediction {
  double n;
  bool has_before, has_after;
  sc_interval before, after; /* without a base: `after` alone */
} sc_notice_prediction;

typedef struct sc_notice {
  enum sc_rule rule;
  enum sc_severity severity;
  char *subject;                               /* "check_open_blocks", "order_lock" */
  char *file;                                  /* "" if unknown */
  uint32_t line, column, end_line, end_column; /* 1-based; 0: unknown. The end is the last character's, exclusive */
  char *message; /* one sentence that stands alone: what, how it grows, how much at the largest target */
  char *evidence, *advice;
  char *before, *after;              /* models for people, "0.5 n^2 - 0.5 n iterations"; NULL: none */
  char *metric;                      /* what is predicted: "iterations", "calls", "s", "mean hold time" */
  const char *unit;                  /* "", "s", "bytes", ... */
  sc_notice_prediction *predictions; /* [prediction_count], ascending by n */
  size_t prediction_count;
  sc_interval emergence; /* the size from which on it matters; infinite: never below what was looked at; NaN: none */
  double confidence, share;
  sc_notice_step *steps; /* [step_count] */
  size_t step_count;
  char
      fingerprint[33]; /* hex; stays when lines move or functions are renamed elsewhere: rule, subject, path of names */
  bool changed;        /* stands on a changed line (--changed) */
  char *accepted;      /* reason, if it is accepted; NULL: it is not */
  char *accepted_until; /* "2027-03-01" */
} sc_notice;

typedef struct sc_notices {
  sc_notice *list; /* worst first, accepted ones behind all others */
  size_t count, accepted;
  const sc_judge *judge, *base;    /* base: NULL if nothing is compared */
  const sc_comparison *comparison; /* NULL without base */
  char *verdict;                   /* the first line of a comment: "1 thing grows faster than before: ..." */
} sc_notices;

/* Findings, resource findings and broken budgets of a study. sc_notices_free also after an error. */
int sc_notices_of_study(const sc_judge *judge, sc_notices *notices) SC_CHECK;
/* Changes between base and head, and the head's broken budgets. */
int sc_notices_of_change(const sc_judge *base, const sc_judge *head, const sc_comparison *comparison,
                         sc_notices *notices) SC_CHECK;
void sc_notices_free(sc_notices *notices);

/* Marks what the file accepts (SC_E_USAGE with its line where it is wrong); out-of-date and unused lines become
 * warnings on stderr. A missing file that nobody named is none. */
int sc_notices_accept(sc_notices *notices, const char *path, bool named) SC_CHECK;
/* Places notices on lines that the unified diff changed where they belong to one (the finding's own line, or that of a
 * step of its context, innermost first). */
int sc_notices_place(sc_notices *notices, const char *diff_path) SC_CHECK;

typedef int (*sc_notices_print_fn)(FILE *out, const sc_notices *notices);
int sc_notices_print_text(FILE *out, const sc_notices *notices) SC_CHECK; /* "file:line:column: severity: ..." */
int sc_notices_print_json(FILE *out, const sc_notices *notices) SC_CHECK;
int sc_notices_print_markdown(FILE *out, const sc_notices *notices) SC_CHECK;
int sc_notices_print_sarif(FILE *out, const sc_notices *notices) SC_CHECK;
int sc_notices_print_junit(FILE *out, const sc_notices *notices) SC_CHECK;
int sc_notices_print_github(FILE *out, const sc_notices *notices) SC_CHECK;
int sc_notices_print_gitlab(FILE *out, const sc_notices *notices) SC_CHECK;
int sc_notices_print_openmetrics(FILE *out, const sc_notices *notices) SC_CHECK;
#endif
