// SPDX-License-Identifier: GPL-3.0-or-later
// The early part of event_names.h.
#include "instrument/pass/callees.h"
#include "instrument/pass/event_names.h"
#include "instrument/pass/wrappers.h"
#include "profiles/layout.inc"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
using namespace llvm;

namespace scale
{
namespace
{

class Namer
{
public:
  Namer(Module &M, const Table &Rows, const KnownEvents &Known) : M(M), Rows(Rows), Known(Known) {}

  void run()
  {
    for (Function &F : M)
      if (auto Row = Rows.rowOf(F))
        for (Instruction &I : instructions(F))
          if (auto *Call = dyn_cast<CallBase>(&I); Call && Call->getCalledFunction()) {
            // Alike calls of two branches, made one, would stand in no line.
            if (!Known.of(*Call->getCalledFunction()).empty())
              Call->addFnAttr(Attribute::NoMerge);
            nameEvent(*Call, *Row);
            nameHanded(*Call, *Row);
          }
    while (!Work.empty()) {
      Need Next = Work.back();
      Work.pop_back();
      for (User *U : Next.F->users())
        if (auto *Call = dyn_cast<CallBase>(U); Call && Call->getCalledFunction() == Next.F)
          ask(*Call, Next);
    }
    if (!Out.Names.empty() || !Out.Calls.empty())
      Out.write(M);
  }

private:
  struct Need {
    Function *F;
    unsigned Row, Class, Argument;
    SmallVector<int64_t, 4> Offsets;
    std::string Path;
  };

  static const EventSpec *namedBy(ArrayRef<EventSpec> Specs)
  {
    auto *It = find_if(Specs, [](const EventSpec &S) {
      return S.isNamed() && (S.Instance.From == Identity::Argument || S.Instance.From == Identity::Pointee);
    });
    return It == Specs.end() ? nullptr : It;
  }

  /* The name that whoever made the call knows. */
  static std::optional<ResourceName> givenName(const CallBase &Call)
  {
    SmallVector<StringRef, 3> Parts;
    ResourceName Out;
    Call.getFnAttr(NamedAttribute).getValueAsString().split(Parts, '\n');
    if (Parts.size() != 3)
      return std::nullopt;
    Out.Name = Parts[0].str();
    Out.File = Parts[1].str();
    Parts[2].getAsInteger(10, Out.Line);
    return Out;
  }

  void nameEvent(CallBase &Call, unsigned Row)
  {
    const Function *F = Call.getCalledFunction();
    const EventSpec *Spec = F ? namedBy(Known.of(*F)) : nullptr;
    if (!Spec || Spec->Instance.Index >= Call.arg_size())
      return;
    SmallVector<int64_t, 2> Offsets{Spec->Instance.Offset};
    if (Spec->Instance.From == Identity::Pointee)
      Offsets.push_back(0);
    unsigned Class = Spec->Event == SCALE_EVENT_RELEASE ? 0 : Spec->Class;
    if (auto Named = givenName(Call)) {
      Call.addFnAttr(Attribute::get(M.getContext(), "scale-event", "=" + std::to_string(number(*Named))));
      return;
    }
    Origin Found = origin(Call, Spec->Instance.Index, Offsets, Row, Class);
    if (Found.Name)
      Call.addFnAttr(Attribute::get(M.getContext(), "scale-event", "=" + std::to_string(Found.Name)));
    else if (!Found.Path.empty())
      Call.addFnAttr(Attribute::get(M.getContext(), "scale-event", Found.Path));
  }

