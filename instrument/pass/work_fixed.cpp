// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/work_fixed.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/Error.h"
#include <optional>
using namespace llvm;

namespace scale
{

static const struct {
  const char *Function, *Calls;
} BuiltIn[] = {
#define FIXED(function, calls) {#function, calls},
#include "instrument/events/fixed_work.def"
#undef FIXED
};

bool FixedWork::parse(StringRef Text, Condition &Out)
{
  auto [Kind, Numbers] = Text.split(':');
  static const char *const Kinds[] = {"string", "number", "print", "less"};
  const auto *It = find(Kinds, Kind);
  if (It == std::end(Kinds))
    return false;
  Out.Kind = static_cast<decltype(Out.Kind)>(It - Kinds);
  auto [Index, Most] = Numbers.split(':');
  return !Index.getAsInteger(10, Out.Index) && (Most.empty() || !Most.getAsInteger(10, Out.Most));
}

FixedWork::FixedWork()
{
  for (const auto &Row : BuiltIn)
    for (StringRef Text : split(Row.Calls, ' ')) {
      Word All;
      for (StringRef Part : split(Text, '+'))
        if (!parse(Part, All.emplace_back()))
          report_fatal_error(StringRef("scale-pass: fixed work of ") + Row.Function);
      Rows[Row.Function].push_back(std::move(All));
    }
}

/* ---- constants -------------------------------------------------------------------- */

static const Value *argument(const CallBase &Call, unsigned Index)
{
  return Index < Call.arg_size() ? Call.getArgOperand(Index) : nullptr;
}

static std::optional<uint64_t> stringBytes(const Value *Text)
{
  uint64_t WithEnd = Text && Text->getType()->isPointerTy() ? GetStringLength(Text) : 0;
  return WithEnd ? std::optional<uint64_t>(WithEnd - 1) : std::nullopt;
}

static std::optional<uint64_t> numberOf(const Value *V)
{
  auto *N = dyn_cast_or_null<ConstantInt>(V);
  return N && N->getBitWidth() <= 64 ? std::optional<uint64_t>(N->getZExtValue()) : std::nullopt;
}

/* What a format comes to, where the optimiser knows it. */
static std::optional<uint64_t> printedBytes(const CallBase &Call, unsigned Index, bool Line)
{
  StringRef Format;
  const Value *Text = argument(Call, Index);
  if (!Text || !getConstantStringInfo(Text, Format))
    return std::nullopt;
  if (!Format.contains('%'))
    return Format.size();
  if (Format == "%c")
    return 1;
  auto Bytes = Format == "%s" || (Line && Format == "%s\n") ? stringBytes(argument(Call, Index + 1)) : std::nullopt;
  return Bytes ? std::optional<uint64_t>(*Bytes + Format.size() - 2) : std::nullopt;
}

/* ---- calls ------------------------------------------------------------------------- */

bool FixedWork::meets(const CallBase &Call, const Condition &C)
{
  std::optional<uint64_t> Known;
  if (C.Kind == Condition::String)
    Known = stringBytes(argument(Call, C.Index));
  else if (C.Kind == Condition::Number)
    Known = numberOf(argument(Call, C.Index));
  else if (C.Kind == Condition::Print)
    Known = printedBytes(Call, C.Index, C.Most != UINT64_MAX);
  return Known && *Known <= C.Most;
}

static const char Whole[] = "scale-whole"; /* the attribute of a call that keep() kept */

ArrayRef<FixedWork::Word> FixedWork::wordsOf(const CallBase &Call, StringRef Function) const
{
  auto It = Rows.find(Function);
  return It == Rows.end() || Call.getAttributes().hasFnAttr(Whole) ? ArrayRef<Word>() : ArrayRef(It->second);
}

bool FixedWork::holds(const CallBase &Call, StringRef Function) const
{
  return any_of(wordsOf(Call, Function),
                [&](const Word &W) { return all_of(W, [&](const Condition &C) { return meets(Call, C); }); });
}

uint64_t FixedWork::less(const CallBase &Call, StringRef Function) const
{
  for (const Word &W : wordsOf(Call, Function))
    if (const Condition &C = W.front(); C.Kind == Condition::Less) {
      auto Bytes = stringBytes(argument(Call, C.Index));
      auto Bound = C.Most == UINT64_MAX ? Bytes : numberOf(argument(Call, static_cast<unsigned>(C.Most)));
      return Bytes && Bound ? std::min(*Bytes, *Bound) : 0;
    }
  return 0;
}

/* Of inline definitions in headers (_FORTIFY_SOURCE) the call in the program counts, which the optimiser sees whole. */
static bool isHeader(const Function &F)
{
  return F.hasAvailableExternallyLinkage() || F.getName().ends_with(".inline");
}

void FixedWork::keep(Module &M, const Table &Rows) const
{
  static const char *const Functions[] = {"strcpy", "stpcpy", "strcat", "strncat", "strcmp", "strncmp"};
  for (Function &F : M) {
    if (isHeader(F) || !Rows.rowOf(F))
      continue;
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (!Callee || !Callee->isDeclaration() || !is_contained(Functions, linkageName(*Callee)) ||
          holds(*Call, linkageName(*Callee)) || less(*Call, linkageName(*Callee)))
        continue;
      Call->addFnAttr(Attribute::NoBuiltin);
      Call->addFnAttr(Attribute::get(M.getContext(), Whole));
    }
  }
}

} // namespace scale
