// SPDX-License-Identifier: GPL-3.0-or-later
// What debug information tells about the parts of an object.
#include "instrument/pass/place.h"
#include "instrument/pass/table.h"
#include "profiles/layout.inc"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/BinaryFormat/Dwarf.h"
using namespace llvm;

namespace scale
{

const DIType *strip(const DIType *T, StringRef *Alias)
{
  while (auto *D = dyn_cast_or_null<DIDerivedType>(T)) {
    switch (D->getTag()) {
    case dwarf::DW_TAG_typedef:
      if (Alias)
        *Alias = D->getName();
      break;
    case dwarf::DW_TAG_const_type:
    case dwarf::DW_TAG_volatile_type:
    case dwarf::DW_TAG_restrict_type:
    case dwarf::DW_TAG_atomic_type:
    case dwarf::DW_TAG_member:
    case dwarf::DW_TAG_inheritance:
      break;
    default:
      return T;
    }
    T = D->getBaseType();
  }
  return T;
}

const DIType *pointee(const DIType *T)
{
  auto *D = dyn_cast_or_null<DIDerivedType>(strip(T));
  if (!D || (D->getTag() != dwarf::DW_TAG_pointer_type && D->getTag() != dwarf::DW_TAG_reference_type &&
             D->getTag() != dwarf::DW_TAG_rvalue_reference_type))
    return nullptr;
  return D->getBaseType();
}

std::string qualifier(const DIScope *Scope)
{
  for (; Scope; Scope = Scope->getScope()) {
    if (isa<DIFile, DICompileUnit>(Scope))
      return "";
    if (auto *S = dyn_cast<DISubprogram>(Scope))
      if (const DISubprogram *Declared = S->getDeclaration())
        Scope = Declared;
    if (!Scope->getName().empty() && isa<DINamespace, DIType, DISubprogram>(Scope))
      return qualifier(Scope->getScope()) + Scope->getName().str() + "::";
  }
  return "";
}

bool isLibraryScope(const DIScope *Scope)
{
  std::string In = qualifier(Scope);
  return In.rfind("std::", 0) == 0 || In.rfind("__gnu_cxx::", 0) == 0;
}

bool isStructure(const DIType *T)
{
  auto *C = dyn_cast_or_null<DICompositeType>(strip(T));
  return C && C->getTag() != dwarf::DW_TAG_array_type && C->getTag() != dwarf::DW_TAG_enumeration_type;
}

std::string typeName(const DIType *T)
{
  StringRef Alias;
  const DIType *Bare = strip(T, &Alias);
  if (!Bare)
    return "";
  return Alias.empty() ? qualifier(Bare->getScope()) + Bare->getName().str() : Alias.str();
}

uint64_t sizeOf(const DIType *T)
{
  while (T && !T->getSizeInBits() && isa<DIDerivedType>(T))
    T = cast<DIDerivedType>(T)->getBaseType();
  return T ? T->getSizeInBits() / 8 : 0;
}

static unsigned lockNamed(StringRef Name)
{
  return StringSwitch<unsigned>(Name)
      .Cases("pthread_mutex_t", "mtx_t", SCALE_CLASS_MUTEX)
      .Case("pthread_rwlock_t", SCALE_CLASS_RWLOCK)
      .Case("pthread_spinlock_t", SCALE_CLASS_SPINLOCK)
      .Case("sem_t", SCALE_CLASS_SEMAPHORE)
      .Cases("pthread_cond_t", "cnd_t", SCALE_CLASS_CONDITION)
      .Case("pthread_barrier_t", SCALE_CLASS_BARRIER)
      .Default(0);
}

static bool isStandard(const DIScope *Scope)
{
  for (; Scope && !isa<DIFile>(Scope); Scope = Scope->getScope())
    if (auto *N = dyn_cast<DINamespace>(Scope); N && (N->getName() == "std" || N->getName() == "__gnu_cxx"))
      return true;
  return false;
}

bool isField(const DINode *N)
{
  auto *Member = dyn_cast_or_null<DIDerivedType>(N);
  return Member && !Member->isStaticMember() &&
         (Member->getTag() == dwarf::DW_TAG_member || Member->getTag() == dwarf::DW_TAG_inheritance);
}

/* The only field of a structure that is nothing else; null if there are others. */
static const DIType *onlyField(const DICompositeType *C)
{
  if (C->getTag() != dwarf::DW_TAG_structure_type && C->getTag() != dwarf::DW_TAG_class_type)
    return nullptr;
  const DIDerivedType *Only = nullptr;
  for (const DINode *N : C->getElements())
    if (isField(N)) {
      if (Only)
        return nullptr;
      Only = cast<DIDerivedType>(N);
    }
  return Only && Only->getSizeInBits() == C->getSizeInBits() ? Only->getBaseType() : nullptr;
}

constexpr unsigned MaxWrappers = 16;

/* What a type is an alias of, or contains and nothing else; null: neither. */
static const DIType *inner(const DIType *T)
{
  if (auto *C = dyn_cast<DICompositeType>(T))
    return onlyField(C);
  auto *D = dyn_cast<DIDerivedType>(T);
  return D && strip(D) != D ? D->getBaseType() : nullptr;
}

static unsigned lockItself(const DIType *T)
{
  auto *D = dyn_cast<DIDerivedType>(T);
  return D && D->getTag() == dwarf::DW_TAG_typedef ? lockNamed(D->getName()) : 0;
}

unsigned lockClass(const DIType *T)
{
  for (unsigned Depth = 0; T && Depth < MaxWrappers; Depth++, T = inner(T))
    if (unsigned Class = lockItself(T))
      return Class;
  return 0;
}

bool isLibraryType(const DIType *T)
{
  for (unsigned Depth = 0; T && Depth < MaxWrappers; Depth++, T = inner(T))
    if (auto *C = dyn_cast<DICompositeType>(T); lockItself(T) || (C && isStandard(C->getScope())))
      return true;
  return false;
}

namespace
{

/* Goes from an object to smaller and smaller parts of it. */
class Descent
{
public:
  explicit Descent(const Place &From) : P(From), Offset(From.Offset), Strides(From.Strides)
  {
    Now.Type = P.Type;
    wrapAround();
  }

