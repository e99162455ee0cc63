/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdint.h>
#include <sys/resource.h>

/*
 * What scale-run and scale-keeper say to each other. A keeper is the parent of one program under test: it is small, so
 * that the memory that the kernel remembers over an exec (ru_maxrss) is not scale-run's; it is the reaper of all
 * descendants, whatever session they move to; and it outlives scale-run, so that nothing runs on after a kill -9.
 *
 * Started as `scale-keeper CONTROL ORDER NAME`: a SOCK_SEQPACKET socket, a file with an sc_keeper_order, and a name for
 * ps. Descriptors 0 to 2 are the program's. When the socket is closed, the keeper ends all descendants and itself.
 */
enum { SC_KEEPER_MAGIC = 0x73636b31, SC_KEEPER_SIGNALS = 64 };

/* Followed by strings, each with its NUL: the directory ("": stay), the arguments, the environment. */
typedef struct sc_keeper_order {
  uint32_t magic, argument_count, variable_count;
  uint32_t background;       /* what leaves the program's process group may stay until the socket is closed */
  uint64_t ignored, blocked; /* the program's signals; bit n - 1 is signal n */
  struct rlimit files;       /* its RLIMIT_NOFILE */
} sc_keeper_order;

enum sc_keeper_command_kind {
  SC_KEEPER_RELEASE, /* let it exec; answered by RELEASED or FAILED */
  SC_KEEPER_SIGNAL,  /* to the program */
  SC_KEEPER_GROUP,   /* to its group, and unless background to all that became children of the keeper */
  SC_KEEPER_KILL     /* SIGKILL to all descendants; of background programs that ended, to their group */
};
typedef struct sc_keeper_command {
  int32_t kind, signal;
} sc_keeper_command;

enum sc_keeper_report_kind {
  SC_KEEPER_STARTED, /* pid; waits for RELEASE */
  SC_KEEPER_RELEASED,
  SC_KEEPER_FAILED, /* step, error */
  SC_KEEPER_ENDED,  /* status, usage, end */
  SC_KEEPER_GONE    /* ENDED, and nobody is left who has to end; left: descendants in the background are */
};
enum sc_keeper_step { SC_KEEPER_STEP_FORK, SC_KEEPER_STEP_DIRECTORY, SC_KEEPER_STEP_EXEC };
typedef struct sc_keeper_report {
  int32_t kind, pid, step, error, status, left;
  double time; /* seconds of CLOCK_MONOTONIC: of the release, of the end */
  double ready; /* ENDED: seconds that its first thread was ready to run and had no processor; < 0: unknown */
  struct rusage usage;
} sc_keeper_report;
