/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of what the code has and the numbers have not: the first few, how many more, and what that means. */
#include "runner/report/seen.h"

#include <stdlib.h>
#include <string.h>

#include "profiles/graph/shorten.h"
#include "runner/text/format.h"
#include "runner/text/tuning.h"

static const struct {
  const char *heading, *meaning;
} seen_texts[SC_SEEN_KINDS] = {
    [SC_SEEN_NOT_UNDERSTOOD] = {"Not understood as locks: ",
                                ". Their iterations are counted as any loop's; who waits there for whom is not known. "
                                "If one is a lock, SCALE_ACQUIRE and SCALE_RELEASE of <scale/annotate.h> tell of it."},
    [SC_SEEN_NOT_COUNTED] = {"Not counted: ", ". No count says whether or how often these ran, only sampled time does; "
                                              "what they call counts below their callers."},
};

static bool add_operations(char *lines, enum sc_seen_kind kind, bool all, sc_buf *text)
{
  sc_seen one;
  size_t count = 0, shown = 0;
  while (sc_seen_next(&lines, &one))
    if (all || count++ < SC_REPORT_SEEN) {
      bool part = kind == SC_SEEN_NOT_UNDERSTOOD || sc_seen_is_loop(one.what);
      sc_buf_printf(text, "%s%s %s", shown++ ? ", " : seen_texts[kind].heading, one.what, part ? "in " : "");
      sc_shorten_name(one.function, text);
      sc_buf_printf(text, " (%s:%s)", basename(one.file), one.line);
    }
  if (shown && count > shown)
    sc_buf_printf(text, ", and %s more, with --all", sc_format_number((double)(count - shown)).s);
  if (shown)
    sc_buf_puts(text, seen_texts[kind].meaning);
  return shown > 0;
}

/* Functions that uprobes count, at entries that not every call goes through. */
static bool add_entries(char *lines, enum sc_seen_kind kind, bool all, sc_buf *text)
{
  bool inlined = kind == SC_SEEN_INLINED;
  sc_seen one;
  size_t count = 0, shown = 0;
  while (sc_seen_next(&lines, &one))
    if (all || count++ < SC_REPORT_SEEN) {
      sc_buf_puts(text, shown++ ? ", " : inlined ? "Counted too low: " : "Perhaps counted too low: ");
      sc_shorten_name(one.function, text);
      sc_buf_printf(text, inlined ? " of %s, inlined %s" : " of %s", basename(one.file), one.what);
    }
  if (shown && count > shown)
    sc_buf_printf(text, ", and %s more, with --all", sc_format_number((double)(count - shown)).s);
  if (shown)
    sc_buf_puts(text, inlined
                          ? ". Calls that the compiler replaced by the function's body enter nothing that could be "
                            "counted. Choose functions that call them, or build with -fno-inline-functions."
                          : ". Without debug information nobody can tell whether the compiler inlined calls, which "
                            "are not counted then. Install it (Debian: packages that end in -dbgsym), or build with "
                            "-g; functions that a library shows to others are seldom inlined by their callers.");
  return shown > 0;
}

/* Contexts that end at the border of a library with a runtime of its own. */
static bool add_separate_trees(char *lines, sc_buf *text)
{
  sc_seen one;
  size_t shown = 0;
  while (sc_seen_next(&lines, &one))
    sc_buf_printf(text, "%s%s of %s", shown++ ? ", " : "Counted in a tree of its own: ", basename(one.file),
                  basename(one.function));
  if (shown)
    sc_buf_puts(text, ". Its functions have no callers in other parts of the program, and calls that go through it "
                      "begin anew there. Link it without what hides the runtime's symbols (--exclude-libs,ALL), "
                      "or open it with RTLD_GLOBAL: docs/instrumenting.md, Limits.");
  return shown > 0;
}

/* Locks that nobody sees, of programs with threads. */
static bool add_silent_libraries(char *lines, bool all, sc_buf *text)
{
  sc_seen one;
  size_t count = 0, shown = 0;
  while (sc_seen_next(&lines, &one))
    if (all || count++ < SC_REPORT_SEEN)
      sc_buf_printf(text, "%s%s (%s)", shown++ ? ", " : "", basename(one.file), one.what);
  if (shown && count > shown)
    sc_buf_printf(text, ", and %s more, with --all", sc_format_number((double)(count - shown)).s);
  if (shown)
    sc_buf_printf(text,
                  " %s locks and %s not instrumented: who waits for whom there is not known, nor are locks that "
                  "the program has of %s judged. Build %s with scale-cc too (CC=scale-cc CXX=scale-c++), or "
                  "describe the functions by which it locks in a probe set (scale-cc --scale-probes=FILE).",
                  shown == 1 ? "takes" : "take", shown == 1 ? "is" : "are", shown == 1 ? "it" : "them",
                  shown == 1 ? "it" : "them");
  return shown > 0;
}

bool sc_report_seen_text(const char *lines, enum sc_seen_kind kind, bool all, sc_buf *text)
{
  char *copy = lines ? sc_mem_copy_string(lines) : NULL;
  bool any = kind == SC_SEEN_SEPARATE_TREE    ? add_separate_trees(copy, text)
             : kind == SC_SEEN_SILENT_LIBRARY ? add_silent_libraries(copy, all, text)
             : kind >= SC_SEEN_INLINED        ? add_entries(copy, kind, all, text)
                                              : add_operations(copy, kind, all, text);
  free(copy);
  return any;
}
