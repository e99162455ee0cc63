/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/err.h"

/* A process that is there already, and those that descend from it, as /proc shows them. */

typedef struct sc_running {
  pid_t process, parent;
  unsigned threads;
  double own;      /* seconds of processor time */
  double children; /* of those that ended and were waited for */
  char image[256]; /* name of its executable, without the folder */
} sc_running;

typedef struct sc_running_tree {
  sc_running *list; /* the process first */
  size_t count, room;
} sc_running_tree;

/* Text of a file below /proc/PID, or, unless `thread` is 0, of that thread, in text[size]. False: it is gone, or the
 * kernel has no such file. */
bool sc_running_read(pid_t process, long thread, const char *name, char *text, size_t size);
/* What "stat" there says behind the name: " STATE PARENT GROUP ...". NULL: it is gone. */
const char *sc_running_stat(pid_t process, long thread, char *text, size_t size);

/* Whether there is such a process, and its files may be seen: SC_E_INPUT, or SC_E_UNSUPPORTED without the right to. */
int sc_running_check(pid_t process) SC_CHECK;
/* The process and all that descend from it and live; empty if it is gone. To be released with sc_running_free. */
int sc_running_list(pid_t process, sc_running_tree *tree) SC_CHECK;
void sc_running_free(sc_running_tree *tree);
/* Reads the processor times of the same processes again; those that are gone keep theirs. */
void sc_running_refresh(sc_running_tree *tree);
double sc_running_processor(const sc_running_tree *tree);

/* A path of its executable that this process can open, also where the file was replaced since, or stands in another
 * mount namespace. */
int sc_running_program(pid_t process, char *path, size_t size) SC_CHECK;
/* Visits the files whose code it has mapped, its executable left out, each once. */
int sc_running_libraries(pid_t process, int (*visit)(void *user, const char *path), void *user) SC_CHECK;
