/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints docs/thresholds.md from the tuning.def of each folder. */
#include <stdio.h>
#include <string.h>

/* In a table's cell a bar ends it. */
static void put(const char *text)
{
  for (; *text; text++)
    printf(*text == '|' ? "\\|" : "%c", *text);
}

static void put_part(const char *title, const char *place, const char *benchmark)
{
  printf("\n### %s\n\nIn `%s`; tests: %s.\n\n| threshold | value | unit | why |\n|---|---|---|---|\n", title, place,
         benchmark);
}

static void put_row(const char *name, const char *value, const char *unit, const char *reason)
{
  printf("| `%s` | %s | ", name, value);
  put(unit);
  printf(" | ");
  put(reason);
  printf(" |\n");
}

#define SC_TUNING_PART(title, place, benchmark)    put_part(title, place, benchmark);
#define SC_TUNING(name, value, unit, reason)       put_row(#name, #value, unit, reason);
#define SC_TUNING_WHOLE(name, value, unit, reason) put_row(#name, #value, unit, reason);

int main(void)
{
  puts(
      "# Thresholds\n\n"
      "The values that were set by what they do. Made from the `tuning.def` of each folder:\n"
      "[code-map.md](code-map.md#change-a-threshold) says how to change one. Prices are in units of -2 log likelihood\n"
      "or bits of a description; [models.md](models.md), [models-several.md](models-several.md) and\n"
      "[next-size.md](next-size.md) say how they are used.\n\n"
      "## regress");
#include "regress/tuning.def"
  puts("\n## profiles");
#include "profiles/tuning.def"
  puts("\n## transitions");
#include "transitions/tuning.def"
  puts("\n## runner");
#include "runner/tuning.def"
  return 0;
}
