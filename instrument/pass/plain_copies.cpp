// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/plain_copies.h"
#include "instrument/pass/markers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Process.h"
#include "llvm/Transforms/Utils/Cloning.h"
using namespace llvm;

namespace scale
{
namespace
{

bool isOdr(const Function &F) { return F.hasLinkOnceODRLinkage() || F.hasWeakODRLinkage(); }

/* Tables of the addresses of a function's labels (computed goto). */
using LabelTables = SmallSetVector<GlobalVariable *, 2>;

/* Whether what V is a part of is used by F's own code alone; adds the tables on the way. */
bool belongsTo(const Constant &V, const Function &F, LabelTables &Tables)
{
  return all_of(V.users(), [&](const User *U) {
    if (auto *I = dyn_cast<Instruction>(U))
      return I->getFunction() == &F;
    if (auto *G = dyn_cast<GlobalVariable>(U)) {
      if (!G->hasLocalLinkage() || !G->isConstant())
        return false;
      return !Tables.insert(const_cast<GlobalVariable *>(G)) || belongsTo(*G, F, Tables);
    }
    auto *C = dyn_cast<Constant>(U);
    return C && !isa<GlobalValue>(C) && belongsTo(*C, F, Tables);
  });
}

/* Whether the labels of F that have addresses can have a second one in a copy, with tables of its own. */
bool findLabelTables(Function &F, LabelTables &Tables)
{
  for (BasicBlock &BB : F)
    if (BlockAddress *Label = BB.hasAddressTaken() ? BlockAddress::lookup(&BB) : nullptr)
      if (!belongsTo(*Label, F, Tables))
        return false;
  return true;
}

/* Gives the copy F's linkage as far as the linker has to choose between objects, and nothing else of what F is by name.
 */
void place(Function &Copy, Function &F, Comdat *Group)
{
  Copy.setLinkage(isOdr(F) ? GlobalValue::LinkOnceODRLinkage : GlobalValue::InternalLinkage);
  Copy.setVisibility(isOdr(F) ? GlobalValue::HiddenVisibility : GlobalValue::DefaultVisibility);
  Copy.setDLLStorageClass(GlobalValue::DefaultStorageClass);
  Copy.setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  Copy.setDSOLocal(true);
  Copy.setComdat(Group);
}

/* A table of the copy's own labels, still without contents. */
GlobalVariable *declareTable(GlobalVariable &Table, Comdat *Group)
{
  auto *Own = new GlobalVariable(*Table.getParent(), Table.getValueType(), true, Table.getLinkage(), nullptr,
                                 Table.getName() + ".plain");
  Own->copyAttributesFrom(&Table);
  Own->setComdat(Group);
  return Own;
}

Function *makeCopy(Function &F, const LabelTables &Tables)
{
  Module &M = *F.getParent();
  auto *Copy = Function::Create(F.getFunctionType(), GlobalValue::InternalLinkage, F.getAddressSpace(),
                                F.getName() + ".__scale.plain", &M);
  Comdat *Group = isOdr(F) ? M.getOrInsertComdat(Copy->getName()) : F.hasLocalLinkage() ? F.getComdat() : nullptr;
  ValueToValueMapTy Map;
  for (unsigned I = 0; I < F.arg_size(); I++)
    Map[F.getArg(I)] = Copy->getArg(I);
  for (GlobalVariable *Table : Tables)
    Map[Table] = declareTable(*Table, Group);
  SmallVector<ReturnInst *, 4> Returns;
  CloneFunctionInto(Copy, &F, Map, CloneFunctionChangeType::LocalChangesOnly, Returns);
  for (GlobalVariable *Table : Tables)
    cast<GlobalVariable>(Map[Table])->setInitializer(MapValue(Table->getInitializer(), Map));
  place(*Copy, F, Group);                      // cloning took F's
  Copy->removeFnAttr(Attribute::AlwaysInline); // as it was done before
  Table::untag(*Copy);
  return Copy;
}

/* What the copy called by name it calls as a copy. */
void callCopies(Function &Copy, const PlainCopies &Copies, function_ref<bool(const Function &)> BindsHere)
{
  for (Instruction &I : make_early_inc_range(instructions(Copy))) {
    if (markerId(I)) {
      I.eraseFromParent();
      continue;
    }
    auto *Call = dyn_cast<CallBase>(&I);
    Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (Function *To = Callee ? Copies.lookup(Callee) : nullptr; To && BindsHere(*Callee))
      Call->setCalledFunction(To);
  }
}

} // namespace

bool wantsPlainCopies() { return sys::Process::GetEnv("SCALE_PLAIN_COPIES").value_or("") == "1"; }

PlainCopies makePlainCopies(Module &M, const Table &Rows, function_ref<bool(Function &)> Movable,
                            function_ref<bool(const Function &)> BindsHere)
{
  PlainCopies Copies;
  SmallVector<Function *, 0> Originals;
  for (Function &F : M)
    if (!F.isDeclaration() && !F.hasAvailableExternallyLinkage() && !F.hasOptNone() && Rows.rowOf(F) && Movable(F))
      Originals.push_back(&F);
  for (Function *F : Originals)
    if (LabelTables Tables; findLabelTables(*F, Tables))
      Copies[F] = makeCopy(*F, Tables);
  for (Function *F : Originals)
    if (Function *Copy = Copies.lookup(F))
      callCopies(*Copy, Copies, BindsHere);
  return Copies;
}

} // namespace scale
