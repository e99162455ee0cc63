/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
/* What every subject begins with: the input as one text with a NUL behind it. -DTWIN builds the same program without
 * what is planted in it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_input(int argc, char **argv, size_t *size)
{
  static char text[(1 << 22) + 1];
  FILE *file = argc > 1 ? fopen(argv[1], "r") : stdin;
  if (!file)
    exit(1);
  *size = fread(text, 1, sizeof text - 1, file);
  text[*size] = '\0';
  return text;
}
