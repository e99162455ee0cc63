// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/GlobPattern.h"
#include <memory>
#include <string>
#include <vector>

/*
 * Which functions become contexts.
 *
 * SCALE_FILTER names one file or several (separated by ':'). A line of such a
 * file is empty, a comment (#...), or a rule:
 *
 *     exclude function GLOB      include function GLOB
 *     exclude file GLOB          include file GLOB
 *
 * A function's GLOB is matched against its linkage name and its demangled name
 * ("ns::f(int)" and "ns::f"); a file's against the whole path of the file the
 * function is defined in and against every tail of it that begins at a folder
 * ("lib/a.c" matches /src/lib/a.c). `*` matches anything, '/' included; `?`
 * one character; [a-z] and {a,b} as in a shell.
 *
 * SCALE_INCLUDE and SCALE_EXCLUDE (the wrapper's --scale-include=, --scale-exclude=)
 * hold GLOBs separated by ';' or line ends, each for functions unless it begins
 * with "file:" ("function:" may be written too).
 *
 * An exclude rule always wins. If there is an include rule of either kind, only
 * functions that one matches are contexts. The order does not matter. Lines that
 * are not understood are ignored here; the wrapper refuses them before the
 * compiler runs.
 *
 * An excluded function runs as it was compiled; functions that it calls are
 * counted, under the context that called the excluded function.
 */
namespace scale
{

class Filter
{
public:
  /* The rules of the environment, read anew. */
  static Filter fromEnvironment();
  /* Adds the rules of a file's text, or of a list as in SCALE_EXCLUDE. */
  void addText(llvm::StringRef Text);
  void addList(llvm::StringRef List, bool Include);
  bool empty() const { return Rules.empty(); }
  /* Whether the function with this linkage name, defined in File (may be empty), is a context. */
  bool selects(llvm::StringRef Name, llvm::StringRef File) const;

private:
  struct Rule {
    bool Include, IsFile;
    std::shared_ptr<const std::string> Text; // GlobPattern refers to the text that it was made from
    llvm::GlobPattern Glob;
  };
  void addRule(bool Include, bool IsFile, llvm::StringRef Glob);
  std::vector<Rule> Rules;
};

} // namespace scale
