/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/cli/pages.h"

#include <string.h>

int sc_pages_print(FILE *out, const char *page, enum sc_verb verb)
{
  static const struct {
    const char *name;
    void (*print)(FILE *out);
  } shells[] = {{"bash", sc_bash_print}, {"zsh", sc_zsh_print}, {"fish", sc_fish_print}};

  if (strcmp(page, "man") == 0) {
    sc_man_print(out, verb);
    return 0;
  }
  for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
    if (strcmp(page, shells[i].name) == 0) {
      shells[i].print(out);
      return 0;
    }
  }
  return sc_err_hint(sc_err_set(SC_E_USAGE, "there is no help page \"%s\"", page),
                     "--help=man makes a man page; --help=bash, --help=zsh and --help=fish a shell's completion");
}
