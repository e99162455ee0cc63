/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Where the wrapper's companions are: beside its own executable, so that build tree and installed tree work
   alike and may be moved. */
struct sc_paths {
  char *self;     /* this executable */
  char *plugin;   /* scale-pass.so */
  char *runtime;  /* libscale-rt.a */
  char *fuzz;     /* libscale-fuzz-main.a */
  char *cmake;    /* scale.cmake */
  char *include;  /* the folder that <scale/annotate.h> is found in */
  char *compiler; /* clang to run */
};

/* Fills in the paths; names the files even if they are not there. 0, or -1 if this executable cannot be found. */
int sc_paths_find(struct sc_paths *paths, int cplusplus);
/* 1 if plugin and runtime can be read; else 0 and *missing is the first that cannot. */
int sc_paths_ready(const struct sc_paths *paths, const char **missing);
