/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gcc_only.h"
#include <stddef.h>
#include <string.h>

enum gcc_only_kind { GCC_ONLY_WARNING, GCC_ONLY_VALUED, GCC_ONLY_FLAG, GCC_ONLY_EXACT, GCC_ONLY_PREFIX };

static const struct gcc_only {
  enum gcc_only_kind kind;
  const char *name;
} gcc_only_table[] = {
#define WARNING(name) {GCC_ONLY_WARNING, name},
#define VALUED(name)  {GCC_ONLY_VALUED, name},
#define FLAG(name)    {GCC_ONLY_FLAG, name},
#define EXACT(name)   {GCC_ONLY_EXACT, name},
#define PREFIX(name)  {GCC_ONLY_PREFIX, name},
#include "gcc_only.def"
};

/* The option without the first of the prefixes that it begins with, or NULL. */
static const char *gcc_only_strip(const char *option, const char *const *prefixes)
{
  for (; *prefixes; prefixes++)
    if (sc_args_begins(option, *prefixes))
      return option + strlen(*prefixes);
  return NULL;
}

/* Whether text is `name`, or `name` with a value: +1 for the one, +2 for the other. */
static int gcc_only_named(const char *text, const char *name)
{
  size_t bytes = strlen(name);

  if (!text || strncmp(text, name, bytes) != 0)
    return 0;
  return text[bytes] == 0 ? 1 : text[bytes] == '=' ? 2 : 0;
}

int sc_gcc_only_has(const char *option)
{
  static const char *const warnings[] = {"-Werror=", "-Wno-error=", "-Wno-", "-W", NULL};
  static const char *const flags[] = {"-fno-", "-f", NULL};
  const char *warning = gcc_only_strip(option, warnings);
  const char *flag = gcc_only_strip(option, flags);

  for (size_t i = 0; i < sizeof(gcc_only_table) / sizeof(*gcc_only_table); i++) {
    const struct gcc_only *entry = &gcc_only_table[i];
    int found = 0;
    switch (entry->kind) {
    case GCC_ONLY_WARNING:
      found = gcc_only_named(warning, entry->name);
      break;
    case GCC_ONLY_VALUED:
      found = gcc_only_named(warning, entry->name) == 2;
      break;
    case GCC_ONLY_FLAG:
      found = gcc_only_named(flag, entry->name);
      break;
    case GCC_ONLY_EXACT:
      found = strcmp(option, entry->name) == 0;
      break;
    case GCC_ONLY_PREFIX:
      found = sc_args_begins(option, entry->name);
      break;
    }
    if (found)
      return 1;
  }
  return 0;
}

int sc_gcc_only_lto(const char *option)
{
  static const char *const exact[] = {
      "-flto",         "-ffat-lto-objects",       "-fno-fat-lto-objects",           "-fsplit-lto-unit",
      "-funified-lto", "-fwhole-program-vtables", "-fvirtual-function-elimination", NULL};

  for (const char *const *name = exact; *name; name++)
    if (strcmp(option, *name) == 0)
      return 1;
  return sc_args_begins(option, "-flto=") || sc_args_begins(option, "-flto-") || sc_args_begins(option, "-fthinlto-") ||
         sc_args_begins(option, "-Wl,-flto");
}

int sc_gcc_only_symbols(const char *option)
{
  static const char *const exact[] = {"-s", "-Wl,-s", "-Wl,--strip-all", "-Wl,-S", "-Wl,--strip-debug", NULL};

  for (const char *const *name = exact; *name; name++)
    if (strcmp(option, *name) == 0)
      return 1;
  return 0;
}

static int gcc_only_asks_errors(const struct sc_args *all)
{
  int errors = 0;

  for (size_t i = 0; i < all->count; i++) {
    if (strcmp(all->text[i], "-pedantic-errors") == 0)
      return 1;
    if (strcmp(all->text[i], "-Werror") == 0 || strcmp(all->text[i], "-Wno-error") == 0)
      errors = all->text[i][2] == 'e';
  }
  return errors;
}

void sc_gcc_only_accept(struct sc_args *command, const struct sc_args *all)
{
  /* Errors of clang 19 by default (diagtool show-enabled --levels), but not of gcc 12. Without non-pod-varargs: such a
     call would trap. */
  static const char *const accepted[] = {
      "implicit-function-declaration",
      "implicit-int",
      "int-conversion",
      "incompatible-function-pointer-types",
      "return-mismatch",
      "register",
      "c++11-narrowing",
      "c++11-narrowing-const-reference",
      "reserved-user-defined-literal",
      "missing-template-arg-list-after-template-kw",
      "enum-constexpr-conversion",
      "elaborated-enum-class",
      "gnu-array-member-paren-init",
      "dtor-typedef",
  };

  if (gcc_only_asks_errors(all))
    return;
  for (size_t i = 0; i < sizeof(accepted) / sizeof(*accepted); i++)
    sc_args_add_joined(command, "-Wno-error=", accepted[i]);
}
