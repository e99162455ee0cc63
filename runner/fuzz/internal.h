/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/choose/fit.h"
#include "runner/fuzz/fuzz.h"
#include "runner/text/tuning.h"

enum { SC_FUZZ_SIZES = 3 };

/* What is known of a calling context. */
typedef struct sc_fuzz_known {
  uint64_t counts[SC_FUZZ_SIZES]; /* of the candidate that is looked at */
  uint64_t site;                  /* 0: not asked yet */
  sc_family *elite;               /* the candidate with the highest score so far; NULL: none */
  double score;
  uint32_t refused; /* confirmations that failed */
  uint64_t again;   /* the candidate from which on it may be confirmed again */
  bool flagged;     /* grows faster than the candidate's bytes */
} sc_fuzz_known;

typedef struct sc_fuzz_searching {
  struct sc_fuzz_target *target;
  const sc_fuzz_tokens *tokens;
  const sc_fuzz_options *options;
  sc_fuzz_finds *finds;
  sc_fit *fit;
  uint64_t random, next; /* next: of the candidates that are tried in order */
  double deadline;
  unsigned char *bytes; /* [options->bytes] */
  sc_fuzz_known *known; /* [known_count] by context */
  size_t known_count, known_capacity;
  uint32_t *touched, *flagged, *elites; /* contexts, with room for all */
  size_t touched_count, flagged_count, elite_count;
  size_t touched_capacity, flagged_capacity, elite_capacity;
  double lengths[SC_FUZZ_SIZES];
} sc_fuzz_searching;

/* splitmix64 */
static inline uint64_t sc_fuzz_random(sc_fuzz_searching *s)
{
  uint64_t z = s->random += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}
static inline size_t sc_fuzz_below(sc_fuzz_searching *s, size_t count) { return (size_t)(sc_fuzz_random(s) % count); }

/* Growth of counts with bytes, from three sizes: the exponent of the differences, which a constant and a linear part do
 * not hide. 0 where it does not grow. */
double sc_fuzz_exponent(const uint64_t counts[SC_FUZZ_SIZES], const double lengths[SC_FUZZ_SIZES]);

/* Whether the time is over or somebody interrupts: what is confirmed is reported, and nothing else begun. */
bool sc_fuzz_is_late(const sc_fuzz_searching *s);
/* search.c: worst first. */
void sc_fuzz_finds_sort(sc_fuzz_finds *finds);
/* Of a target that has more contexts than before. */
int sc_fuzz_make_room(sc_fuzz_searching *s) SC_CHECK;
/* search.c */
int sc_fuzz_open_search(sc_fuzz_searching *s) SC_CHECK;
void sc_fuzz_close_search(sc_fuzz_searching *s);
/* probe.c: runs a family at three small sizes and lists what grows: s->touched and s->flagged. *ended false: it did not
 * end well at one of them, or is too long. */
int sc_fuzz_probe(sc_fuzz_searching *s, const sc_family *family, bool *ended) SC_CHECK;
uint64_t sc_fuzz_site(sc_fuzz_searching *s, uint32_t context);
/* Whether the growth of a flagged context begins there. */
bool sc_fuzz_begins(sc_fuzz_searching *s, uint32_t context);
/* The count of what is at `site`, in the context where it is largest, after a probe; flagged ones alone. */
bool sc_fuzz_grows(sc_fuzz_searching *s, uint64_t site, uint32_t *context);
/* A run at n; *outcome other than SC_FUZZ_ENDED: it failed. SC_E_INPUT: too many bytes. */
int sc_fuzz_run_at(sc_fuzz_searching *s, const sc_family *family, uint64_t n, struct sc_fuzz_run *run,
                   size_t *size) SC_CHECK;
/* What a growth is of: bytes, but for those that only longer numbers have. */
double sc_fuzz_length(const sc_fuzz_searching *s, const sc_family *family, uint64_t n);
/* failure.c: a run that failed, kept if none like it is and it fails again, which a run on a busy machine may not. */
int sc_fuzz_keep_failure(sc_fuzz_searching *s, const sc_family *family, uint64_t n,
                         const struct sc_fuzz_run *run) SC_CHECK;

/* shapes.c: the next candidate in order; false: there are no more. */
bool sc_fuzz_next(sc_fuzz_searching *s, sc_family *family);
bool sc_fuzz_singles_left(const sc_fuzz_searching *s);
/* mutate.c: a candidate from what was best so far, or from nothing. */
void sc_fuzz_mutate(sc_fuzz_searching *s, sc_family *family);

/* confirm.c: five sizes and one held out. *confirmed false: it does not grow as it seemed. */
int sc_fuzz_confirm(sc_fuzz_searching *s, const sc_family *family, uint32_t context, sc_fuzz_find *find,
                    bool *confirmed) SC_CHECK;
/* goals.c: how long it takes. */
int sc_fuzz_time(sc_fuzz_searching *s, sc_fuzz_find *find) SC_CHECK;
/* minimise.c: leaves out what the growth at `site` does not need. */
int sc_fuzz_minimise(sc_fuzz_searching *s, sc_family *family, uint64_t site) SC_CHECK;
/* shrink.c: without parts, and bytes of strings, as long as `try` says *good. */
typedef int (*sc_fuzz_try_fn)(void *user, const sc_family *family, bool *good);
int sc_fuzz_drop_parts(sc_family *family, sc_fuzz_try_fn try, void *user) SC_CHECK;
int sc_fuzz_drop_bytes(sc_family *family, sc_fuzz_try_fn try, void *user) SC_CHECK;
/* failure.c: whether the family at `n` fails as the find does. */
int sc_fuzz_fails_alike(sc_fuzz_searching *s, const sc_fuzz_find *find, const sc_family *family, uint64_t n,
                        bool *alike) SC_CHECK;
/* describe.c: what is at find->context: `site`, `where`, `path`, `steps`; of context 0 nothing. */
int sc_fuzz_describe(sc_fuzz_searching *s, sc_fuzz_find *find) SC_CHECK;
char *sc_fuzz_where(const struct sc_fuzz_place *place);
void sc_fuzz_find_free(sc_fuzz_find *find);
