// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/facts/types.h"
#include "instrument/pass/place.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
using namespace llvm;

namespace scale::facts
{

constexpr unsigned MaxDepth = 16, MaxTypes = 4000;

std::string text(StringRef Raw) { return json::isUTF8(Raw) ? Raw.str() : json::fixUTF8(Raw); }

std::string tame(StringRef Name)
{
  std::string Out = text(Name);
  for (size_t I = 0; I < Out.size(); I++) {
    bool Alone = Out[I] == ':' && (I == 0 || Out[I - 1] != ':') && (I + 1 == Out.size() || Out[I + 1] != ':');
    if (Out[I] == '.' || Out[I] == '|' || Alone)
      Out[I] = '_';
  }
  return Out;
}

void writeFlag(json::OStream &J, StringRef Name, bool Set)
{
  if (Set)
    J.attribute(Name, true);
}

static bool isRecord(const DICompositeType *C)
{
  return C && (C->getTag() == dwarf::DW_TAG_structure_type || C->getTag() == dwarf::DW_TAG_class_type ||
               C->getTag() == dwarf::DW_TAG_union_type);
}

static const DICompositeType *asRecord(const DIType *T)
{
  auto *C = dyn_cast_or_null<DICompositeType>(T);
  return isRecord(C) ? C : nullptr;
}

/* The element of an array, however many dimensions it has; of other types, themselves. */
static const DIType *element(const DIType *T)
{
  for (auto *C = dyn_cast_or_null<DICompositeType>(T); C && C->getTag() == dwarf::DW_TAG_array_type;
       C = dyn_cast_or_null<DICompositeType>(T))
    T = strip(C->getBaseType());
  return T;
}

/* Of `ns::list<int>::node`, as of `ns::list::node.7`, "node". */
static StringRef lastPart(StringRef Name)
{
  Name = Name.take_until([](char C) { return C == '<'; });
  size_t At = Name.rfind("::");
  return At == StringRef::npos ? Name : Name.drop_front(At + 2);
}

/* What clang calls the structure itself, without "struct.", and without the number that tells it from others. */
static StringRef structName(const StructType *S)
{
  if (S->isLiteral() || !S->hasName())
    return "";
  StringRef Name = S->getName().split('.').second;
  StringRef Front, Number;
  std::tie(Front, Number) = Name.rsplit('.');
  if (!Number.empty() && Number.find_first_not_of("0123456789") == StringRef::npos)
    Name = Front;
  Name.consume_back(".base");
  return Name == "anon" ? "" : Name;
}

Types::Types(const Module &M, const DebugInfoFinder &Known) : Layout(M.getDataLayout())
{
  for (const DIType *T : Known.types())
    index(T);
}

void Types::index(const DIType *T)
{
  if (const DICompositeType *C = asRecord(T); C && !C->getName().empty() && !C->isForwardDecl())
    ByName[lastPart(C->getName())].push_back(C);
  auto *D = dyn_cast<DIDerivedType>(T);
  if (!D || D->getTag() != dwarf::DW_TAG_typedef)
    return;
  const DICompositeType *C = asRecord(strip(D->getBaseType()));
  if (!C || is_contained(Aliases[C], D->getName()))
    return;
  Aliases[C].push_back(D->getName());
  if (C->getName().empty() && !C->isForwardDecl())
    ByName[D->getName()].push_back(C);
}

/* What is only declared here may be defined somewhere else in the unit's debug information. */
const DICompositeType *Types::complete(const DICompositeType *R) const
{
  if (!R || !R->isForwardDecl())
    return R;
  auto Found = ByName.find(lastPart(R->getName()));
  if (Found != ByName.end())
    for (const DICompositeType *C : Found->second)
      if (C->getName() == R->getName() && qualifier(C->getScope()) == qualifier(R->getScope()))
        return C;
  return R;
}

const DICompositeType *Types::record(const DIType *T) const { return complete(asRecord(element(strip(T)))); }

bool Types::agree(const DICompositeType *R, const StructType *S) const
{
  if (!S->isSized() || Layout.getTypeAllocSizeInBits(const_cast<StructType *>(S)) != R->getSizeInBits())
    return false;
  StringRef Name = structName(S);
  if (Name.empty() || R->getName().empty())
    return true;
  return lastPart(Name) == lastPart(R->getName());
}

const DICompositeType *Types::named(const StructType *S) const
{
  StringRef Name = structName(S);
  auto Found = Name.empty() ? ByName.end() : ByName.find(lastPart(Name));
  const DICompositeType *Only = nullptr;
  if (Found == ByName.end())
    return nullptr;
  for (const DICompositeType *C : Found->second)
    if (agree(C, S)) {
      if (Only && name(Only) != name(C))
        return nullptr;
      Only = C;
    }
  return Only;
}

std::string Types::name(const DICompositeType *R) const
{
  std::string Name = R->getName().str();
  if (auto Found = Aliases.find(R); Name.empty() && Found != Aliases.end())
    Name = Found->second.front().str();
  if (Name.empty())
    Name = "(unnamed)";
  return tame(qualifier(R->getScope()) + Name);
}

TypeUse Types::use(const DIType *T)
{
  TypeUse Out;
  StringRef Alias;
  for (unsigned Depth = 0; Depth < MaxDepth; Depth++) {
    Alias = "";
    T = strip(T, &Alias);
    if (const DIType *To = pointee(T); To || (T && T->getTag() == dwarf::DW_TAG_pointer_type)) {
      Out.Pointers++;
      T = To;
      continue;
    }
    if (element(T) == T)
      break;
    Out.Array = true;
    T = element(T);
  }
  Out.Record = complete(asRecord(T));
  if (Out.Record)
    Out.Name = name(Out.Record);
  else if (T && isa<DISubroutineType>(T))
    Out.Name = "function";
  else
    Out.Name = text(!Alias.empty() ? Alias : T && !T->getName().empty() ? T->getName() : "void");
  return Out;
}

/* ---- fields -------------------------------------------------------------------------------- */

static uint64_t bitsOf(const DIDerivedType *Member)
{
  if (Member->getSizeInBits())
    return Member->getSizeInBits();
  const DIType *T = strip(Member->getBaseType());
  return T ? T->getSizeInBits() : 0;
}

/* How well a member of a union is what is looked for. */
static unsigned fitness(const DIDerivedType *Member, const Wanted &W)
{
  const DIType *T = strip(Member->getBaseType());
  bool Pointer = T && T->getTag() == dwarf::DW_TAG_pointer_type;
  return 1 + (Pointer == W.Pointer) + 2 * (bitsOf(Member) == W.Bits);
}

const DIDerivedType *Types::member(const DICompositeType *R, const Wanted &W) const
{
  const DIDerivedType *Best = nullptr;
  unsigned Fits = 0;
  for (const DINode *N : R->getElements()) {
    if (!isField(N))
      continue;
    auto *Member = cast<DIDerivedType>(N);
    uint64_t At = Member->getOffsetInBits(), Bits = bitsOf(Member);
    bool Open = !Bits && Member->getTag() == dwarf::DW_TAG_member; // an array without an end
    if (At > W.Bit || (!Open && W.Bit >= At + Bits))
      continue;
    unsigned Fit = R->getTag() == dwarf::DW_TAG_union_type ? fitness(Member, W) : Open ? 1 : 2;
    if (Fit > Fits) {
      Best = Member;
      Fits = Fit;
    }
  }
  return Best;
}

/* Whether it ends in an array of any length. */
static bool isOpen(const DICompositeType *R)
{
  DINodeArray Fields = R->getElements();
  return !Fields.empty() && isField(Fields[Fields.size() - 1]) &&
         !bitsOf(cast<DIDerivedType>(Fields[Fields.size() - 1]));
}

Types::Found Types::find(const DICompositeType *R, Wanted W) const
{
  Found Out;
  Out.Owner = R;
  if (uint64_t Size = R->getSizeInBits(); Size && W.Bit >= Size && !isOpen(R))
    W.Bit %= Size; // in another element of an array
  for (unsigned Depth = 1; Depth < MaxDepth && R; Depth++) {
    const DIDerivedType *Member = member(R, W);
    if (!Member)
      break;
    W.Bit -= Member->getOffsetInBits();
    Out.Type = element(strip(Member->getBaseType()));
    if (Out.Type && Out.Type->getSizeInBits())
      W.Bit %= Out.Type->getSizeInBits();
    const DICompositeType *Inner = complete(asRecord(Out.Type));
    if (Member->getTag() == dwarf::DW_TAG_inheritance && Out.Path.empty())
      Out.Owner = Inner;
    else if (Member->getTag() == dwarf::DW_TAG_member && !Member->getName().empty())
      Out.Path += "." + Member->getName().str();
    if (!Inner || isLibraryType(Inner))
      break;
    if (!W.Bits && W.Bit == 0 && Depth >= W.Steps && !Out.Path.empty())
      break;
    R = Inner;
  }
  return Out;
}

const DIType *Types::fieldType(const DICompositeType *R, const Wanted &W) const { return find(R, W).Type; }

const DIType *Types::elementType(const DIType *T) { return element(strip(T)); }

std::string Types::place(const DICompositeType *R, const Wanted &W)
{
  Found There = find(R, W);
  if (There.Path.empty() || !There.Owner)
    return "";
  list(There.Owner);
  return name(There.Owner) + text(There.Path);
}

std::string Types::place(const StructType *S, unsigned Field)
{
  std::string Name = tame(structName(S));
  return (Name.empty() ? "(unnamed)" : Name) + ".#" + std::to_string(Field);
}

/* ---- lists --------------------------------------------------------------------------------- */

void Types::list(const DICompositeType *R)
{
  if (R && Listed.size() < MaxTypes)
    Listed.insert(R);
}

void Types::writeWhere(json::OStream &J, const DIScope *Scope, unsigned Line)
{
  if (!Scope || !Scope->getFile())
    return;
  std::string Name = text(Scope->getFilename());
  auto [At, New] = FileNumbers.try_emplace(Name, Files.size());
  if (New)
    Files.push_back(Name);
  J.attribute("file", At->second);
  J.attribute("line", Line);
}

void Types::writeUse(json::OStream &J, const TypeUse &U) const
{
  J.attribute("type", U.Name);
  if (U.Pointers)
    J.attribute("pointers", U.Pointers);
  writeFlag(J, "array", U.Array);
}

void Types::writeFields(json::OStream &J, const DICompositeType *R, unsigned Depth)
{
  for (const DINode *N : R->getElements()) {
    if (!isField(N))
      continue;
    auto *Member = cast<DIDerivedType>(N);
    TypeUse U = use(Member->getBaseType());
    bool Base = Member->getTag() == dwarf::DW_TAG_inheritance;
    if (!Base && Member->getName().empty()) {
      if (U.Record && Depth < MaxDepth)
        writeFields(J, U.Record, Depth + 1);
      continue;
    }
    J.object([&] {
      J.attribute("name", text(Member->getName()));
      writeUse(J, U);
      writeFlag(J, "base", Base);
    });
  }
}

void Types::writeType(json::OStream &J, const DICompositeType *R)
{
  J.object([&] {
    J.attribute("name", name(R));
    J.attribute("kind", R->getTag() == dwarf::DW_TAG_union_type   ? "union"
                        : R->getTag() == dwarf::DW_TAG_class_type ? "class"
                                                                  : "struct");
    writeWhere(J, R, R->getLine());
    if (auto Found = Aliases.find(R); Found != Aliases.end() && !R->getName().empty())
      J.attributeArray("aliases", [&] {
        for (StringRef Alias : Found->second)
          J.value(text(Alias));
      });
    if (R->isForwardDecl() || isLibraryType(R))
      J.attribute("opaque", true);
    else
      J.attributeArray("fields", [&] { writeFields(J, R, 0); });
  });
}

void Types::writeTypes(json::OStream &J)
{
  StringMap<bool> Names;
  for (const DICompositeType *R : Listed)
    if (std::string Name = name(R); Name.find("(unnamed)") == std::string::npos && Names.try_emplace(Name, true).second)
      writeType(J, R);
}

} // namespace scale::facts
