// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/place.h"
#include "instrument/pass/table.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
using namespace llvm;

namespace scale
{
namespace
{

constexpr unsigned MaxDepth = 24, MaxSearchDepth = 12;

Place at(const Value *P, unsigned Depth);

/* ---- variables ------------------------------------------------------------------------- */

/* The variable that clang makes for `#pragma omp critical (NAME)`: ".gomp_critical_user_NAME.var". */
std::string criticalSection(StringRef Name)
{
  if (!Name.consume_front(".gomp_critical_user_") || !Name.consume_back(".var"))
    return {};
  return Name.empty() ? "critical section" : "critical section " + Name.str();
}

Place global(const GlobalVariable &G)
{
  Place Out;
  Out.Root = Place::Object;
  Out.Base.Name = criticalSection(linkageName(G));
  if (Out.Base.Name.empty())
    Out.Base.Name = demangle(linkageName(G));
  SmallVector<DIGlobalVariableExpression *, 1> Described;
  G.getDebugInfo(Described);
  if (Described.empty())
    return Out;
  const DIGlobalVariable *V = Described[0]->getVariable();
  Out.Base.Name = qualifier(V->getScope()) + V->getName().str();
  Out.Base.File = sourceFile(V->getFile());
  Out.Base.Line = V->getLine();
  Out.Type = V->getType();
  return Out;
}

/* The variable whose memory it is; clang describes it by a declaration, or, when it optimises, by assignments. */
const DILocalVariable *variableIn(const AllocaInst *A)
{
  auto *Memory = const_cast<AllocaInst *>(A);
  for (DbgVariableRecord *R : findDVRDeclares(Memory))
    if (R->getExpression()->getNumElements() == 0)
      return R->getVariable();
  for (DbgDeclareInst *D : findDbgDeclares(Memory))
    if (D->getExpression()->getNumElements() == 0)
      return D->getVariable();
  for (DbgVariableRecord *R : at::getDVRAssignmentMarkers(A))
    if (R->getAddress() == A && R->getAddressExpression()->getNumElements() == 0 &&
        !R->getExpression()->getFragmentInfo())
      return R->getVariable();
  for (DbgAssignIntrinsic *D : at::getAssignmentMarkers(A))
    if (D->getAddress() == A && D->getAddressExpression()->getNumElements() == 0 &&
        !D->getExpression()->getFragmentInfo())
      return D->getVariable();
  return nullptr;
}

Place local(const AllocaInst *A)
{
  Place Out;
  const DILocalVariable *V = variableIn(A);
  if (V && !isLibraryScope(V->getScope())) { // those of the library mean nothing to the programmer
    Out.Root = Place::Object;
    Out.Base.Name = qualifier(V->getScope()) + V->getName().str();
    Out.Base.File = sourceFile(V->getFile());
    Out.Base.Line = V->getLine();
    Out.Type = V->getType();
  }
  return Out;
}

Place parameter(const Argument *A)
{
  Place Out;
  Out.Root = Place::Pointee;
  Out.Parameter = A->getArgNo();
  return Out;
}

/* ---- pointers in memory -------------------------------------------------------------------- */

/* The only value that is ever stored there; null if there are others, or it is handed out. */
const Value *onlyStored(const AllocaInst *A)
{
  const Value *Only = nullptr;
  for (const User *U : A->users())
    if (auto *S = dyn_cast<StoreInst>(U); S && S->getPointerOperand() == A) {
      if (Only)
        return nullptr;
      Only = S->getValueOperand();
    }
  return Only;
}

/* The pointer in a variable: what it may point to, and, if it is set but once, from where. */
Place pointerIn(const AllocaInst *A, unsigned Depth)
{
  Place Out;
  const Value *Set = onlyStored(A);
  const DILocalVariable *V = variableIn(A);
  const DIType *To = V ? pointee(V->getType()) : nullptr;
  if (Set)
    Out = at(Set, Depth + 1);
  if (!To || (Out.Root != Place::Unknown && isLibraryType(To))) {
    if (To && !Out.Type)
      Out.Type = To;
    return Out;
  }
  // `->` means a field of the type, no matter what the variable was set to.
  Place Typed;
  Typed.Root = Place::Pointee;
  Typed.Type = To;
  if (Out.Offset == 0 && Out.Strides.empty() && Out.Root == Place::Pointee) {
    Typed.Parameter = Out.Parameter;
    Typed.Reads = Out.Reads;
  }
  if (auto Name = nameOf(Out))
    Typed.Base = *Name;
  return Typed;
}

bool same(const Place &A, const Place &B)
{
  return A.Root == B.Root && A.Parameter && A.Parameter == B.Parameter && A.Reads == B.Reads && A.Offset == B.Offset &&
         A.Strides.empty() && B.Strides.empty();
}

/* The only pointer that the function stores where Q means, as the constructors of lock guards do. */
const Value *onlyStoredAt(const Place &Q, const Function &F, unsigned Depth)
{
  const Value *Only = nullptr;
  unsigned Inner = std::max(Depth + 1, MaxSearchDepth); // does not search in turn
  for (const BasicBlock &BB : F)
    for (const Instruction &I : BB)
      if (auto *S = dyn_cast<StoreInst>(&I); S && S->getValueOperand()->getType()->isPointerTy())
        if (!isa<AllocaInst>(S->getPointerOperand()) && same(at(S->getPointerOperand(), Inner), Q)) {
          if (Only)
            return nullptr;
          Only = S->getValueOperand();
        }
  return Only;
}

/* What the pointer that Q means points to. In: the function where it is read, if known. */
Place follow(const Place &Q, const Function *In, unsigned Depth)
{
  Place Out;
  if (Q.Root == Place::Unknown)
    return Out;
  auto Part = partOf(Q);
  auto Name = nameOf(Q);
  if (!Name && Q.Parameter && In && Depth < MaxSearchDepth)
    if (const Value *Stored = onlyStoredAt(Q, *In, Depth))
      return at(Stored, Depth + 1);
  Out.Root = Place::Pointee;
  Out.Type = Part ? pointee(Part->Type) : nullptr;
  if (Name)
    Out.Base = *Name;
  if (Q.Parameter && Q.Strides.empty() && Q.Reads.size() < 4) {
    Out.Parameter = Q.Parameter;
    Out.Reads = Q.Reads;
    Out.Reads.push_back(Q.Offset);
  }
  return Out;
}

/* ---- computations ------------------------------------------------------------------------------ */

/* Of the module that a computation belongs to; null: unknown. */
const DataLayout *layoutOf(const Value *V)
{
  while (isa<ConstantExpr>(V))
    V = cast<ConstantExpr>(V)->getOperand(0);
  if (auto *I = dyn_cast<Instruction>(V))
    return &I->getModule()->getDataLayout();
  auto *G = dyn_cast<GlobalValue>(V);
  return G ? &G->getParent()->getDataLayout() : nullptr;
}

Place add(Place From, const GEPOperator *G)
{
  const DataLayout *Layout = layoutOf(G);
  if (!Layout)
    return {};
  const DataLayout &DL = *Layout;
  MapVector<Value *, APInt> Variable;
  APInt Constant(64, 0);
  if (From.Root == Place::Unknown || !G->collectOffset(DL, 64, Variable, Constant))
    return {};
  // A variable that is only declared has no debug information.
  if (From.Root == Place::Pointee && !From.Type && !From.Element && isa<StructType>(G->getSourceElementType()))
    From.Element = DL.getTypeAllocSize(G->getSourceElementType());
  From.Offset += Constant.getSExtValue();
  for (auto &[Index, Scale] : Variable)
    From.Strides.push_back(Scale.getZExtValue());
  From.Steps += G->getNumIndices() - 1;
  return From;
}

/* What a function of the program or of the C++ library returns a pointer to. */
Place returned(const CallBase &Call, unsigned Depth)
{
  Place Out;
  const Function *F = Call.getCalledFunction();
  const DISubprogram *S = F ? F->getSubprogram() : nullptr;
  if (!S || !S->getType() || S->getType()->getTypeArray().size() == 0)
    return Out;
  Out.Type = pointee(S->getType()->getTypeArray()[0]);
  if (!Out.Type)
    return Out;
  Out.Root = Place::Pointee;
  // Containers and smart pointers hand out what they hold.
  if (Call.arg_size() && Call.getArgOperand(0)->getType()->isPointerTy() &&
      qualifier(S->getScope()).rfind("std::", 0) == 0)
    if (auto Holder = nameOf(at(Call.getArgOperand(0), Depth + 1))) {
      Out.Base = *Holder;
      if (S->getName() == "operator[]" || S->getName() == "at")
        Out.Base.Name += "[]";
    }
  return Out;
}

/* One of a few values, if all have the same name. Such choices nest but little: it would take too long. */
Place either(ArrayRef<const Value *> Values, unsigned Depth)
{
  constexpr unsigned Most = 4, Step = 6;
  if (Values.empty() || Values.size() > Most)
    return {};
  Place First = at(Values[0], Depth + Step);
  auto Name = nameOf(First);
  for (const Value *V : Values.drop_front()) {
    auto Other = nameOf(at(V, Depth + Step));
    if (!Name || !Other || Name->Name != Other->Name)
      return {};
  }
  return First;
}

Place at(const Value *P, unsigned Depth)
{
  if (Depth > MaxDepth)
    return {};
  if (auto *A = dyn_cast<GlobalAlias>(P))
    return at(A->getAliasee(), Depth + 1);
  if (auto *G = dyn_cast<GlobalVariable>(P))
    return global(*G);
  if (auto *A = dyn_cast<AllocaInst>(P))
    return local(A);
  if (auto *A = dyn_cast<Argument>(P))
    return parameter(A);
  if (auto *G = dyn_cast<GEPOperator>(P); G && !G->getType()->isVectorTy())
    return add(at(G->getPointerOperand(), Depth + 1), G);
  if (auto *L = dyn_cast<LoadInst>(P)) {
    if (auto *A = dyn_cast<AllocaInst>(L->getPointerOperand()))
      return pointerIn(A, Depth);
    return follow(at(L->getPointerOperand(), Depth + 1), L->getFunction(), Depth);
  }
  if (auto *S = dyn_cast<SelectInst>(P))
    return either({S->getTrueValue(), S->getFalseValue()}, Depth);
  if (auto *Phi = dyn_cast<PHINode>(P)) {
    SmallVector<const Value *, 4> Values(Phi->incoming_values());
    return either(Values, Depth);
  }
  if (auto *I = dyn_cast<IntrinsicInst>(P)) {
    if (I->getIntrinsicID() == Intrinsic::threadlocal_address ||
        I->getIntrinsicID() == Intrinsic::launder_invariant_group ||
        I->getIntrinsicID() == Intrinsic::strip_invariant_group)
      return at(I->getArgOperand(0), Depth + 1);
    return {};
  }
  if (auto *Call = dyn_cast<CallBase>(P))
    return returned(*Call, Depth);
  return {};
}

} // namespace

static bool isConstructor(const DISubprogram *S)
{
  auto *Class = dyn_cast_or_null<DICompositeType>(S->getScope());
  return Class && !S->getName().empty() && Class->getName().split('<').first == S->getName().split('<').first;
}

/* What a lock guard of the C++ library in that variable was made with. */
static Place guarded(const AllocaInst *A)
{
  const DILocalVariable *V = variableIn(A);
  const Value *Lock = nullptr;
  if (!V || !V->getType() || !isLibraryType(V->getType()))
    return {};
  for (const User *U : A->users()) {
    auto *Call = dyn_cast<CallBase>(U);
    const Function *F = Call ? Call->getCalledFunction() : nullptr;
    const DISubprogram *S = F ? F->getSubprogram() : nullptr;
    if (!S || Call->arg_size() < 2 || Call->getArgOperand(0) != A || !isConstructor(S))
      continue;
    if (Lock || !Call->getArgOperand(1)->getType()->isPointerTy())
      return {};
    Lock = Call->getArgOperand(1);
  }
  return Lock ? at(Lock, 0) : Place();
}

Place placeOf(const Value *P, ArrayRef<int64_t> Offsets)
{
  Place Out = at(P, 0);
  for (unsigned I = 0; I < Offsets.size() && Out.Root != Place::Unknown; I++) {
    Out.Offset += Offsets[I];
    if (I + 1 < Offsets.size()) {
      auto *Inst = dyn_cast<Instruction>(P);
      auto *Held = dyn_cast<AllocaInst>(P);
      if (Held && Out.Offset == 0 && isLibraryType(Out.Type))
        Out = guarded(Held);
      else if (Held && Out.Offset == 0)
        Out = pointerIn(Held, 0);
      else
        Out = follow(Out, Inst ? Inst->getFunction() : nullptr, 0);
    }
  }
  return Out;
}

std::optional<ResourceName> nameOf(const Place &P)
{
  if (P.Root == Place::Unknown)
    return std::nullopt;
  auto Found = partOf(P);
  if (P.Root == Place::Object) {
    if (isLibraryType(P.Type) || !Found)
      return P.Base;
    ResourceName Out = P.Base;
    Out.Name += Found->Suffix;
    return Out;
  }
  if (Found && Found->InField && !isLibraryType(P.Type))
    return Found->Field;
  if (P.Base.Name.empty())
    return std::nullopt;
  ResourceName Out = P.Base;
  bool Subscript =
      (P.Type || P.Element) && (!P.Strides.empty() || P.Offset != 0) && Out.Name.find("[]") == std::string::npos;
  uint64_t Size = !Subscript ? 0 : P.Type ? sizeOf(P.Type) : P.Element;
  if (Size && P.Strides.empty() && P.Offset > 0)
    Out.Name += "[" + std::to_string(P.Offset / Size) + "]";
  else if (Subscript)
    Out.Name += "[]";
  return Out;
}

} // namespace scale