  /* Locks that a function of another file gets: it may be a wrapper. */
  void nameHanded(const CallBase &Call, unsigned Row)
  {
    const Function *F = Call.getCalledFunction();
    const DILocation *Where = Call.getDebugLoc();
    StringRef Name = F->getName();
    if (!F->isDeclaration() || F->isIntrinsic() || !Where || !Known.of(*F).empty() ||
        libraryKind(*F) != Library::Unknown || Name.starts_with("pthread_") || Name.starts_with("_ZNSt") ||
        Name.starts_with("_ZNKSt") || Name.starts_with("_ZSt") || Name.starts_with("__scale_"))
      return;
    for (unsigned I = 0; I < Call.arg_size(); I++) {
      if (!Call.getArgOperand(I)->getType()->isPointerTy())
        continue;
      Place P = placeOf(Call.getArgOperand(I));
      auto Part = partOf(P);
      unsigned Class = lockClass(Part ? Part->Type : P.Type);
      auto Named = Class ? nameOf(P) : std::nullopt;
      if (!Named)
        continue;
      std::string Key = "@" + linkageName(*F) + "/" + std::to_string(I) + ":0";
      Out.Classes[Key] = Class;
      keep({Row, Where->getLine(), Where->getColumn()}, Key, {number(*Named), ""});
    }
  }

  /* What an argument of a call, in the function of that row, is. Parameters are asked for at its callers. */
  Origin origin(const CallBase &Call, unsigned Argument, ArrayRef<int64_t> Offsets, unsigned Row, unsigned Class)
  {
    Origin Found;
    const Value *V = Call.getArgOperand(Argument);
    if (!V->getType()->isPointerTy())
      return Found;
    Place P = placeOf(V, Offsets);
    if (auto Name = nameOf(P)) {
      Found.Name = number(*Name);
    } else if (P.Root == Place::Pointee && P.Parameter && P.Strides.empty() && P.Reads.size() < 4) {
      Need Next{const_cast<Function *>(Call.getFunction()), Row, Class, *P.Parameter, {}, ""};
      Next.Offsets.assign(P.Reads.begin(), P.Reads.end());
      Next.Offsets.push_back(P.Offset);
      Next.Path = std::to_string(*P.Parameter);
      for (int64_t Offset : Next.Offsets)
        Next.Path += ":" + std::to_string(Offset);
      Found.Path = Next.Path;
      std::string Key = std::to_string(Row) + "/" + Next.Path;
      auto [It, New] = Out.Classes.try_emplace(Key, Class);
      if (New || (Class && !It->second)) {
        It->second = Class;
        Work.push_back(std::move(Next));
      }
    }
    return Found;
  }

  void ask(const CallBase &Call, const Need &For)
  {
    auto Row = Rows.rowOf(*Call.getFunction());
    const DILocation *Where = Call.getDebugLoc();
    if (!Row || !Where || For.Argument >= Call.arg_size())
      return;
    Origin Found = origin(Call, For.Argument, For.Offsets, *Row, For.Class);
    keep({*Row, Where->getLine(), Where->getColumn()}, std::to_string(For.Row) + "/" + For.Path, Found);
  }

  void keep(const CallSite &At, const std::string &Key, const Origin &Found)
  {
    auto [It, New] = Out.Calls.try_emplace({At, Key}, Found);
    // Two calls of a macro stand in one place: what differs is not known.
    if (!New && (It->second.Name != Found.Name || It->second.Path != Found.Path))
      It->second = Origin();
  }

  unsigned number(const ResourceName &R)
  {
    auto [It, New] = Numbers.try_emplace({R.Name, R.File, R.Line}, Out.Names.size() + 1);
    if (New)
      Out.Names.push_back(R);
    return It->second;
  }

  Module &M;
  const Table &Rows;
  const KnownEvents &Known;
  NamedEvents Out;
  std::vector<Need> Work;
  std::map<std::tuple<std::string, std::string, unsigned>, unsigned> Numbers;
};

} // namespace

void prepareEvents(Module &M, const Table &Rows, const KnownEvents &Known, const KnownWork &Work)
{
  SmallVector<GlobalValue *, 8> Kept;
  for (Function &F : M)
    if (Known.keepsCalls(F) || Work.keepsCalls(F)) {
      F.removeFnAttr(Attribute::AlwaysInline);
      F.addFnAttr(Attribute::NoInline);
      Kept.push_back(&F); // whose parameters stay what they are, too
    } else if (F.isDeclaration() && F.getName().starts_with("__scale_annotate_")) {
      F.setDoesNotThrow();
      F.addFnAttr(Attribute::WillReturn);
    }
  appendToCompilerUsed(M, Kept);
  Namer(M, Rows, Known).run();
  markWrappers(M, Rows, Known);
}

} // namespace scale
