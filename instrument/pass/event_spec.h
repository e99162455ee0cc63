// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/*
 * Which calls are events of resources: the rows of instrument/events/resources.def and those of the environment
 * variable SCALE_EVENTS (what the wrapper makes of probe sets), in the same words.
 */
namespace scale
{

struct Identity {
  enum { None, Argument, Pointee, Result } From = None;
  unsigned Index = 0;
  int64_t Offset = 0;
};

struct Units {
  enum { Constant, Argument, Product, Result, Usable } From = Constant;
  uint64_t Number = 1;
  unsigned First = 0, Second = 0;
};

enum class Outcome { Always, Zero, Nonzero, Negative, Nonnegative, NotMinusOne }; /* of a call, by its return value */

struct EventSpec {
  std::string Function;
  unsigned Class = 0, Event = 0; /* enum scale_resource_class, enum scale_event */
  Identity Instance;
  Units Amount;
  Outcome Success = Outcome::Always;
  enum { Never, Replaced, Timed } Wait = Never;
  Outcome Waited = Outcome::Always; /* Timed: whether it waited */
  std::string Wrapper;              /* Replaced: the runtime's function */
  unsigned Flags = 0;               /* enum scale_site_flag */
  struct Condition {
    unsigned Argument;
    int64_t Value;
  };
  std::optional<Condition> SharedIf;
  std::optional<unsigned> Chosen; /* it may be no other constant than Only, and the last argument is a pointer */
  std::vector<int64_t> Only;
  std::optional<Condition> Sized; /* only where the argument points to an object of that size */
  std::string Name;               /* of the resource; empty: from debug information */
  unsigned Capacity = 0;
  std::vector<std::pair<std::string, std::string>> Aliases; /* names from debug information, and what to call them */
  std::string Touched;                                      /* a second resource that is used */
  /* A call that <scale/annotate.h> makes; it is taken out. The resource's name is its first argument. Of locks the pass
   * makes such calls itself (spin_locks.h), and debug information has their names. */
  enum { None, Told, Failed, WaitBegins, WaitEnds, Capacious, Seen } Annotation = None;

  bool isProbe() const;
  /* The same of a function with `Hidden` arguments in front that the source does not show. */
  EventSpec behind(unsigned Hidden) const;
  /* Whether it is about functions of the C++ library's headers: `Function` is a pattern of their names. */
  bool isHeader() const { return Function.find('*') != std::string::npos; }
  /* Whether instances bear names: others are known by their class and where they are acquired. */
  bool isNamed() const;
};

/*
 * A line of SCALE_EVENTS, but for those of work (work_spec.h): up to twelve columns separated by tabs, in the order of
 * the fields above (wait and flags as in resources.def, aliases as from=to separated by ';'). The error says which
 * column is not understood.
 */
llvm::Expected<EventSpec> parseEvent(llvm::StringRef Line);

/* "'TEXT' WHAT", as a terminal may show it. */
llvm::Error notUnderstood(llvm::StringRef Text, const char *What);

/* Gives each line of SCALE_EVENTS, read anew, to Take. False, and an error of the compiler's that names the line, if
 * Take does not understand one. */
bool readEnvironment(llvm::LLVMContext &Context, llvm::function_ref<llvm::Error(llvm::StringRef Line)> Take);

class KnownEvents
{
public:
  /* The built-in table, and the environment's, read anew. What a probe set says about a function holds alone. Nothing,
   * and an error of the compiler's, if a line of the environment is not understood. */
  static std::optional<KnownEvents> fromEnvironment(llvm::LLVMContext &Context);
  /* What a call of F does. The built-in rows are about library functions, not about the program's of the same name (but
   * for operator new and delete, and for patterns: functions of the C++ library's headers). Whether F is defined must
   * still be seen. */
  llvm::ArrayRef<EventSpec> of(const llvm::Function &F) const;
  /* What probe sets call a resource that debug information calls Name. */
  std::string alias(const std::string &Name) const;
  /* Whether F is the program's own and must stay a function with calls of its own to be caught. */
  bool keepsCalls(const llvm::Function &F) const { return !F.isDeclaration() && !of(F).empty(); }
  /* Whether the function of that name gives units of the class to its callers: what it obtains itself is theirs. */
  bool implements(llvm::StringRef Name, unsigned Class) const;

private:
  llvm::Error addLine(llvm::StringRef Line, bool Probe);
  void add(EventSpec &&Spec, bool Probe);
  void addAnnotations();
  void addInferred();
  const std::vector<EventSpec> *inHeaders(llvm::StringRef Name) const;
  llvm::StringMap<std::vector<EventSpec>> Library, Probes;
  std::vector<std::vector<EventSpec>> Headers; /* each of one pattern */
  llvm::StringMap<std::string> Aliases;
};

} // namespace scale
