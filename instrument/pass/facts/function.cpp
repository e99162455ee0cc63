// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/facts/function.h"
#include "instrument/pass/facts/calls.h"
#include "instrument/pass/place.h"
#include "instrument/pass/table.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstIterator.h"
using namespace llvm;

namespace scale::facts
{

/* Of a function: what is looked at at all, and how many of each kind are told. */
constexpr unsigned MaxInstructions = 60000, MaxBlocks = 12000, MaxListed = 500;

bool isTold(const Function &F)
{
  if (F.isDeclaration() || F.isIntrinsic())
    return false;
  const DISubprogram *S = F.getSubprogram();
  if (!S)
    return F.getParent()->debug_compile_units().empty() && !F.getName().starts_with("_GLOBAL__");
  if (isSystemHeader(sourceFile(S)) || !S->getFile() || !S->getLine())
    return false;
  std::string Scope = qualifier(S->getScope());
  return Scope.rfind("std::", 0) != 0 && Scope.rfind("__gnu_cxx::", 0) != 0;
}

namespace
{

class Writer
{
public:
  Writer(json::OStream &To, Function &Of, Types &Known)
      : J(To), F(Of), T(Known), V(Of, Known), C(Of), Called(Of, V, C), Done(Of, V, C)
  {
  }
  void write();

private:
  void writeArguments();
  bool isOut(const Argument &A) const;
  void writeCommon(const Instruction &At);
  void writeCounters();
  void writeLinks();
  void writeStores();
  void writeReturns();
  void writePlaces(const char *Name, bool Written);
  bool isTold(const Access &A) const;
  /* Whether one more may be listed. */
  bool more(unsigned Count)
  {
    Truncated |= Count >= MaxListed;
    return Count < MaxListed;
  }

