/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "profiles/graph/graph.h"
#include "profiles/scprof/live.h"
#include "runner/fuzz_target/input.h"

/* A program that its own runtime forks for each input (struct scale_control), and its profile. */
typedef struct sc_forks sc_forks;
/* How a run ended, or that it did not. */
typedef struct sc_forks_end {
  bool timed_out; /* it was killed for that */
  int signal, exit_status;
  double seconds;    /* processor time */
  uint64_t peak_kib; /* most memory resident; 0: not known */
} sc_forks_end;

/* What an end means under a limit of `memory` bytes (0: none). Nobody tells why an allocation failed: a program that
 * fails with much of its limit in use ran out of memory. */
enum sc_fuzz_outcome sc_forks_outcome(const sc_forks_end *end, uint64_t memory);

/* `folder` gets the control file and the profile, and should be in memory. The profile may have `budget` bytes for
 * calling contexts. `defer`: it is forked where it first looks at the input, a file or standard input, instead of
 * before main. SC_E_TARGET: it cannot be started, or has no counters, or does not look. */
int sc_forks_start(const struct sc_fuzz_spec *spec, const sc_fuzz_input *input, const char *folder, uint64_t budget,
                   bool defer, sc_graph *graph, sc_forks **server) SC_CHECK;
void sc_forks_stop(sc_forks *server);
/* Runs the input in a new process. Of a harness, in the one that ran the last, if
 * that goes on. SC_E_INPUT: an argument, or a harness's input, longer than SC_FORKS_INPUT_MOST; SC_E_TARGET: the server
 * ended. */
int sc_forks_run(sc_forks *server, sc_fuzz_input *input, const void *bytes, size_t size, sc_forks_end *end) SC_CHECK;
/* Has a harness that ran before, and has a custom mutator, change bytes[*size] to at most `most` of them. *size 0:
 * it has no mutator, or that failed. */
int sc_forks_change(sc_forks *server, unsigned char *bytes, size_t *size, size_t most, uint64_t seed) SC_CHECK;
/* The files that the program has mapped before main, each at least once; an error of `take` is handed on. */
int sc_forks_each_file(const sc_forks *server, int (*take)(void *user, const char *path), void *user) SC_CHECK;
sc_live *sc_forks_live(sc_forks *server);
enum { SC_FORKS_INPUT_MOST = 64 << 20 };