  std::optional<Part> run()
  {
    std::optional<Part> Whole;
    for (unsigned Depth = 0; Depth < 32; Depth++) {
      bool Fits = Offset == 0 && Strides.empty();
      bool Inside = P.Root == Place::Object || Depth > 0;
      if (isLibraryType(Now.Type))
        return Inside ? std::optional<Part>(Now) : std::nullopt;
      if (Fits && Steps >= P.Steps && !Whole)
        Whole = Now;
      if (!step())
        break;
    }
    return Whole;
  }

private:
  /* Whether a structure's last field is an array of any length. */
  static bool isOpen(const DIType *T)
  {
    auto *C = dyn_cast<DICompositeType>(T);
    const DIDerivedType *Last = nullptr;
    for (const DINode *N : C ? C->getElements() : DINodeArray())
      if (isField(N))
        Last = cast<DIDerivedType>(N);
    return Last && Last->getTag() == dwarf::DW_TAG_member && !Last->getSizeInBits();
  }

  /* A pointer may point to any element of an array. */
  void wrapAround()
  {
    const DIType *T = strip(P.Type);
    uint64_t Size = T ? T->getSizeInBits() / 8 : 0;
    if (P.Root != Place::Pointee || !Size || isOpen(T))
      return;
    erase_if(Strides, [&](uint64_t S) { return S % Size == 0; });
    Offset = (Offset % int64_t(Size) + Size) % Size;
  }

  bool step()
  {
    StringRef Alias;
    auto *C = dyn_cast_or_null<DICompositeType>(strip(Now.Type, &Alias));
    if (!C || Offset < 0)
      return false;
    return C->getTag() == dwarf::DW_TAG_array_type ? element(C) : field(C, Alias);
  }

  void append(const std::string &Text)
  {
    Now.Suffix += Text;
    Now.Field.Name += Text;
    Steps++;
  }

  bool element(const DICompositeType *C)
  {
    const DIType *Of = strip(C->getBaseType());
    uint64_t Size = Of ? Of->getSizeInBits() / 8 : 0;
    SmallVector<uint64_t, 3> Sizes; // of an element in each dimension, from the last
    if (!Size)
      return false;
    for (unsigned I = C->getElements().size(); I-- > 0;) {
      const DINode *N = C->getElements()[I];
      Sizes.push_back(Size);
      auto *Range = dyn_cast<DISubrange>(N);
      auto *Count = Range ? dyn_cast_if_present<ConstantInt *>(Range->getCount()) : nullptr;
      Size *= Count && Count->getSExtValue() > 0 ? Count->getZExtValue() : 1;
    }
    for (uint64_t Each : reverse(Sizes)) {
      bool Unknown = is_contained(Strides, Each);
      erase(Strides, Each);
      append(Unknown ? "[]" : "[" + std::to_string(Offset / Each) + "]");
      Offset %= Each;
    }
    Now.Type = C->getBaseType();
    return true;
  }

  const DIDerivedType *fieldAt(const DICompositeType *C) const
  {
    const DIDerivedType *Last = nullptr;
    for (const DINode *N : C->getElements()) {
      if (!isField(N))
        continue;
      auto *Member = cast<DIDerivedType>(N);
      int64_t At = Member->getOffsetInBits() / 8, Size = Member->getSizeInBits() / 8;
      if (const DIType *T = strip(Member->getBaseType()); !Size && T && Member->getTag() != dwarf::DW_TAG_member)
        Size = T->getSizeInBits() / 8; // a base class
      if (At <= Offset && Offset < At + Size) {
        if (C->getTag() != dwarf::DW_TAG_union_type || isLibraryType(Member->getBaseType()))
          return Member;
        if (!Last)
          Last = Member;
      }
      if (At <= Offset && !Size && Member->getTag() == dwarf::DW_TAG_member)
        Last = Member; // an array without an end
    }
    return Last;
  }

  bool field(const DICompositeType *C, StringRef Alias)
  {
    const DIDerivedType *Member = fieldAt(C);
    if (!Member)
      return false;
    Offset -= Member->getOffsetInBits() / 8;
    if (!Now.InField) {
      std::string Own = C->getName().empty() ? Alias.str() : C->getName().str();
      std::string Owner = qualifier(C->getScope()) + (Own.empty() ? "" : Own + "::");
      if (!Owner.empty() || Now.Field.Name.empty())
        Now.Field.Name = Owner;
    }
    if (Member->getTag() == dwarf::DW_TAG_member && !Member->getName().empty()) {
      std::string Name = Member->getName().str();
      if (!Now.InField) {
        Now.InField = true;
        Now.Field.File = sourceFile(Member->getFile());
        Now.Field.Line = Member->getLine();
        Now.Field.Name += Name;
        Now.Suffix += "." + Name;
        Steps++;
      } else {
        append("." + Name);
      }
    } else if (Member->getTag() == dwarf::DW_TAG_member) {
      Steps++;
    }
    Now.Type = Member->getBaseType();
    return true;
  }

  const Place &P;
  Part Now;
  int64_t Offset;
  SmallVector<uint64_t, 2> Strides;
  unsigned Steps = 0;
};

} // namespace

std::optional<Part> partOf(const Place &P)
{
  if (!P.Type)
    return std::nullopt;
  return Descent(P).run();
}

} // namespace scale
