/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "help.h"
#include "base/roff.h"
#include <stdio.h>

enum { COLUMN = 33 };

static void help_row(const char *option, const char *argument, const char *help)
{
  int length = printf("  --scale-%s%s", option, argument);
  printf("%*s%s\n", length < COLUMN - 1 ? COLUMN - length : 2, "", help);
}

void sc_help_print(void)
{
  fputs("Usage: scale-cc [clang or gcc options] file...      (scale-c++ for C++)\n"
        "\n"
        "Compiles like clang and adds exact counters for every call and loop, in context.\n"
        "  scale-cc -O2 -o prog prog.c && SCALE_PROFILE_DIR=profiles ./prog\n"
        "  cmake -DCMAKE_C_COMPILER=scale-cc -DCMAKE_CXX_COMPILER=scale-c++ ...\n"
        "  CC=scale-cc CXX=scale-c++ ./configure\n"
        "\n"
        "Options of its own (all others are the compiler's):\n",
        stdout);
#define FILTER(name, argument, variable, separator, help) help_row(name, "=" argument, help);
#define SWITCH(name, variable, help)                      help_row(name, "", help);
#define ANSWER(name, arguments, help)                     help_row(name, arguments, help);
#include "options.def"
  fputs("\nEnvironment:\n", stdout);
#define ENVIRONMENT(name, meaning) printf("  %-*s%s\n", COLUMN - 2, name, meaning);
#include "options.def"
#define FILTER(name, argument, variable, separator, help) \
  printf("  %-*sas --scale-" name ", in front of it\n", COLUMN - 2, variable);
#define SWITCH(name, variable, help) printf("  %-*sas --scale-" name "\n", COLUMN - 2, variable "=1");
#include "options.def"
}

void sc_help_print_man(void)
{
  static const char *const see[] = {"clang-19", "scale-run", "scale-run-run", NULL};

  sc_roff_begin(stdout, "scale-cc", "clang that adds exact counters for every call and loop",
                "instrument/wrapper/options.def");
  sc_roff_section(stdout, "SYNOPSIS");
  fputs(".B scale\\-cc\n[\\fIoptions of clang or gcc\\fR] \\fIfile\\fR...\n.br\n"
        ".B scale\\-c++\n[\\fIoptions of clang or gcc\\fR] \\fIfile\\fR...\n",
        stdout);
  sc_roff_section(stdout, "DESCRIPTION");
  sc_roff_line(stdout,
               "Compiles and links like clang, with a compiler pass and a runtime: the program made does what it "
               "did before, and counts every call and every loop iteration in its calling context. It writes the "
               "counts into the folder that SCALE_PROFILE_DIR names when it runs, and nothing if that is unset. "
               "scale-run runs it so.");
  sc_roff_section(stdout, "OPTIONS");
  sc_roff_line(stdout, "All options of clang, of those of gcc the ones that have a meaning here, and:");
#define FILTER(name, argument, variable, separator, help) \
  sc_roff_term(stdout, "--scale-" name "=" argument, help " (may be repeated).");
#define SWITCH(name, variable, help)  sc_roff_term(stdout, "--scale-" name, help ".");
#define ANSWER(name, arguments, help) sc_roff_term(stdout, "--scale-" name arguments, help ".");
#include "options.def"
  sc_roff_section(stdout, "ENVIRONMENT");
#define ENVIRONMENT(name, meaning) sc_roff_term(stdout, name, meaning ".");
#include "options.def"
#define FILTER(name, argument, variable, separator, help) \
  sc_roff_term(stdout, variable, "As --scale-" name ", in front of it. Several are separated by '" separator "'.");
#define SWITCH(name, variable, help) sc_roff_term(stdout, variable "=1", "As --scale-" name ".");
#include "options.def"
  sc_roff_section(stdout, "EXAMPLES");
  sc_roff_term(stdout, "scale-cc -O2 -o prog prog.c && SCALE_PROFILE_DIR=profiles ./prog",
               "Build a program, and count.");
  sc_roff_term(stdout, "cmake -DCMAKE_C_COMPILER=scale-cc -DCMAKE_CXX_COMPILER=scale-c++ ...", "With CMake.");
  sc_roff_term(stdout, "./configure CC=scale-cc CXX=scale-c++", "With autotools.");
  sc_roff_see(stdout, see);
}
