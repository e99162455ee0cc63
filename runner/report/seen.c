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
    [SC_SEEN_SEPARATE_TREE] = {"Counted in a tree of its own: ",
                               ". Its functions have no callers in other parts of the program, and calls that go "
                               "through it begin anew there. Link it without what hides the runtime's symbols "
                               "(--exclude-libs,ALL), or open it with RTLD_GLOBAL: docs/instrumenting.md, Limits."},
    [SC_SEEN_SILENT_LIBRARY] = {"", NULL}, /* add_silence */
    [SC_SEEN_INLINED] = {"Counted too low: ",
                         ". Calls that the compiler replaced by the function's body enter nothing that could be "
                         "counted. Choose functions that call them, or build with -fno-inline-functions."},
    [SC_SEEN_UNDESCRIBED] = {"Perhaps counted too low: ",
                             ". Without debug information nobody can tell whether the compiler inlined calls, which "
                             "are not counted then. Install it (Debian: packages that end in -dbgsym), or build with "
                             "-g; functions that a library shows to others are seldom inlined by their callers."},
    [SC_SEEN_UNCAUGHT] = {"Not caught: ",
                          ". What the probe set says of these functions is not in the numbers, and of a "
                          "resource that is acquired or released there nothing is. Build the program "
                          "with scale-cc, or choose other functions in the probe set."},
    [SC_SEEN_DROPPED] =
        {"Counted in part: ",
         ". Their probes exceeded the budget; rates before the drop are extrapolated to the window. To keep "
         "them: a larger --overhead, or fewer functions in --uprobes and --probes."},
};

static void add_sighting(const sc_seen *one, enum sc_seen_kind kind, sc_buf *text)
{
  switch (kind) {
  case SC_SEEN_SEPARATE_TREE:
    sc_buf_printf(text, "%s of %s", basename(one->file), basename(one->function));
    break;
  case SC_SEEN_SILENT_LIBRARY:
    sc_buf_printf(text, "%s (%s)", basename(one->file), one->what);
    break;
  case SC_SEEN_INLINED:
  case SC_SEEN_UNDESCRIBED:
    sc_shorten_name(one->function, text);
    sc_buf_printf(text, kind == SC_SEEN_INLINED ? " of %s, inlined %s" : " of %s", basename(one->file), one->what);
    break;
  case SC_SEEN_DROPPED:
    sc_shorten_name(one->function, text);
    sc_buf_printf(text, " of %s (%s)", basename(one->file), one->what);
    break;
  case SC_SEEN_UNCAUGHT:
    sc_shorten_name(one->function, text);
    sc_buf_printf(text, " of %s (%s)", one->file, one->what);
    break;
  default:
    sc_buf_printf(text, "%s %s", one->what, kind == SC_SEEN_NOT_UNDERSTOOD || sc_seen_is_loop(one->what) ? "in " : "");
    sc_shorten_name(one->function, text);
    sc_buf_printf(text, " (%s:%s)", basename(one->file), one->line);
  }
}

/* Returns how many it shows. */
static size_t add_sightings(char *lines, enum sc_seen_kind kind, bool all, sc_buf *text)
{
  sc_seen one;
  size_t count = 0, shown = 0;
  while (sc_seen_next(&lines, &one))
    if (all || count++ < SC_REPORT_SEEN) {
      sc_buf_puts(text, shown++ ? ", " : seen_texts[kind].heading);
      add_sighting(&one, kind, text);
    }
  if (shown && count > shown)
    sc_buf_printf(text, ", and %s more, with --all", sc_format_number((double)(count - shown)).s);
  return shown;
}

/* Locks that nobody sees, of programs with threads. */
static void add_silence(size_t libraries, sc_buf *text)
{
  bool one = libraries == 1;
  sc_buf_printf(text,
                " %s locks and %s not instrumented: who waits for whom there is not known, nor are locks that "
                "the program has of %s judged. Build %s with scale-cc too (CC=scale-cc CXX=scale-c++), or "
                "describe the functions by which it locks in a probe set (scale-cc --scale-probes=FILE).",
                one ? "takes" : "take", one ? "is" : "are", one ? "it" : "them", one ? "it" : "them");
}

bool sc_report_seen_text(const char *lines, enum sc_seen_kind kind, bool all, sc_buf *text)
{
  char *copy = lines ? sc_mem_copy_string(lines) : NULL;
  size_t shown = add_sightings(copy, kind, all || kind == SC_SEEN_SEPARATE_TREE, text);
  if (shown && kind == SC_SEEN_SILENT_LIBRARY)
    add_silence(shown, text);
  else if (shown)
    sc_buf_puts(text, seen_texts[kind].meaning);
  free(copy);
  return shown > 0;
}
