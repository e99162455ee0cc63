/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/ask/limit.h"
#include "runner/ask/supposing.h"
#include "runner/text/format.h"
#include "runner/text/rank.h"

/* Questions to a study, answered: what `scale-run ask` prints as text, JSON or plot. */
typedef struct sc_ask_request { /* as on the command line; NULL: not asked */
  const double *sizes;          /* [size_count] of --at */
  size_t size_count;
  const char *sweep, *limits, *function, *resource, *of, *suppose;
  size_t top;
  bool all;       /* places of negligible growth, too */
  bool functions; /* a table of all functions */
} sc_ask_request;

typedef struct sc_ask_value { /* of one quantity at one size */
  sc_interval predicted;
  sc_interval supposed; /* with the suppositions, if there are any */
  sc_certainty certainty;
} sc_ask_value;

typedef struct sc_ask_context { /* one calling context of a function or loop */
  uint32_t context;
  sc_interval count, inclusive; /* executions; cost with all that is in it */
} sc_ask_context;

typedef struct sc_ask_neighbour { /* what a function is called in, or calls, under one name */
  char *title;                    /* "main > ... > load > parse"; "read_line (read.c:7)" */
  uint32_t context;               /* that costs most: of the function, or of the one called */
  size_t contexts;                /* that have the name */
  double count;                   /* executions of those */
  bool counted;                   /* one of them is: what is not instrumented has no count */
  sc_interval inclusive;          /* cost with all that is in them */
  sc_interval executions;         /* the same in executions */
  uint32_t lead;                  /* the context in them that makes most of the cost: its order is that of the whole */
  sc_interval self;               /* of a function in the table of all: own cost, with that of the loops in it */
} sc_ask_neighbour;

typedef struct sc_ask_neighbours {
  sc_ask_neighbour *rows; /* [count] those that cost most, first */
  size_t count, all;      /* `all`: with those that are left out */
} sc_ask_neighbours;

typedef struct sc_ask_size {
  double n;
  sc_interval total;    /* of the cost of everything */
  sc_ask_value *values; /* [quantity_count] */
  sc_rank_row *rows;    /* contexts that are not 0 there: of the subject, a function or everything */
  size_t row_count;
  sc_ask_context *contexts; /* of the function that is the subject, at most `top`, those that cost most first */
  size_t context_count;
  sc_ask_neighbours callers, callees; /* of the function, at most `top` each */
  sc_ask_neighbours functions;        /* all, at most `top`, those that cost most themselves first, if asked for */
} sc_ask_size;

typedef struct sc_ask {
  const sc_judge *judge;
  double n_min, n_max; /* measured */
  const char *unit;    /* of costs */
  size_t top;          /* contexts to print */
  sc_subject subject;
  char *subject_title;
  sc_quantity *quantities; /* [quantity_count] of the subject, what is asked first in front */
  sc_quantity *supposed;   /* [quantity_count] the same with the suppositions; NULL: there are none */
  size_t quantity_count;
  sc_supposing *supposing; /* NULL: not asked */
  sc_ask_size *sizes;      /* --at */
  size_t size_count;
  sc_ask_size *sweep; /* without rows */
  size_t sweep_count;
  sc_limit *limits; /* [limit_count] */
  sc_limit *supposed_limits;
  size_t limit_count;
  bool all;       /* places of negligible growth are listed */
  bool functions; /* the table of functions stands in place of others */
  bool continued; /* another answer follows: what is said of all of them is yet to come */
} sc_ask;

/* Answers; sc_ask_free also after an error. The judge must outlive the answer. */
int sc_ask_answer(const sc_judge *judge, const sc_ask_request *request, sc_ask *ask) SC_CHECK;
void sc_ask_free(sc_ask *ask);

/* Fills in the size's contexts, callers and callees (contexts.c). */
int sc_ask_contexts(const sc_ask *ask, sc_ask_size *size) SC_CHECK;
/* The same of the table of all functions. */
int sc_ask_functions(const sc_ask *ask, sc_ask_size *size) SC_CHECK;
/* "n^2"; nothing of what is not counted. The guess that stands in for a model that cannot tell has no order. */
sc_text sc_ask_order(const sc_ask *ask, uint32_t context);
void sc_ask_neighbours_free(sc_ask_neighbours *neighbours);

/* Answers on stdout as the options ask: --json, --plot, --svg. */
int sc_ask_print(const sc_options *options, sc_ask *ask) SC_CHECK;
int sc_ask_print_text(FILE *out, sc_ask *ask, const sc_text_options *options) SC_CHECK; /* sorts rows */
/* Its parts: one size, the sweep (sizes.c, ask_sweep.c). */
int sc_ask_print_size(FILE *out, const sc_ask *ask, sc_ask_size *size, const sc_text_options *options) SC_CHECK;
int sc_ask_print_sweep(FILE *out, const sc_ask *ask, const sc_text_options *options) SC_CHECK;
/* `plot`: what is drawn is listed, too. */
int sc_ask_print_json(FILE *out, sc_ask *ask, bool plot) SC_CHECK;
/* The same document, not yet printed; to be released by cJSON_Delete. */
int sc_ask_make_json(sc_ask *ask, bool plot, cJSON **document) SC_CHECK;
