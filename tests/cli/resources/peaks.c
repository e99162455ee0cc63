/* SPDX-License-Identifier: GPL-3.0-or-later */
/* peaks MODE N: blocks of N kilobytes, in several places. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *volatile first, *volatile second;

static void in_turn(size_t bytes)
{
  for (int i = 0; i < 3; i++) {
    first = malloc(bytes);
    free(first);
    first = malloc(bytes);
    free(first);
    first = realloc(calloc(1, 16), bytes);
    free(first);
  }
}

static void together(size_t bytes)
{
  first = malloc(bytes);
  second = malloc(bytes);
  free(first);
  free(second);
  first = malloc(bytes);
  free(first);
}

static void *get(void *bytes)
{
  first = malloc(*(size_t *)bytes);
  return NULL;
}

/* Freed by another thread than the one that got it. */
static void handed_over(size_t bytes)
{
  pthread_t thread;
  for (int i = 0; i < 4; i++) {
    pthread_create(&thread, NULL, get, &bytes);
    pthread_join(thread, NULL);
    free(first);
  }
}

int main(int argc, char **argv)
{
  size_t bytes = argc > 2 ? 1000 * (size_t)atol(argv[2]) : 1000;
  if (argc < 3)
    return 2;
  if (!strcmp(argv[1], "in-turn"))
    in_turn(bytes);
  else if (!strcmp(argv[1], "together"))
    together(bytes);
  else
    handed_over(bytes);
  return 0;
}
