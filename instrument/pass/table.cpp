// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/table.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
using namespace llvm;

namespace scale
{

static const char TableName[] = "scale.functions";
static const char RowAttribute[] = "scale-row";

std::string linkageName(const GlobalValue &F) { return GlobalValue::dropLLVMManglingEscape(F.getName()).str(); }

std::string sourceFile(const DIScope *Scope)
{
  if (!Scope || !Scope->getFile())
    return "";
  StringRef Name = Scope->getFilename(), Directory = Scope->getDirectory();
  SmallString<256> Path;
  if (!sys::path::is_absolute(Name) && !Directory.empty())
    Path = Directory;
  sys::path::append(Path, Name);
  sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return Path.str().str();
}

/* What is compiled itself is no header, wherever it lies. */
static bool isCompiled(StringRef File)
{
  return StringSwitch<bool>(sys::path::extension(File))
      .Cases(".c", ".cc", ".cp", ".cxx", ".cpp", ".c++", ".C", ".CPP", true)
      .Default(false);
}

/* As sc_location_is_library, for those that no option names. */
static bool isLibraryHeader(StringRef File)
{
  return File.starts_with("/usr/include/") || File.starts_with("/usr/lib/") ||
         File.starts_with("/usr/local/include/") || File.contains("/include/c++/");
}

bool isSystemHeader(StringRef File)
{
  if (File.empty() || isCompiled(File))
    return false;
  if (isLibraryHeader(File))
    return true;
  auto List = sys::Process::GetEnv("SCALE_SYSTEM_FOLDERS");
  if (!List)
    return false;
  SmallVector<StringRef, 16> Folders;
  StringRef(*List).split(Folders, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef Folder : Folders) {
    SmallString<256> Path = Folder;
    sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
    if (File.starts_with(Path) && File.drop_front(Path.size()).starts_with("/"))
      return true;
  }
  return false;
}

unsigned Table::add(FunctionRow Row)
{
  Row.FirstMarker = Markers;
  Markers += 1 + Row.Loops.size();
  Rows.push_back(std::move(Row));
  index(Rows.size() - 1);
  return Rows.size() - 1;
}

void Table::addPart(Function &F, unsigned Row)
{
  FunctionRow Part = Rows[Row];
  Part.Name = linkageName(F);
  Part.Local = true;
  Part.Subprogram = nullptr;
  Part.Loops.clear();
  Part.PartOf = Row;
  if (DISubprogram *S = F.getSubprogram())
    BySubprogram[S] = Row;
  untag(F);
  tag(F, add(std::move(Part)));
}

void Table::index(unsigned Row)
{
  if (const DISubprogram *S = Rows[Row].Subprogram) {
    BySubprogram[S] = Row;
    ByNameAndLine.emplace(
        std::make_pair((S->getLinkageName().empty() ? S->getName() : S->getLinkageName()).str(), S->getLine()), Row);
  }
}

std::optional<Marker> Table::marker(uint64_t Id) const
{
  if (Id >= Markers)
    return std::nullopt;
  auto Next = std::upper_bound(Rows.begin(), Rows.end(), Id,
                               [](uint64_t I, const FunctionRow &R) { return I < R.FirstMarker; });
  unsigned Row = Next - Rows.begin() - 1;
  return Marker{Row, unsigned(Id - Rows[Row].FirstMarker)};
}

std::optional<unsigned> Table::rowOf(const DISubprogram *S) const
{
  if (!S)
    return std::nullopt;
  if (auto It = BySubprogram.find(S); It != BySubprogram.end())
    return It->second;
  // Specialisation and coroutine splitting copy the subprogram.
  StringRef Name = S->getLinkageName().empty() ? S->getName() : S->getLinkageName();
  if (auto It = ByNameAndLine.find({Name.str(), S->getLine()}); It != ByNameAndLine.end())
    return It->second;
  return std::nullopt;
}

std::optional<unsigned> Table::rowOf(const Function &F) const
{
  unsigned Row;
  if (!F.hasFnAttribute(RowAttribute) || F.getFnAttribute(RowAttribute).getValueAsString().getAsInteger(10, Row) ||
      Row >= Rows.size())
    return std::nullopt;
  return Row;
}

void Table::tag(Function &F, unsigned Row) { F.addFnAttr(RowAttribute, std::to_string(Row)); }
void Table::untag(Function &F) { F.removeFnAttr(RowAttribute); }

void Table::write(Module &M) const
{
  erase(M);
  LLVMContext &C = M.getContext();
  NamedMDNode *Named = M.getOrInsertNamedMetadata(TableName);
  auto Number = [&](unsigned V) { return ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(C), V)); };
  for (const FunctionRow &R : Rows) {
    SmallVector<Metadata *, 16> Ops{R.Subprogram, MDString::get(C, R.Name), MDString::get(C, R.File), Number(R.Line),
                                    Number(R.Local)};
    for (const LoopRow &L : R.Loops)
      Ops.append({Number(L.Line), Number(L.Column), Number(L.Nth), Number(L.Parent)});
    Named->addOperand(MDNode::get(C, Ops));
  }
}

Table Table::read(const Module &M)
{
  Table T;
  const NamedMDNode *Named = M.getNamedMetadata(TableName);
  if (!Named)
    return T;
  for (const MDNode *N : Named->operands()) {
    auto Number = [&](unsigned I) { return unsigned(mdconst::extract<ConstantInt>(N->getOperand(I))->getZExtValue()); };
    FunctionRow R;
    R.Subprogram = dyn_cast_or_null<DISubprogram>(N->getOperand(0).get());
    R.Name = cast<MDString>(N->getOperand(1))->getString();
    R.File = cast<MDString>(N->getOperand(2))->getString();
    R.Line = Number(3);
    R.Local = Number(4);
    for (unsigned I = 5; I + 3 < N->getNumOperands(); I += 4)
      R.Loops.push_back({Number(I), Number(I + 1), Number(I + 2), Number(I + 3)});
    T.add(std::move(R));
  }
  return T;
}

void Table::erase(Module &M)
{
  if (NamedMDNode *Named = M.getNamedMetadata(TableName))
    M.eraseNamedMetadata(Named);
}

} // namespace scale
