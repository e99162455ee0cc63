/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stddef.h>

/* A growing argument list; `text` always ends in a NULL. All strings live as long as the process, which is about
   to become the compiler. */
struct sc_args {
  char **text;
  size_t count;
  size_t room;
};

/* Adds one argument. Ends the process with a message when there is no memory. */
void sc_args_add(struct sc_args *args, const char *text);
/* Adds "a" and "b" joined. */
void sc_args_add_joined(struct sc_args *args, const char *a, const char *b);
/* Adds the arguments that the response file holds (quoted as GNU tools do), nested files too. Returns 0, or -1
   if it cannot be read: then it is the compiler's to complain, and nothing is added. */
int sc_args_add_file(struct sc_args *args, const char *path, int depth);
/* "a" and "b" joined, to keep. */
char *sc_args_join(const char *a, const char *b);
/* 1 if text begins with prefix. */
int sc_args_begins(const char *text, const char *prefix);
