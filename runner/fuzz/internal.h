/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/choose/fit.h"
#include "runner/fuzz/fuzz.h"
#include "runner/text/tuning.h"

enum { SC_FUZZ_SIZES = 3 };

/* What a search remembers of a calling context, once it was reached. */
typedef struct sc_fuzz_elite {
  uint64_t key;     /* as sc_fuzz_known has it */
  sc_family family; /* the candidate with the highest score so far */
  double score;
  uint32_t refused; /* confirmations that failed */
  uint64_t again;   /* the candidate from which on it may be confirmed again */
  bool met;         /* its context has a number: else it is of a search that goes on, which has not reached it yet */
  /* What every candidate has reached alike, as what a program does before it reads, says nothing of any of them. */
  bool fixed;
  uint64_t count, last; /* fixed: what it has always been; last: s->probed when it was reached last */
} sc_fuzz_elite;

/* What is known of a calling context. Numbers of contexts are those of a target while it is open: whatever decides the
 * next candidate goes by depth and key, so that a search that goes on does as one that was never ended. */
typedef struct sc_fuzz_known {
  uint64_t counts[SC_FUZZ_SIZES]; /* of the candidate that is looked at */
  uint64_t site;                  /* 0: not asked yet */
  uint64_t key;                   /* of its path */
  sc_fuzz_elite *elite;           /* NULL: not reached yet */
  uint32_t depth;
  bool flagged; /* grows faster than the candidate's bytes */
  bool checked; /* check.c: it was looked at closer */
} sc_fuzz_known;

/* Where a search stands before a candidate. */
typedef struct sc_fuzz_mark {
  uint64_t random, next, runs, candidates, confirmations;
  size_t find_count, crash_count;
  sc_fuzz_elite *refused, before; /* what the candidate had refused, and as it was; NULL: nothing */
} sc_fuzz_mark;

typedef struct sc_fuzz_searching {
  struct sc_fuzz_target *target;
  const sc_fuzz_tokens *tokens;
  const sc_fuzz_options *options;
  sc_fuzz_finds *finds;
  sc_fit *fit;
  uint64_t random, next;          /* next: of the candidates that are tried in order */
  uint64_t of;                    /* sc_fuzz_state_of at the beginning; without options->state 0 */
  bool exhausted;                 /* of those there are no more */
  double began, before, deadline; /* clock; before: seconds that an earlier search had */
  sc_fuzz_mark mark;
  uint64_t crashes[SC_FUZZ_CRASHES]; /* [crash_count] what they reached at first sight */
  size_t crash_count;
  sc_family pending;    /* with parts: the candidate that the time ended at */
  bool trying, cut;     /* a candidate is looked at; its time was over */
  uint64_t probed;      /* candidates since this search began, or went on, that ended well */
  unsigned char *bytes; /* [options->bytes] */
  sc_fuzz_known *known; /* [known_count] by context */
  size_t known_count, known_capacity;
  uint32_t *touched, *flagged; /* contexts, with room for all; flagged: largest first */
  size_t touched_count, flagged_count, touched_capacity, flagged_capacity;
  sc_fuzz_elite **elites; /* [elite_count], as they were reached; owned */
  size_t elite_count, elite_capacity, unmet_capacity;
  sc_fuzz_elite **unmet; /* [unmet_count] by key, of a search that goes on */
  size_t unmet_count;
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
bool sc_fuzz_is_late(sc_fuzz_searching *s);
/* Whether a context comes first of two that nothing else tells apart. */
static inline bool sc_fuzz_before(const sc_fuzz_searching *s, uint32_t a, uint32_t b)
{
  const sc_fuzz_known *first = &s->known[a], *second = &s->known[b];
  return first->depth != second->depth ? first->depth < second->depth : first->key < second->key;
}
/* elites.c: after a probe: what did most in a context, for its bytes, is what candidates are made from. */
int sc_fuzz_keep_elites(sc_fuzz_searching *s, const sc_family *family) SC_CHECK;
/* Adds a copy to s->elites. */
int sc_fuzz_add_elite(sc_fuzz_searching *s, const sc_fuzz_elite *elite) SC_CHECK;
/* The elites so far are of contexts that were not reached yet. */
int sc_fuzz_await_elites(sc_fuzz_searching *s) SC_CHECK;
/* That of a context with this key, which has it from now on; NULL: none. */
sc_fuzz_elite *sc_fuzz_meet_elite(sc_fuzz_searching *s, uint64_t key);
/* Whether no candidate has reached its context in another way than all others. */
bool sc_fuzz_is_fixed(const sc_fuzz_searching *s, const sc_fuzz_elite *elite);
void sc_fuzz_free_elites(sc_fuzz_searching *s);
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

/* state.c: where the search stands, as JSON in options->state. */
int sc_fuzz_save(sc_fuzz_searching *s) SC_CHECK;
/* state_read.c: begins there. Without such a file it begins anew. SC_E_MISMATCH: it is of another search; SC_E_INPUT:
 * it is damaged. */
int sc_fuzz_load(sc_fuzz_searching *s) SC_CHECK;
enum { SC_FUZZ_STATE_VERSION = 1 };
/* What has to be the same for a search to go on; it reads the program's files. */
uint64_t sc_fuzz_state_of(const sc_fuzz_searching *s);
/* confirm.c: the model of find->counts and the order of n. */
int sc_fuzz_fit_counts(sc_fuzz_searching *s, sc_fuzz_find *find) SC_CHECK;
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
/* `where` and `path` from the steps. */
int sc_fuzz_describe_steps(sc_fuzz_find *find) SC_CHECK;
char *sc_fuzz_where(const struct sc_fuzz_place *place);
void sc_fuzz_find_free(sc_fuzz_find *find);
