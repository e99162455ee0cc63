/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "args.h"

/* What a command line asks the compiler to do. */
struct sc_scan {
  int info;       /* --version, -print-...: an answer, no work */
  int preprocess; /* -E, -M, -MM, -fsyntax-only, a header: no code */
  int compile;    /* -c, -S: no link */
  int relocatable;
  int shared;
  int fixed;    /* -static, -static-pie: no library can share the runtime */
  int sources;  /* inputs that make code the pass sees (not assembler) */
  int inputs;   /* any */
  int debug;    /* the last -g option asks for line numbers */
  int no_debug; /* it asks for none */
  int no_types; /* it asks for line numbers and no more */
  int fast;     /* -Ofast */
  int build_id; /* a --build-id is given */
  int versions; /* a --version-script is given, or a script that has versions (versions.h) */
};

/* Reads a whole command line (without the program's name), response files already opened up, split into words
   (linker.h). */
void sc_scan_read(struct sc_scan *scan, const struct sc_args *args);
/* 1 if the option's argument is the next word. */
int sc_scan_takes_next(const char *option);
