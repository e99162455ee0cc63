/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scale-cc and scale-c++: clang with the pass and the runtime. One program,
 * which looks at its own name.
 */
#include "args.h"
#include "filter.h"
#include "folders.h"
#include "gcc_only.h"
#include "info.h"
#include "linker.h"
#include "objects.h"
#include "paths.h"
#include "probe_sets.h"
#include "scan.h"
#include "unsupported.h"
#include "versions.h"
#include "wraps.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Bytes. The kernel takes a quarter of the stack's limit, 2 MiB by default, with the environment. */
enum { MAIN_COMMAND_MAX = 1 << 20 };

static const char *main_name = "scale-cc";

static int main_fail(const char *what, const char *which, const char *hint)
{
  fprintf(stderr, "%s: %s: %s\nhint: %s\n", main_name, what, which, hint);
  return 1;
}

/* --scale-include=GLOB and the like become the pass's environment; what is there already stays, in front. */
static int main_filter(const char *text)
{
  static const struct {
    const char *option, *variable, *separator;
  } filters[] = {
#define FILTER(name, argument, variable, separator, help) {"--scale-" name "=", variable, separator},
#include "options.def"
  };

  for (size_t i = 0; i < sizeof(filters) / sizeof(*filters); i++) {
    if (!sc_args_begins(text, filters[i].option))
      continue;
    const char *value = text + strlen(filters[i].option);
    const char *before = getenv(filters[i].variable);
    char *start = before && *before ? sc_args_join(before, filters[i].separator) : sc_args_join("", "");
    char *all = sc_args_join(start, value);
    setenv(filters[i].variable, all, 1);
    free(all);
    free(start);
    return 1;
  }
  return 0;
}

static int main_switch(const char *text)
{
#define SWITCH(name, variable, help)        \
  if (strcmp(text, "--scale-" name) == 0) { \
    setenv(variable, "1", 1);               \
    return 1;                               \
  }
#include "options.def"
  return 0;
}

static int main_dropped(const char *text)
{
  return *text == '-' && (main_filter(text) || main_switch(text) || sc_gcc_only_has(text) || sc_gcc_only_lto(text) ||
                          sc_gcc_only_symbols(text));
}

/* A response file is opened up if something in it must go. 1 if that happened. */
static int main_copy_file(struct sc_args *to, const char *path)
{
  struct sc_args inside = {0}, left = {0};

  if (sc_args_add_file(&inside, path, 0) < 0)
    return 0;
  for (size_t i = 0; i < inside.count; i++)
    if (!main_dropped(inside.text[i]))
      sc_args_add(&left, inside.text[i]);
  for (size_t i = 0; left.count < inside.count && i < left.count; i++)
    sc_args_add(to, left.text[i]);
  return left.count < inside.count;
}

/* Copies what clang may see. */
static void main_copy(struct sc_args *to, int argc, char **argv)
{
  for (int i = 1; i < argc; i++) {
    if (*argv[i] == '@' && main_copy_file(to, argv[i] + 1))
      continue;
    if (sc_scan_takes_next(argv[i]) && i + 1 < argc) {
      sc_args_add(to, argv[i]);
      sc_args_add(to, argv[++i]);
    } else if (!main_dropped(argv[i])) {
      sc_args_add(to, argv[i]);
    }
  }
}

/* The same list with all response files opened up and the options for the linker split into words. */
static void main_flatten(struct sc_args *to, const struct sc_args *from)
{
  struct sc_args opened = {0};

  for (size_t i = 0; i < from->count; i++)
    if (*from->text[i] != '@' || sc_args_add_file(&opened, from->text[i] + 1, 0) < 0)
      sc_args_add(&opened, from->text[i]);
  sc_linker_split(to, &opened);
}

/* Whether the list can be a command line as it is. */
static int main_fits(const struct sc_args *args)
{
  size_t bytes = 0;

  for (size_t i = 0; i < args->count; i++)
    bytes += strlen(args->text[i]) + 1 + sizeof(char *);
  return bytes < MAIN_COMMAND_MAX;
}

