// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace scale::facts
{

/* A type as facts name it: what is left without pointers, arrays and qualifiers, and how many pointers there were. */
struct TypeUse {
  std::string Name;
  unsigned Pointers = 0;
  bool Array = false;
  const llvm::DICompositeType *Record = nullptr; /* null: no structure, class or union */
};

/* What is looked for in a record. */
struct Wanted {
  uint64_t Bit = 0;     /* from the record's start */
  uint64_t Bits = 0;    /* how many are read or written; 0: an address is taken */
  bool Pointer = false; /* a pointer is read or written */
  unsigned Steps = 0;   /* where an address is taken: at least this many levels down */
};

/* The record types of a unit, from debug information, and the files that things are declared in. */
class Types
{
public:
  Types(const llvm::Module &M, const llvm::DebugInfoFinder &Known);
  /* What T is, seen without typedefs. */
  TypeUse use(const llvm::DIType *T);
  /* The record that T is, directly or as an array's element, complete if the unit knows it so; null: none. */
  const llvm::DICompositeType *record(const llvm::DIType *T) const;
  /* The record that clang made S for; null if none, or several, come into question. */
  const llvm::DICompositeType *named(const llvm::StructType *S) const;
  /* Whether clang may have made S for R. */
  bool agree(const llvm::DICompositeType *R, const llvm::StructType *S) const;
  /* "record.field" or "record.field.part"; empty if the record has nothing there. */
  std::string place(const llvm::DICompositeType *R, const Wanted &W);
  /* The same without debug information: "record.#2". */
  static std::string place(const llvm::StructType *S, unsigned Field);
  /* The type of what is there; null: unknown. */
  const llvm::DIType *fieldType(const llvm::DICompositeType *R, const Wanted &W) const;
  /* Of an array, the element; of anything else, itself. */
  static const llvm::DIType *elementType(const llvm::DIType *T);
  std::string name(const llvm::DICompositeType *R) const;
  /* Lists R among the unit's types. */
  void list(const llvm::DICompositeType *R);
  /* "file":...,"line":... of what Scope is or is in, if that is known. */
  void writeWhere(llvm::json::OStream &J, const llvm::DIScope *Scope, unsigned Line);

  /* "type":...,"pointers":... */
  void writeUse(llvm::json::OStream &J, const TypeUse &U) const;
  /* The types that were listed. */
  void writeTypes(llvm::json::OStream &J);
  const std::vector<std::string> &files() const { return Files; }

private:
  void index(const llvm::DIType *T);
  const llvm::DICompositeType *complete(const llvm::DICompositeType *R) const;
  const llvm::DIDerivedType *member(const llvm::DICompositeType *R, const Wanted &W) const;
  struct Found {
    const llvm::DICompositeType *Owner = nullptr;
    std::string Path;
    const llvm::DIType *Type = nullptr;
  };
  Found find(const llvm::DICompositeType *R, Wanted W) const;
  void writeFields(llvm::json::OStream &J, const llvm::DICompositeType *R, unsigned Depth);
  void writeType(llvm::json::OStream &J, const llvm::DICompositeType *R);

  const llvm::DataLayout &Layout;
  llvm::StringMap<llvm::SmallVector<const llvm::DICompositeType *, 1>> ByName; /* by the last part of the name */
  llvm::DenseMap<const llvm::DICompositeType *, llvm::SmallVector<llvm::StringRef, 1>> Aliases;
  llvm::SetVector<const llvm::DICompositeType *> Listed;
  std::vector<std::string> Files;
  llvm::StringMap<unsigned> FileNumbers;
};

/* Text that JSON can hold. */
std::string text(llvm::StringRef Raw);
/* A name without what has a meaning in places and values: dots, bars, single colons. */
std::string tame(llvm::StringRef Name);
/* The attribute only if it is true: what is missing is false. */
void writeFlag(llvm::json::OStream &J, llvm::StringRef Name, bool Set);

} // namespace scale::facts
