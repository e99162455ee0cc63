// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Value.h"
#include <optional>
#include <string>

/*
 * What the programmer calls the memory a pointer points to. For code as the front end makes it: every variable has its
 * alloca with debug information, every `.` and `->` its own address computation.
 */
namespace scale
{

struct ResourceName {
  std::string Name, File; /* "order_book::mutex"; where it is declared, empty if unknown */
  unsigned Line = 0;
};

/* How memory is reached: in a named object, or through a pointer to something of some type. */
struct Place {
  enum { Unknown, Object, Pointee } Root = Unknown;
  ResourceName Base;                      /* Object: its name. Pointee: what the pointer itself is called, or empty */
  const llvm::DIType *Type = nullptr;     /* of the object, or of what the pointer points to; null: unknown */
  uint64_t Element = 0;                   /* Pointee of unknown type: the size that the code takes it to have, or 0 */
  int64_t Offset = 0;                     /* from the start of it, */
  llvm::SmallVector<uint64_t, 2> Strides; /* plus multiples of these, which are not known */
  unsigned Steps = 0;                     /* fields and elements on the way, as far as the code shows them */
  /* Where the root came from: a parameter of the function, and for each pointer read since the offset it was at. */
  std::optional<unsigned> Parameter;
  llvm::SmallVector<int64_t, 2> Reads;
};

/* What P points to, or what is the offset's bytes behind it; of several offsets, all but the last lead to a pointer
 * that is followed. */
Place placeOf(const llvm::Value *P, llvm::ArrayRef<int64_t> Offsets = {0});
/* Its name; nothing where the function itself cannot know it. */
std::optional<ResourceName> nameOf(const Place &P);

/* ---- types (place_types.cpp) ------------------------------------------------------------ */

/* Without typedefs and qualifiers; of a field, its type. Alias: the last typedef's name on the way. */
const llvm::DIType *strip(const llvm::DIType *T, llvm::StringRef *Alias = nullptr);
/* Whether an element of a structure has a place in it: a field or a base class. */
bool isField(const llvm::DINode *N);
/* What a pointer or reference of that type points to; null for other types. */
const llvm::DIType *pointee(const llvm::DIType *T);
/* Whether it is a type of the C or C++ library, or nothing but one of its locks in a wrapper: what has it for a name
 * has none. */
bool isLibraryType(const llvm::DIType *T);
/* The class of resources (enum scale_resource_class) that it is a lock of, bare or in a wrapper; 0: none. */
unsigned lockClass(const llvm::DIType *T);
/* Whether it is a structure, a class or a union. */
bool isStructure(const llvm::DIType *T);
/* The name of a type, of an alias of it first; empty if it has none. */
std::string typeName(const llvm::DIType *T);
/* In bytes; 0: not known. */
uint64_t sizeOf(const llvm::DIType *T);
/* "ns::Class::" for what is declared in that scope. */
std::string qualifier(const llvm::DIScope *Scope);
/* Whether what is declared in that scope is the C++ library's. */
bool isLibraryScope(const llvm::DIScope *Scope);

/* A part of an object: what it is called behind the object's name, and what it is. */
struct Part {
  std::string Suffix; /* ".a[3].b" */
  const llvm::DIType *Type = nullptr;
  bool InField = false;
  ResourceName Field; /* with the name of the structure: "structure::a[3].b" */
};
/* The part of an object of P's type that P means; nothing if the type has none there. */
std::optional<Part> partOf(const Place &P);

} // namespace scale
