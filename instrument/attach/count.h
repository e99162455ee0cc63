/* SPDX-License-Identifier: MIT */
#pragma once
/* What the counting code in the kernel (count.bpf.c) and catch.c share; u64 and u32 are the includer's. */
enum {
  SCALE_IMAGES = 256,      /* distinct executables that a run may start */
  SCALE_MEMBERS = 65536,   /* processes that it may have at one time */
  SCALE_IMAGE_NAME = 256,  /* bytes of a file's name without its folder, with NUL */
  SCALE_UPROBE_MULTI = 48, /* BPF_TRACE_UPROBE_MULTI, which headers of Linux 6.1 lack */
};

/* Fixed once the code is loaded. */
struct scale_setup {
  u64 device, inode; /* of the PID namespace that process numbers are told in */
  u32 functions;     /* counted; a count's place is image * functions + function */
  u32 tells;         /* whether calls (happened.h), processes and threads are reported */
  u32 joins;         /* whether the run has processes that were there before it (`joining`) */
};
/* What whoever counts changes meanwhile. */
struct scale_control {
  u32 over; /* nothing is counted or told any more */
};
struct scale_state {
  u64 processes, threads; /* of the run so far */
  u64 lost;               /* processes that were not followed, for want of room */
  u64 untold;             /* what happened and could not be told, for the same reason */
  u32 seed;               /* process whose next exec begins the run; 0: none is awaited */
  u32 images;             /* numbers given out */
};
struct scale_image {
  char name[SCALE_IMAGE_NAME];
};
/* A call under way. Calls of one function that a thread is in differ in their stack pointers; a function that another
 * one calls in tail position has the other's. */
struct scale_call {
  u64 thread, stack, function;
};
