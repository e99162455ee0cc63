// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "instrument/pass/runtime.h"
#include "instrument/pass/sites.h"
#include "instrument/pass/unit.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/PassManager.h"

/*
 * How a caller hands its callee a slot. A function's body moves into a hidden
 * clone NAME.__scale whose last parameter, `nest`, is the slot, in a register
 * that no other parameter uses. The original symbol stays, as a wrapper that
 * takes the slot from thread-local storage, for callers that know no slots. A
 * function that is only declared gets a weak NAME.__scale which does the
 * opposite, until the linker finds a real one. Within its own object the clone
 * is called without that symbol: where a linker option makes NAME another
 * function (--wrap), this holds for calls from other objects only.
 */
namespace scale
{

/* One function definition that is a context. */
struct Body {
  llvm::Function *Original;       /* keeps the name; after moving, the wrapper */
  llvm::Function *Holder;         /* what is called with a slot: the clone; or Original */
  llvm::Function *Code;           /* the function with the code in it: Holder, or what it jumps to */
  llvm::Argument *Slot = nullptr; /* the clone's last parameter; null: the code begins with a prologue */
  llvm::Argument *Node = nullptr; /* Code's last parameter, if Code is not Holder: it calls itself with its node */
  llvm::GlobalVariable *Record = nullptr; /* struct scale_function */
  Runtime::FunctionRecord Contents;       /* of Record */
  llvm::GlobalAlias *Entry = nullptr;     /* the name by which other objects call the clone; null: they don't */
  llvm::Function *Plain = nullptr;        /* the copy that counts nothing, or null */
  llvm::Comdat *Group = nullptr;          /* which record and sites share with the holder */
  unsigned Row = 0;
  bool Recursive = false;
  bool Shared = false; /* the record may exist in several objects and the linker keeps one */
};

enum class Handover {
  None,    /* the callee is no context and calls none */
  Nest,    /* call Target with the address of a plain slot */
  Self,    /* count the call, then call Target with the node */
  Thunk,   /* the same, but the slot must be an open one */
  Pointer, /* call through a pointer, behind what the open slot remembers */
  Thread,  /* leave the address of an open slot in thread-local storage, then call as written */
};

struct CallPlan {
  Handover How = Handover::None;
  llvm::Function *Target = nullptr; /* Nest, Thunk */
  Callee Description;
};

class Contexts
{
public:
  Contexts(llvm::Module &M, const Runtime &RT, const Table &Rows, llvm::FunctionAnalysisManager &FAM);

  /* Finds the functions that are contexts and moves the bodies that can be moved. */
  void prepare();
  std::vector<Body> &bodies() { return Bodies; }
  /* Whether a reference from here reaches this very definition. Of definitions that are equal by the one-definition
   * rule any will do. */
  bool bindsHere(const llvm::GlobalValue &G) const;
  /* How a call in instrumented code hands over its slot; makes the thunk if one is needed. */
  CallPlan plan(llvm::CallBase &Call);
  /* Gives the Holder of a body that calls itself its code. SelfSlots: offsets of the slots of such calls in the node.
   */
  void enterSelf(Body &B, llvm::ArrayRef<unsigned> SelfSlots);
  /* Says what the body's record contains. */
  void describe(Body &B, SiteTables Tables);
  /* Turns what remains under the original names into wrappers. */
  void finish();

private:
  bool isMovable(llvm::Function &F) const;
  bool mayLeaveName(llvm::Function &F) const;
  void move(Body &B);
  static void moveCode(llvm::Function &From, llvm::Function &To);
  static void forward(llvm::IRBuilder<> &B, llvm::CallInst *Call);
  bool callsItself(const Body &B) const;
  void splitSelf(Body &B);
  void placeRecord(Body &B);
  void finishUnit();
  llvm::CallInst *passOn(llvm::IRBuilder<> &Builder, llvm::Function &From, llvm::Function &To, llvm::Value *Last);
  void wrap(Body &B);
  static void loseCode(llvm::Function &F);
  llvm::Function *chooseVersion(Body &B);
  llvm::Constant *asCalled(const Body &B);
  llvm::GlobalAlias *addEntry(llvm::StringRef Name, llvm::Function &Clone);
  void aliasClones();
  bool canThunk(const llvm::Function &F, const llvm::CallBase &Call) const;
  llvm::Function *thunk(llvm::Function &F);
  Callee describe(const llvm::GlobalValue &G) const;

  llvm::Module &M;
  const Runtime &RT;
  const Table &Rows;
  llvm::FunctionAnalysisManager &FAM;
  bool Executable; /* code that ends up in an executable: its symbols cannot be interposed */
  std::vector<Body> Bodies;
  UnitTables Unit;
  llvm::GlobalVariable *UnitRef = nullptr; /* null: no function was described yet */
  llvm::DenseMap<const llvm::Function *, unsigned> Index;
  llvm::DenseMap<const llvm::Function *, llvm::Function *> Thunks;
};

} // namespace scale
