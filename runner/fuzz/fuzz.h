/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/core/model.h"
#include "runner/family/family.h"
#include "runner/fuzz/tokens.h"
#include "runner/fuzz_target/target.h"

/* Families of inputs whose counts grow faster than their bytes: looked for, confirmed at a size held out, and told
 * apart by the loop, call or library work that grows. */
enum { SC_FUZZ_FITTED = 5, SC_FUZZ_ALSO = 8, SC_FUZZ_GOALS = 2 };

/* A step of a calling context. */
typedef struct sc_fuzz_step {
  char *function, *file;
  unsigned line; /* 0: unknown */
  int kind;      /* enum sc_fuzz_place_kind */
} sc_fuzz_step;

/* What became of a family that was found before. */
enum sc_fuzz_change {
  SC_FUZZ_NEW,   /* nothing was known of it */
  SC_FUZZ_STILL, /* as it was */
  SC_FUZZ_WORSE, /* of a higher order */
  SC_FUZZ_LESS,  /* of a lower order, which is still faster than bytes */
  SC_FUZZ_MOVED, /* grows elsewhere, or ends otherwise */
  SC_FUZZ_GONE,
  SC_FUZZ_UNRUN /* it could not be run, and nothing is known */
};

typedef struct sc_fuzz_find {
  sc_family family;
  /* How it ends: SC_FUZZ_ENDED: it grows. Else it fails at size `failed_at`, by `signal` if that is not 0; what is
   * below `change` is unknown then. */
  enum sc_fuzz_outcome outcome;
  int signal;
  uint64_t failed_at;
  uint32_t context;    /* where it grows; of a failure where most of its work is, 0: unknown */
  sc_fuzz_step *steps; /* [step_count] outermost first, the last is the context itself */
  size_t step_count;
  enum sc_fuzz_change change;
  double order_before;      /* of what was found before; 0: nothing was */
  uint64_t site;            /* tells places in the source apart, whatever their calling contexts; never 0 */
  char *where, *path;       /* "loop blocks.c:896 in check_open_blocks", and its calls from the outermost */
  char *also[SC_FUZZ_ALSO]; /* other places that begin to grow with this family, largest first */
  uint64_t also_sites[SC_FUZZ_ALSO];
  size_t also_count;
  sc_model model; /* counts at n */
  double order;   /* the exponent of their growth with bytes */
  double n[SC_FUZZ_FITTED], counts[SC_FUZZ_FITTED];
  double held_n, held_count, held_predicted;
  bool exact;          /* the prediction was the count itself */
  uint64_t cap;        /* the largest size at which the growth goes on; 0: no end was seen */
  double bytes;        /* at held_n */
  int exit_status;     /* at held_n */
  double per_megabyte; /* estimated seconds of a million bytes; 0: unknown, or it never has as many */
  double per_count;    /* estimated seconds of one; 0: unknown */
  /* Bytes at which it takes 1 s and 1 min, with an interval; 0: not known, infinite: never, or beyond a gigabyte. */
  sc_interval reached[SC_FUZZ_GOALS];
} sc_fuzz_find;

typedef struct sc_fuzz_finds {
  sc_fuzz_find *list; /* worst first once sc_fuzz_search is done */
  size_t count, capacity;
  uint64_t runs, candidates, confirmations; /* runs: but for those that times were taken from */
  double seconds;                           /* elapsed */
} sc_fuzz_finds;
/* Leaves it empty. */
void sc_fuzz_finds_free(sc_fuzz_finds *finds);

/* A find as it was stored. */
typedef struct sc_fuzz_stored {
  sc_family family;
  enum sc_fuzz_outcome outcome;
  int signal;
  uint64_t failed_at;
  double order;
  char *function, *file; /* of the place, the file without folders; "": unknown */
  int kind;
} sc_fuzz_stored;

typedef struct sc_fuzz_options {
  double seconds;            /* elapsed, to search for; 0: until `candidates` were tried, or `runs` made */
  uint64_t candidates, runs; /* 0: as many as there is time for */
  uint64_t seed;
  size_t bytes;              /* the largest input */
  volatile int *interrupted; /* may be NULL: ends the search */
  const char *state;         /* a file that says where the search stands, for one that goes on; NULL: none */
  bool resume;               /* go on where that file says, if it is there */
} sc_fuzz_options;

/* Finds are a function of target, tokens, seed and the number of candidates, or of runs. Failures of single runs are
 * finds; an error is one of the target itself. sc_fuzz_finds_free also after an error. */
int sc_fuzz_search(struct sc_fuzz_target *target, const sc_fuzz_tokens *tokens, const sc_fuzz_options *options,
                   sc_fuzz_finds *finds) SC_CHECK;
/* As many searches at once as there are targets, all of one program, each with a seed of its own, and a file 1.json,
 * ... in the folder that options->state is here: at one place of growth only the best find is kept. The number of
 * targets decides the finds, too. */
int sc_fuzz_search_all(struct sc_fuzz_target *const *targets, size_t count, const sc_fuzz_tokens *tokens,
                       const sc_fuzz_options *options, sc_fuzz_finds *finds) SC_CHECK;
/* Runs what was found before again: finds->list has one for each of stored[count], in their order, with what became of
 * it; one that cannot be run keeps none of the others away. Options: `bytes` and `interrupted`, which is an error here.
 */
int sc_fuzz_check(struct sc_fuzz_target *target, const sc_fuzz_options *options, const sc_fuzz_stored *stored,
                  size_t count, sc_fuzz_finds *finds) SC_CHECK;
