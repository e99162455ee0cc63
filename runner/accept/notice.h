/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
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
  bool telling;                 /* shown where the path is abbreviated */
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
/* The inputs that a notice of a search is about. */
enum { SC_NOTICE_GOALS = 2 };
typedef struct sc_notice_inputs {
  char *family;                    /* the expression, as a workload file takes it */
  char *example;                   /* a small one as text in quotes or as bytes in hexadecimal, cut where it is long */
  double example_n, example_bytes; /* its size, and that of all of it */
  char *confirmed;                 /* how the model was confirmed; "": nothing grows, a run failed */
  double order;                    /* the exponent of bytes; NaN: unknown */
  double ends;                     /* the largest size at which it grows; infinite: no end was seen */
  sc_interval reached[SC_NOTICE_GOALS]; /* bytes at which it takes 1 s and 1 min; infinite: at none; NaN: unknown */
  double per_megabyte;                  /* seconds of an input of a million bytes; NaN: unknown */
  char *file;                           /* where it is kept (-o), or comes from (--check); "": nowhere */
} sc_notice_inputs;

typedef struct sc_notice {
  const void *about;        /* the sc_finding, sc_resource_finding or sc_change it tells of; NULL: a budget */
  sc_notice_inputs *inputs; /* of a search for inputs; else NULL */
  const char *parameter;    /* a further parameter that it grows with, of a change the head's; NULL: the focused one */
  double parameter_at;      /* its value in predictions */
  enum sc_rule rule;
  enum sc_severity severity;
  char *subject;                               /* "check_open_blocks", "order_lock" */
  char *caller; /* " from parse", where another one has its rule and names the same place; else NULL */
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
  const sc_judge *judge, *base;    /* base: NULL if nothing is compared. Of a search, where there is no study, the judge
                                      has no analysis, and an empty workload */
  const sc_comparison *comparison; /* NULL without base */
  sc_comparison along[SC_RUN_OTHERS]; /* [along_count] along further parameters */
  size_t along_count;
  char *verdict;  /* the first line of a comment: "1 thing grows faster than before: ..." */
  char *coverage; /* of a study: how much of the total the findings explain; "" without a target, and of a change; of a
                     search its runs and time */
  char *times;    /* whose times these are (sc_report_plain_text), also of a change that compares times; "": untimed */
} sc_notices;

/* Of a search for inputs. */
static inline bool sc_notices_of_search(const sc_notices *notices) { return notices->judge->loaded.analysis == NULL; }

/* The notice about it if that is accepted, else NULL; `notices` NULL: nothing is. */
const sc_notice *sc_notices_accepted(const sc_notices *notices, const void *about);
/* A headline, and why and until when what it says is accepted. */
void sc_notice_print_accepted(FILE *out, const char *headline, const sc_notice *accepted,
                              const sc_text_options *options);
