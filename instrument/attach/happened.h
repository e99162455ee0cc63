/* SPDX-License-Identifier: MIT */
#pragma once
/* What the code in the kernel (count.bpf.c) is to read of a function's calls, and how it tells of them. Included on
 * both sides, so that what is written and what is read cannot differ. */
enum {
  SCALE_VALUES = 4,         /* read of one call, beside what it returns */
  SCALE_ARGUMENTS = 6,      /* of a function that are in registers: x86-64 has no more */
  SCALE_HAPPENED_RING = 25, /* bits: 32 MiB, 400,000 happenings, which two processors trap in 0.2 s at the least */
  SCALE_CALLS = 65536,      /* calls under way at one time whose return is awaited */
};

enum scale_value_from {
  SCALE_VALUE_ARGUMENT = 1,
  SCALE_VALUE_BEFORE = 2, /* 8 bytes at `offset` behind the address in the argument, before the call */
  SCALE_VALUE_AFTER = 3   /* the same, after it */
};
struct scale_value {
  unsigned char from, argument;
  unsigned short reserved;
  unsigned offset;
};

enum scale_tells { SCALE_TELLS_ENTRY = 1, SCALE_TELLS_RETURN = 2 };
/* Of one function. */
struct scale_capture {
  unsigned tells; /* 0: calls are counted, not reported */
  unsigned values;
  struct scale_value value[SCALE_VALUES];
};

enum scale_happened_kind {
  SCALE_HAPPENED_ENTRY = 1,
  SCALE_HAPPENED_RETURN = 2,
  SCALE_HAPPENED_BEGIN = 3, /* a process, by fork or exec; of exec, what it was before has ended */
  SCALE_HAPPENED_END = 4,   /* of a process */
  SCALE_HAPPENED_GONE = 5   /* a thread */
};
struct scale_happened {
  unsigned long long time;  /* CLOCK_MONOTONIC in nanoseconds */
  unsigned long long began; /* RETURN: when it was entered */
  unsigned process, thread; /* as the kernel numbers them */
  unsigned image;           /* number of the executable */
  unsigned kind;            /* enum scale_happened_kind */
  unsigned function;
  unsigned unread;   /* bit i: values[i] stands in memory that could not be read */
  unsigned switches; /* RETURN: how often the thread gave up its processor to wait since it entered */
  unsigned reserved;
  unsigned long long result;
  unsigned long long values[SCALE_VALUES];
};
