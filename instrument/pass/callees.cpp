// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/callees.h"
#include "instrument/pass/table.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
using namespace llvm;

namespace scale
{

static const StringMap<Library> &libraryList()
{
  static const StringMap<Library> *List = [] {
    auto *M = new StringMap<Library>;
#define RETURNS(name)    (*M)[#name] = Library::Returns;
#define WAITS(name)      (*M)[#name] = Library::Waits;
#define LEAVES(name)     (*M)[#name] = Library::Leaves;
#define CALLS_BACK(name) (*M)[#name] = Library::CallsBack;
#include "instrument/pass/safe_callees.def"
#undef RETURNS
#undef WAITS
#undef LEAVES
#undef CALLS_BACK
    return M;
  }();
  return *List;
}

Library libraryKind(const Function &F)
{
  if (!F.isDeclaration())
    return Library::Unknown;
  auto It = libraryList().find(linkageName(F));
  return It == libraryList().end() ? Library::Unknown : It->second;
}

bool isLibraryFunction(const Function &F, const TargetLibraryInfo &TLI)
{
  LibFunc Known;
  return F.isIntrinsic() || libraryKind(F) != Library::Unknown || (TLI.getLibFunc(F, Known) && TLI.has(Known));
}

static bool isBuiltinSetjmp(const Instruction &I)
{
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call &&
         (Call->getIntrinsicID() == Intrinsic::eh_sjlj_setjmp || Call->getIntrinsicID() == Intrinsic::eh_sjlj_longjmp);
}

bool callsReturningTwice(const Function &F)
{
  return F.callsFunctionThatReturnsTwice() || any_of(instructions(F), isBuiltinSetjmp);
}

bool mayNotReturn(const CallBase &Call)
{
  if (isBuiltinSetjmp(Call) || Call.hasFnAttr(Attribute::ReturnsTwice) || Call.hasFnAttr(Attribute::NoReturn))
    return true;
  if (isa<IntrinsicInst>(Call))
    return !Call.doesNotThrow();
  if (Call.isInlineAsm())
    return isa<CallBrInst>(Call) || !Call.doesNotThrow();
  if (auto *F = dyn_cast<Function>(Call.getCalledOperand()->stripPointerCasts()))
    if (Library Kind = libraryKind(*F); Kind != Library::Unknown)
      return Kind != Library::Returns;
  return !(Call.doesNotThrow() && Call.hasFnAttr(Attribute::WillReturn));
}

bool hasSpecialParameters(const AttributeList &Attributes, unsigned Count)
{
  for (unsigned I = 0; I < Count; I++)
    for (Attribute::AttrKind Kind : {Attribute::Nest, Attribute::SwiftError, Attribute::SwiftSelf,
                                     Attribute::SwiftAsync, Attribute::InAlloca, Attribute::Preallocated})
      if (Attributes.hasParamAttr(I, Kind))
        return true;
  return false;
}

void forgetEffects(Function &F)
{
  F.removeFnAttr(Attribute::Memory);
  F.removeFnAttr(Attribute::NoSync);
  F.removeFnAttr(Attribute::Speculatable);
}

void forgetEffects(CallBase &Call)
{
  Call.removeFnAttr(Attribute::Memory);
  Call.removeFnAttr(Attribute::NoSync);
  Call.removeFnAttr(Attribute::Speculatable);
}

} // namespace scale
