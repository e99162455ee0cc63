// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "instrument/pass/event_spec.h"
#include "instrument/pass/place.h"
#include "instrument/pass/table.h"
#include "instrument/pass/work_spec.h"
#include "llvm/IR/InstrTypes.h"
#include <map>

/*
 * Which resource a call is about, in the words of the source. Found by the early pass, while pointers are computed as
 * they were written, and kept until the late pass: at calls of known functions as an attribute, which the inliner
 * copies. A function that gets the resource from its caller (a lock wrapper, std::lock_guard) does not know the name;
 * its callers do: what they hand over is kept by the place of the call in the source, where the late pass looks along
 * the inlined-at chain of the event. Nothing of it changes what the optimiser does.
 */
namespace scale
{

/* Of a call that the early pass makes: the resource's name, file and line, each in a line; else the code tells. */
constexpr char NamedAttribute[] = "scale-named";

/* Where a call stands in the source. */
struct CallSite {
  unsigned Row, Line, Column;
  bool operator<(const CallSite &O) const { return std::tie(Row, Line, Column) < std::tie(O.Row, O.Line, O.Column); }
};

/*
 * What is known of an instance: its name, or how the function's parameters lead to it, "1:8" for what is 8 bytes behind
 * parameter 1, "0:16:0" for what the pointer 16 bytes behind parameter 0 points to. Or nothing.
 */
struct Origin {
  unsigned Name = 0; /* number + 1 */
  std::string Path;
};

/* What is stored in the module between the passes. */
struct NamedEvents {
  std::vector<ResourceName> Names;
  /* By the place of a call and what is asked: "ROW/PATH", a path in the function of that row which is called there, or
   * "@NAME/PATH" if it is only declared here. */
  std::map<std::pair<CallSite, std::string>, Origin> Calls;
  /* Of what is asked: enum scale_resource_class; 0: it is only given back there. */
  std::map<std::string, unsigned> Classes;

  void write(llvm::Module &M) const;
  static NamedEvents read(const llvm::Module &M);
  static void erase(llvm::Module &M);
};

/* Early: finds the names of what is done in the functions of Rows and stores them in the module. Sees to it that calls
 * of the program's own functions that are known stay calls. */
void prepareEvents(llvm::Module &M, const Table &Rows, const KnownEvents &Known, const KnownWork &Work);

/* Late: what was found. */
class EventNames
{
public:
  EventNames(llvm::Module &M, const Table &Rows);
  /* The resource an event is about; null: not known. */
  const ResourceName *of(const llvm::CallBase &Event) const;

  /* What a call that was not inlined hands to a function that cannot know its name. */
  struct Handed {
    unsigned Argument;
    int64_t Offset; /* the instance is that many bytes behind the argument */
    unsigned Class;
    const ResourceName *Name;
  };
  std::vector<Handed> handedBy(const llvm::CallBase &Call) const;

private:
  const ResourceName *follow(Origin From, const llvm::DILocation *Location) const;

  const Table &Rows;
  NamedEvents Stored;
  llvm::DenseMap<const llvm::Function *, std::string>
      Asking; /* functions that are handed something: "ROW/", "@NAME/" */
};

} // namespace scale
