// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "instrument/pass/context.h"
#include "instrument/pass/event_hooks.h"
#include "instrument/pass/event_names.h"
#include "instrument/pass/event_spec.h"
#include "instrument/pass/wrappers.h"
#include <deque>

/*
 * Calls that do something to a resource: each gets a cell in its function's node, where the runtime hangs what it
 * counts, and calls of the runtime before and behind it; or the runtime does it instead.
 */
namespace scale
{

/* What is known of the module. Made before any function loses its code. */
class ModuleEvents
{
public:
  ModuleEvents(llvm::Module &M, const Runtime &RT, const Table &Rows, KnownEvents &&Known);
  llvm::ArrayRef<EventSpec> of(const llvm::CallBase &Call) const;
  const EventNames &names() const { return Names; }
  const EventHooks &hooks() const { return Hooks; }
  const Wrappers &wrappers() const { return Wrapped; }
  const Table &rows() const { return Rows; }
  const KnownEvents &known() const { return Known; }
  /* Takes the module's addresses of functions that release something for those of the runtime's that tell of it. */
  static void replaceReferences(llvm::Module &M);

private:
  const Table &Rows;
  KnownEvents Known;
  EventNames Names;
  EventHooks Hooks;
  Wrappers Wrapped;
  llvm::DenseMap<const llvm::Function *, llvm::ArrayRef<EventSpec>> Functions;
  std::map<const llvm::Function *, std::vector<EventSpec>> Behind; /* of functions that return structures */
};

/* Those of one function, in the order of the calls of it. */
class FunctionEvents
{
public:
  FunctionEvents(const ModuleEvents &All, const Runtime &RT, llvm::Function &F, const std::string &OwnName)
      : All(All), RT(RT), F(F), OwnName(OwnName)
  {
  }

  /* Finds them. May split edges behind invokes. */
  void gather();
  /* Whether the callee will not be called at all: the runtime does it, or nobody. */
  bool replaces(const llvm::CallBase &Call) const { return Replaced.count(&Call); }
  /* Gives them cells in the node from NodeBytes on; returns where these end. */
  unsigned layOut(SiteTable &Sites, unsigned NodeBytes);
  /* Makes the node known where it will be needed. */
  void reach(llvm::function_ref<llvm::Value *(llvm::IRBuilder<> &)> Node);
  /* Calls the runtime. The control flow changes. */
  void lower();
  /* Behind lower(): how many bytes a call copied when it resized a block; null for other calls. */
  llvm::Instruction *copied(const llvm::CallBase &Call) const { return Copied.lookup(&Call); }

private:
  struct Use {
    const EventSpec *Spec;
    unsigned Event, Flags;
    ResourceName Name;
    unsigned Capacity = 0;
    unsigned Cell = 0, TouchedCell = 0; /* indices of Cells */
    bool Before = false, After = false; /* where it needs the node */
    llvm::Value *Token = nullptr, *Old = nullptr;
  };
  struct Caught {
    llvm::CallBase *Call;
    std::vector<Use> Uses;
    llvm::Value *NodeBefore = nullptr, *NodeAfter = nullptr;
  };
  std::optional<Use> use(const llvm::CallBase &Call, const EventSpec &Spec) const;
  /* Gives the use the name that debug information has for the resource; false, and by instance, if it has none. */
  bool name(Use &U, const llvm::CallBase &Call) const;
  void gatherCall(llvm::CallBase &Call);
  void gatherHanded(llvm::CallBase &Call);
  Use annotation(const llvm::CallBase &Call, const EventSpec &Spec) const;
  unsigned cell(SiteTable &Sites, const llvm::CallBase &Call, const Use &U, bool Touched);
  llvm::Value *cellAddress(llvm::IRBuilder<> &B, llvm::Value *Node, unsigned Cell) const;
  llvm::Value *instance(llvm::IRBuilder<> &B, const llvm::CallBase &Call, const EventSpec &Spec) const;
  llvm::Value *units(llvm::IRBuilder<> &B, const llvm::CallBase &Call, const EventSpec &Spec) const;
  void before(llvm::IRBuilder<> &B, Caught &C, Use &U) const;
  void after(llvm::Instruction *At, Caught &C, const Use &U);
  void use(llvm::IRBuilder<> &B, const Caught &C, const Use &U, llvm::Value *Node) const;
  void touch(llvm::IRBuilder<> &B, const Use &U, llvm::Value *Node) const;
  void replace(Caught &C) const;
  void annotate(Caught &C) const;
  static unsigned how(const Use &U);

  const ModuleEvents &All;
  const Runtime &RT;
  llvm::Function &F;
  std::string OwnName;
  std::vector<Caught> Calls;
  std::deque<EventSpec> Handed; /* what calls of the program's own functions tell: names */
  llvm::SmallPtrSet<const llvm::CallBase *, 8> Replaced;
  llvm::DenseMap<const llvm::CallBase *, llvm::Instruction *> Copied;
  std::vector<EventSite> Cells;
  std::map<std::tuple<unsigned, std::string, std::string, std::string, unsigned, unsigned, unsigned, unsigned, unsigned,
                      unsigned>,
           unsigned>
      CellOf;
};

} // namespace scale