/* The harness's main refers to the runtime, which stands behind it. */
static int main_wants_fuzz(const struct sc_scan *scan)
{
  const char *asked = getenv("SCALE_FUZZ_MAIN");
  return asked && strcmp(asked, "1") == 0 && !scan->shared;
}

static void main_add_link(struct sc_args *command, const struct sc_scan *scan, const struct sc_paths *paths)
{
  char *hide = scan->shared && !scan->versions ? sc_versions_hide() : NULL;

  if (hide)
    sc_args_add_joined(command, "-Wl,--version-script=", hide);
  free(hide);
  if (!scan->fixed)
    sc_args_add(command, "-Wl,--export-dynamic-symbol=__scale_*");
  if (!scan->build_id)
    sc_args_add(command, "-Wl,--build-id");
  sc_args_add(command, "-Wl,-u,__scale_runtime"); /* take a copy even if a library before us offers one */
  if (main_wants_fuzz(scan)) {
    sc_args_add(command, "-Xlinker");
    sc_args_add(command, paths->fuzz);
  }
  sc_args_add(command, "-Xlinker"); /* not as a plain input: -x may have named its language */
  sc_args_add(command, paths->runtime);
}

static int main_links(const struct sc_scan *scan)
{
  return !scan->info && !scan->preprocess && !scan->compile && !scan->relocatable && scan->inputs > 0;
}

static void main_add_compile(struct sc_args *command, const struct sc_scan *scan, const struct sc_paths *paths)
{
  const char *asked = getenv("SCALE_FACTS");
  int facts = asked && strcmp(asked, "1") == 0;

  sc_args_add_joined(command, "-fpass-plugin=", paths->plugin);
  unsetenv("SCALE_PASS_FORGET");
  if (facts) /* they need all types that the sources name, also those that no function's debug information does */
    sc_args_add(command, "-fno-eliminate-unused-debug-types");
  if (scan->debug && !(facts && scan->no_types))
    return;
  setenv("SCALE_PASS_FORGET", "variables", 1); /* the pass alone wants to know them: nobody asked to debug */
  if (!scan->debug)
    sc_args_add(command, "-gdwarf-4"); /* valgrind 3.19 gives up on clang's version 5 */
  sc_args_add(command, scan->no_debug && !facts ? "-gline-tables-only" : "-g");
}

/* Adds what is ours; it stands between markers that keep clang from calling an option of ours unused. What the
   preprocessor has to know, it has to know in every mode: a compiler cache, a precompiled header and a dependency file
   must see the same text. The folder comes behind all others, so that it hides no file of anybody's. */
static void main_add(struct sc_args *command, const struct sc_scan *scan, const struct sc_paths *paths)
{
  if (scan->info || scan->inputs == 0)
    return;
  sc_args_add(command, "--start-no-unused-arguments");
  if (scan->sources || scan->preprocess) {
    sc_args_add(command, "-D__SCALE__=1");
    sc_args_add(command, "-idirafter");
    sc_args_add(command, paths->include);
  }
  if (!scan->preprocess) {
    if (scan->fast)
      sc_args_add(command, "-Wno-deprecated-ofast");
    if (scan->sources)
      main_add_compile(command, scan, paths);
    if (main_links(scan))
      main_add_link(command, scan, paths);
  }
  sc_args_add(command, "--end-no-unused-arguments");
}

/* What is asked can be done, and the rules and events that the pass will read are right, or this process ends with an
   error. */
static int main_check(const struct sc_scan *scan, const struct sc_args *all)
{
  struct sc_filter_fault fault;
  struct sc_unsupported unsupported;

  if (!scan->info && !scan->preprocess &&
      sc_unsupported_find(all, scan->sources, main_links(scan) && !scan->shared, &unsupported)) {
    main_fail(unsupported.option, unsupported.why, unsupported.hint);
    return -1;
  }
  if (scan->info || scan->preprocess || !scan->sources)
    return 0;
  if (sc_probe_sets_export(main_name) < 0)
    return -1;
  if (sc_filter_check(getenv("SCALE_FILTER"), getenv("SCALE_INCLUDE"), getenv("SCALE_EXCLUDE"), &fault) == 0)
    return 0;
  fprintf(stderr, "%s: %s\nhint: %s\n", main_name, fault.what, fault.hint);
  return -1;
}