  json::OStream &J;
  Function &F;
  Types &T;
  Values V;
  Course C;
  Calls Called;
  Flow Done;
  bool Truncated = false;
};

/* A pointer to a pointer that is written. */
bool Writer::isOut(const Argument &A) const
{
  return any_of(Done.accesses(), [&](const Access &Each) {
    return Each.Stored && Each.Where.Place == "*" && plain(Each.Pointer) == &A;
  });
}

void Writer::writeArguments()
{
  J.attributeArray("arguments", [&] {
    for (const Argument &A : F.args()) {
      if (A.getArgNo() < V.hidden())
        continue;
      const DILocalVariable *Variable = V.argumentVariable(A);
      TypeUse U = T.use(V.argumentType(A));
      J.object([&] {
        J.attribute("name", Variable ? text(Variable->getName()) : "");
        T.writeUse(J, U);
        writeFlag(J, "out", isOut(A));
      });
    }
  });
}

void Writer::writeCommon(const Instruction &At)
{
  writeFlag(J, "conditional", C.conditional(At));
  if (At.getDebugLoc())
    J.attribute("line", At.getDebugLoc().getLine());
}

void Writer::writeCounters()
{
  unsigned Count = 0;
  if (Done.counters().empty())
    return;
  J.attributeArray("counters", [&] {
    for (const Counter &Each : Done.counters()) {
      if (!more(Count++))
        break;
      J.object([&] {
        J.attribute("place", Each.Where.Place);
        J.attribute("base", Each.Where.Base);
        J.attribute("step", Each.Step);
        if (Each.Amount)
          J.attribute("amount", V.value(Each.Amount));
        if (Each.Net)
          J.attribute("net", *Each.Net);
        writeFlag(J, "ring", Each.Ring);
        writeFlag(J, "tested_zero", Done.testedForZero(Each));
        writeFlag(J, "loop", C.inLoop(*Each.At));
        writeCommon(*Each.At);
      });
    }
  });
}

void Writer::writeLinks()
{
  unsigned Count = 0;
  if (Done.links().empty())
    return;
  J.attributeArray("links", [&] {
    for (const Link &Each : Done.links()) {
      if (!more(Count++))
        break;
      J.object([&] {
        J.attribute("kind", Each.Kind);
        J.attribute("head", Each.Head);
        if (!Each.Through.empty())
          J.attribute("link", Each.Through);
        if (!Each.Count.empty())
          J.attribute("count", Each.Count);
        J.attribute("unit", V.value(Each.Unit));
        J.attribute("base", Each.Base);
        writeCommon(*Each.At->At);
      });
    }
  });
}

/* The pointers to virtual functions are nobody's resource. */
bool Writer::isTold(const Access &A) const
{
  return A.Where.known() && A.Where.Place.find("._vptr$") == std::string::npos;
}

void Writer::writeStores()
{
  unsigned Count = 0;
  auto Told = [&](const Access &A) {
    auto *Number = A.Stored ? dyn_cast<ConstantInt>(A.Stored) : nullptr;
    return A.Stored && isTold(A) && A.Where.Base != "l" && (A.Where.Place != "*" || A.Where.Base[0] == 'a') &&
           (A.Stored->getType()->isPointerTy() || (Number && Number->isZero()));
  };
  if (none_of(Done.accesses(), Told))
    return;
  J.attributeArray("stores", [&] {
    for (const Access &Each : Done.accesses())
      if (Told(Each)) {
        if (!more(Count++))
          break;
        J.object([&] {
          J.attribute("place", Each.Where.Place);
          J.attribute("base", Each.Where.Base);
          J.attribute("value", V.value(Each.Stored));
          writeCommon(*Each.At);
        });
      }
  });
}

void Writer::writeReturns()
{
  std::set<std::string> All;
  for (const BasicBlock &BB : F)
    if (auto *R = dyn_cast<ReturnInst>(BB.getTerminator()); R && R->getReturnValue()) {
      SmallVector<StringRef, 4> Each;
      std::string Values = V.value(R->getReturnValue());
      StringRef(Values).split(Each, '|');
      for (StringRef One : Each)
        All.insert(One.str());
    }
  if (!All.empty())
    J.attributeArray("returns", [&] {
      for (const std::string &Each : All)
        J.value(Each);
    });
}

void Writer::writePlaces(const char *Name, bool Written)
{
  std::set<StringRef> All;
  for (const Access &Each : Done.accesses())
    if ((Each.Stored != nullptr) == Written && isTold(Each) && Each.Where.Place != "*")
      All.insert(Each.Where.Place);
  for (const Counter &Each : Done.counters())
    if (!Each.Store)
      All.insert(Each.Where.Place);
  unsigned Count = 0;
  if (!All.empty())
    J.attributeArray(Name, [&] {
      for (StringRef Each : All)
        if (more(Count++))
          J.value(Each);
    });
}

void Writer::write()
{
  const DISubprogram *S = F.getSubprogram();
  DITypeRefArray Signature = S && S->getType() ? S->getType()->getTypeArray() : DITypeRefArray();
  TypeUse Result = T.use(Signature && Signature.size() ? Signature[0] : nullptr);
  if (!F.getReturnType()->isVoidTy() || Result.Record) {
    J.attributeBegin("result");
    J.object([&] { T.writeUse(J, Result); });
    J.attributeEnd();
  }
  if (F.arg_size() > V.hidden())
    writeArguments();
  Called.write(J, Done);
  writeCounters();
  writeLinks();
  writeStores();
  writeReturns();
  writePlaces("reads", false);
  writePlaces("writes", true);
  if (Truncated || Called.truncated())
    J.attribute("truncated", true);
}

} // namespace

static std::string shownName(const Function &F)
{
  const DISubprogram *S = F.getSubprogram();
  if (!S || S->getName().empty())
    return text(demangle(linkageName(F)));
  if (const DISubprogram *Declared = S->getDeclaration())
    return text(qualifier(Declared->getScope()) + S->getName().str());
  return text(qualifier(S->getScope()) + S->getName().str());
}

void writeFunction(json::OStream &J, Function &F, Types &T)
{
  J.object([&] {
    const DISubprogram *S = F.getSubprogram();
    J.attribute("name", text(linkageName(F)));
    if (std::string Shown = shownName(F); Shown != F.getName())
      J.attribute("shown", Shown);
    T.writeWhere(J, S, S ? S->getLine() : 0);
    writeFlag(J, "static", F.hasLocalLinkage());
    writeFlag(J, "variadic", F.isVarArg());
    writeFlag(J, "address_taken", F.hasAddressTaken());
    writeFlag(J, "comdat", F.isDiscardableIfUnused() && !F.hasLocalLinkage());
    writeFlag(J, "noreturn", F.doesNotReturn());
    if (F.getInstructionCount() > MaxInstructions || F.size() > MaxBlocks)
      J.attribute("truncated", true);
    else
      Writer(J, F, T).write();
  });
}

} // namespace scale::facts
