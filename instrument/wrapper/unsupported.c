/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What clang can do and instrumentation cannot: said once, instead of by the many errors that would follow from it. */
#include "unsupported.h"
#include <string.h>

static int unsupported_is(const char *text, const char *const *names)
{
  for (; *names; names++)
    if (strcmp(text, *names) == 0)
      return 1;
  return 0;
}

/* -m32 and the like: the last one counts. */
static const char *unsupported_width(const struct sc_args *args)
{
  static const char *const other[] = {"-m32", "-m16", "-mx32", NULL};
  const char *found = NULL;

  for (size_t i = 0; i < args->count; i++)
    if (unsupported_is(args->text[i], other))
      found = args->text[i];
    else if (strcmp(args->text[i], "-m64") == 0)
      found = NULL;
  return found;
}

/* -fsanitize=A,B with control flow integrity among them: the last word about it counts. */
static const char *unsupported_sanitizer(const struct sc_args *args)
{
  const char *found = NULL;

  for (size_t i = 0; i < args->count; i++) {
    const char *text = args->text[i];
    int on = sc_args_begins(text, "-fsanitize="), off = sc_args_begins(text, "-fno-sanitize=");
    /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): texts of a list are not NULL */
    const char *list = on || off ? strchr(text, '=') + 1 : "";
    if (sc_args_begins(list, "cfi") || strstr(list, ",cfi") || (off && sc_args_begins(list, "all")))
      found = on ? text : NULL;
  }
  return found;
}

/* -nostdlib and the like where nothing brings libc back. */
static const char *unsupported_no_libc(const struct sc_args *args)
{
  static const char *const without[] = {"-nostdlib", "--no-standard-libraries", "-nodefaultlibs", "-nolibc", NULL};
  static const char *const with[] = {"-lc", "-l:libc.a", "-l:libc.so", "-l:libc.so.6", NULL};
  const char *found = NULL;

  for (size_t i = 0; i < args->count; i++) {
    const char *text = args->text[i];
    /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): texts of a list are not NULL */
    const char *slash = strrchr(text, '/');
    if (unsupported_is(text, without))
      found = text;
    if (unsupported_is(text, with) || (slash && sc_args_begins(slash, "/libc.")))
      return NULL;
  }
  return found;
}

int sc_unsupported_find(const struct sc_args *args, int sources, int program, struct sc_unsupported *found)
{
  if ((sources || program) && (found->option = unsupported_width(args))) {
    found->why = "only 64-bit code can be instrumented";
    found->hint = "leave the option out, or build this part with SCALE_WRAPPER=off";
  } else if (sources && (found->option = unsupported_sanitizer(args))) {
    found->why = "control flow integrity needs link-time optimisation, which instrumentation turns off";
    found->hint = "leave cfi out of -fsanitize= in the instrumented build";
  } else if (program && (found->option = unsupported_no_libc(args))) {
    found->why = "an instrumented program needs libc";
    found->hint = "add -lc, or build the program with SCALE_WRAPPER=off";
  } else {
    return 0;
  }
  return 1;
}