/* The whole command: ours comes last, but before a "--", behind which all is a file. `all` is `given` in words. */
static void main_compose(struct sc_args *command, const struct sc_args *given, const struct sc_args *all,
                         const struct sc_scan *scan, const struct sc_paths *paths)
{
  int added = 0;

  if (!scan->info && scan->sources)
    sc_gcc_only_accept(command, all);
  if (main_links(scan))
    sc_wraps_add(command, given); /* in front: behind the last input, an -x would be one too many */
  for (size_t i = 0; i < given->count; i++) {
    if (!added && strcmp(given->text[i], "--") == 0) {
      main_add(command, scan, paths);
      added = 1;
    }
    sc_args_add(command, given->text[i]);
    if (i + 1 < given->count && sc_scan_takes_next(given->text[i]))
      sc_args_add(command, given->text[++i]);
  }
  if (!added)
    main_add(command, scan, paths);
}

/* Replaces this process by the compiler; returns only on failure. */
static int main_run(const struct sc_args *command)
{
  execvp(command->text[0], command->text);
  fprintf(stderr, "%s: %s: %s\nhint: install clang 19, or name another one in SCALE_CLANG\n", main_name,
          command->text[0], strerror(errno));
  return 127;
}

/* clang as if there were no wrapper, but for our own options. */
static int main_transparent(struct sc_args *command, int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    if (!sc_args_begins(argv[i], "--scale-"))
      sc_args_add(command, argv[i]);
  return main_run(command);
}

#ifdef __SANITIZE_ADDRESS__
/* The wrapper becomes the compiler or ends: what it holds until then is no leak. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_leaks=0"; }
#endif

int main(int argc, char **argv)
{
  const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
  const char *wrapper = getenv("SCALE_WRAPPER");
  const char *clang = getenv("SCALE_CLANG");
  int cplusplus = argc > 0 && strstr(slash ? slash : argv[0], "++") != NULL;
  struct sc_paths paths = {0};
  struct sc_args command = {0}, given = {0}, all = {0};
  struct sc_scan scan;
  const char *missing;

  if (cplusplus)
    main_name = "scale-c++";
  if (sc_paths_find(&paths, cplusplus) < 0)
    return main_fail("cannot find itself", "/proc/self/exe", "mount /proc");
  if (argc > 1 && sc_info_answers(argv[1], &paths))
    return 0;
  if (argc > 1 && (strcmp(argv[1], "--scale-check-probes") == 0 || strcmp(argv[1], "--scale-print-events") == 0))
    return sc_probe_sets_answer(main_name, argv + 2, argv[1][8] == 'c');
  sc_args_add(&command, paths.compiler);
  if (cplusplus && clang && *clang)
    sc_args_add(&command, "--driver-mode=g++");
  if ((wrapper && strcmp(wrapper, "off") == 0) || (argc > 1 && sc_args_begins(argv[1], "-cc1")))
    return main_transparent(&command, argc, argv);
  main_copy(&given, argc, argv);
  main_flatten(&all, &given);
  sc_scan_read(&scan, &all);
  scan.versions |= main_links(&scan) && scan.shared && sc_versions_scripted(&all);
  sc_folders_tell(&all);
  if (!scan.info && !scan.preprocess && scan.inputs && !sc_paths_ready(&paths, &missing))
    return main_fail("missing file", missing, "build or install the compiler pass and the runtime beside this program");
  if (main_check(&scan, &all) < 0)
    return 1;
  main_compose(&command, main_links(&scan) && main_fits(&all) ? &all : &given, &all, &scan, &paths);
  if (main_links(&scan)) {
    sc_versions_open(&command);
    sc_versions_symbolic(&command);
    sc_objects_mend(&command);
  }
  return main_run(&command);
}
