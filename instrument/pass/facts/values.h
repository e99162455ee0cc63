// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "instrument/pass/facts/types.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include <optional>
#include <set>

/*
 * What the pointers and values of a function are, in the words of docs/facts-format.md: a place ("slabclass_t.slots"),
 * a base (where the record comes from: "a0", "g:slabclass", "l", "c3", "*") and values ("a0:T.f|n"). For code in which
 * local variables are values already.
 */
namespace scale::facts
{

/* What a pointer means. */
struct Address {
  std::string Place;                        /* "": not known; "*": what a pointer points to that leads to no record */
  llvm::SmallVector<std::string, 1> Others; /* places that it means at other times: a cursor's */
  std::string Base;
  bool known() const { return !Place.empty(); }
};

/* The field and element computations in front of a pointer. */
struct Chain {
  const llvm::Value *Root = nullptr;        /* where they begin */
  int64_t Offset = 0;                       /* in bytes, where all indices that vary are 0 */
  const llvm::StructType *Record = nullptr; /* the structure that the first of them takes the root for */
  unsigned Field = 0;                       /* the number of the field in it */
  unsigned Steps = 0;                       /* fields on the way */
  const llvm::Value *Index = nullptr;       /* the last index that varies */
  unsigned Behind = 0;                      /* fields behind it */
};

/* The shown names of a unit's globals: "ns::x", and their places: "::ns::x", "unit.c::x" if static. */
std::string globalName(const llvm::GlobalVariable &G);
std::string globalPlace(const llvm::GlobalVariable &G);
const llvm::DIGlobalVariable *described(const llvm::GlobalVariable &G);

/* V without casts. */
const llvm::Value *plain(const llvm::Value *V);
Chain chainOf(const llvm::Value *P, const llvm::DataLayout &Layout);
/* Whether P is Q, or what stands at some offset from Q. */
bool isInside(const llvm::Value *P, const llvm::Value *Q);

class Values
{
public:
  Values(const llvm::Function &F, Types &T);
  /* The number of an argument as facts count them: without a hidden one for the result. */
  unsigned argument(unsigned Number) const { return Number - Hidden; }
  unsigned hidden() const { return Hidden; }
  /* Numbers a call, in order; and that number. */
  void addCall(const llvm::CallBase &Call) { Numbers.try_emplace(&Call, Numbers.size()); }
  std::optional<unsigned> number(const llvm::CallBase &Call) const;
  /* What P means where Bits bits are read or written, from bit Low on; Bits 0: an address is taken. */
  Address address(const llvm::Value *P, uint64_t Bits, bool Pointer, unsigned Low = 0);
  std::string value(const llvm::Value *V);
  std::string base(const llvm::Value *V);
  /* The type of what V points to; null: not known. */
  const llvm::DIType *pointed(const llvm::Value *V, unsigned Depth = 0);
  const llvm::DIType *argumentType(const llvm::Argument &A) const;
  const llvm::DILocalVariable *argumentVariable(const llvm::Argument &A) const;

private:
  void collect(const llvm::Value *V, std::set<std::string> &Into);
  void collectLocal(const llvm::AllocaInst &A, std::set<std::string> &Into);
  void collectLoaded(const llvm::LoadInst &L, std::set<std::string> &Into);
  void collectAddress(const llvm::Value *P, std::set<std::string> &Into);
  void bases(const llvm::Value *V, std::set<std::string> &Into);
  const llvm::DICompositeType *recordAt(const Chain &C);
  std::string elementOf(const Chain &C);
  Address join(const llvm::PHINode &Phi, uint64_t Bits, bool Pointer);
  const llvm::DIType *loadedType(const llvm::LoadInst &L, unsigned Depth);

  const llvm::Function &F;
  Types &T;
  const llvm::DataLayout &Layout;
  unsigned Hidden = 0; /* 1: the first argument is where the result goes */
  llvm::DenseMap<const llvm::CallBase *, unsigned> Numbers;
  llvm::DenseMap<const llvm::Argument *, const llvm::DILocalVariable *> Arguments;
  llvm::DenseMap<const llvm::Value *, unsigned> Under; /* phis whose base is being looked for, with Moves then */
  llvm::DenseSet<const llvm::Value *> Collected;       /* phis whose value is */
  unsigned Moves = 0, Budget = 0, Joins = 0;
};

} // namespace scale::facts
