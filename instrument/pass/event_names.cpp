// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/event_names.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"
using namespace llvm;

namespace scale
{

/* ---- in the module ------------------------------------------------------------------ */

static const char NamesName[] = "scale.event.names", CallsName[] = "scale.event.calls",
                  AskedName[] = "scale.event.asked";

void NamedEvents::write(Module &M) const
{
  LLVMContext &C = M.getContext();
  auto Number = [&](unsigned V) { return ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(C), V)); };
  auto Text = [&](const std::string &S) { return MDString::get(C, S); };
  NamedMDNode *Node = M.getOrInsertNamedMetadata(NamesName);
  for (const ResourceName &R : Names)
    Node->addOperand(MDNode::get(C, {Text(R.Name), Text(R.File), Number(R.Line)}));
  Node = M.getOrInsertNamedMetadata(CallsName);
  for (auto &[Key, Of] : Calls)
    Node->addOperand(MDNode::get(C, {Number(Key.first.Row), Number(Key.first.Line), Number(Key.first.Column),
                                     Text(Key.second), Number(Of.Name), Text(Of.Path)}));
  Node = M.getOrInsertNamedMetadata(AskedName);
  for (auto &[Key, Class] : Classes)
    Node->addOperand(MDNode::get(C, {Text(Key), Number(Class)}));
}

NamedEvents NamedEvents::read(const Module &M)
{
  NamedEvents Out;
  auto Number = [](const MDNode *N, unsigned I) {
    return unsigned(mdconst::extract<ConstantInt>(N->getOperand(I))->getZExtValue());
  };
  auto Text = [](const MDNode *N, unsigned I) { return cast<MDString>(N->getOperand(I))->getString().str(); };
  if (const NamedMDNode *Node = M.getNamedMetadata(NamesName))
    for (const MDNode *N : Node->operands())
      Out.Names.push_back({Text(N, 0), Text(N, 1), Number(N, 2)});
  if (const NamedMDNode *Node = M.getNamedMetadata(CallsName))
    for (const MDNode *N : Node->operands())
      Out.Calls[{{Number(N, 0), Number(N, 1), Number(N, 2)}, Text(N, 3)}] = {Number(N, 4), Text(N, 5)};
  if (const NamedMDNode *Node = M.getNamedMetadata(AskedName))
    for (const MDNode *N : Node->operands())
      Out.Classes[Text(N, 0)] = Number(N, 1);
  return Out;
}

void NamedEvents::erase(Module &M)
{
  for (const char *Name : {NamesName, CallsName, AskedName})
    if (NamedMDNode *Node = M.getNamedMetadata(Name))
      M.eraseNamedMetadata(Node);
}

/* ---- late --------------------------------------------------------------------------------- */

EventNames::EventNames(Module &M, const Table &T) : Rows(T), Stored(NamedEvents::read(M))
{
  NamedEvents::erase(M);
  StringMap<bool> Asked;
  for (auto &[Key, Class] : Stored.Classes)
    Asked[StringRef(Key).split('/').first] = true;
  if (Asked.empty())
    return;
  for (const Function &F : M) {
    auto Row = Rows.rowOf(F);
    std::string Name = Row ? std::to_string(*Row) : "@" + linkageName(F);
    if (Asked.count(Name))
      Asking[&F] = Name + "/";
  }
}

/* From a function outwards, through the calls that were inlined. */
const ResourceName *EventNames::follow(Origin From, const DILocation *Location) const
{
  for (; Location; Location = Location->getInlinedAt()) {
    if (From.Name)
      break;
    const DILocation *Call = Location->getInlinedAt();
    auto Callee = Rows.rowOf(Location->getScope()->getSubprogram());
    auto Caller = Call ? Rows.rowOf(Call->getScope()->getSubprogram()) : std::nullopt;
    if (From.Path.empty() || !Callee || !Caller)
      return nullptr;
    auto It =
        Stored.Calls.find({{*Caller, Call->getLine(), Call->getColumn()}, std::to_string(*Callee) + "/" + From.Path});
    if (It == Stored.Calls.end())
      return nullptr;
    From = It->second;
  }
  return From.Name && From.Name <= Stored.Names.size() ? &Stored.Names[From.Name - 1] : nullptr;
}

const ResourceName *EventNames::of(const CallBase &Event) const
{
  StringRef Tag = Event.getFnAttr("scale-event").getValueAsString();
  Origin From;
  if (Tag.consume_front("="))
    Tag.getAsInteger(10, From.Name);
  else
    From.Path = Tag.str();
  if (From.Name)
    return From.Name <= Stored.Names.size() ? &Stored.Names[From.Name - 1] : nullptr;
  return follow(From, Event.getDebugLoc());
}

std::vector<EventNames::Handed> EventNames::handedBy(const CallBase &Call) const
{
  std::vector<Handed> Found;
  auto Callee = Asking.find(Call.getCalledFunction());
  const DILocation *Where = Call.getDebugLoc();
  if (Callee == Asking.end() || !Where)
    return Found;
  auto Row = Rows.rowOf(Where->getScope()->getSubprogram());
  if (!Row)
    return Found;
  const std::string &Prefix = Callee->second;
  CallSite At{*Row, Where->getLine(), Where->getColumn()};
  for (auto It = Stored.Calls.lower_bound({At, Prefix}); It != Stored.Calls.end(); ++It) {
    auto &[Site, Asked] = It->first;
    if (At < Site || Asked.compare(0, Prefix.size(), Prefix) != 0)
      break;
    Handed H;
    auto [Argument, Offset] = StringRef(Asked).substr(Prefix.size()).split(':');
    auto Class = Stored.Classes.find(Asked);
    // Through other memory it is not followed at run time.
    if (Class == Stored.Classes.end() || !Class->second || Argument.getAsInteger(10, H.Argument) ||
        Offset.getAsInteger(10, H.Offset) || H.Argument >= Call.arg_size())
      continue;
    H.Class = Class->second;
    H.Name = follow(It->second, Where);
    if (H.Name)
      Found.push_back(H);
  }
  return Found;
}

} // namespace scale
