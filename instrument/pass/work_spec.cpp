// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/work_spec.h"
#include "instrument/pass/event_spec.h"
#include "instrument/pass/table.h"
#include "profiles/layout.inc"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
using namespace llvm;

namespace scale
{

static unsigned unitOf(StringRef Text)
{
  return StringSwitch<unsigned>(Text)
      .Case("bytes", SCALE_UNIT_BYTES)
      .Case("characters", SCALE_UNIT_CHARACTERS)
      .Case("elements", SCALE_UNIT_ELEMENTS)
      .Case("operations", SCALE_UNIT_OPERATIONS)
      .Default(0);
}

static bool takeIndex(StringRef &Text, unsigned &Index) { return !Text.consumeInteger(10, Index) && Index < 64; }

/* BYTES, BYTES:SIZE */
static bool takeField(StringRef &Text, WorkTerm &Out)
{
  if (Text.consumeInteger(10, Out.Value))
    return false;
  return !Text.consume_front(":") || (!Text.consumeInteger(10, Out.Bytes) && is_contained({1, 2, 4, 8}, Out.Bytes));
}

static bool takeTerm(StringRef &Text, WorkTerm &Out)
{
  if (Text.consume_front("ret")) {
    Out.From = WorkTerm::Result;
    return true;
  }
  if (Text.consume_front("copied")) {
    Out.From = WorkTerm::Copied;
    return true;
  }
  if (Text.consume_front("end:")) {
    Out.From = WorkTerm::End;
    return takeIndex(Text, Out.Index);
  }
  if (Text.consume_front("calls:")) {
    Out.From = WorkTerm::Calls;
    if (!takeIndex(Text, Out.Index) || !Text.consume_front(":") || !takeIndex(Text, Out.First))
      return false;
    Out.Kept = Text.consume_front(":kept");
    return true;
  }
  Out.Wide = Text.starts_with("wcslen:");
  if (Text.consume_front("strlen:") || Text.consume_front("wcslen:")) {
    Out.From = Text.consume_front("ret") ? WorkTerm::ResultLength : WorkTerm::StringLength;
    return Out.From == WorkTerm::ResultLength || takeIndex(Text, Out.Index);
  }
  if (Text.consume_front("walk:")) {
    Out.From = WorkTerm::Walk;
    return takeIndex(Text, Out.Index);
  }
  if (Text.consume_front("was:")) {
    Out.From = WorkTerm::Before;
    return takeIndex(Text, Out.Index) && Text.consume_front("->") && takeField(Text, Out);
  }
  if (!Text.consume_front("arg:"))
    return !Text.consumeInteger(10, Out.Value);
  Out.From = WorkTerm::Argument;
  if (!takeIndex(Text, Out.Index))
    return false;
  if (!Text.consume_front("->"))
    return true;
  Out.From = WorkTerm::Field;
  return takeField(Text, Out);
}

static bool parseAmount(StringRef Text, WorkSpec &Out)
{
  if (Text.consume_front("as:")) {
    Out.As = Text.str();
    return !Out.As.empty();
  }
  Out.Throws = Text.starts_with("try");
  if (Text.consume_front("do") || Text.consume_front("try")) {
    Out.Wrapper = "__scale_work_" + (Text.consume_front(":") ? Text.str() : Out.Function);
    Out.After = true;
    return true;
  }
  Out.After = Text.consume_front("after:");
  WorkTerm Term;
  while (takeTerm(Text, Term)) {
    Out.After |= is_contained(
        {WorkTerm::Result, WorkTerm::ResultLength, WorkTerm::End, WorkTerm::Copied, WorkTerm::Calls}, Term.From);
    Out.Amount.push_back(Term);
    if (Text.empty())
      return true;
    size_t Join = StringRef("+-*/<").find(Text.front());
    if (Join == StringRef::npos)
      return false;
    Term = WorkTerm();
    Term.Join = static_cast<decltype(Term.Join)>(Join);
    Text = Text.drop_front();
  }
  return false;
}

Expected<WorkSpec> parseWork(StringRef Line)
{
  SmallVector<StringRef, 3> Columns;
  Line.split(Columns, '\t');
  WorkSpec Spec;
  if (Columns.size() != 3 || Columns[0].empty())
    return createStringError("work needs a function, an amount and a unit, separated by tabs");
  Spec.Function = Columns[0].str();
  if (!parseAmount(Columns[1], Spec))
    return notUnderstood(Columns[1], "is no amount of work");
  Spec.Unit = unitOf(Columns[2]);
  if (!Spec.Unit)
    return notUnderstood(Columns[2], "is no unit of work");
  return Spec;
}

static const char BuiltIn[] =
#define WORK(function, amount, unit) #function "\t" amount "\t" #unit "\n"
#include "instrument/events/library_work.def"
#undef WORK
    ;

void KnownWork::addBuiltIn()
{
  for (StringRef Line : split(BuiltIn, '\n')) {
    if (Line.empty())
      continue;
    auto Spec = parseWork(Line);
    if (!Spec)
      report_fatal_error(Spec.takeError());
    std::string Name = Spec->Function;
    Rows[Name] = std::move(*Spec);
  }
}

bool KnownWork::isLine(StringRef Line) { return Line.split('\t').second.split('\t').first == "work"; }

/* What the runtime does or tells is there for the built-in table alone. */
static bool isForProbes(const WorkSpec &Spec)
{
  return Spec.Wrapper.empty() && Spec.As.empty() && none_of(Spec.Amount, [](const WorkTerm &T) {
           return is_contained({WorkTerm::Copied, WorkTerm::Calls}, T.From);
         });
}

Error KnownWork::addLine(StringRef Line)
{
  auto [Function, Rest] = Line.split('\t');
  StringRef Amount = Rest.split('\t').second;
  auto Spec = parseWork((Function + "\t" + Amount).str());
  if (!Spec)
    return Spec.takeError();
  if (!isForProbes(*Spec))
    return notUnderstood(Amount.split('\t').first, "is no amount of work of a probe set");
  Spec->Probe = true;
  std::string Name = Spec->Function;
  Rows[Name] = std::move(*Spec);
  return Error::success();
}

std::optional<KnownWork> KnownWork::fromEnvironment(LLVMContext &Context)
{
  KnownWork Known;
  Known.addBuiltIn();
  bool Understood =
      readEnvironment(Context, [&](StringRef Line) { return isLine(Line) ? Known.addLine(Line) : Error::success(); });
  return Understood ? std::optional<KnownWork>(std::move(Known)) : std::nullopt;
}

static StringRef nameOf(const Function &F, std::string &Room)
{
  switch (F.getIntrinsicID()) {
  case Intrinsic::memcpy:
    return "memcpy";
  case Intrinsic::memmove:
    return "memmove";
  case Intrinsic::memset:
    return "memset";
  default:
    return Room = F.isIntrinsic() ? "" : linkageName(F);
  }
}

const WorkSpec *KnownWork::row(const Function *Callee) const
{
  std::string Room;
  if (!Callee)
    return nullptr;
  if (auto It = Behind.find(Callee); It != Behind.end())
    return &It->second;
  auto It = Rows.find(nameOf(*Callee, Room));
  bool Own = !Callee->isDeclaration() || Defined.count(Callee);
  return It != Rows.end() && (It->second.Probe || !Own) ? &It->second : nullptr;
}

const WorkSpec *KnownWork::named(StringRef Function) const
{
  auto It = Rows.find(Function);
  return It == Rows.end() ? nullptr : &It->second;
}

const WorkSpec *KnownWork::of(const CallBase &Call) const
{
  const WorkSpec *Spec = row(Call.getCalledFunction());
  const DILocation *At = Call.getDebugLoc();
  bool Made = isa<IntrinsicInst>(Call) && At && At->getLine() &&
              !Written.count({At->getScope(), At->getLine(), At->getColumn()});
  return Made ? nullptr : Spec;
}

StringRef plainName(const WorkSpec &Spec)
{
  StringRef Name = Spec.Function;
  if (Spec.Probe || !Name.consume_front("__"))
    return Name;
  (void)(Name.consume_front("isoc99_") || Name.consume_front("isoc23_"));
  Name.consume_back("_chk");
  return Name;
}

std::string KnownWork::written(const CallBase &Call, const WorkSpec &Spec) const
{
  const DILocation *At = Call.getDebugLoc();
  auto It = At ? Written.find({At->getScope(), At->getLine(), At->getColumn()}) : Written.end();
  return It == Written.end() ? plainName(Spec).str() : It->second;
}

/* A header's function around it that has its name is not where the program calls it; a method called so is. */
const DILocation *KnownWork::place(const CallBase &Call, StringRef Written)
{
  const DILocation *At = Call.getDebugLoc();
  if (!At || !At->getInlinedAt())
    return At;
  const DISubprogram *Around = At->getScope()->getSubprogram();
  bool Linked = Around->getLinkageName().empty() || Around->getLinkageName() == Written;
  return Linked && Around->getName() == Written ? At->getInlinedAt() : At;
}

static const char Notes[] = "scale.work";

void KnownWork::note(Module &M) const
{
  LLVMContext &C = M.getContext();
  NamedMDNode *List = nullptr;
  auto Number = [&](unsigned N) { return ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(C), N)); };
  for (const Function &F : M)
    for (const Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      const DILocation *At = Call ? Call->getDebugLoc().get() : nullptr;
      const WorkSpec *Spec = At ? row(Call->getCalledFunction()) : nullptr;
      auto *Memory = dyn_cast<MemIntrinsic>(&I);
      if (!Spec || (Memory && isa<ConstantInt>(Memory->getLength())))
        continue;
      if (!List)
        List = M.getOrInsertNamedMetadata(Notes);
      List->addOperand(MDTuple::get(
          C, {At->getScope(), Number(At->getLine()), Number(At->getColumn()), MDString::get(C, plainName(*Spec))}));
    }
}

/* The same behind the argument that says where the structure that is returned goes: no source shows it. */
static WorkSpec behindResult(WorkSpec Spec)
{
  for (WorkTerm &T : Spec.Amount) {
    T.Index++;
    T.First++;
  }
  return Spec;
}

void KnownWork::read(Module &M)
{
  for (const Function &F : M) {
    if (!F.isDeclaration())
      Defined.insert(&F);
    if (const WorkSpec *Spec = F.hasStructRetAttr() ? row(&F) : nullptr; Spec && Spec->Probe)
      Behind.emplace(&F, behindResult(*Spec));
  }
  NamedMDNode *List = M.getNamedMetadata(Notes);
  if (!List)
    return;
  auto Number = [](const Metadata *N) { return mdconst::extract<ConstantInt>(N)->getZExtValue(); };
  for (const MDNode *Note : List->operands())
    Written[{Note->getOperand(0).get(), Number(Note->getOperand(1)), Number(Note->getOperand(2))}] =
        cast<MDString>(Note->getOperand(3))->getString().str();
  M.eraseNamedMetadata(List);
}

} // namespace scale
