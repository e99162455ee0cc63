/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An audit log that is never trimmed: a record a request, and its text, obtained in one line or in two. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record {
  struct record *next;
  char *text;
};
static struct record *records;

static int log_request(long id)
{
  char line[64];
  struct record *r;
  char *text;
  snprintf(line, sizeof line, "request %ld done", id);
#ifdef TWO_LINES
  r = malloc(sizeof *r);
  text = malloc(strlen(line) + 1);
#else
  /* clang-format off */
  r = malloc(sizeof *r); text = malloc(strlen(line) + 1);
  /* clang-format on */
#endif
  if (!r || !text)
    return 0;
  *r = (struct record){records, strcpy(text, line)};
  records = r;
  return 1;
}

static void serve(long id)
{
  char *body = malloc(256);
  if (body && log_request(id))
    memset(body, (int)id, 256);
  free(body);
}

int main(int count, char **arguments)
{
  long n = count == 2 ? atol(arguments[1]) : 0;
  for (long i = 0; i < n; i++)
    serve(i);
  return n > 0 && !records;
}
