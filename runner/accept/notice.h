/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_RUNNER_ACCEPT_NOTICE_H
#define SC_RUNNER_ACCEPT_NOTICE_H
#include "runner/judge/judge.h"
#include "runner/text/text_options.h"
#include "transitions/compare/compare.h"

/*
 * What there is to tell a reader, whatever found it: a complexity finding, one about a resource, a broken budget, or a
 * change between two studies. Every output format prints this list and nothing else, so that all say the same.
 */
typedef struct sc_notice_step { /* of the calling context, outermost first; the last is where the notice belongs */
  char *text;                   /* "main", "loop blocks.c:1075:3" */
  char *file;                   /* relative to the sources' root where it is below it; "" if unknown */
  uint32_t line, column;        /* 0: unknown */
} sc_notice_step;

typedef struct sc_notice_prediction {
  double n;
  bool has_before, has_after;
  sc_interval before, after; /* of `metric`; without a base: `after` alone */
  bool has_cost;             /* of a finding: what it costs, in the study's cost unit, and its share of the total */
  sc_interval cost;
  double share;
} sc_notice_prediction;

/* All texts are valid UTF-8 in one line, without control characters: printers have to escape what their format's own
 * syntax is, and nothing else. */
typedef struct sc_notice {
  const void *about;     /* the sc_finding, sc_resource_finding or sc_change it tells of; NULL: a budget */
  const char *parameter; /* a further parameter that it grows with, of a change the head's; NULL: the focused one */
  double parameter_at;   /* its value in predictions */
  enum sc_rule rule;
  enum sc_severity severity;
  char *subject;                               /* "check_open_blocks", "order_lock" */
  char *file;                                  /* "" if unknown */
  uint32_t line, column, end_line, end_column; /* 1-based; 0: unknown. The end is the last character's, exclusive */
  char *title;   /* "Loop grows faster than the workload"; of a pool its headline, with which the message begins */
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
  bool spread;          /* steps are no path, but some of the places it is about: the worst is the last */
  char fingerprint[33]; /* hex; stays when lines move or functions are renamed elsewhere: rule, subject, path of names
                           (without it where many places are told of) */
  bool superlinear;     /* grows faster than n log n */
  bool linear;          /* linear growth that is no finding: see sc_finding */
  bool resource;        /* is about a resource */
  bool over_ratio;      /* is the total, which exceeds the ratio of "cost" in --fail-on */
  bool changed;         /* stands on a changed line (--changed) */
  char *accepted;       /* reason, if it is accepted; NULL: it is not */
  char *accepted_until; /* "2027-03-01" */
  bool accepted_inline; /* by a comment in the source */
} sc_notice;

typedef struct sc_notices {
  sc_notice *list; /* worst first, accepted ones behind all others */
  size_t count, accepted, capacity;
  const sc_judge *judge, *base;       /* base: NULL if nothing is compared */
  const sc_comparison *comparison;    /* NULL without base */
  sc_comparison along[SC_RUN_OTHERS]; /* [along_count] along further parameters */
  size_t along_count;
  char *verdict;  /* the first line of a comment: "1 thing grows faster than before: ..." */
  char *coverage; /* of a study: how much of the total the findings explain; "" without a target, and of a change */
  char *times;    /* whose times these are (sc_report_plain_text), also of a change that compares times; "": untimed */
} sc_notices;

/* Findings, resource findings and broken budgets of a study. sc_notices_free also after an error. */
int sc_notices_of_study(const sc_judge *judge, sc_notices *notices) SC_CHECK;
/* Changes between base and head, the head's broken budgets, and the total where it exceeds the ratio that --fail-on
 * (NULL: none) names. */
int sc_notices_of_change(const sc_judge *base, const sc_judge *head, const sc_comparison *comparison,
                         const char *fail_on, sc_notices *notices) SC_CHECK;
void sc_notices_free(sc_notices *notices);

/* The same with the file that --accept names, or .scale-accept; and what comments in the sources accept. */
int sc_notices_accept_default(sc_notices *notices, const sc_options *options) SC_CHECK;
/* The message for those who print the title in front of it: without the title, if it begins with that. */
const char *sc_notice_beyond_title(const sc_notice *notice);
/* The notice about it if that is accepted, else NULL; `notices` NULL: nothing is. */
const sc_notice *sc_notices_accepted(const sc_notices *notices, const void *about);
/* Places notices on lines that the unified diff changed where they belong to one (the finding's own line, or that of a
 * step of its context, innermost first). */
int sc_notices_place(sc_notices *notices, const char *diff_path) SC_CHECK;

/* 1 if one of the words of --fail-on applies (NULL: never): "order" (of a change: grows faster than before; of a study,
 * as "superlinear": faster than n log n), "cost", "budget", "any", "warning", "resource"; "none": never. Accepted ones
 * do not count. */
int sc_notices_status(const sc_notices *notices, const char *fail_on);

struct sc_page;
/* What `report` and `diff` end with: accepts (--accept), places (--changed), prints (--format, -o; with a page adds
 * to that instead) and judges (--fail-on): 0, 1, or an error. `fail_on`: the verb's. */
int sc_notices_deliver(const sc_options *options, const char *fail_on, sc_notices *notices,
                       struct sc_page *page) SC_CHECK;
/* The page that the options ask for, without anything in it. */
int sc_notices_page(const sc_options *options, struct sc_page **page) SC_CHECK;

typedef int (*sc_notices_print_fn)(FILE *out, const sc_notices *notices);
/* By --format (NULL: "text"); NULL: a page ("html"), which is no list of notices. */
sc_notices_print_fn sc_notices_printer(const char *format);
int sc_notices_print_text(FILE *out, const sc_notices *notices) SC_CHECK;  /* "file:line:column: severity: ..." */
int sc_notices_print_lines(FILE *out, const sc_notices *notices) SC_CHECK; /* the same without details: a line each */
int sc_notices_print_json(FILE *out, const sc_notices *notices) SC_CHECK;
int sc_notices_print_markdown(FILE *out, const sc_notices *notices) SC_CHECK;
int sc_notices_print_sarif(FILE *out, const sc_notices *notices) SC_CHECK;
int sc_notices_print_junit(FILE *out, const sc_notices *notices) SC_CHECK;
int sc_notices_print_github(FILE *out, const sc_notices *notices) SC_CHECK;
int sc_notices_print_gitlab(FILE *out, const sc_notices *notices) SC_CHECK;
int sc_notices_print_openmetrics(FILE *out, const sc_notices *notices) SC_CHECK;
/* A headline, and why and until when what it says is accepted. */
void sc_notice_print_accepted(FILE *out, const char *headline, const sc_notice *accepted,
                              const sc_text_options *options);
#endif
