// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/context.h"
#include "instrument/pass/callees.h"
#include "instrument/pass/plain_copies.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include <set>
using namespace llvm;

namespace scale
{

Contexts::Contexts(Module &Mod, const Runtime &R, const Table &T, FunctionAnalysisManager &A)
    : M(Mod), RT(R), Rows(T), FAM(A),
      Executable(Mod.getPICLevel() == PICLevel::NotPIC || Mod.getPIELevel() != PIELevel::Default)
{
}

static std::set<const Function *> recursiveFunctions(Module &M)
{
  std::set<const Function *> Found;
  CallGraph Graph(M);
  for (auto It = scc_begin(&Graph); !It.isAtEnd(); ++It)
    if (It.hasCycle())
      for (CallGraphNode *N : *It)
        if (N->getFunction())
          Found.insert(N->getFunction());
  return Found;
}

/* Copies and recursion are found before any function moves: they look at the module as the program wrote it. */
void Contexts::prepare()
{
  PlainCopies Copies;
  if (wantsPlainCopies())
    Copies = makePlainCopies(
        M, Rows, [this](Function &F) { return RT.canBranchIdle(F) && mayLeaveName(F); },
        [this](const Function &F) { return bindsHere(F); });
  std::set<const Function *> Recursive = recursiveFunctions(M);
  for (Function &F : M) {
    if (F.isDeclaration() || F.hasAvailableExternallyLinkage())
      continue;
    forgetEffects(F);
    if (auto Row = Rows.rowOf(F)) {
      Body B;
      B.Original = B.Holder = B.Code = &F;
      B.Row = *Row;
      B.Recursive = Recursive.count(&F);
      B.Plain = Copies.lookup(&F);
      Bodies.push_back(B);
    }
    Table::untag(F);
  }
  for (Body &B : Bodies) {
    if (isMovable(*B.Original))
      move(B);
    placeRecord(B);
    Index[B.Original] = &B - &Bodies[0];
    if (callsItself(B))
      splitSelf(B);
  }
}

/* ---- clones ------------------------------------------------------------------------ */

bool Contexts::isMovable(Function &F) const { return !F.isVarArg() && mayLeaveName(F); }

bool Contexts::mayLeaveName(Function &F) const
{
  bool Plain = F.getCallingConv() == CallingConv::C || F.getCallingConv() == CallingConv::Fast ||
               F.getCallingConv() == CallingConv::Cold;
  if (!Plain || F.hasPrefixData() || F.hasPrologueData() || F.hasFnAttribute(Attribute::ReturnsTwice))
    return false;
  if (F.hasFnAttribute("fentry-call")) // -mfentry: a call before anything else, which keeps parameters only
    return false;
  if (F.hasComdat() && !F.hasLocalLinkage() && !F.hasLinkOnceODRLinkage() && !F.hasWeakODRLinkage())
    return false;
  if (hasSpecialParameters(F.getAttributes(), F.arg_size()))
    return false;
  for (Instruction &I : instructions(F)) {
    if (auto *Call = dyn_cast<CallInst>(&I); Call && Call->isMustTailCall())
      return false;
    if (auto *Call = dyn_cast<IntrinsicInst>(&I))
      switch (Call->getIntrinsicID()) {
      case Intrinsic::returnaddress: // a wrapper would be seen
      case Intrinsic::addressofreturnaddress:
      case Intrinsic::frameaddress:
      case Intrinsic::sponentry:
      case Intrinsic::localescape:
        return false;
      default:
        break;
      }
  }
  for (User *U : F.users()) // a wrapper would make the stack of a chain of guaranteed tail calls grow
    if (auto *Call = dyn_cast<CallInst>(U); Call && Call->isMustTailCall() && Call->getCalledOperand() == &F)
      return false;
  return true;
}

/* With all that belongs to it. Constants for the addresses of labels (computed goto) name the function, too. */
void Contexts::moveCode(Function &From, Function &To)
{
  std::vector<std::pair<BasicBlock *, BlockAddress *>> Labels;
  for (BasicBlock &BB : From)
    if (BlockAddress *Old = BB.hasAddressTaken() ? BlockAddress::lookup(&BB) : nullptr)
      Labels.push_back({&BB, Old});
  To.splice(To.begin(), &From);
  for (auto &[BB, Old] : Labels) {
    Old->replaceAllUsesWith(BlockAddress::get(&To, BB));
    Old->destroyConstant();
  }
  for (unsigned I = 0; I < From.arg_size(); I++) {
    From.getArg(I)->replaceAllUsesWith(To.getArg(I));
    To.getArg(I)->takeName(From.getArg(I));
  }
  To.setSubprogram(From.getSubprogram());
  From.setSubprogram(nullptr);
  To.setMetadata(LLVMContext::MD_prof, From.getMetadata(LLVMContext::MD_prof));
}

void Contexts::move(Body &B)
{
  Function &F = *B.Original;
  bool Odr = F.hasLinkOnceODRLinkage() || F.hasWeakODRLinkage();
  // A thunk in another object may take the place of a discardable definition under the plain suffix.
  auto *Clone = Function::Create(RT.withSlot(F.getFunctionType()), GlobalValue::InternalLinkage, F.getAddressSpace(),
                                 F.getName() + (Odr ? ".__scale.odr" : ".__scale"), &M);
  Clone->copyAttributesFrom(&F);
  Clone->setVisibility(GlobalValue::DefaultVisibility);
  Clone->setDLLStorageClass(GlobalValue::DefaultStorageClass);
  Clone->setUnnamedAddr(GlobalValue::UnnamedAddr::None);
  if (Odr) {
    Clone->setLinkage(GlobalValue::LinkOnceODRLinkage);
    B.Group = M.getOrInsertComdat(Clone->getName());
    B.Shared = true;
  } else if (F.hasLocalLinkage()) {
    B.Group = F.getComdat();
  } else if (F.hasExternalLinkage() && F.getName() != "main") {
    Clone->setLinkage(GlobalValue::PrivateLinkage);
    Clone->setName(F.getName() + ".__scale.body");
    B.Entry = addEntry(F.getName(), *Clone);
  }
  if (!Clone->hasLocalLinkage())
    Clone->setVisibility(GlobalValue::HiddenVisibility);
  Clone->setDSOLocal(true);
  if (B.Group)
    Clone->setComdat(B.Group);
  Clone->removeFnAttr(Attribute::AlwaysInline);
  Clone->addParamAttr(F.arg_size(), Attribute::Nest);
  moveCode(F, *Clone);
  B.Holder = B.Code = Clone;
  B.Slot = Clone->getArg(F.arg_size());
}

GlobalAlias *Contexts::addEntry(StringRef Name, Function &Clone)
{
  auto *Entry =
      GlobalAlias::create(Clone.getFunctionType(), 0, GlobalValue::ExternalLinkage, Name + ".__scale", &Clone, &M);
  Entry->setVisibility(GlobalValue::HiddenVisibility);
  Entry->setDSOLocal(true);
  return Entry;
}

void Contexts::placeRecord(Body &B)
{
  auto Linkage = B.Shared ? GlobalValue::LinkOnceODRLinkage : GlobalValue::InternalLinkage;
  B.Record = new GlobalVariable(M, RT.functionType(), false, Linkage, ConstantAggregateZero::get(RT.functionType()),
                                B.Original->getName() + (B.Shared ? ".__scale.odr.fn" : ".__scale.fn"));
  if (!B.Group && !B.Slot)
    B.Group = B.Original->getComdat();
  if (B.Shared)
    B.Record->setVisibility(GlobalValue::HiddenVisibility);
  B.Record->setDSOLocal(true);
  B.Record->setAlignment(Align(8));
  if (B.Group)
    B.Record->setComdat(B.Group);
}

static GlobalVariable *addSites(Module &M, const std::vector<uint8_t> &Record)
{
  Constant *Bytes = ConstantDataArray::get(M.getContext(), Record);
  auto *Sites = new GlobalVariable(M, Bytes->getType(), true, GlobalValue::PrivateLinkage, Bytes, "__scale_sites");
  Sites->setSection("scale_sites");
  Sites->setAlignment(Align(4));
  return Sites;
}

void Contexts::describe(Body &B, SiteTables Tables)
{
  unsigned NodeBytes = Tables.NodeBytes;
  if (!UnitRef)
    UnitRef = new GlobalVariable(M, RT.unitRefType(), false, GlobalValue::PrivateLinkage, nullptr, "__scale_unit");
  GlobalVariable *Sites = addSites(M, Unit.add(std::move(Tables)));
  // Zeroed memory that is never touched unless all other is used up.
  auto *Room = ArrayType::get(Type::getInt8Ty(M.getContext()), sizeof(scale_entry) + NodeBytes);
  auto *Spare = new GlobalVariable(M, Room, false, GlobalValue::PrivateLinkage, ConstantAggregateZero::get(Room),
                                   "__scale_spare");
  Spare->setSection(".bss.scale_spare");
  Spare->setAlignment(Align(SCALE_BLOCK_ALIGN));
  if (B.Group) {
    Sites->setComdat(B.Group);
    Spare->setComdat(B.Group);
  }
  B.Contents = {NodeBytes, Sites, UnitRef, Spare, nullptr, nullptr};
}

/* The tables of all functions that were described. The linker keeps them with any of them. */
void Contexts::finishUnit()
{
  if (!UnitRef)
    return;
  UnitRef->setInitializer(RT.unitRef(addSites(M, Unit.record())));
  UnitRef->setLinkage(GlobalValue::PrivateLinkage);
}

} // namespace scale
