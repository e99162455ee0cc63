// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/facts/values.h"
#include "instrument/pass/place.h"
#include "instrument/pass/table.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
using namespace llvm;

namespace scale::facts
{

/* How many values are looked at for an answer, and how many alternatives it may have. */
constexpr unsigned MaxVisits = 96, MaxAlternatives = 4, MaxDepth = 12, MaxChain = 32;

/* ---- globals ------------------------------------------------------------------------------ */

const DIGlobalVariable *described(const GlobalVariable &G)
{
  SmallVector<DIGlobalVariableExpression *, 1> Described;
  G.getDebugInfo(Described);
  return Described.empty() ? nullptr : Described[0]->getVariable();
}

std::string globalName(const GlobalVariable &G)
{
  const DIGlobalVariable *V = described(G);
  if (!V || V->getName().empty())
    return tame(demangle(linkageName(G)));
  const DIDerivedType *Declared = V->getStaticDataMemberDeclaration();
  return tame(qualifier(Declared ? Declared->getScope() : V->getScope()) + V->getName().str());
}

std::string globalPlace(const GlobalVariable &G)
{
  StringRef Unit = G.hasLocalLinkage() ? StringRef(G.getParent()->getSourceFileName()) : StringRef();
  return text(Unit) + "::" + globalName(G);
}

/* As a base and in values: "x", but "unit.c::x" and "::ns::x". */
static std::string shortened(const std::string &Place) { return Place.rfind("::") == 0 ? Place.substr(2) : Place; }

static std::string globalValue(const GlobalVariable &G) { return shortened(globalPlace(G)); }

/* Whether the place is a global's, or an element of what it points to. */
static bool isGlobal(const std::string &Place)
{
  size_t Colons = Place.rfind("::");
  return Colons != std::string::npos && (Colons == 0 || Place.find('.', Colons) == std::string::npos);
}

/* ---- pointers ------------------------------------------------------------------------------ */

const Value *plain(const Value *V)
{
  for (unsigned Depth = 0; Depth < MaxChain; Depth++) {
    if (auto *A = dyn_cast<GlobalAlias>(V))
      V = A->getAliasee();
    else if (auto *O = dyn_cast<Operator>(V); O && Instruction::isCast(O->getOpcode()))
      V = O->getOperand(0);
    else if (auto *Freeze = dyn_cast<FreezeInst>(V))
      V = Freeze->getOperand(0);
    else if (auto *I = dyn_cast<IntrinsicInst>(V); I && (I->getIntrinsicID() == Intrinsic::threadlocal_address ||
                                                         I->getIntrinsicID() == Intrinsic::launder_invariant_group ||
                                                         I->getIntrinsicID() == Intrinsic::strip_invariant_group))
      V = I->getArgOperand(0);
    else
      break;
  }
  return V;
}

/* From a member of a structure to the structure, as container_of does. */
static bool isStepBack(const GEPOperator *G, const DataLayout &Layout)
{
  APInt Offset(Layout.getIndexTypeSizeInBits(G->getType()), 0);
  return G->getSourceElementType()->isIntegerTy(8) && G->accumulateConstantOffset(Layout, Offset) &&
         Offset.isNegative();
}

static void addStep(Chain &C, const GEPOperator *G, const DataLayout &Layout)
{
  for (auto I = gep_type_begin(G), E = gep_type_end(G); I != E; ++I) {
    auto *Number = dyn_cast<ConstantInt>(I.getOperand());
    if (StructType *S = I.getStructTypeOrNull()) {
      unsigned Field = Number->getZExtValue();
      if (!C.Record) {
        C.Record = S;
        C.Field = Field;
      }
      C.Offset += Layout.getStructLayout(S)->getElementOffset(Field).getFixedValue();
      C.Steps++;
      C.Behind++;
    } else if (Number) {
      C.Offset += Number->getSExtValue() * int64_t(I.getSequentialElementStride(Layout).getKnownMinValue());
    } else {
      C.Index = I.getOperand();
      C.Behind = 0;
    }
  }
  Type *Of = G->getSourceElementType();
  while (auto *A = dyn_cast<ArrayType>(Of))
    Of = A->getElementType();
  if (!C.Record && !C.Steps)
    C.Record = dyn_cast<StructType>(Of);
}

Chain chainOf(const Value *P, const DataLayout &Layout)
{
  Chain Out;
  SmallVector<const GEPOperator *, 4> Steps;
  P = plain(P);
  while (auto *G = dyn_cast<GEPOperator>(P)) {
    if (G->getType()->isVectorTy() || Steps.size() >= MaxChain || isStepBack(G, Layout))
      break;
    Steps.push_back(G);
    P = plain(G->getPointerOperand());
  }
  Out.Root = P;
  for (const GEPOperator *G : reverse(Steps))
    addStep(Out, G, Layout);
  return Out;
}

bool isInside(const Value *P, const Value *Q)
{
  Q = plain(Q);
  P = plain(P);
  for (unsigned Depth = 0; Depth < MaxChain && P != Q; Depth++) {
    auto *G = dyn_cast<GEPOperator>(P);
    if (!G)
      return false;
    P = plain(G->getPointerOperand());
  }
  return P == Q;
}

/* ---- types --------------------------------------------------------------------------------- */

/* A parameter whose address is handed out stays in memory. */
static const DILocalVariable *keptIn(const Argument &A)
{
  for (const User *U : A.users())
    if (auto *S = dyn_cast<StoreInst>(U); S && S->getValueOperand() == &A)
      if (auto *Memory = dyn_cast<AllocaInst>(S->getPointerOperand()))
        for (DbgVariableRecord *R : findDVRDeclares(const_cast<AllocaInst *>(Memory)))
          if (R->getVariable()->getArg())
            return R->getVariable();
  return nullptr;
}

Values::Values(const Function &Of, Types &Known) : F(Of), T(Known), Layout(Of.getParent()->getDataLayout())
{
  Hidden = F.arg_size() && F.hasParamAttribute(0, Attribute::StructRet);
  for (const Instruction &I : instructions(F)) {
    for (const DbgVariableRecord &R : filterDbgVars(I.getDbgRecordRange()))
      if (R.getVariable()->getArg() && R.getNumVariableLocationOps() == 1)
        if (auto *A = dyn_cast_or_null<Argument>(R.getVariableLocationOp(0)))
          Arguments.try_emplace(A, R.getVariable());
    auto *D = dyn_cast<DbgVariableIntrinsic>(&I);
    if (D && D->getVariable()->getArg() && D->getNumVariableLocationOps() == 1)
      if (auto *A = dyn_cast_or_null<Argument>(D->getVariableLocationOp(0)))
        Arguments.try_emplace(A, D->getVariable());
  }
  for (const Argument &A : F.args())
    if (const DILocalVariable *V = Arguments.count(&A) ? nullptr : keptIn(A))
      Arguments[&A] = V;
}

std::optional<unsigned> Values::number(const CallBase &Call) const
{
  auto Found = Numbers.find(&Call);
  return Found == Numbers.end() ? std::nullopt : std::optional<unsigned>(Found->second);
}

const DILocalVariable *Values::argumentVariable(const Argument &A) const { return Arguments.lookup(&A); }

/* By its variable; where that is gone (it is never used), by the function's type. */
const DIType *Values::argumentType(const Argument &A) const
{
  if (const DILocalVariable *V = Arguments.lookup(&A))
    return V->getType();
  const DISubprogram *S = F.getSubprogram();
  unsigned At = A.getArgNo() - Hidden + 1;
  if (!S || !S->getType() || (Hidden && A.getArgNo() == 0))
    return nullptr;
  DITypeRefArray All = S->getType()->getTypeArray();
  return All && All.size() == F.arg_size() - Hidden + 1 ? All[At] : nullptr;
}

const DIType *Values::loadedType(const LoadInst &L, unsigned Depth)
{
  Chain C = chainOf(L.getPointerOperand(), Layout);
  const DIType *Held = nullptr;
  if (auto *G = dyn_cast<GlobalVariable>(C.Root)) {
    const DIGlobalVariable *V = described(*G);
    Held = V ? V->getType() : nullptr;
  } else if (auto *A = dyn_cast<AllocaInst>(C.Root)) {
    for (DbgVariableRecord *R : findDVRDeclares(const_cast<AllocaInst *>(A)))
      Held = R->getVariable()->getType();
  } else {
    Held = pointed(C.Root, Depth + 1);
  }
  const DICompositeType *R = T.record(Held);
  if (!R || (C.Record && !T.agree(R, C.Record)))
    R = C.Record ? T.named(C.Record) : R;
  Wanted W;
  W.Bit = uint64_t(std::max<int64_t>(C.Offset, 0)) * 8;
  W.Bits = Layout.getTypeSizeInBits(L.getType()).getKnownMinValue();
  W.Pointer = true;
  return R ? T.fieldType(R, W) : T.elementType(Held);
}

/* The first of the values that meet in a phi: a switch may have hundreds. */
static auto firstOf(const PHINode &Phi)
{
  constexpr unsigned Most = 8;
  return make_range(Phi.value_op_begin(), Phi.value_op_begin() + std::min(Most, Phi.getNumIncomingValues()));
}

const DIType *Values::pointed(const Value *V, unsigned Depth)
{
  V = plain(V);
  if (Depth > MaxDepth)
    return nullptr;
  if (auto *A = dyn_cast<Argument>(V))
    return pointee(argumentType(*A));
  if (auto *L = dyn_cast<LoadInst>(V))
    return pointee(loadedType(*L, Depth));
  if (auto *G = dyn_cast<GlobalVariable>(V)) {
    const DIGlobalVariable *Described = described(*G);
    return Described ? Described->getType() : nullptr;
  }
  if (auto *A = dyn_cast<AllocaInst>(V)) {
    for (DbgVariableRecord *R : findDVRDeclares(const_cast<AllocaInst *>(A)))
      return R->getVariable()->getType();
    return nullptr;
  }
  if (auto *Call = dyn_cast<CallBase>(V)) {
    auto *Callee = dyn_cast<Function>(Call->getCalledOperand()->stripPointerCasts());
    const DISubprogram *S = Callee ? Callee->getSubprogram() : nullptr;
    return S && S->getType() && S->getType()->getTypeArray().size() ? pointee(S->getType()->getTypeArray()[0])
                                                                    : nullptr;
  }
  if (auto *Phi = dyn_cast<PHINode>(V)) {
    for (const Value *In : firstOf(*Phi))
      if (const DIType *Found = pointed(In, Depth + MaxDepth / 3))
        return Found;
  }
  if (auto *S = dyn_cast<SelectInst>(V)) {
    const DIType *Found = pointed(S->getTrueValue(), Depth + MaxDepth / 3);
    return Found ? Found : pointed(S->getFalseValue(), Depth + MaxDepth / 3);
  }
  return nullptr;
}

/* ---- places -------------------------------------------------------------------------------- */

const DICompositeType *Values::recordAt(const Chain &C)
{
  const DICompositeType *R = T.record(pointed(C.Root));
  if (auto *G = dyn_cast<GlobalVariable>(C.Root); G && !described(*G)) { // defined elsewhere
    Type *Of = G->getValueType();
    while (auto *A = dyn_cast<ArrayType>(Of))
      Of = A->getElementType();
    if (auto *S = dyn_cast<StructType>(Of))
      R = T.named(S);
  }
  if (R && (!C.Record || T.agree(R, C.Record)))
    return R;
  const DICompositeType *Named = C.Record ? T.named(C.Record) : nullptr;
  // A union's or a base class's part may be meant, or a structure without a name.
  return Named ? Named : C.Record && isa<GEPOperator>(C.Root) ? nullptr : R;
}

/* An element of an array that a field or global points to: "stack.entries[]"; "*" for what other pointers lead to. */
std::string Values::elementOf(const Chain &C)
{
  auto *Array = C.Index && !C.Steps ? dyn_cast<LoadInst>(C.Root) : nullptr;
  if (!Array)
    return "*";
  Address Held = address(Array->getPointerOperand(), Layout.getPointerSizeInBits(), true);
  return Held.known() && Held.Place != "*" ? Held.Place + "[]" : "*";
}

/* A pointer that means one of several fields. */
Address Values::join(const PHINode &Phi, uint64_t Bits, bool Pointer)
{
  Address Out;
  Out.Base = base(&Phi);
  if (Joins)
    return Out;
  Joins++;
  for (const Value *In : firstOf(Phi)) {
    if (isa<PHINode>(plain(In)) || isa<Constant>(plain(In)) != isa<GlobalVariable>(plain(In)))
      continue;
    Address One = address(In, Bits, Pointer);
    if (!One.known())
      continue;
    if (Out.Place.empty() || Out.Place == "*")
      Out.Place = One.Place;
    Out.Others.push_back(One.Place);
  }
  Joins--;
  return Out;
}

Address Values::address(const Value *P, uint64_t Bits, bool Pointer, unsigned Low)
{
  Address Out;
  Chain C = chainOf(P, Layout);
  Wanted W{uint64_t(std::max<int64_t>(C.Offset, 0)) * 8 + Low, Bits, Pointer, C.Steps};
  Out.Base = base(C.Root);
  if (auto *G = dyn_cast<GlobalVariable>(C.Root)) {
    const DICompositeType *R = recordAt(C);
    if (R)
      Out.Place = T.place(R, W);
    else if (C.Record && C.Steps)
      Out.Place = Types::place(C.Record, C.Field);
    if (!Out.known())
      Out.Place = globalPlace(*G);
    return Out;
  }
  if (const DICompositeType *R = recordAt(C); R && (Bits || C.Steps || C.Offset))
    Out.Place = T.place(R, W);
  if (!Out.known() && C.Record && C.Steps)
    Out.Place = Types::place(C.Record, C.Field);
  if (auto *Phi = dyn_cast<PHINode>(C.Root); Phi && !Out.known() && !C.Steps)
    return join(*Phi, Bits, Pointer);
  if (!Out.known() && Pointer && Bits && !isa<AllocaInst>(C.Root))
    Out.Place = elementOf(C);
  return Out;
}

/* ---- bases --------------------------------------------------------------------------------- */

void Values::bases(const Value *V, std::set<std::string> &Into)
{
  V = plain(V);
  if (Budget == 0) {
    Into.insert("?");
    return;
  }
  Budget--;
  if (auto *A = dyn_cast<Argument>(V)) {
    Into.insert(A->getArgNo() < Hidden ? "l" : "a" + utostr(argument(A->getArgNo())));
  } else if (auto *G = dyn_cast<GlobalVariable>(V)) {
    Into.insert("g:" + globalValue(*G));
  } else if (isa<AllocaInst>(V)) {
    Into.insert("l");
  } else if (auto *GEP = dyn_cast<GEPOperator>(V)) {
    Moves++;
    bases(GEP->getPointerOperand(), Into);
    Moves--;
  } else if (auto *L = dyn_cast<LoadInst>(V)) {
    Moves++;
    bases(L->getPointerOperand(), Into);
    Moves--;
  } else if (auto *Call = dyn_cast<CallBase>(V)) {
    auto Number = number(*Call);
    Into.insert(Number ? "c" + utostr(*Number) : "?");
  } else if (auto *S = dyn_cast<SelectInst>(V)) {
    bases(S->getTrueValue(), Into);
    bases(S->getFalseValue(), Into);
  } else if (auto *Phi = dyn_cast<PHINode>(V)) {
    auto [At, New] = Under.try_emplace(Phi, Moves);
    if (!New) {
      if (Moves > At->second)
        Into.insert("*");
      return;
    }
    for (const Value *In : Phi->incoming_values())
      bases(In, Into);
    Under.erase(Phi);
  } else if (!isa<ConstantPointerNull>(V) && !isa<UndefValue>(V)) {
    Into.insert("?");
  }
}

static std::string joined(const std::set<std::string> &All)
{
  std::string Out;
  unsigned Count = 0;
  for (const std::string &Each : All) {
    if (++Count > MaxAlternatives)
      return Out + (All.count("?") ? "" : "|?");
    Out += (Out.empty() ? "" : "|") + Each;
  }
  return Out.empty() ? "?" : Out;
}

std::string Values::base(const Value *V)
{
  std::set<std::string> Found;
  unsigned Left = Budget;
  Budget = MaxVisits;
  bases(V, Found);
  Budget = Left;
  return Found.count("*") ? "*" : joined(Found);
}

/* ---- values -------------------------------------------------------------------------------- */

/* The field of each record that it may be. */
static void insertPlaces(const Address &A, StringRef Before, std::set<std::string> &Into)
{
  SmallVector<StringRef, 4> Bases;
  StringRef(A.Base).split(Bases, '|');
  for (StringRef Base : Bases) {
    bool Own = Base.starts_with("g:") && isGlobal(A.Place);
    Into.insert((Before + (Own ? "g:" + shortened(A.Place) : (Base + ":" + A.Place).str())).str());
  }
}

/* What may be in a local variable whose address was handed out: what was stored, and what calls wrote to it. */
void Values::collectLocal(const AllocaInst &A, std::set<std::string> &Into)
{
  for (const Use &U : A.uses()) {
    auto *Call = dyn_cast<CallBase>(U.getUser());
    if (auto *S = dyn_cast<StoreInst>(U.getUser()); S && S->getPointerOperand() == &A)
      collect(S->getValueOperand(), Into);
    else if (Call && number(*Call) && Call->isArgOperand(&U)) {
      unsigned Hides = Call->paramHasAttr(0, Attribute::StructRet);
      if (unsigned At = Call->getArgOperandNo(&U); At >= Hides)
        Into.insert("o" + utostr(*number(*Call)) + ":" + utostr(At - Hides));
    } else if (!isa<LoadInst>(U.getUser()) && !isa<IntrinsicInst>(U.getUser()))
      Into.insert("?");
  }
}

/* Whether A is nothing but a copy of one value, to hand out its address. */
static const Value *onlyStored(const AllocaInst &A)
{
  const Value *Only = nullptr;
  for (const User *U : A.users())
    if (auto *S = dyn_cast<StoreInst>(U)) {
      if (Only || S->getPointerOperand() != &A)
        return nullptr;
      Only = S->getValueOperand();
    }
  return Only;
}

void Values::collectLoaded(const LoadInst &L, std::set<std::string> &Into)
{
  const Value *From = plain(L.getPointerOperand());
  if (auto *A = dyn_cast<AllocaInst>(From); A && !A->isArrayAllocation() && A->getAllocatedType() == L.getType()) {
    if (Collected.insert(A).second) {
      collectLocal(*A, Into);
      Collected.erase(A);
    }
    return;
  }
  uint64_t Bits = Layout.getTypeSizeInBits(L.getType()).getKnownMinValue();
  Address A = address(From, Bits, L.getType()->isPointerTy());
  auto *G = dyn_cast<GlobalVariable>(chainOf(From, Layout).Root);
  if (!A.known())
    Into.insert("?");
  else if (G && A.Place == globalPlace(*G))
    Into.insert(A.Base);
  else
    insertPlaces(A, "", Into);
}

/* The address of a field or a global. */
void Values::collectAddress(const Value *P, std::set<std::string> &Into)
{
  Chain C = chainOf(P, Layout);
  if (auto *G = dyn_cast<GlobalVariable>(C.Root)) {
    if (G->hasPrivateLinkage()) {
      Into.insert("?");
      return;
    }
    std::string Name = "&g:" + globalValue(*G);
    if (!C.Steps && !C.Offset) {
      Into.insert(Name);
      return;
    }
    Address A = address(P, 0, false);
    Into.insert(A.Place == globalPlace(*G) ? Name : Name + ":" + A.Place);
    return;
  }
  if (!C.Steps) {
    if (auto *GEP = dyn_cast<GEPOperator>(C.Root))
      collect(GEP->getPointerOperand(), Into); // the structure around it
    else
      collect(C.Root, Into); // a part of it
    return;
  }
  if (Address A = address(P, 0, false); A.known())
    insertPlaces(A, "&", Into);
  else
    Into.insert("?");
}

void Values::collect(const Value *V, std::set<std::string> &Into)
{
  V = plain(V);
  if (Budget == 0 || Into.size() > MaxAlternatives) {
    Into.insert("?");
    return;
  }
  Budget--;
  if (auto *A = dyn_cast<Argument>(V); A && A->getArgNo() >= Hidden) {
    Into.insert("a" + utostr(argument(A->getArgNo())));
  } else if (isa<ConstantPointerNull>(V)) {
    Into.insert("n");
  } else if (auto *Number = dyn_cast<ConstantInt>(V); Number && Number->getBitWidth() <= 64) {
    Into.insert("k:" + (Number->getBitWidth() == 1 ? utostr(Number->getZExtValue()) : itostr(Number->getSExtValue())));
  } else if (auto *Function = dyn_cast<llvm::Function>(V)) {
    Into.insert("f:" + text(linkageName(*Function)));
  } else if (isa<GlobalVariable>(V) || isa<GEPOperator>(V)) {
    collectAddress(V, Into);
  } else if (auto *L = dyn_cast<LoadInst>(V)) {
    collectLoaded(*L, Into);
  } else if (auto *Call = dyn_cast<CallBase>(V); Call && number(*Call)) {
    Into.insert("c" + utostr(*number(*Call)));
  } else if (auto *S = dyn_cast<SelectInst>(V)) {
    collect(S->getTrueValue(), Into);
    collect(S->getFalseValue(), Into);
  } else if (auto *Phi = dyn_cast<PHINode>(V)) {
    if (!Collected.insert(Phi).second)
      return;
    for (const Value *In : Phi->incoming_values())
      collect(In, Into);
    Collected.erase(Phi);
  } else if (auto *Local = dyn_cast<AllocaInst>(V)) {
    const Value *Held = onlyStored(*Local);
    std::set<std::string> Inside;
    if (Held && !isa<Constant>(Held))
      collect(Held, Inside);
    Into.insert(Inside.size() == 1 && *Inside.begin() != "?" ? "@" + *Inside.begin() : "&l");
  } else if (!isa<UndefValue>(V)) {
    Into.insert("?");
  }
}

std::string Values::value(const Value *V)
{
  std::set<std::string> Found;
  Budget = MaxVisits;
  collect(V, Found);
  return joined(Found);
}

} // namespace scale::facts
