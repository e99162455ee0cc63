// SPDX-License-Identifier: GPL-3.0-or-later
// Units that are put into lists and arrays, and taken out of them.
#include "instrument/pass/facts/flow.h"
#include "llvm/IR/Constants.h"
using namespace llvm;

namespace scale::facts
{

/* How many stores of a value, or into what it points to, are compared with each other; how many of its uses are looked
 * at. */
constexpr unsigned MaxStores = 64, MaxUses = 256;

constexpr char Append[] = "append", Take[] = "take";

/* Both the same value, or read from the same place. */
bool Flow::same(const Value *A, const Value *B) const
{
  A = plain(A);
  B = plain(B);
  if (A == B)
    return true;
  const Access *X = loaded(A), *Y = loaded(B);
  return X && Y && X->Key == Y->Key;
}

void Flow::link(const char *Kind, const Access &At, std::string Through, const Value *Unit)
{
  Links.push_back({Kind, &At, At.Where.Place, std::move(Through), "", Unit, At.Where.Base});
}

/* x = head; head = x->link. Where head is what a cursor points to, x is taken out of the middle. */
bool Flow::findPop(const Access &S)
{
  const Access *Next = loaded(S.Stored);
  const Value *Unit = Next ? chainOf(Next->Pointer, Layout).Root : nullptr;
  const Access *First = Unit ? loaded(Unit) : nullptr;
  if (!First || !Next->Where.known() || First->Key != S.Key)
    return false;
  bool Cursor = S.Where.Place == "*" && !isa<Argument>(chainOf(S.Pointer, Layout).Root);
  bool Middle = Cursor || S.Where.Place == Next->Where.Place || is_contained(S.Where.Others, Next->Where.Place);
  if (Next->Where.Place == "*")
    return false;
  link(Middle ? "unlink" : "pop", S, Next->Where.Place, Unit);
  return true;
}

bool Flow::isCompared(const Value *Unit, unsigned Key) const
{
  unsigned Seen = 0;
  for (const User *U : plain(Unit)->users()) {
    if (++Seen > MaxUses)
      break;
    if (auto *Compare = dyn_cast<ICmpInst>(U)) {
      const Access *Other = loaded(Compare->getOperand(Compare->getOperand(0) == Unit));
      if (Other && Other->Key == Key)
        return true;
    }
  }
  return false;
}

/* x->prev->next = x->next, and head = x->next where x was found to be the head. */
bool Flow::findUnlink(const Access &S)
{
  const Access *Next = loaded(S.Stored);
  if (!Next || !Next->Where.known() || Next->Where.Place == "*")
    return false;
  const Value *Unit = chainOf(Next->Pointer, Layout).Root;
  const Access *Before = loaded(chainOf(S.Pointer, Layout).Root);
  bool Inside = Before && Before->Where.Place != Next->Where.Place && Before->Where.known() &&
                Before->Where.Place != "*" && S.Where.Place != "*" && same(chainOf(Before->Pointer, Layout).Root, Unit);
  if (!Inside && !isCompared(Unit, S.Key))
    return false;
  link("unlink", S, Next->Where.Place, Unit);
  return true;
}

/* The first of a list of numbers. */
template <class Map> static ArrayRef<unsigned> numbersIn(const Map &Of, const Value *Key)
{
  auto Found = Of.find(Key);
  return Found == Of.end() ? ArrayRef<unsigned>() : ArrayRef<unsigned>(Found->second).take_front(MaxStores);
}

/* n->link = head; head = n: a push. tail->link = n; tail = n, and *tail = n; tail = &n->link: to the tail. */
void Flow::findPushOrTail(const Access &S)
{
  const Value *Unit = plain(S.Stored);
  if (isa<Constant>(Unit))
    return;
  for (unsigned Number : numbersIn(StoresTo, chainOf(Unit, Layout).Root)) {
    const Access &Other = Accesses[Number];
    const Access *Old = loaded(Other.Stored);
    if (&Other != &S && Old && Old->Key == S.Key && Other.Where.known() && isInside(Other.Pointer, Unit)) {
      link("push", S, Other.Where.Place, Unit);
      break;
    }
  }
  findTail(S, Unit);
}

void Flow::findTail(const Access &S, const Value *Unit)
{
  for (unsigned Number : numbersIn(StoresBy, Unit)) {
    const Access &Other = Accesses[Number];
    const Value *Last = chainOf(Other.Pointer, Layout).Root;
    const Access *Old = loaded(Last);
    if (&Other != &S && Old && Old->Key == S.Key && Last != plain(Other.Pointer))
      return link("tail", S, Other.Where.Place, Unit);
  }
  auto *Behind = dyn_cast<GEPOperator>(Unit);
  const Value *Whole = Behind ? chainOf(Unit, Layout).Root : nullptr;
  for (unsigned Number : numbersIn(StoresBy, Whole)) {
    const Access *Old = loaded(Accesses[Number].Pointer);
    Address Through = V.address(Unit, 0, false);
    if (Old && Old->Key == S.Key && Through.known())
      return link("tail", S, Through.Place, Whole);
  }
}

/* The counter that an index is, or was before it was changed. */
const Counter *Flow::counterOf(const Value *Index) const
{
  const Value *At = Index ? plain(Index) : nullptr;
  for (unsigned Depth = 0; At && Depth < 4; Depth++) {
    if (const Access *Read = loaded(At)) {
      for (const Counter &Each : Counters)
        if (Each.Key == Read->Key && !Each.Amount)
          return &Each;
      return nullptr;
    }
    auto *B = dyn_cast<BinaryOperator>(At);
    At = B ? plain(B->getOperand(0)) : nullptr;
  }
  return nullptr;
}

/* Once for each array that a counter is the index of. */
void Flow::linkArray(const char *Kind, const Access &A, const Counter &Count, const Value *Unit)
{
  Address Array = arrayOf(A);
  if (Array.known() && Array.Place != Count.Where.Place && none_of(Links, [&](const Link &L) {
        return L.Kind == Kind && L.Head == Array.Place && L.Count == Count.Where.Place && L.Base == Array.Base;
      }))
    Links.push_back({Kind, &A, Array.Place, "", Count.Where.Place, Unit, Array.Base});
}

/* array[count++] = n; of an element with fields, only pointers are units. */
void Flow::findAppend(const Access &S)
{
  Chain To = chainOf(S.Pointer, Layout);
  const Counter *Count = counterOf(To.Index);
  bool Unit = S.Stored->getType()->isPointerTy() || (S.Stored->getType()->isIntegerTy() && !To.Behind);
  if (Count && (Count->Step > 0 || Count->Ring) && Unit && !isa<Constant>(plain(S.Stored)))
    linkArray(Append, S, *Count, plain(S.Stored));
}

/* v = array[--count], or, in a ring, v = array[first]; first = (first + 1) % size. What is only compared stays there.
 */
void Flow::findTake(const Access &L)
{
  Chain To = chainOf(L.Pointer, Layout);
  const Counter *Count = counterOf(To.Index);
  bool Unit = L.At->getType()->isPointerTy() || (L.At->getType()->isIntegerTy() && !To.Behind);
  if (Count && (Count->Step < 0 || Count->Ring) && Unit &&
      any_of(L.At->users(), [](const User *U) { return !isa<ICmpInst>(U); }))
    linkArray(Take, L, *Count, L.At);
}

/* The field or global that holds the array, or points to it. */
Address Flow::arrayOf(const Access &A) const
{
  Chain To = chainOf(A.Pointer, Layout);
  Address Out = A.Where;
  bool Whole = To.Steps == To.Behind; // the index is the first step
  if (const Access *Held = loaded(To.Root); Held && Whole)
    Out = Held->Where;
  else if (auto *G = dyn_cast<GlobalVariable>(To.Root); G && Whole)
    Out.Place = globalPlace(*G);
  return Out.Place == "*" || isa<AllocaInst>(To.Root) ? Address() : Out;
}

void Flow::findLinks(const Access &S)
{
  if (!S.Where.known() && !chainOf(S.Pointer, Layout).Index)
    return;
  if (S.Where.known() && S.Stored->getType()->isPointerTy()) {
    if (!findPop(S) && !findUnlink(S))
      findPushOrTail(S);
  }
  findAppend(S);
}

} // namespace scale::facts
