/* SPDX-License-Identifier: MIT */
#pragma once
/* What the kernel adds up of every thread by itself (docs/attach.md, "Kernel metrics"). Included on both sides. */
struct scale_consumed {
  unsigned long long processor; /* nanoseconds on a processor */
  unsigned long long queued;    /* nanoseconds ready to run, without a processor */
  unsigned long long minor;     /* page faults that needed no disk */
  unsigned long long major;     /* that did */
  unsigned long long read;      /* bytes from disks */
  unsigned long long written;   /* bytes to be written there */
};
