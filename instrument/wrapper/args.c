/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "args.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SC_ARGS_DEPTH = 16 };

static void *args_checked(void *memory)
{
  if (!memory) {
    fputs("scale-cc: out of memory\n", stderr);
    exit(1);
  }
  return memory;
}

void sc_args_add(struct sc_args *args, const char *text)
{
  if (args->count + 2 > args->room) {
    args->room = args->room ? args->room * 2 : 64;
    args->text = args_checked(realloc(args->text, args->room * sizeof(*args->text)));
  }
  args->text[args->count++] = args_checked(strdup(text));
  args->text[args->count] = NULL;
}

char *sc_args_join(const char *a, const char *b)
{
  size_t bytes = strlen(a) + strlen(b) + 1;
  char *both = args_checked(malloc(bytes));

  snprintf(both, bytes, "%s%s", a, b);
  return both;
}

void sc_args_add_joined(struct sc_args *args, const char *a, const char *b)
{
  char *both = sc_args_join(a, b);
  sc_args_add(args, both);
  free(both);
}

int sc_args_begins(const char *text, const char *prefix) { return strncmp(text, prefix, strlen(prefix)) == 0; }

/* The whole file with a NUL behind it, or NULL. */
static char *args_read(const char *path)
{
  FILE *file = fopen(path, "r");
  char *text = NULL;
  size_t have = 0, room = 0, got = 0;

  if (!file)
    return NULL;
  do {
    if (have + 1 >= room) {
      room = room ? room * 2 : 4096;
      text = args_checked(realloc(text, room));
    }
    got = fread(text + have, 1, room - have - 1, file);
    have += got;
  } while (got);
  text[have] = 0;
  if (ferror(file)) {
    free(text);
    text = NULL;
  }
  fclose(file);
  return text;
}

/* Takes one argument from *at into `to` (at least as long); 0 at the end. Blanks separate, quotes of both kinds
   keep together, a backslash keeps the next character. */
static int args_token(const char **at, char *to)
{
  char quote = 0;

  while (**at && strchr(" \t\r\n\f\v", **at))
    ++*at;
  if (!**at)
    return 0;
  for (; **at; ++*at) {
    if (**at == '\\' && (*at)[1])
      *to++ = *++*at;
    else if (quote ? **at == quote : **at == '\'' || **at == '"')
      quote = quote ? 0 : **at;
    else if (!quote && strchr(" \t\r\n\f\v", **at))
      break;
    else
      *to++ = **at;
  }
  *to = 0;
  return 1;
}

int sc_args_add_file(struct sc_args *args, const char *path, int depth)
{
  char *text = depth < SC_ARGS_DEPTH ? args_read(path) : NULL;
  const char *at = text;
  char *token;

  if (!text)
    return -1;
  token = args_checked(malloc(strlen(text) + 1));
  while (args_token(&at, token))
    if (*token != '@' || sc_args_add_file(args, token + 1, depth + 1) < 0)
      sc_args_add(args, token);
  free(token);
  free(text);
  return 0;
}
