/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scan.h"
#include <string.h>

static int scan_one_of(const char *text, const char *const *names)
{
  for (; *names; names++)
    if (strcmp(text, *names) == 0)
      return 1;
  return 0;
}

int sc_scan_takes_next(const char *option)
{
  static const char *const names[] = {"-o",
                                      "-x",
                                      "-I",
                                      "-D",
                                      "-U",
                                      "-L",
                                      "-l",
                                      "-include",
                                      "-imacros",
                                      "-isystem",
                                      "-iquote",
                                      "-idirafter",
                                      "-iprefix",
                                      "-iwithprefix",
                                      "-iwithprefixbefore",
                                      "-isysroot",
                                      "-cxx-isystem",
                                      "-MF",
                                      "-MT",
                                      "-MQ",
                                      "-MJ",
                                      "-Xclang",
                                      "-Xlinker",
                                      "-Xassembler",
                                      "-Xpreprocessor",
                                      "-Xanalyzer",
                                      "-T",
                                      "-u",
                                      "-z",
                                      "-e",
                                      "-arch",
                                      "-target",
                                      "-mllvm",
                                      "-A",
                                      "-B",
                                      "-F",
                                      "--param",
                                      "-dumpbase",
                                      "-dumpbase-ext",
                                      "-dumpdir",
                                      "-aux-info",
                                      "-rpath",
                                      "--sysroot",
                                      "-h",
                                      "-gcc-toolchain",
                                      "-framework",
                                      "-ivfsoverlay",
                                      "-fplugin-arg",
                                      "--serialize-diagnostics",
                                      "-serialize-diagnostics",
                                      "-b",
                                      "-wrapper",
                                      "-include-pch",
                                      "-G",
                                      NULL};
  return scan_one_of(option, names);
}

static int scan_info(const char *text)
{
  static const char *const names[] = {"--version",    "--help",     "-help", "-dumpversion",  "-dumpfullversion",
                                      "-dumpmachine", "-dumpspecs", "-###",  "--target-help", NULL};
  return scan_one_of(text, names) || sc_args_begins(text, "-print-") || sc_args_begins(text, "--print-") ||
         sc_args_begins(text, "--help=");
}

static int scan_preprocess(const char *text)
{
  static const char *const names[] = {"-E",        "-M",        "-MM",          "--preprocess",  "-fsyntax-only",
                                      "-emit-ast", "--analyze", "--precompile", "-rewrite-objc", NULL};
  return scan_one_of(text, names);
}

/* Languages (of -x) and file name endings that make no code of ours: assembler, and headers. */
static int scan_no_code(const char *language)
{
  return sc_args_begins(language, "assembler") || strstr(language, "-header") != NULL;
}

static int scan_is_source(const char *path, const char *language)
{
  static const char *const endings[] = {".c",  ".cc", ".cp", ".cxx", ".cpp", ".CPP", ".c++", ".C",   ".i",
                                        ".ii", ".ll", ".bc", ".m",   ".mm",  ".M",   ".mi",  ".mii", NULL};
  const char *ending = strrchr(path, '.');

  if (language)
    return !scan_no_code(language);
  return ending && !strchr(ending, '/') && scan_one_of(ending, endings);
}

/* A header to precompile: makes no code, and nothing is linked. */
static int scan_is_header(const char *path, const char *language)
{
  static const char *const endings[] = {".h", ".H", ".hh", ".hp", ".hpp", ".hxx", ".h++", ".HPP", ".tcc", NULL};
  const char *ending = strrchr(path, '.');

  if (language)
    return strstr(language, "-header") != NULL;
  return ending && !strchr(ending, '/') && scan_one_of(ending, endings);
}

/* -g, -g3, -ggdb, -gdwarf-4, -gline-tables-only... give line numbers; -g0, -ggdb0 take them; -gz, -gsplit-dwarf
   and the like say nothing about it. */
static void scan_debug(struct sc_scan *scan, const char *text)
{
  static const char *const on[] = {"-g",     "-g1",     "-g2",    "-g3",    "-ggdb", "-ggdb1",
                                   "-ggdb2", "-ggdb3",  "-glldb", "-gsce",  "-gdbx", "-gline-tables-only",
                                   "-gmlt",  "-gdwarf", "-gfull", "-gused", NULL};
  static const char *const lines[] = {"-g1", "-ggdb1", "-gline-tables-only", "-gmlt", NULL};
  static const char *const off[] = {"-g0", "-ggdb0", "-gline-directives-only", NULL};

  if (scan_one_of(text, on) || (sc_args_begins(text, "-gdwarf-") && strchr("2345", text[8]) && text[8]))
    scan->debug = 1, scan->no_debug = 0, scan->no_types = scan_one_of(text, lines);
  else if (scan_one_of(text, off))
    scan->debug = 0, scan->no_debug = 1;
}

static void scan_linker(struct sc_scan *scan, const char *word)
{
  static const char *const relocatable[] = {"-r", "-Ur", "--relocatable", "-relocatable", NULL};
  static const char *const shared[] = {"-shared", "--shared", "-Bshareable", NULL};

  scan->build_id |= strstr(word, "-build-id") != NULL;
  scan->versions |= strstr(word, "-version-script") != NULL;
  scan->relocatable |= scan_one_of(word, relocatable);
  scan->shared |= scan_one_of(word, shared);
}

static void scan_option(struct sc_scan *scan, const char *text)
{
  if (scan_info(text))
    scan->info = 1;
  else if (scan_preprocess(text))
    scan->preprocess = 1;
  else if (strcmp(text, "-c") == 0 || strcmp(text, "-S") == 0 || strcmp(text, "--compile") == 0 ||
           strcmp(text, "--assemble") == 0)
    scan->compile = 1;
  else if (strcmp(text, "-r") == 0)
    scan->relocatable = 1;
  else if (strcmp(text, "-shared") == 0 || strcmp(text, "--shared") == 0)
    scan->shared = 1;
  else if (strcmp(text, "-static") == 0 || strcmp(text, "--static") == 0 || strcmp(text, "-static-pie") == 0)
    scan->fixed = 1;
  else if (strcmp(text, "-Ofast") == 0)
    scan->fast = 1;
  else if (sc_args_begins(text, "-g"))
    scan_debug(scan, text);
}

void sc_scan_read(struct sc_scan *scan, const struct sc_args *args)
{
  const char *language = NULL;
  int only_files = 0;

  memset(scan, 0, sizeof(*scan));
  for (size_t i = 0; i < args->count; i++) {
    const char *text = args->text[i];
    const char *next = i + 1 < args->count ? args->text[i + 1] : "";

    if (only_files || *text != '-' || text[1] == 0) {
      scan->inputs++;
      scan->sources += scan_is_source(text, language);
      scan->preprocess |= scan_is_header(text, language);
      continue;
    }
    if (strcmp(text, "--") == 0) {
      only_files = 1;
      continue;
    }
    scan_option(scan, text);
    if (sc_args_begins(text, "-x")) {
      language = text[2] ? text + 2 : next;
      if (strcmp(language, "none") == 0)
        language = NULL;
    }
    if (strcmp(text, "-Xlinker") == 0)
      scan_linker(scan, next);
    if (sc_args_begins(text, "-l"))
      scan->inputs++;
    i += (size_t)sc_scan_takes_next(text);
  }
}
